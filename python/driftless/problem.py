"""Problems from Python functions: recorded once and compiled, or, where that cannot be, called for every value."""
from __future__ import annotations

import warnings

import numpy as np

from ._core import Misuse
from .events import found, watch_results
from .functions import RUN_OPTIONS, TraceWarning, labelled, numbers_of
from .model import Model
from .write import HIDDEN, model_text, quoted


class Problem(Model):
    """A model made from functions; solve() it as often as you like, with other values of its parameters.

    p.parameters    names and values; inputs, so that another value costs nothing
    p.compiled      whether the functions were recorded and compiled
    p.text          the model that was made of them"""

    compiled = True

    def __init__(self, text, /, file="functions", blocks=None, shapes=None, events=(), changed=(), **settings):
        super().__init__(text, file=file, **settings)
        self._blocks, self._shapes, self._events, self._changed = blocks, shapes or {}, list(events), list(changed)

    def _core_with(self, parameters):
        for name, value in parameters.items():
            shape = np.shape(value)
            if shape != self._shapes.get(name, shape):
                raise Misuse(f"{name} has shape {self._shapes[name]}, not {shape}")
        core = super()._core_with(parameters)
        return watch_results(core, self._events, self._changed) if self._events else core

    def _finished(self, result, core):
        return _with_events(result, core, self._events)

    def _needs_polynomials(self):
        return bool(self._events)

    def __reduce__(self):
        return _restore, (self._text, self.file, self._blocks, self._shapes, [event.alone() for event in self._events], self._changed, self._settings)


def _restore(text, file, blocks, shapes, events, changed, settings):
    return Problem(text, file=file, blocks=blocks, shapes=shapes, events=events, changed=changed, **settings)


class CalledProblem(Problem):
    """The same with functions that Python computes each time: right, but some hundred times slower, and kinks are not located."""

    compiled = False

    def __init__(self, description):
        self._description = description
        self._settings, self._text, self.file = {}, None, "functions"
        self._blocks, self._events, self._shapes = description.blocks, description.events, {}
        self._core = description.core({})

    parameters = property(lambda self: dict(sorted(labelled(self._description.functions.parameters))))

    def _core_with(self, parameters):
        known, values = self._description.functions.parameters, {}
        for name, value in parameters.items():
            if name not in known:
                raise Misuse(f"there is no parameter '{name}'; there are: {', '.join(known)}")
            values[name] = numbers_of(name, value)
            if np.shape(values[name]) != np.shape(known[name]):
                raise Misuse(f"{name} has shape {np.shape(known[name])}, not {np.shape(values[name])}")
        return self._description.core(values)

    def _finished(self, result, core):
        blocks, start = self._description.functions.blocks, self._description.start
        stated = {name for block, values in start.items() for name, value in zip(blocks[block], values) if value is not None}
        result.moved = [one for one in result.moved if one.name in stated]
        return _with_events(result, core, self._events)

    def _report(self, path, result):
        raise Misuse("a page shows a model that the program can read; this one consists of functions that could not be recorded")

    def __reduce__(self):
        return CalledProblem, (self._description,)


def _with_events(result, core, events):
    """t_events and y_events as SciPy has them; y are the unknowns in the order of result.names."""
    if events:
        result.t_events, result.y_events = found(result, core, events, result.names)
        if result.message.startswith("The run was ended by: event"):
            result.message = "A termination event occurred."
    return result


def traced_or_called(description, trace):
    """Records and compiles what a description consists of; where that fails, a problem of calls, with a warning."""
    functions, parts = description.functions, description.parts()
    reason = None
    if trace:
        recorded, reason = _recorded(functions, parts, description.start, description.t)
        if reason is None:
            return description.problem(recorded)
    for part in parts:
        functions.tried(part, description.start, description.t)
    if reason:
        warnings.warn(f"{reason}. The functions are called for every value instead: that is right, but slow", TraceWarning, stacklevel=4)
    return CalledProblem(description)


def _recorded(functions, parts, start, t):
    """({what: formulas}, why they could not be recorded, or None)"""
    found = {}
    for part in parts:
        try:
            found[part.what] = functions.record(part)
        except Misuse:
            raise
        except Exception as error:
            return {}, f"{part.what} cannot be recorded: {error}"
        if functions.differs(part, found[part.what], start, t):
            return {}, f"{part.what} returns other values than were recorded: it depends on more than its arguments, or on their type"
    return found, None


def names_of(names, letter, count, what):
    """What the unknowns of a block are called."""
    if names is None:
        return [letter] if count == 1 else [f"{letter}{k + 1}" for k in range(count)]
    names = [names] if isinstance(names, str) else [str(name) for name in names]
    if len(names) != count or len(set(names)) != count:
        raise Misuse(f"{what} must be {count} different names")
    return names


def require_distinct(functions, blocks):
    """No name stands for two things."""
    seen = {}
    everything = [(name, f"an unknown ({block})") for block, names in blocks.items() for name in names]
    for name, what in everything + [(name, "a parameter") for name, _ in labelled(functions.parameters)]:
        if name in seen:
            raise Misuse(f"'{name}' is the name of {seen[name]} and of {what}; give one of them another name")
        if name.startswith(HIDDEN) or name == "time":
            raise Misuse(f"no unknown and no parameter can be called '{name}'")
        seen[name] = what


def start_of(value, count, what):
    """Start values; None or nan: not stated."""
    if value is None:
        return [None] * count
    try:
        if np.iscomplexobj(value) or np.asarray(value).dtype == object:
            raise TypeError
        array = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(f"{what} = {value!r} is not an array of numbers") from None
    if count == 0:
        raise Misuse(f"{what} is empty")
    if array.shape != (count,):
        raise Misuse(f"{what} must have {count} values, it has shape {array.shape}")
    if np.any(np.isinf(array)):
        raise Misuse(f"{what} must be finite")
    return [None if np.isnan(entry) else float(entry) for entry in array]


def declared(names, starts):
    return [f"Real {quoted(name)}{'' if start is None else f'(start = {start!r})'};" for name, start in zip(names, starts)]


def finished(functions, declarations, equations, writer, blocks, events=(), changed=()):
    """The problem of a model's text."""
    parameters = [f"parameter Real {quoted(name)} = {value!r};" for name, value in labelled(functions.parameters)]
    shapes = {name: np.shape(value) for name, value in functions.parameters.items()}
    return Problem(model_text("Functions", parameters + declarations, equations, writer), blocks=blocks, shapes=shapes, events=events, changed=changed)


def solve(*, t_span, force=None, rate=None, **given):
    """One call: `mechanical(...)` or `semi_explicit(...)`, and its solve().

    >>> r = solve(force=F, constraint=g, mass=M, q0=q0, t_span=(0, 10))
    >>> r = solve(rate=f, constraint=g, x0=x0, z0=z0, t_span=(0, 10))"""
    from .mechanics import mechanical
    from .semi_explicit import semi_explicit

    run = {name: given.pop(name) for name in RUN_OPTIONS if name in given}
    if (force is None) == (rate is None):
        raise TypeError("give force (a mechanism: q, v) or rate (x' = f, 0 = g)")
    problem = mechanical(force, **given) if rate is None else semi_explicit(rate, **given)
    begin, end = t_span
    return problem.solve(end, t_begin=begin, **run)
