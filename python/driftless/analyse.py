"""What theory and long runs say about a model: the analyses of the program, with results as objects.

>>> import driftless as dl
>>> a = dl.analyse.stability(model, box={"x": (0, 1)}, time=(0, 1))
>>> a.verdict if "verdict" in a else a              # the same names as in the JSON of the program
>>> a                                               # in a notebook: the page with its pictures

Options are those of the program, with _ for -: `driftless analyse stability --help`. What it does not know is refused."""
from __future__ import annotations

import json
import pathlib
import tempfile

import numpy as np

from ._core import Misuse
from .command import page_in_notebook, run_program
from .methods import Tableau
from .model import Model, _elements, _setting

__all__ = ["attractor", "manifold", "minimise", "stability"]


class Analysis:
    """What an analysis found: numbers by name (a.name or a["name"], nested), and its page."""

    def __init__(self, data, page=None):
        self.data, self.page = data, page

    def __getitem__(self, name):
        return _wrapped(self.data[name])

    def __getattr__(self, name):
        data = self.__dict__.get("data", {})
        if name.startswith("__") or name not in data:
            raise AttributeError(f"there is no '{name}'; there are: {', '.join(data)}")
        return _wrapped(data[name])

    def __contains__(self, name):
        return name in self.data

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)

    def __dir__(self):
        return [*super().__dir__(), *self.data]

    def __repr__(self):
        return "\n".join(f"{name}: {json.dumps(value) if len(json.dumps(value)) < 100 else '...'}" for name, value in self.data.items())

    def report(self, path):
        """Writes the page with the pictures."""
        pathlib.Path(path).write_text(self.page, encoding="utf-8")
        return pathlib.Path(path)

    def _repr_html_(self):
        return page_in_notebook(self.page)


def _wrapped(value):
    if isinstance(value, dict):
        return Analysis(value)
    return [_wrapped(one) for one in value] if isinstance(value, list) else value


def manifold(model, **options):
    """How close the multipliers of methods are to those of the solution, how fast they approach them, and with which order in h.

    >>> manifold(model, method=["radau-iia-2", "sdirk-2-half"], step_sizes=[0.02, 0.01, 0.005], points=5)"""
    return _run("manifold", model, options)


def attractor(model, **options):
    """What a model settles on - an equilibrium, a periodic orbit, a set with Lyapunov exponents - and how a method moves it.

    >>> attractor(model, method="radau-iia-2", step_sizes=[0.1, 0.05], starts=16, transient=50)"""
    return _run("attractor", model, options)


def stability(model, **options):
    """Growth of deviations and bounds of errors for models of index 1; proved by interval arithmetic where that is possible.

    >>> stability(model, box={"x": (0, 1), "z": (0, 2)}, time=(0, 1), norm="inf")"""
    return _run("stability", model, options)


def minimise(model, **options):
    """The constrained minimum of a variable, with multipliers.

    >>> minimise("box.mo", objective="volume", maximise=True)"""
    return _run("minimise", model, options)


def _run(what, model, options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        arguments = ["analyse", what, *_model(model, folder)]
        for name, value in options.items():
            arguments += _option(name, value, folder)
        page = folder / "page.html"
        found = json.loads(run_program(*arguments, "--json", "--report", page))
        return Analysis(found, page.read_text(encoding="utf-8"))


def _model(model, folder):
    """A model, its text, a file, or problem:NAME; with the values that were set."""
    if isinstance(model, Model):
        if model.text is None:
            raise Misuse("an analysis needs a model that the program can read; this one consists of functions that could not be recorded")
        path = folder / "model.mo"
        path.write_text(model.text, encoding="utf-8")
        return [path, *(part for name, value in model.settings.items() for part in ("--set", f"{name}={value}"))]
    if isinstance(model, str) and ("\n" in model or ";" in model):
        path = folder / "model.mo"
        path.write_text(model, encoding="utf-8")
        return [path]
    return [str(model)]


def _option(name, value, folder):
    if name == "parameters":
        return [part for one, number in _elements(value) for part in ("--set", f"{one}={_setting(one, number)}")]
    option = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, np.ndarray) and value.ndim == 2:
        path = folder / f"{name}.csv"
        np.savetxt(path, value, delimiter=",", fmt="%.17g")
        return [option, path]
    return [option, _text(value, folder)]


def _text(value, folder):
    if isinstance(value, Tableau):
        return value.argument(folder)
    if isinstance(value, dict):
        return ",".join(f"{name}={_text(one, folder)}" for name, one in value.items())
    if isinstance(value, tuple) and len(value) == 2:
        return ":".join(_text(one, folder) for one in value)
    if isinstance(value, (list, np.ndarray)):
        return ",".join(_text(one, folder) for one in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
