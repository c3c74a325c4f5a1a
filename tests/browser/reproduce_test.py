"""The page of `driftless reproduce` in a real browser: reproduce_test.py PROGRAM SOURCE [unittest options]. See pages.py."""

import json
import re
import subprocess

from pages import Page, driftless, main, program


class Papers(Page):
    def overview(self):
        return self.run_js("return [...document.querySelectorAll('#overview tr')].map(r => [r.cells[0].textContent, r.cells[2].textContent, r.cells[2].firstChild.className]);")

    def test_every_item_is_listed_with_its_verdict(self):
        page = self.here / "papers.html"
        found = json.loads(driftless("reproduce", "--json", "--report", page))
        items = re.findall(r"^(\S+) ", driftless("reproduce", "--list"), re.MULTILINE)
        self.assertEqual([item["item"] for item in found["items"]], items)
        self.open(page)
        self.assertEqual(self.fetched(), [])
        words = {"reproduced": ["\u2713 reproduced", "verdict-good"], "refuted": ["\u2260 refuted", "verdict-refuted"]}
        self.assertEqual(self.overview(), [[item["item"], *words[item["verdict"]]] for item in found["items"]])
        self.assertEqual([item["item"] for item in found["items"] if item["verdict"] == "refuted"], ["remark"])
        self.assertEqual(self.run_js("return document.querySelector('.subtitle').textContent;"), f"{len(items) - 1} of {len(items)} items reproduced, 1 refuted")
        # Every number of every item, with what the paper says beside it.
        for item in found["items"]:
            rows = self.run_js("return [...document.querySelectorAll(`[id='${arguments[0]}'] tr[data-id]`)].map(r => [r.dataset.id, r.cells[1].textContent, r.cells[4].textContent]);", item["item"])
            self.assertEqual(rows, [[line["id"], line["paper"], words[line["verdict"]][0]] for line in item["lines"]])
        # The pictures hold what was measured: counts over the tolerance.
        counts = self.series("Evaluations over the tolerance")
        table = next(item for item in found["items"] if item["item"] == "table1")
        measured = {line["id"]: line["measured"] for line in table["lines"]}
        self.assertEqual(counts["the same method here"], [(tol, measured[f"with evaluations {tol:.0e}"]) for tol in (1e-12, 1e-10, 1e-8, 1e-6)])
        self.assertIn("radau as it is by default", counts)

    def test_one_that_is_off_is_seen(self):
        expected, page = self.here / "expected.json", self.here / "off.html"
        expected.write_text('{"table1": {"with evaluations 1e-06": [1, 2]}}')
        done = subprocess.run([program, "reproduce", "table1", "figure1", "--expect", expected, "--report", page], capture_output=True, text=True)
        self.assertEqual(done.returncode, 20)
        self.open(page)
        self.assertEqual(self.overview(), [["table1", "! off", "verdict-bad"], ["figure1", "\u2713 reproduced", "verdict-good"]])
        self.assertEqual(self.run_js("return document.querySelector('.subtitle').textContent;"), "1 of 2 items reproduced, 1 off")
        bad = self.run_js("return [...document.querySelectorAll('#table1 tr[data-id]')].filter(r => r.querySelector('.verdict-bad')).map(r => [r.dataset.id, r.cells[3].textContent]);")
        self.assertEqual(bad, [["with evaluations 1e-06", "1 to 2"]])
        self.assertIn("Off: table1.", self.run_js("return document.querySelector('#overview .bad').innerText;"))
        # It is open for everybody to see, in another colour than what is right.
        self.assertTrue(self.run_js("return document.querySelector('#table1 details').open;"))
        colours = self.run_js("return ['.verdict-bad', '.verdict-good'].map(c => getComputedStyle(document.querySelector(c)).color);")
        self.assertNotEqual(*colours)


if __name__ == "__main__":
    main()
