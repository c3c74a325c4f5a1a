"""How far a run came, on the terminal."""
from __future__ import annotations

import sys
import time


class Progress:
    """A callback that shows the share of the span that is behind, at most some times a second."""

    def __init__(self, begin, end, callback=None):
        self._begin, self._span, self._callback = begin, end - begin, callback
        self._started = self._next = time.monotonic()
        self._shown = False

    def __call__(self, t):
        if time.monotonic() >= self._next:
            self._show(t)
        return self._callback(t) if self._callback else False

    def _show(self, t):
        share = (t - self._begin) / self._span if self._span else 1.0
        done = int(30 * share)
        print(f"\r[{'#' * done}{'.' * (30 - done)}] {100 * share:5.1f} %  t = {t:<12.6g} {time.monotonic() - self._started:.1f} s", end="", file=sys.stderr,
              flush=True)
        self._shown, self._next = True, time.monotonic() + 0.2

    def finish(self):
        if self._shown:
            print(file=sys.stderr)
