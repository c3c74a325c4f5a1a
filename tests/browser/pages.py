"""What the tests of pages share: the program, a browser, and a page that is opened from the disk with the network off.

With SCREENSHOTS=FOLDER in the environment every page is also photographed, light and dark, wide and narrow.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

program, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
models = source / "examples" / "models"


def driftless(*words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"driftless {words}: {done.returncode}\n{done.stderr}")
    return done.stdout


class Page(unittest.TestCase):
    """One browser for all; each test opens a page that it made."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def open(self, path, width=1280, everything=True):
        self.browser.look(width)
        self.browser.open(path)
        self.browser.log()
        self.browser.open(path)
        self.assertTrue(self.run_js("while (!driftless.ready) await new Promise(f => setTimeout(f, 10)); return true;"))
        if everything:
            self.run_js("await new Promise(f => setTimeout(f, 100)); driftless.drawAll();")
        self.photograph(path)

    def run_js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def photograph(self, path):
        folder = os.environ.get("SCREENSHOTS")
        if not folder:
            return
        for width in (1280, 400):
            for dark in (False, True):
                self.browser.look(width, dark=dark)
                self.run_js("driftless.drawAll();")
                self.browser.screenshot(f"{folder}/{pathlib.Path(path).stem}-{width}-{'dark' if dark else 'light'}.png")
        self.browser.look(1280)

    def tearDown(self):
        complaints = [entry for entry in self.browser.log() if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(complaints, [])

    def fetched(self):
        return self.run_js("return performance.getEntriesByType('resource').map(e => e.name);")

    def chart(self, title):
        """The number of the chart with this title."""
        titles = self.run_js("return driftless.charts.map(c => c.spec.title);")
        self.assertIn(title, titles)
        return titles.index(title)

    def box(self, chart):
        return self.run_js("const over = driftless.charts[arguments[0]].plot.over; over.scrollIntoView({block: 'center'});"
                           "await new Promise(f => setTimeout(f, 50)); const b = over.getBoundingClientRect(); return [b.left, b.top, b.width, b.height];", chart)

    def x_range(self, chart):
        self.box(chart)
        return self.run_js("await new Promise(f => setTimeout(f, 100)); const s = driftless.charts[arguments[0]].plot.scales.x; return [s.min, s.max];", chart)

    def data_of(self, chart):
        """All columns of a chart: x, then its series; null where there is none."""
        return self.run_js("return driftless.charts[arguments[0]].plot.data.map(c => Array.from(c));", chart)

    def series(self, title):
        """A chart as {label: [(x, y), ...]}."""
        chart = self.chart(title)
        x, *columns = self.data_of(chart)
        labels = self.run_js("return driftless.charts[arguments[0]].spec.series.map(s => s.label);", chart)
        return {label: [(a, b) for a, b in zip(x, column) if b is not None] for label, column in zip(labels, columns)}

    def table(self, title):
        """The rows of a table, its head first."""
        return self.run_js("const t = document.querySelector(`table[data-table='${arguments[0]}']`);"
                           "return [...t.rows].map(r => [...r.cells].map(c => c.textContent));", title)


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
