"""Models from text."""
from __future__ import annotations

import os
import pathlib
import tempfile

import numpy as np

from . import _core
from .command import run_program
from .methods import Tableau
from .progress import Progress
from .result import Result


class Model:
    """A model in flat Modelica: a file, or its text.

    m = Model("swing.mo")
    m = Model('''model Swing ... end Swing;''', L=2.0)
    r = m.solve(t_end=10, rtol=1e-8, L=1.5)

    Parameters stay inputs of the machine code: a new value costs no compilation."""

    def __init__(self, source, /, file=None, **settings):
        text, self.file = _text_of(source, file)
        self._text, self._settings = text, {name: _setting(name, value) for name, value in settings.items()}
        self._core = _core.Model(text, self.file, list(self._settings.items()))

    name = property(lambda self: self._core.name)
    title = property(lambda self: self._core.title)
    text = property(lambda self: self._text, doc="the model as it was read")
    settings = property(lambda self: dict(self._settings), doc="values that were given with it")
    parameters = property(lambda self: self._core.parameters, doc="those that can be set, and their values")
    warnings = property(lambda self: self._core.warnings)
    names = property(lambda self: [column[0] for column in self._core.columns], doc="of the results")

    def solve(self, t_end=None, *, t_begin=None, rtol=None, atol=None, atol_each=None, method="auto", t_eval=None, dense_output=False, first_step=None,
              max_step=None, max_steps=None, steps=None, step_size=None, every_step=False, callback=None, progress=False, check=True, parameters=None, **named):
        """Makes the start consistent and integrates; a Result.

        t_begin, t_end      the model's own span if not given
        rtol, atol          1e-6 and a thousandth of rtol, unless the model says
        t_eval              times of the rows; the model's interval, or 500 intervals, if not given; every_step=True: the steps
        method              auto, radau, dop853, dopri5, hem5
        steps, step_size    fixed steps instead, by a Tableau or the name of one (driftless.methods()) as method
        callback            is called with the time after each step; the run ends when it returns True
        progress            True: how far it came, on the terminal
        check               RunError if the run does not reach its end; False: the Result says so
        parameters          by name, values of this run alone; those whose names are no keywords as a dictionary `parameters`
        atol_each           [(name of an unknown, its own tolerance), ...]"""
        named = {**(parameters or {}), **named}
        begin, end = self._core.span
        core = self._core_with(named)
        fixed = steps is not None or step_size is not None
        if fixed and (useless := [one for one, value in (("rtol", rtol), ("atol", atol), ("atol_each", atol_each), ("first_step", first_step),
                                                         ("max_step", max_step), ("max_steps", max_steps)) if value is not None]):
            raise _core.Misuse(f"{useless[0]} has no effect on fixed steps")
        request = _request(begin if t_begin is None else t_begin, end if t_end is None else t_end, rtol, atol, core.tolerance)
        request.method, request.every_step = method.name if isinstance(method, Tableau) else method, bool(every_step)
        request.steps, request.step_size, request.tableau = steps, step_size, method._core if isinstance(method, Tableau) else None
        request.dense = bool(dense_output) or self._needs_polynomials()
        request.first_step, request.largest_step, request.step_limit = first_step, max_step, max_steps
        shown = Progress(request.begin, request.end, callback) if progress else None
        request.callback = shown or callback
        if atol_each is not None:
            request.absolute_each = atol_each
        if t_eval is not None and every_step:
            raise _core.Misuse("t_eval and every_step exclude each other")
        if t_eval is not None:
            request.output_times = _times(t_eval, request)
        try:
            run = core.run(request)
        finally:
            if shown:
                shown.finish()
        result = Result(run, self, self._blocks, bool(dense_output))
        result._asked = {"t_begin": request.begin, "t_end": request.end, "rtol": None if fixed else request.relative, "atol": None if fixed else request.absolute, "method": method,
                         "steps": steps, "step_size": step_size,
                         "parameters": named, "first_step": first_step, "max_step": max_step, "max_steps": max_steps, "atol_each": atol_each}
        result = self._finished(result, core)
        return result.or_raise() if check else result

    _blocks = None
    compiled = True

    def _core_with(self, parameters):
        if not parameters:
            return self._core
        core = self._core.copy()
        core.set(list(_elements(parameters, self._core.parameters)))
        return core

    def _solved_again(self, result, times):
        """The same run at these times, with a hundredth of its tolerances."""
        asked = dict(result._asked)
        if asked["rtol"] is None:
            raise _core.Misuse("an estimate of the error needs adaptive steps; solve with half the step size and compare")
        sharper = {"rtol": max(1e-2 * asked["rtol"], 1e-13), "atol": 1e-2 * asked["atol"]}
        if asked["atol_each"] is not None:
            sharper["atol_each"] = [(name, 1e-2 * value) for name, value in asked["atol_each"]]
        return self.solve(times[-1], t_begin=asked["t_begin"], t_eval=times, method=asked["method"], max_step=asked["max_step"], check=False,
                          parameters=asked["parameters"], **sharper)

    def _finished(self, result, core):
        return result

    def _needs_polynomials(self):
        return False

    def _report(self, path, result):
        path, asked = pathlib.Path(path), result._asked
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "model.mo"
            model.write_text(self._text, encoding="utf-8")
            arguments = ["solve", model, "--report", path, "--quiet", "--t-begin", repr(asked["t_begin"]), "--t-end", repr(asked["t_end"])]
            for option, name in (("--rtol", "rtol"), ("--atol", "atol"), ("--first-step", "first_step"), ("--largest-step", "max_step"),
                                 ("--step-limit", "max_steps"), ("--steps", "steps"), ("--step-size", "step_size")):
                if asked[name] is not None:
                    arguments += [option, repr(asked[name])]
            method = asked["method"]
            arguments += ["--method", method.argument(folder) if isinstance(method, Tableau) else method]
            for name, value in {**self._settings, **dict(_elements(asked["parameters"]))}.items():
                arguments += ["--set", f"{name}={value}"]
            run_program(*arguments)
        return path

    def __reduce__(self):
        return _restore, (type(self), self._text, self.file, self._settings)

    def __repr__(self):
        return f"<driftless model {self.name}: {len(self.names)} results, parameters {self.parameters}>"


def _restore(kind, text, file, settings):
    return kind(text, file=file, **settings)


def _text_of(source, file):
    """The text, and the name for messages."""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and "\n" not in source and ";" not in source):
        path = pathlib.Path(source)
        return path.read_text(encoding="utf-8"), str(path)
    if not isinstance(source, str):
        raise TypeError(f"a model is a path or a text, not {type(source).__name__}")
    return source, file or "model"


def _setting(name, value):
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(_finite(name, value))


def _elements(parameters, known=()):
    """(name, number) of every parameter; of arrays, element by element."""
    for name, value in parameters.items():
        if not isinstance(value, (list, tuple, np.ndarray)) or np.ndim(value) == 0:
            yield name, _finite(name, value)
            continue
        try:
            entries = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise TypeError(f"{name} = {value!r} is not an array of numbers") from None
        labels = {f"{name}[{','.join(str(k + 1) for k in place)}]": entry for place, entry in np.ndenumerate(entries)}
        own = [one for one in known if one.startswith(f"{name}[")]
        if known and set(own) != set(labels):
            raise _core.Misuse(f"{name} has {len(own)} elements in the model" + (f", from {own[0]} to {own[-1]}" if own else "") +
                               f"; the value has shape {entries.shape}")
        for label, entry in labels.items():
            yield label, _finite(label, entry)


def _finite(name, value):
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {value!r} is not a number") from None
    if not np.isfinite(number):
        raise _core.Misuse(f"{name} cannot be {number}")
    return number


def _request(begin, end, rtol, atol, usual):
    relative = _finite("rtol", 1e-6 if usual is None else usual) if rtol is None else _finite("rtol", rtol)
    absolute = 1e-3 * relative if atol is None else _finite("atol", atol)
    return _core.Request(_finite("t_begin", begin), _finite("t_end", end), relative, absolute)


def _times(t_eval, request):
    times = np.asarray(t_eval, dtype=float)
    if times.ndim != 1 or times.size == 0:
        raise _core.Misuse("t_eval must be a list of times")
    forward = request.end >= request.begin
    ordered = np.all(np.diff(times) > 0) if forward else np.all(np.diff(times) < 0)
    low, high = min(request.begin, request.end), max(request.begin, request.end)
    if not ordered or times.min() < low or times.max() > high:
        raise _core.Misuse("the times of t_eval must be in order and within the span")
    return times.tolist()
