"""Events of functions: roots with a direction, that may end the run or change the state, as solve_ivp has them."""
from __future__ import annotations

import numpy as np

from . import _core
from ._core import Misuse
from .functions import Part
from .write import HIDDEN


class Event:
    """A function whose zeros are looked for. Its attributes, as SciPy has them, and one more:

    terminal        True: the first zero ends the run; n: the n-th does
    direction       1: only where it rises, -1: only where it falls, 0: both
    jump            a function of the same arguments: what follows at the zero, which is where the run goes on"""

    def __init__(self, function, number):
        if not callable(function):
            raise TypeError(f"event {number} is not a function")
        self.function, self.name = function, f"event {number}"
        self.jump = getattr(function, "jump", None)
        self.ends_after = _count(getattr(function, "terminal", None), self.name)
        direction = float(getattr(function, "direction", 0))
        if np.isnan(direction):
            raise Misuse(f"{self.name}: a direction is 1, -1 or 0")
        self.direction = int(np.sign(direction))
        if self.jump is not None and not callable(self.jump):
            raise TypeError(f"{self.name}: jump is a function")
        if self.jump is not None and self.direction == 0:
            raise Misuse(f"{self.name} has a jump, so it needs a direction: -1 if it happens where the function falls to zero, 1 where it rises")


    def bind(self, args):
        """Further arguments of the function and of its jump."""
        from .ivp import _bound

        self.function, self.jump = _bound(self.function, args), _bound(self.jump, args)


    def alone(self):
        """What is known of it, without its functions: enough for what was recorded, and for other processes."""
        one = object.__new__(Event)
        one.function, one.name, one.jump, one.ends_after, one.direction = None, self.name, self.jump is not None or None, self.ends_after, self.direction
        return one


def _count(terminal, name):
    """How many occurrences end the run; 0: none does."""
    if terminal is None or isinstance(terminal, (bool, np.bool_)):
        return int(bool(terminal))
    if float(terminal) != int(terminal) or terminal < 0:
        raise Misuse(f"{name}: terminal is True, False, or the number of occurrences that end the run")
    return int(terminal)


def read_events(events):
    if events is None:
        return []
    return [Event(one, k) for k, one in enumerate([events] if callable(events) else events)]


def write_events(events, roots, jumps, writer):
    """(declarations, equations) of a model: its functions, and what jumps make of unknowns, are results. `jumps`: formulas, or None."""
    declared, equations = [], []
    for k, (root, jump) in enumerate(zip(roots, jumps)):
        for name, formula in [(_root(k), root), *((_behind(k, i), formula) for i, formula in enumerate([] if jump is None else jump))]:
            declared.append(f"Real {name};")
            equations.append(f"{name} = {writer.text(formula)};")
    return declared, equations


def _root(k):
    return f"{HIDDEN}g{k}"


def _behind(k, i):
    return f"{HIDDEN}behind{k}_{i}"


def _parts(events):
    return [(event.name, event.direction, event.ends_after) for event in events]


def watch_results(core, events, changed):
    """A compiled model with its events; `changed`: the unknowns that jumps give."""
    jumps = [[(name, _behind(k, i)) for i, name in enumerate(changed)] if event.jump else [] for k, event in enumerate(events)]
    return _core.watched_results(core, _parts(events), [_root(k) for k in range(len(events))], jumps)


def watch_calls(core, events, functions, values, blocks, size, changed):
    """A model of calls with its events. `size`: of the unknowns that functions see; `changed`: begin and end of those that a jump gives."""
    if not events:
        return core
    roots = [_cut(functions.numeric(Part(event.name, event.function, blocks, ()), values), size) for event in events]
    jumps = [(None, 0) if event.jump is None else
             (_pasted(functions.numeric(Part(f"{event.name}, jump", event.jump, blocks, (changed[1] - changed[0],)), values), size, changed), changed[1])
             for event in events]
    return _core.watched_calls(core, _parts(events), roots, jumps)


def _cut(function, size):
    return lambda x: function(np.append(x[:size], x[-1]))


def _pasted(function, size, changed):
    def whole(x):
        return np.concatenate([x[:changed[0]], function(np.append(x[:size], x[-1]))])

    return whole


def found(result, core, events, names):
    """The times of each event, and the states in which it found the solution, one row each: (t_events, y_events)."""
    beside = core.beside_others
    times = [[one.time for one in result.events if one.name == event.name] + [t for which, t in beside if which == k] for k, event in enumerate(events)]
    backwards = bool(result.t[-1] < result.t[0])
    times = [np.array(sorted(set(one), reverse=backwards)) for one in times]
    states = []
    for one, event in zip(times, events):
        at = result.before if event.jump else result.behind
        rows = [at(names, time) for time in one]
        states.append(np.array(rows) if rows else np.array([]))
    return times, states
