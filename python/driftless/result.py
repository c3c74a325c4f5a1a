"""What a run produced."""
from __future__ import annotations

import html
import math
import tempfile
from collections import namedtuple

import numpy as np

from ._core import Misuse, RunError
from .command import page_in_notebook
from .write import HIDDEN

Moved = namedtuple("Moved", "name given found")
Event = namedtuple("Event", "time name")
Impulse = namedtuple("Impulse", "time name size")


class Result:
    """Results by name over time, how well the constraints were kept, what it cost, and how it ended.

    r.t                 times of the rows
    r["x"]              one result over these times; r.names lists them
    r.y                 all of them, one row each, in the order of r.names
    r.q, r.v, r.lam     positions, velocities and multipliers, one row each, where there are any
    r(3.2), r([1, 2])   all results at any time of the run, by the polynomials of the steps (dense_output=True)
    r.success, r.message, r.status, r.nfev, r.njev, r.nlu: as SciPy has them
    r.certificate       largest residual of the constraints and of the hidden ones, over all steps and rows
    r.error             how wrong it may be: the difference to a run with a hundredth of the tolerances
    r.moved             what had to be changed in the start values, so that they satisfy the constraints
    r.events            what happened when, as (time, name)
    r.impulses          of multipliers whose constraints became active, as (time, name, size): a lock, a stop, a contact
    """

    def __init__(self, run, model, blocks=None, dense=None):
        self._run, self._model = run, model
        self._dense = run.dense if dense is None else dense  # events of functions keep polynomials for themselves
        self.compiled = model.compiled
        self.t_events = self.y_events = None
        self.columns = [(_plain(name), *rest) for name, *rest in run.columns[1:]]
        shown = [k for k, column in enumerate(self.columns) if not column[0].startswith(HIDDEN)]
        self._shown = np.array(shown, dtype=int)
        self.names = [self.columns[k][0] for k in shown]
        self.units = {self.columns[k][0]: self.columns[k][1] for k in shown}
        rows = run.rows
        self.t = rows[:, 0]
        self._rows = rows[:, 1:].T
        self._place = {column[0]: k for k, column in enumerate(self.columns)}
        self._blocks = blocks or self._blocks_by_role()
        self.certificate = run.certificate
        self.statistics = run.counts
        self.moved = [Moved(_plain(name), *values) for name, *values in run.moved]
        self.chosen = run.chosen
        self.events = [Event(*one) for one in run.happened]
        self.impulses = [Impulse(time, _plain(name), size) for time, name, size in run.impulses]
        self.warnings = run.warnings
        self.seconds = run.seconds
        self.failure = run.failure
        self.success = self.failure is None
        self.status = -1 if not self.success else 1 if run.ended_by is not None else 0
        self.message = self.failure["message"] if not self.success else (
            f"The run was ended by: {run.ended_by}" if run.ended_by else "The run reached its end.")
        self.nfev, self.njev, self.nlu = (self.statistics[name] for name in ("evaluations", "jacobians", "factorisations"))

    def _blocks_by_role(self):
        roles = {"q": "position", "v": "velocity", "lam": "multiplier"}
        return {block: [column[0] for column in self.columns if column[3] == role] for block, role in roles.items()}

    def __getitem__(self, name):
        if name not in self._place:
            raise KeyError(f"there is no result '{name}'; there are: {', '.join(self.names)}")
        return self._rows[self._place[name]]

    def __contains__(self, name):
        return name in self._place

    @property
    def y(self):
        return self._rows if len(self._shown) == len(self.columns) else self._rows[self._shown]

    def block(self, name):
        """Rows of the results that belong together: q, v, lam, and what else the model has."""
        return self._rows[[self._place[one] for one in self._blocks[name]]]

    q = property(lambda self: self.block("q"), doc="positions, one row each")
    v = property(lambda self: self.block("v"), doc="velocities, one row each")
    lam = property(lambda self: self.block("lam"), doc="multipliers, one row each")

    def __call__(self, t):
        """All results at one time, or at several (one column each), in the order of r.names."""
        times = np.asarray(t, dtype=float)
        found = np.array([self._run.at(float(one)) for one in times.ravel()]).reshape(-1, len(self.columns)).T[self._shown]
        return found[:, 0] if times.ndim == 0 else found

    @property
    def sol(self):
        """The same as a function; None unless dense_output was asked for."""
        return self if self._dense else None

    def behind(self, names, t):
        """Some results at a time of the run; behind an event, where one is there."""
        return self._at(names, t)

    def before(self, names, t):
        """The same from the other side."""
        step = 1e-13 * (abs(t) + abs(self.t[-1] - self.t[0]))
        return self._at(names, t - np.copysign(step, self.t[-1] - self.t[0]))

    def _at(self, names, t):
        values = self._rows[:, -1] if t == self.t[-1] else self._run.at(float(t))
        return [float(values[self._place[name]]) for name in names]

    def or_raise(self):
        """The result itself, or RunError with the whole message if the run did not reach its end."""
        if not self.success:
            raise RunError(self.message)
        return self

    def to_dataframe(self):
        """A pandas DataFrame, with the time as index."""
        import pandas

        return pandas.DataFrame(self.y.T, columns=self.names, index=pandas.Index(self.t, name="time"))

    def plot(self, *names, ax=None):
        """Draws results over time with matplotlib: all that fit into one picture, or those that are named."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        for name in names or self.names[:12]:
            unit = self.units.get(name)
            ax.plot(self.t, self[name], label=f"{name} [{unit}]" if unit else name)
        ax.set_xlabel("time")
        ax.legend()
        return ax

    def report(self, path):
        """Writes the page with pictures, animation and statistics. It is made by the program, which runs the model once more
        with the same values, tolerance and span."""
        return self._model._report(path, self)

    def __repr__(self):
        kept = max(self.certificate["position"], self.certificate["velocity"])
        return (f"<driftless result: {len(self.names)} results at {len(self.t)} times to t = {self.t[-1] if len(self.t) else math.nan:g}, "
                f"{self.statistics['steps']} steps, constraints kept to {kept:.1e}; {self.message}>")

    @property
    def error(self):
        """An estimate of the error in every row, as large as r.y: the difference to a run with a hundredth of the tolerances.

        The model is solved once more for that, the first time that somebody asks. Rows of events, of which there are two at the
        same time, have none (nan): a jump that comes a little later is no error of the solution."""
        if self._error is None:
            again = self._model._solved_again(self, np.unique(self.t) if self.t[-1] >= self.t[0] else np.unique(self.t)[::-1])
            self._error = np.full(self.y.shape, np.nan)
            place = {time: k for k, time in enumerate(again.t)}
            twice = np.isin(self.t, [time for k, time in enumerate(self.t[1:]) if time == self.t[k]]) | ~np.isin(self.t, again.t)
            for k in np.flatnonzero(~twice):
                self._error[:, k] = np.abs(self.y[:, k] - again.y[:, place[self.t[k]]])
        return self._error

    _error = None

    def _repr_html_(self):
        if self._model.text is not None and self.success:
            with tempfile.TemporaryDirectory() as folder:
                return page_in_notebook(self.report(f"{folder}/page.html").read_text(encoding="utf-8"))
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(self.units.get(name, ''))}</td>"
                       f"<td>{self[name][0]:.6g}</td><td>{self[name][-1]:.6g}</td></tr>" for name in self.names[:20])
        return (f"<p>{html.escape(repr(self)[1:-1])}</p><table><tr><th>result</th><th>unit</th><th>first</th><th>last</th></tr>{rows}</table>")

    # A result is its rows and what is known about them: it can be sent to other processes, without its polynomials.
    def __reduce__(self):
        kept = {name: self.__dict__[name] for name in ("t_events", "y_events", "message", "moved", "_asked") if name in self.__dict__}
        return _restore, (_Rows.of(self._run), self._model, self._blocks, kept)


def _plain(name):
    """A name without the quotes that the language needs around it."""
    if len(name) > 1 and name[0] == name[-1] == "'":
        return name[1:-1].replace("\\'", "'").replace("\\\\", "\\")
    return name


class _Rows:
    """A run that was pickled."""

    _fields = ("columns", "t", "results", "counts", "certificate", "failure", "moved", "chosen", "happened", "impulses", "events", "ended_by", "warnings", "seconds")
    dense = False

    @classmethod
    def of(cls, run):
        one = cls()
        for name in cls._fields:
            setattr(one, name, getattr(run, name))
        one.rows = np.array(run.rows)
        return one

    def at(self, t):
        raise RunError("a result that was pickled has rows only; ask for the times that you need by t_eval")


def _restore(run, model, blocks, kept):
    result = Result(run, model, blocks, False)
    result.__dict__.update(kept)
    return result
