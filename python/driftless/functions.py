"""Calls functions by the names of their arguments: once with symbols, to record them, and with numbers."""
from __future__ import annotations

import inspect
import math
import numbers
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._core import Misuse
from .evaluate import evaluate
from .trace import SymArray, as_nodes, symbol
from .write import HIDDEN, quoted

# Options of solve(), which parameters cannot be called.
RUN_OPTIONS = ("t_end", "t_begin", "rtol", "atol", "atol_each", "method", "steps", "step_size", "t_eval", "dense_output", "first_step", "max_step", "max_steps", "every_step",
               "callback", "progress", "check", "parameters")


class TraceWarning(UserWarning):
    """Functions could not be recorded and are called for every value: right, but slow."""


@dataclass
class Part:
    """One function of a problem."""

    what: str                   # what it is called in messages
    function: Any               # or what it would return, if that is constant
    blocks: tuple               # what it may depend on, besides the time and parameters
    shape: tuple | None         # of what it returns; None: one dimension, as many as there are


class Functions:
    """The functions of one problem: arguments that name blocks of unknowns, the time, or parameters.

    blocks          name of a block to the names of its unknowns; the time is t
    parameters      all other arguments, numbers or arrays of them"""

    def __getstate__(self):
        return {**self.__dict__, "time": None, "_symbols": {}}  # what was not recorded needs no symbols

    def __init__(self, blocks, parameters):
        self.blocks = {name: list(names) for name, names in blocks.items()}
        self.given, self.parameters = dict(parameters), {}
        self.time, self._symbols = symbol("time"), {name: symbols_of(names) for name, names in self.blocks.items()}
        for name in self.given:
            if name in RUN_OPTIONS or name.startswith(HIDDEN):
                raise Misuse(f"a parameter cannot be called '{name}', which is an option of solve(); give it another name")

    def arguments(self, what, function, blocks):
        """(name, by keyword) of each; parameters become known."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            raise TypeError(f"{what}: a function whose arguments have names is needed, such as lambda {', '.join(blocks)}: ...") from None
        found = []
        for name, parameter in signature.parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TypeError(f"{what}: say by name what it depends on, instead of *{name}")
            if name in self.blocks and name not in blocks:
                raise Misuse(f"{what} may depend on {', '.join(blocks)} and t, not on {name}")
            if name not in blocks and name != "t":
                self._parameter(what, name, parameter)
            found.append((name, parameter.kind == parameter.KEYWORD_ONLY))
        return found

    def _parameter(self, what, name, parameter):
        if name in self.parameters:
            return
        if name not in self.given and parameter.default is parameter.empty:
            raise TypeError(f"{what} needs '{name}', which is none of {', '.join([*self.blocks, 't'])}; give the parameter a value: {name}=...")
        self.parameters[name] = numbers_of(name, self.given.get(name, parameter.default))

    def require_all_used(self):
        for name in self.given:
            if name not in self.parameters:
                raise TypeError(f"no function has an argument '{name}'; its arguments are unknowns ({', '.join([*self.blocks, 't'])}) or parameters")

    def record(self, part):
        """What it computes, as formulas; TraceError if it cannot be recorded."""
        if not callable(part.function):
            return as_nodes(part.function, part.shape, part.what)
        values = {name: self._symbols[name] for name in part.blocks}
        values["t"] = self.time
        call = self.arguments(part.what, part.function, part.blocks)
        for name, value in self.parameters.items():
            values.setdefault(name, _symbols_of(name, value))
        return as_nodes(_called(part.function, call, values), part.shape, part.what)

    def symbols(self, block):
        return self._symbols[block]

    def numeric(self, part, parameters=None):
        """The same as a function of one array: the blocks one behind another, then the time."""
        what, function, shape = part.what, part.function, part.shape
        if not callable(function):
            constant = as_numbers(function, shape, what)
            return lambda x: constant
        call = self.arguments(what, function, part.blocks)
        sizes = [(name, len(self.blocks[name])) for name in part.blocks]
        fixed = {**self.parameters, **(parameters or {})}

        def flat(x):
            values, place = dict(fixed), 0
            for name, size in sizes:
                values[name] = x[place:place + size]
                place += size
            values["t"] = float(x[-1])
            return as_numbers(_called(function, call, values), shape, what)

        return flat

    def differs(self, part, nodes, start, t):
        """Whether a function returns something else than what was recorded; Misuse if it never returns the same twice."""
        if not callable(part.function):
            return False
        flat = self.numeric(Part(part.what, part.function, part.blocks, nodes.shape))
        named = {quoted(name): value for name, value in labelled(self.parameters)}
        for x in self.points(part, start, t):
            found, again = _quietly(flat, x), _quietly(flat, x)
            if found is None or again is None:  # outside of what it is defined for, perhaps
                continue
            if not np.array_equal(found, again, equal_nan=True):
                raise Misuse(f"{part.what} returned different values for the same arguments")
            values = dict(zip([quoted(one) for name in part.blocks for one in self.blocks[name]], x))
            recorded = evaluate(nodes.ravel(), {**named, **values, "time": x[-1]}).reshape(nodes.shape)
            if np.all(np.isfinite(found)) and np.any(~(np.abs(recorded - found) <= 1e-8 * (1.0 + np.abs(found)))):
                return True
        return False

    def points(self, part, start, t):
        """What a function is tried with: the start, and a point nearby."""
        known = [entry for name in part.blocks for entry in start.get(name) or [None] * len(self.blocks[name])]
        x = np.array([0.0 if entry is None else entry for entry in known] + [t])
        wave = np.sin(1.0 + 7.0 * np.arange(len(x)))
        return [x, x * (1.0 + 0.01 * wave) + 0.01 * wave]

    def tried(self, part, start, t):
        """What it returns at the start; raises what it raises, as the user would see it."""
        flat = self.numeric(part)
        at, nearby = self.points(part, start, t)
        with np.errstate(all="ignore"):
            try:
                return flat(at)
            except ZeroDivisionError:
                return flat(nearby)


def symbols_of(names):
    found = np.empty(len(names), dtype=object)
    found[:] = [symbol(quoted(name)) for name in names]
    return found.view(SymArray)


def _quietly(flat, x):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return flat(x.copy())
        except Exception:
            return None


def _called(function, call, values):
    """Every call gets arrays of its own, which the function may change."""
    positional = [_own(values[name]) for name, by_keyword in call if not by_keyword]
    return function(*positional, **{name: _own(values[name]) for name, by_keyword in call if by_keyword})


def _own(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def _label(name, place):
    return f"{name}[{','.join(str(k + 1) for k in place)}]" if place else name


def labelled(parameters):
    """(name, number) of each, with one name for every element of an array."""
    return [(_label(name, place), float(entry)) for name, value in parameters.items() for place, entry in np.ndenumerate(value)]


def _symbols_of(name, value):
    if np.ndim(value) == 0:
        return symbol(quoted(name))
    named = np.empty(value.shape, dtype=object)
    for place in np.ndindex(value.shape):
        named[place] = symbol(quoted(_label(name, place)))
    return named.view(SymArray)


def numbers_of(name, value):
    """The number, or the array of numbers, that a parameter is."""
    try:
        if np.iscomplexobj(value) or value is None:
            raise ValueError
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            return int(value)  # functions that are called may count with it
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {value!r} is neither a number nor an array of numbers") from None
    if not np.all(np.isfinite(found)):
        raise Misuse(f"{name} cannot be {value}")
    return float(found) if found.ndim == 0 else found.copy()


def as_numbers(value, shape, what):
    """What a function returned, as floats of this shape; None: one dimension, as many as there are."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.shape == shape:
        return value
    if value is None:
        raise TypeError(f"{what} returned None; is a `return` missing?")
    try:
        if np.iscomplexobj(value):
            raise TypeError("complex numbers; take real and imaginary parts apart")
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} returned something that is not an array of numbers: {error}") from None
    if shape is None:
        return np.atleast_1d(found).ravel()
    if found.shape != shape:
        wanted = tuple(n for n in shape if n != 1)
        if found.size != math.prod(shape) or found.squeeze().shape != wanted:
            raise Misuse(f"{what} must return an array of shape {shape}; it returned one of shape {found.shape}")
        found = found.reshape(shape)
    return found
