"""Pages of `driftless analyse` in a real browser: analysis_test.py PROGRAM SOURCE [unittest options]. See pages.py."""

import csv
import json
import math

from pages import Page, driftless, main, models


class Analyses(Page):
    def analysed(self, name, *words):
        """The page, opened, and what --json says about the same analysis."""
        page = self.here / f"{name}.html"
        found = json.loads(driftless("analyse", *words, "--json", "--report", page))
        self.open(page)
        self.assertEqual(self.fetched(), [])
        return found

    def summary(self):
        return self.run_js("return document.getElementById('summary').innerText;")

    def test_manifold(self):
        found = self.analysed("manifold", "manifold", "problem:mms_index2_gamma", "--method", "radau-iia-2,sdirk-2-half", "--points", "2")
        closeness = self.series("Closeness |psi_0 - psi_0h| against the step size")
        self.assertEqual(list(closeness), ["radau-iia-2, order 2.00", "sdirk-2-half, order 1.00"])
        for method, curve in zip(found["methods"], closeness.values()):
            self.assertEqual(curve, [(row["h"], row["closeness"]) for row in reversed(method["rows"])])
        attraction = self.series("Distance of lambda to the manifold, step by step, h = 0.0025")["sdirk-2-half"]
        self.assertEqual([y for _, y in attraction], found["methods"][1]["rows"][-1]["distances"])
        chi = self.table("chi_h")
        self.assertEqual(chi[0], ["method", "|R(inf)|", "h = 0.01", "h = 0.005", "h = 0.0025"])
        self.assertEqual(chi[1], ["radau-iia-2", "0", "0", "0", "0"])
        self.assertEqual(chi[2], ["sdirk-2-half", "0.5", "0.500000", "0.500000", "0.500000"])
        self.assertIn("radau-iia-2: one step leads onto its manifold", self.summary())
        self.assertEqual(self.run_js("return document.querySelectorAll('#summary .good').length;"), 2)

    def attractor(self):
        return self.analysed("attractor", "attractor", models / "warped_cycle.mo", "--method", "sdirk-2-half", "--section", "y=0", "--direction", "rising",
                             "--step-sizes", "0.04,0.02,0.01", "--starts", "3", "--samples", "4", "--transient", "20", "--output", self.here / "points.csv")

    def test_attractor(self):
        found = self.attractor()
        distances = self.series("Hausdorff distance against the step size")
        rows = list(reversed(found["distances"]["rows"]))
        self.assertEqual(distances["Hausdorff distance"], [(row["h"], row["distance"]) for row in rows])
        self.assertEqual(distances["outward: how far the method's set reaches away"], [(row["h"], row["outward"]) for row in rows])
        fit = next(curve for label, curve in distances.items() if label.startswith("fit, h^"))
        slope = math.log(fit[-1][1] / fit[0][1]) / math.log(fit[-1][0] / fit[0][0])
        self.assertAlmostEqual(slope, found["distances"]["rate"], places=9)
        self.assertAlmostEqual(slope, 2.0, delta=0.1)
        self.assertIn(f"falls like h^{slope:.2f} (3 step sizes)", self.summary())
        self.assertEqual(len(self.table("Distances")), 4)

    def test_sets_can_be_switched_and_zoomed(self):
        self.attractor()
        labels = self.run_js("return driftless.cloud.drawn.map(c => c.label);")
        self.assertEqual(labels, ["the equations", "h = 0.04", "h = 0.02", "h = 0.01"])
        # y is the same everywhere on the section, so the picture begins with x and z.
        self.assertEqual(self.run_js("return [driftless.cloud.across.value, driftless.cloud.up.value];"), ["x", "z"])
        with open(self.here / "points.csv") as file:
            points = [{name: float(x) for name, x in row.items()} for row in csv.DictReader(line for line in file if not line.startswith("#"))]
        for i, h in enumerate((0, 0.04, 0.02, 0.01)):
            expected = [[point[name] for point in points if point["h"] == h] for name in "xz"]
            self.assertEqual(len(expected[0]), 12)
            self.assertEqual(self.run_js("const c = driftless.cloud.drawn[arguments[0]]; return [Array.from(c.x), Array.from(c.y)];", i), expected)
        self.run_js("document.querySelectorAll('#sets .u-legend th')[1].focus();")
        self.browser.key("Enter", "\r")
        self.assertEqual(self.run_js("return driftless.cloud.plot.series.slice(1).map(s => s.show);"), [True, False, True, True])
        self.assertEqual(self.run_js("return document.querySelectorAll('#sets .u-legend th')[1].getAttribute('aria-checked');"), "false")
        before = self.run_js("return driftless.cloud.view;")
        left, top, width, height = self.run_js("const over = driftless.cloud.plot.over; over.scrollIntoView({block: 'center'});"
                                               "await new Promise(f => setTimeout(f, 50)); const b = over.getBoundingClientRect(); return [b.left, b.top, b.width, b.height];")
        self.browser.drag([left + 0.25 * width, top + 0.25 * height], [left + 0.75 * width, top + 0.75 * height])
        after = self.run_js("return driftless.cloud.view;")
        for old, new in zip(before, after):
            self.assertAlmostEqual((new[1] - new[0]) / (old[1] - old[0]), 0.5, delta=0.02)
        self.assertEqual(self.run_js("const s = driftless.cloud.plot.scales; return [s.x.min, s.y.max];"), [after[0][0], after[1][1]])
        self.run_js("driftless.cloud.figure.focus();")
        self.browser.key("ArrowRight")
        self.assertAlmostEqual(self.run_js("return driftless.cloud.view;")[0][0], after[0][0] + 0.1 * (after[0][1] - after[0][0]), places=9)
        self.browser.key("0", "0")
        # Everything that is switched on: the coarsest set is not.
        self.assertGreater(self.run_js("return driftless.cloud.view;")[0][0], before[0][0])

    def test_stability_along_a_solution(self):
        found = self.analysed("along", "stability", models / "rectifier.mo", "--along", "--perturb-differential", "1e-5")
        error = self.series("Error of the run against its bound")
        bounds = {b["t"]: b for b in found["error"]["bounds"]}
        self.assertGreater(len(error["bound of |P dx|"]), 20)
        for part, key in (("P", "p"), ("Q", "q")):
            for t, y in error[f"bound of |{part} dx|"]:
                self.assertEqual(y, bounds[t][key])
            for t, y in error[f"measured |{part} dx|"]:
                self.assertLessEqual(y, bounds[t][key] + 1e-11)
        deviation = self.series("Deviation against its bound")
        expected = {b["t"]: b["p"] for b in found["perturbation"]["bounds"]}
        bound = dict(deviation["bound of |P dx|"])
        for t, y in deviation["measured |P dx|"]:
            self.assertLessEqual(y, bound[t] * (1 + 1e-9) + 1e-10)
            self.assertEqual(bound[t], expected[t])
        # The bound is one of all perturbations, and this one comes close to it.
        t, y = deviation["measured |P dx|"][-1]
        self.assertGreater(y, 0.3 * bound[t])
        parts = self.series("What the bound of |P dx| is made of")
        self.assertIn("from the differential equations", parts)
        rates = self.series("Rate of growth of deviations")["rate"]
        self.assertLess(max(y for _, y in rates), 0)
        self.assertEqual(self.run_js("return document.querySelectorAll('#summary .bad').length;"), 0)

    def test_bounds_that_end_early_end_in_the_pictures(self):
        # Perturbations so large that their bound leaves every tube: soon, and at once.
        for size in ("10", "5"):
            with self.subTest(size):
                found = self.analysed("large" + size, "stability", models / "rectifier.mo", "--along", "--perturb-differential", size)
                self.assertFalse(found["perturbation"]["valid"])
                deviation = self.series("Deviation against its bound")
                largest = max(y for part in "PQ" for _, y in deviation[f"measured |{part} dx|"])
                until = []
                for b in found["perturbation"]["bounds"]:
                    if b["p"] is None or b["q"] is None or max(b["p"], b["q"]) > 1e6 * largest:
                        break
                    until.append((b["t"], b["p"]))
                self.assertLess(len(until), len(found["perturbation"]["bounds"]))
                self.assertEqual(deviation.get("bound of |P dx|", []), [(t, y) for t, y in until if y > 0])
                self.assertGreater(len(deviation["measured |P dx|"]), 10)

    def test_stability_on_a_box(self):
        found = self.analysed("box", "stability", "problem:lognorm_nonlinear", "--box", "-2.5:2.5", "--perturb-differential", "0.01", "--perturb-start", "0.01")
        deviation = self.series("Deviation against its bound")
        bounds = [(b["t"], b["p"]) for b in found["perturbation"]["bounds"]]
        self.assertEqual(deviation["bound of |P dx|"], bounds)
        self.assertEqual(len(deviation["measured |P dx|"]), len(bounds))
        self.assertAlmostEqual(deviation["measured |P dx|"][0][1], 0.01, places=9)
        for (_, y), (_, b) in zip(deviation["measured |P dx|"], bounds):
            self.assertLessEqual(y, b * (1 + 1e-9))
        # The two causes add up to the bound.
        parts = [dict(curve) for curve in self.series("What the bound of |P dx| is made of").values()]
        for t, b in bounds[1:]:
            self.assertAlmostEqual(sum(part[t] for part in parts), b, delta=1e-9 * b)
        self.assertEqual(len(self.table("Constants")), 11)
        self.assertIn("Index 1 is proved on the box", self.summary())

    def test_minimisation(self):
        found = self.analysed("chain", "minimise", models / "minimise" / "hanging_chain.mo", "--objective", "energy", "--set", "n=6")
        objective = self.series("Objective")
        self.assertEqual(objective["energy"][0][1], found["value_at_start"])
        self.assertEqual(objective["energy"][-1][1], found["value"])
        self.assertEqual(len(objective["energy"]), 1 + found["flow_steps"] + len(objective["Newton's method"]))
        falling = [y for _, y in objective["energy"]]
        self.assertEqual(falling, sorted(falling, reverse=True))
        gradient = self.series("How far from an extremum")
        self.assertLess(gradient["gradient along the constraints"][-1][1], 1e-12)
        self.assertLess(max(y for _, y in gradient["residual of the constraints"]), 1e-14)
        variables = self.series("Variables")
        self.assertEqual(len(variables), 14)
        self.assertEqual(variables["y[4]"][-1][1], found["values"]["y[4]"])
        path = self.run_js("driftless.cloud.across.value = 'x[2]'; driftless.cloud.up.value = 'y[2]'; driftless.cloud.chosen();"
                           "return [Array.from(driftless.cloud.plot.data[1][0]), Array.from(driftless.cloud.plot.data[1][1])];")
        self.assertEqual(path, [[y for _, y in variables["x[2]"]], [y for _, y in variables["y[2]"]]])
        self.assertIn("a strict minimum", self.summary())
        self.assertEqual(self.run_js("return document.querySelector('#model pre').textContent;"), (models / "minimise" / "hanging_chain.mo").read_text())


if __name__ == "__main__":
    main()
