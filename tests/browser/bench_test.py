"""Work-precision diagrams in a real browser: bench_test.py PROGRAM SOURCE [unittest options]. See pages.py.

data/bench_*.json are results of `driftless_bench PROBLEM --rows --json`, with some of their codes and tolerances left out."""

import json
import pathlib
import subprocess

from pages import Page, driftless, main, program

data = pathlib.Path(__file__).parent / "data"


class Benchmark(Page):
    def plane(self, number):
        return self.run_js("const p = driftless.planes[arguments[0]]; return {title: p.spec.title, logs: [p.plot.scales.x.distr, p.plot.scales.y.distr],"
                           "curves: p.drawn.map((c, i) => ({label: c.label, x: Array.from(c.x), y: Array.from(c.y), names: c.names, color: c.color, shape: c.shape || 0, show: p.plot.series[i + 1].show}))};", number)

    def test_one_problem(self):
        page = self.here / "andrews.html"
        driftless("report", data / "bench_andrews.json", "--output", page)
        measured = json.loads((data / "bench_andrews.json").read_text())
        self.open(page)
        self.assertEqual(self.fetched(), [])
        first = self.plane(0)
        self.assertEqual(first["title"], "Time against the error of positions")
        self.assertEqual(first["logs"], [3, 3])
        for curve, result in zip(first["curves"], measured["results"], strict=True):
            rows = [row for row in result["rows"] if "failure" not in row]
            self.assertEqual(curve["label"], result["code"])
            self.assertEqual(curve["x"], [row["error_q"] for row in rows])
            for y, row in zip(curve["y"], rows, strict=True):
                self.assertAlmostEqual(y, 1e3 * row["seconds"], delta=1e-12 * y)
            self.assertEqual(len(curve["names"]), len(rows))
        second = self.plane(1)
        for curve, result in zip(second["curves"], measured["results"], strict=True):
            rows = [row for row in result["rows"] if "failure" not in row]
            self.assertEqual(curve["x"], [max(row["error_q"], row["error_v"], row["error_lambda"]) for row in rows])
        # Settings of a code that are nowhere its fastest are there, but switched off; shapes tell the codes apart.
        shown = {curve["label"]: curve["show"] for curve in first["curves"]}
        self.assertTrue(shown["driftless"] and shown["RADAU5 index 1, M1"])
        self.assertFalse(shown["RADAU5 index 3"])
        self.assertEqual(len({curve["color"] for curve in first["curves"]}), len(first["curves"]))
        self.assertEqual(len({curve["shape"] for curve in first["curves"] if curve["label"].startswith("RADAU5")}), 1)
        table = self.table("Milliseconds at equal error of positions, and how many times slower than the first")
        self.assertEqual(table[0], ["code", "1e-04", "ratio", "1e-06", "ratio", "1e-08", "ratio"])
        times = {row[0]: row for row in table}
        at = {result["code"]: result["at_error"]["q"] for result in measured["results"]}
        for column, error in ((1, "1e-04"), (3, "1e-06"), (5, "1e-08")):
            self.assertEqual(times["driftless"][column], f"{1e3 * at['driftless'][error]:.3g}")
            self.assertEqual(times["RADAU5 index 3"][column + 1], f"{at['RADAU5 index 3'][error] / at['driftless'][error]:.2f}")
        self.assertEqual(times["IDA GGL, dense"][5:], ["never", "-"])
        remarks = self.run_js("return [...document.querySelectorAll('.summary li')].map(e => e.innerText);")
        self.assertIn(f"{at['RADAU5 index 1, M1']['1e-06'] / at['driftless']['1e-06']:.2f} times", remarks[1])

    def test_the_nearest_point_is_told(self):
        page = self.here / "nearest.html"
        driftless("report", data / "bench_andrews.json", "--output", page)
        self.open(page)
        place = self.run_js("const p = driftless.planes[0], c = p.drawn[0]; p.plot.over.scrollIntoView({block: 'center'}); await new Promise(f => setTimeout(f, 100));"
                            "const b = p.plot.over.getBoundingClientRect(); return [b.left + p.plot.valToPos(c.x[2], 'x') + 2, b.top + p.plot.valToPos(c.y[2], 'y') + 1];")
        self.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
        self.run_js("await new Promise(f => setTimeout(f, 100));")
        told = self.run_js("return driftless.planes[0].nearest.textContent;")
        expected = self.run_js("const c = driftless.planes[0].drawn[0]; return [c.names[2], driftless.short(c.x[2])];")
        self.assertTrue(told.startswith("driftless, " + expected[0]), told)
        self.assertIn("error " + expected[1], told)

    def test_several_problems_have_an_overview(self):
        page = self.here / "benchmark.html"
        driftless("report", data / "bench_andrews.json", data / "bench_pendulum.json", "--output", page)
        self.open(page)
        table = self.table("Equal error of positions")
        self.assertEqual([row[0] for row in table], ["problem", "andrews", "pendulum"])
        self.assertEqual(len(table[0]), 10)
        self.assertIn("(RADAU5 index 1, M1)", table[1][5])
        self.assertEqual(self.run_js("return driftless.planes.length;"), 4)
        self.assertEqual(self.run_js("return [...document.querySelectorAll('nav a')].map(a => a.textContent);"), ["Overview", "andrews", "pendulum"])

    def test_other_files_are_refused(self):
        other = self.here / "other.json"
        other.write_text('{"x": 1}')
        words = lambda *paths: subprocess.run([program, "report", *map(str, paths)], capture_output=True, text=True, cwd=self.here)
        done = words(other)
        self.assertEqual(done.returncode, 3)
        self.assertIn("is not what the benchmark writes", done.stderr)
        other.write_text('{"benchmark": "driftless", "problem": "x", "results": [{"code": "a"}]}')
        self.assertEqual(words(other).returncode, 3)
        self.assertIn("not complete", words(other).stderr)
        self.assertEqual(words(other, "run.h5").returncode, 2)
        self.assertFalse((self.here / "other.html").exists())


if __name__ == "__main__":
    main()
