"""Reports of runs in a real browser: report_test.py PROGRAM SOURCE [unittest options]. See pages.py."""

import csv
import json
import subprocess
import sys

from pages import Page, driftless, main, models, program


class Pendulum(Page):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.here / "pendulum.html"
        out = driftless("solve", models / "pendulum_schropp.mo", "--report", cls.page, "-o", cls.here / "pendulum.csv", "-o", cls.here / "pendulum.h5", "--json")
        cls.result = json.loads(out)
        with open(cls.here / "pendulum.csv") as file:
            cls.rows = [{name: float(x) for name, x in row.items()} for row in csv.DictReader(file)]

    def test_holds_the_numbers_of_the_run(self):
        self.open(self.page)
        self.assertEqual(self.fetched(), [])
        positions = self.chart("Positions")
        data = self.run_js("return driftless.charts[arguments[0]].plot.data.map(c => Array.from(c));", positions)
        self.assertEqual(data[0], [row["time"] for row in self.rows])
        self.assertEqual(data[1], [row["u1"] for row in self.rows])
        self.assertEqual(data[2], [row["u2"] for row in self.rows])
        steps = self.run_js("return driftless.charts[arguments[0]].plot.data.map(c => Array.from(c));", self.chart("Residuals of the constraints, max norm"))
        self.assertEqual(len(steps), 4)
        self.assertEqual(len(steps[0]), self.result["statistics"]["steps"])
        # The largest of the run, or its start, which is no step.
        self.assertLessEqual(max(steps[1]), max(self.result["constraints"]["position"], 1e-17))
        self.assertLess(max(steps[3]), 1e-12)

    def test_says_what_happened(self):
        self.open(self.page)
        text = self.run_js("return document.getElementById('summary').innerText;")
        self.assertIn("It worked", text)
        self.assertIn("they hold to rounding", text)
        table = self.run_js("return Object.fromEntries([...document.querySelectorAll('#statistics td')].map(c => [c.dataset.key, c.innerText]));")
        self.assertEqual(table["steps"], f"{self.result['statistics']['steps']:,}")
        model = self.run_js("return document.querySelector('#model pre').textContent;")
        self.assertEqual(model, (models / "pendulum_schropp.mo").read_text())

    def test_zooms_by_dragging_and_all_pictures_follow(self):
        self.open(self.page)
        chart, other = self.chart("Positions"), self.chart("Step size")
        left, top, width, height = self.box(chart)
        self.browser.drag([left + 0.25 * width, top + height / 2], [left + 0.5 * width, top + height / 2])
        low, high = self.x_range(chart)
        self.assertAlmostEqual(low, 5.0, delta=0.2)
        self.assertAlmostEqual(high, 10.0, delta=0.2)
        self.assertEqual(self.x_range(other), [low, high])
        # Shift and drag by a tenth of the width moves by a tenth of the range.
        left, top, width, height = self.box(chart)
        self.browser.drag([left + 0.5 * width, top + height / 2], [left + 0.4 * width, top + height / 2], shift=True)
        moved = self.x_range(chart)
        self.assertAlmostEqual(moved[0] - low, 0.1 * (high - low), delta=0.02 * (high - low))
        self.assertAlmostEqual(moved[1] - moved[0], high - low, places=9)
        self.run_js("driftless.charts[arguments[0]].figure.querySelector('[aria-label=\"show everything\"]').click();", chart)
        self.assertEqual(self.x_range(other), [0, 20])

    def test_works_by_keyboard(self):
        self.open(self.page)
        chart = self.chart("Velocities")
        self.run_js("driftless.charts[arguments[0]].figure.focus();", chart)
        self.browser.key("+", "+")
        low, high = self.x_range(chart)
        self.assertAlmostEqual(high - low, 14.0, places=6)
        self.browser.key("ArrowRight")
        self.assertAlmostEqual(self.x_range(chart)[0], low + 1.4, places=6)
        self.browser.key("0", "0")
        self.assertEqual(self.x_range(chart), [0, 20])

    def test_legend_switches_lines(self):
        self.open(self.page)
        chart = self.chart("Positions")
        shown = lambda: self.run_js("return driftless.charts[arguments[0]].plot.series.map(s => s.show);", chart)
        self.assertEqual(shown(), [True, True, True])
        self.run_js("driftless.charts[arguments[0]].plotHost.querySelectorAll('.u-legend th')[1].click();", chart)
        self.assertEqual(shown(), [True, False, True])
        self.run_js("driftless.charts[arguments[0]].plotHost.querySelectorAll('.u-legend th')[2].focus();", chart)
        self.browser.key("Enter", "\r")
        self.assertEqual(shown(), [True, False, False])
        self.run_js("driftless.theme.toggle();")
        self.assertEqual(shown(), [True, False, False])

    def test_logarithmic_axis(self):
        self.open(self.page)
        chart = self.chart("Step size")
        kind = lambda: self.run_js("return driftless.charts[arguments[0]].plot.scales.y.distr;", chart)
        self.assertEqual(kind(), 3)
        self.run_js("driftless.charts[arguments[0]].logButton.click();", chart)
        self.assertEqual(kind(), 1)
        # Values of both signs have no logarithm; asinh shows them.
        positions = self.chart("Positions")
        self.run_js("driftless.charts[arguments[0]].logButton.click();", positions)
        self.assertEqual(self.run_js("return driftless.charts[arguments[0]].plot.scales.y.distr;", positions), 4)

    def test_phase_portrait(self):
        self.open(self.page)
        data = self.run_js("driftless.phase.across.value = 'u1'; driftless.phase.up.value = 'u2'; driftless.phase.build();"
                           "return driftless.phase.plot.data[1].map(c => Array.from(c));")
        self.assertEqual(data, [[row["u1"] for row in self.rows], [row["u2"] for row in self.rows]])
        inked = self.run_js("const c = driftless.phase.plot.ctx.canvas, d = driftless.phase.plot.ctx.getImageData(0, 0, c.width, c.height).data;"
                            "let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n;")
        self.assertGreater(inked, 3000)

    def test_animation_moves_and_the_rod_keeps_its_length(self):
        self.open(self.page)
        count = self.run_js("return driftless.animations[0].times.length;")
        self.assertEqual(count, len(self.rows))
        self.run_js("document.querySelector('.play').click(); await new Promise(f => setTimeout(f, 600));")
        first = self.run_js("return driftless.animations[0].frame;")
        self.assertGreater(first, 0)
        lengths = self.run_js("const a = driftless.animations[0], all = []; for (let f = 0; f < a.times.length; ++f)"
                              "for (const [p, q] of a.run.drawing.links) { const P = a.at(p, f), Q = a.at(q, f); all.push(Math.hypot(P[0] - Q[0], P[1] - Q[1])); } return all;")
        self.assertEqual(len(lengths), count)
        self.assertLess(max(abs(length - 1) for length in lengths), 1e-13)
        self.run_js("document.querySelector('.play').click();")
        self.run_js("const s = document.querySelector('.controls input'); s.value = 100; s.dispatchEvent(new Event('input'));")
        at = self.run_js("return driftless.animations[0].at(1);")
        self.assertEqual(at, [self.rows[100]["u1"], self.rows[100]["u2"]])
        self.assertIn("5.0000", self.run_js("return document.querySelector('.clock').textContent;"))

    def test_light_dark_and_narrow(self):
        self.open(self.page)
        background = lambda: self.run_js("return getComputedStyle(document.body).backgroundColor;")
        self.browser.look(1280, dark=False)
        light = background()
        self.browser.look(1280, dark=True)
        self.assertNotEqual(background(), light)
        self.run_js("document.querySelector('.theme').click();")
        self.assertEqual(background(), light)
        self.browser.look(400)
        self.assertLessEqual(self.run_js("return document.documentElement.scrollWidth;"), 400)

    def test_prints_in_light_colours(self):
        self.open(self.page)
        self.browser.look(1280, dark=True)
        self.run_js("window.dispatchEvent(new Event('beforeprint'));")
        self.assertEqual(self.run_js("return document.documentElement.dataset.theme;"), "light")
        self.run_js("window.dispatchEvent(new Event('afterprint'));")
        self.assertEqual(self.run_js("return document.documentElement.dataset.theme;"), "dark")

    def test_a_file_of_results_gives_the_same_page(self):
        driftless("report", self.here / "pendulum.h5", "-o", self.here / "again.html")
        parts = []
        for name in ("pendulum.html", "again.html"):
            self.open(self.here / name)
            parts.append(self.run_js("return driftless.charts.map(c => [c.spec.title, ...c.plot.data.map(d => Array.from(d))]);"))
        self.assertEqual(parts[0], parts[1])


class Comparison(Page):
    def test_with_and_without_projection(self):
        for name, project in (("projected", "on"), ("drifting", "off")):
            driftless("solve", models / "pendulum_schropp.mo", "--method", "radau5", "--project", project, "--level", "velocity", "--rtol", "1e-4", "-o", self.here / f"{name}.h5")
        driftless("report", self.here / "projected.h5", self.here / "drifting.h5", "-o", self.here / "drift.html")
        self.open(self.here / "drift.html")
        chart = self.chart("Residuals of the constraints, max norm")
        labels = self.run_js("return driftless.charts[arguments[0]].spec.series.map(s => s.label);", chart)
        self.assertEqual(len(labels), 6)
        self.assertEqual(labels[0], "g, the constraint (project on)")
        self.assertEqual(labels[3], "g, the constraint (project off)")
        last = self.run_js("return driftless.charts[arguments[0]].plot.data.slice(1).map(c => c.filter(y => y !== null).at(-1));", chart)
        self.assertLess(last[0], 1e-13)
        self.assertGreater(last[3], 1e-8)
        self.assertEqual(self.run_js("return document.querySelectorAll('#statistics > .scroll thead th').length;"), 2)


class Mechanisms(Page):
    def test_the_squeezer_keeps_its_links_while_it_moves(self):
        page = self.here / "squeezer.html"
        driftless("solve", models / "andrews_squeezer.mo", "--report", page)
        self.open(page)
        spread = self.run_js("const a = driftless.animations[0]; return a.run.drawing.links.map(([p, q]) => { let low = Infinity, high = 0;"
                             "for (let f = 0; f < a.times.length; ++f) { const P = a.at(p, f), Q = a.at(q, f), l = Math.hypot(P[0] - Q[0], P[1] - Q[1]);"
                             "low = Math.min(low, l); high = Math.max(high, l); } return [low, high]; });")
        expected = [0.007, 0.028, 0.04, 0.02, 0.04, 0.02]
        self.assertEqual(len(spread), 6)
        for (low, high), length in zip(spread, expected):
            self.assertLess(high - low, 1e-14)
            self.assertAlmostEqual(low, length, places=13)
        moved = self.run_js("const a = driftless.animations[0]; return Math.max(...a.coordinates[4].map((x, i) => Math.hypot(x - a.coordinates[4][0], a.coordinates[5][i] - a.coordinates[5][0])));")
        self.assertGreater(moved, 0.005)

    def test_a_spatial_one_turns(self):
        page = self.here / "sphere.html"
        driftless("solve", models / "limit_cycle_sphere.mo", "--report", page)
        self.open(page)
        before = self.run_js("const a = driftless.animations[0]; a.canvas.scrollIntoView({block: 'center'}); a.goTo(40); return a.angles;")
        box = self.run_js("const b = driftless.animations[0].canvas.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2];")
        self.browser.drag(box, [box[0] + 120, box[1]])
        self.assertAlmostEqual(self.run_js("return driftless.animations[0].angles;")[0], before[0] + 1.0, places=6)

    def test_reference_problems_move_as_their_model_files_do(self):
        # The end of a run, and how many points are drawn.
        moving = {"andrews_squeezer": (0.02, 9), "car_axis": (0.5, 4), "chain_pendulum_2": (0.5, 3), "chain_pendulum_5": (0.2, 6), "chain_pendulum_10": (0.2, 11),
                  "chain_pendulum_50": (0.05, 51), "closed_loop_chain_6": (0.2, 6), "closed_loop_chain_12": (0.2, 12), "fekete20": (1, 20), "fekete20_ggl": (1, 20),
                  "limit_cycle_sphere": (1, 2), "lorenz_lifted": (0.5, 1), "n_four_bar_2": (0.5, 6), "n_four_bar_40": (0.05, 82), "pendulum_schropp": (1, 2),
                  "redundant_parallelogram": (1, 6), "slider_crank_flexible_a": (0.02, 3), "slider_crank_flexible_b": (0.02, 3), "slider_crank_flexible_c": (0.02, 3),
                  "stiff_spring_pendulum_eps1e-2": (0.5, 2), "stiff_spring_pendulum_eps1e-3": (0.2, 2)}
        problems = {problem["name"]: problem for problem in json.loads(driftless("problems", "--json"))}
        frames = "const a = driftless.animations[0]; return {drawing: a.run.drawing, points: a.points, times: Array.from(a.times), coordinates: a.coordinates.map(c => Array.from(c))};"
        for name, (end, points) in moving.items():
            with self.subTest(name):
                about = problems[name]
                options = ["--t-end", end, "--interval", end / 8, "--rtol", "1e-9"]
                settings = [word for setting in about["model_settings"] for word in ("--set", setting)]
                found = []
                for source, extra in ((f"problem:{name}", []), (models / about["model_file"], settings)):
                    page = self.here / "moving.html"
                    driftless("solve", source, *options, *extra, "--report", page)
                    self.browser.open(page)
                    self.run_js("while (!driftless.ready) await new Promise(f => setTimeout(f, 10));")
                    found.append(self.run_js(frames))
                problem, model = found
                self.assertEqual(problem["points"], points)
                self.assertEqual(problem["drawing"], model["drawing"])
                self.assertEqual(len(problem["times"]), 9)
                for mine, theirs in zip(problem["coordinates"], model["coordinates"], strict=True):
                    for a, b in zip(mine, theirs, strict=True):
                        self.assertAlmostEqual(a, b, delta=1e-6)
                moved = max(max(c) - min(c) for c in problem["coordinates"])
                self.assertGreater(moved, 1e-4)

    def test_the_squeezer_of_the_reference_problems_plays(self):
        page = self.here / "reference.html"
        driftless("solve", "problem:andrews_squeezer", "--interval", "1e-4", "--report", page)
        self.open(page)
        self.assertIn((models / "andrews_squeezer.mo").read_text(), self.run_js("return document.querySelector('#model pre').textContent;"))
        self.run_js("document.querySelector('.play').click(); await new Promise(f => setTimeout(f, 500)); document.querySelector('.play').click();")
        self.assertGreater(self.run_js("return driftless.animations[0].frame;"), 0)
        spread = self.run_js("const a = driftless.animations[0]; return Math.max(...a.run.drawing.links.map(([p, q]) => { let low = Infinity, high = 0;"
                             "for (let f = 0; f < a.times.length; ++f) { const P = a.at(p, f), Q = a.at(q, f), l = Math.hypot(P[0] - Q[0], P[1] - Q[1]);"
                             "low = Math.min(low, l); high = Math.max(high, l); } return high - low; }));")
        self.assertLess(spread, 1e-14)

    def test_events_and_failures_are_told(self):
        page = self.here / "wall.html"
        driftless("solve", models / "pendulum_wall.mo", "--report", page)
        self.open(page)
        events = self.run_js("return driftless.runs[0].events;")
        self.assertGreater(len(events), 2)
        self.assertEqual(self.run_js("return driftless.charts.find(c => c.spec.title === 'Step size').spec.marks.length;"), len(events))
        self.assertIn("events: ", self.run_js("return document.getElementById('summary').innerText;"))
        page = self.here / "failed.html"
        subprocess.run([program, "solve", "problem:pendulum_schropp", "--t-end", "1000", "--step-limit", "50", "--report", str(page)], capture_output=True)
        self.open(page)
        self.assertIn("The run ended at t = ", self.run_js("return document.querySelector('#summary .bad').innerText;"))


class Large(Page):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.here / "large.html"
        driftless("solve", "problem:pendulum_schropp", "--t-end", "10000", "--method", "hem3", "--steps", "1000000", "--report", cls.page)

    def test_a_million_steps_are_kept_small_and_whole(self):
        self.assertLess(self.page.stat().st_size, 15e6)
        self.open(self.page, everything=False)
        rows = self.run_js("return [driftless.runs[0].table.total, driftless.runs[0].table.rows, driftless.runs[0].stepTable.total];")
        self.assertEqual(rows[0], 1000001)
        self.assertEqual(rows[2], 1000000)
        self.assertGreater(rows[1], 40000)
        self.assertIn("of 1,000,001 rows", self.run_js("return document.querySelector('#results .note').innerText;"))
        # What is kept are rows of the run, with the extremes: a pendulum that never stops reaches both sides.
        extremes = self.run_js("let low = 0, high = 0; for (const y of driftless.runs[0].table.by.u1) { low = Math.min(low, y); high = Math.max(high, y); } return [low, high];")
        self.assertAlmostEqual(extremes[0], -1, places=3)
        self.assertAlmostEqual(extremes[1], 1, places=3)

    def zoom_to(self, share):
        self.run_js("document.getElementById('results').scrollIntoView(); driftless.range.set(null); await new Promise(f => setTimeout(f, 200));"
                    "if (arguments[0] < 1) driftless.charts[1].zoom(arguments[0], 0.37); await new Promise(f => setTimeout(f, 200));", share)

    def test_work_is_bounded_by_pixels(self):
        self.open(self.page, everything=False)
        for share in (1, 0.3, 0.1, 0.03, 0.01, 0.001):
            with self.subTest(share):
                self.zoom_to(share)
                charts = self.run_js("return driftless.charts.filter(c => c.seen).map(c => { const {min, max} = c.plot.scales.x, x = c.plot.data[0];"
                                     "const from = driftless.firstAbove(x, min, true), to = driftless.firstAbove(x, max);"
                                     "const peaks = (x, y) => { let low = Infinity, high = -Infinity; for (let i = 0; i < x.length; ++i) if (x[i] >= min && x[i] <= max && y[i] !== null) { low = Math.min(low, y[i]); high = Math.max(high, y[i]); } return [low, high]; };"
                                     "return {points: to - from, width: c.width(), drawn: c.plot.data.slice(1).map(y => peaks(x, y)), all: c.spec.series.map(s => peaks(c.spec.x, s.values)),"
                                     "raw: x === c.spec.x}; });")
                self.assertGreaterEqual(len(charts), 3)
                for chart in charts:
                    self.assertLessEqual(chart["points"], 4 * chart["width"] + 2)
                    if not chart["raw"]:
                        self.assertGreater(chart["points"], 1.5 * chart["width"])
                    # No peak is lost but for the two buckets that the edges cut.
                    for (low, high), (least, largest) in zip(chart["drawn"], chart["all"]):
                        self.assertLessEqual(abs(low - least) + abs(high - largest), 0.01 * (largest - least) if largest > least else 0)
                # Moving draws every picture in sight once a frame, however often the range changes, and samples nothing anew.
                moved = self.run_js("const sum = (of) => driftless.charts.reduce((n, c) => n + of(c), 0), made = sum(c => c.levels.made), draws = driftless.charts.map(c => c.draws);"
                                    "driftless.bars = 0; for (let frame = 0; frame < 10; ++frame) { for (let k = 0; k < 5; ++k) driftless.charts[1].pan(frame % 2 ? 0.002 : -0.002);"
                                    "await new Promise(f => requestAnimationFrame(f)); } await new Promise(f => setTimeout(f, 50));"
                                    "return {made: sum(c => c.levels.made) - made, draws: driftless.charts.map((c, i) => [Boolean(c.seen), c.draws - draws[i]]), bars: driftless.bars,"
                                    "most: sum(c => c.seen ? (c.width() + 2) * c.spec.series.length : 0)};")
                self.assertEqual(moved["made"], 0)
                for seen, draws in moved["draws"]:
                    self.assertLessEqual(draws, 11 if seen else 0)
                self.assertGreaterEqual(max(draws for _, draws in moved["draws"]), 9)
                self.assertLessEqual(moved["bars"], 11 * moved["most"])

    def test_so_many_points_are_not_joined_in_the_phase_portrait(self):
        self.open(self.page)
        dots, pixels = self.run_js("const p = driftless.phase; return [p.dotCount, p.plot.over.clientWidth * p.plot.over.clientHeight];")
        self.assertGreater(dots, 1000)
        self.assertLess(dots, pixels)
        self.assertIn("not joined", self.run_js("return document.querySelector('#phase .note:last-child').innerText;"))

    def test_rejected_steps_that_lie_on_each_other_are_drawn_once(self):
        page = self.here / "rejected.html"
        driftless("solve", "problem:lorenz_lifted", "--t-end", "1500", "--rtol", "1e-6", "--method", "radau", "--report", page)
        self.open(page)
        rejected, drawn, cells = self.run_js("const c = driftless.charts.find(c => c.spec.title === 'Step size'); c.figure.scrollIntoView(); await new Promise(f => setTimeout(f, 200));"
                                             "driftless.points = 0; c.plot.redraw(); await new Promise(f => setTimeout(f, 50)); const b = c.plot.over;"
                                             "return [driftless.runs[0].rejected.rows, driftless.points, (b.clientWidth / 5 + 2) * (b.clientHeight / 5 + 2)];")
        self.assertGreater(rejected, 5000)
        self.assertGreater(drawn, 100)
        self.assertLess(drawn, min(cells, rejected))

    def test_times_are_told(self):
        """Not judged, for other work slows them down: the time to open, and of frames while a picture is moved."""
        self.open(self.page, everything=False)
        for share in (1, 0.1, 0.01):
            self.zoom_to(share)
            frames = self.run_js("const frames = []; let last = await new Promise(f => requestAnimationFrame(f)); for (let i = 0; i < 40; ++i) { driftless.charts[1].pan(i % 2 ? 0.05 : -0.04);"
                                 "const now = await new Promise(f => requestAnimationFrame(f)); frames.push(now - last); last = now; } return frames.sort((a, b) => a - b);")
            load = self.run_js("return performance.getEntriesByType('navigation')[0].loadEventEnd;")
            print(f"a million steps: {self.page.stat().st_size / 1e6:.1f} MB, open after {load:.0f} ms; {100 * share:g} % of it in sight: "
                  f"{frames[20]:.0f} ms a frame (median), {frames[36]:.0f} (90 %)", file=sys.stderr)


class Names(Page):
    """Names, units, descriptions and titles that are pieces of HTML: they are shown as they stand, and nothing of them lives."""

    def page(self):
        live = "<img src=x onerror='pwned = 1'><b>"
        quoted = live.replace("'", "\\'")
        model = self.here / "names.mo"
        model.write_text(f"""model '{quoted}' "title {live}"
  parameter Real p(unit = "{live}") = 1 "parameter {live}";
  Real '{quoted}'(start = 1, fixed = true, unit = "{live}", max = 0.5) "description {live}";
  Real 'second{quoted}' "another {live}";
equation
  der('{quoted}') = -p*'{quoted}';
  'second{quoted}' = 2*'{quoted}';
  when '{quoted}' < 0.7 then reinit('{quoted}', 0.6); end when;
end '{quoted}';
""")
        driftless("solve", model, "--report", self.here / "names.html", "-o", self.here / f"names.h5", "--quiet")
        return live

    def expect_text_only(self, live):
        found = self.run_js("return {alive: window.pwned, images: document.querySelectorAll('img, b').length, text: document.body.innerText};")
        self.assertIsNone(found["alive"])
        self.assertEqual(found["images"], 0)
        self.assertIn(live, found["text"])
        self.assertEqual([entry["message"] for entry in self.browser.log()], [])

    def test_in_a_run(self):
        live = self.page()
        self.open(self.here / "names.html")
        self.expect_text_only(live)

    def test_in_a_comparison(self):
        live = self.page()
        driftless("report", self.here / "names.h5", self.here / "names.h5", "-o", self.here / "both.html")
        self.open(self.here / "both.html")
        self.expect_text_only(live)

    def test_in_an_analysis(self):
        live = self.page()
        driftless("analyse", "stability", self.here / "names.mo", "--along", "--report", self.here / "analysis.html")
        self.open(self.here / "analysis.html")
        self.expect_text_only(live)


if __name__ == "__main__":
    main()
