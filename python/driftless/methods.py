"""Runge-Kutta methods: what there is, what it is good for, and numbers of one's own."""
from __future__ import annotations

import html
import json
import pathlib
import tempfile

import numpy as np

from . import _core
from .command import run_program


class Tableau:
    """A Runge-Kutta method by its numbers, for fixed steps and for analyses.

    >>> own = Tableau("mine", A=[[1/4, 0], [1/2, 1/4]], b=[1/2, 1/2])
    >>> own.properties()                            # order, stability, what the theory allows it for
    >>> model.solve(10, method=own, steps=1000)

    c is A 1 if it is not given. Tableau("gauss-2") is one of the known ones."""

    def __init__(self, name, A=None, b=None, c=()):
        if (A is None) != (b is None):
            raise _core.Misuse("a method of one's own has A and b")
        self._core = _core.tableau_by_name(name) if A is None else _core.Tableau(
            name, np.asarray(A, dtype=float).tolist(), np.asarray(b, dtype=float).tolist(), np.asarray(c, dtype=float).tolist())
        self._known = A is None

    name = property(lambda self: self._core.name)
    citation = property(lambda self: self._core.citation)
    A = property(lambda self: np.array(self._core.a))
    b = property(lambda self: np.array(self._core.b))
    c = property(lambda self: np.array(self._core.c))

    def properties(self):
        """Order, stage order, R(infinity), stability, and for which index the theory allows it: all computed from its numbers."""
        with tempfile.TemporaryDirectory() as folder:
            return {**json.loads(run_program("methods", self.argument(folder), "--json")), "name": self.name, "source": self.citation}

    def argument(self, folder):
        """How the program is told of it: by name, or as a file in this folder."""
        if self._known:
            return self.name
        path = pathlib.Path(folder) / f"{self.name}.json"
        path.write_text(json.dumps({"A": self.A.tolist(), "b": self.b.tolist(), "c": self.c.tolist()}), encoding="utf-8")
        return str(path)

    def __reduce__(self):
        return (Tableau, (self.name,)) if self._known else (Tableau, (self.name, self.A, self.b, self.c))

    def __repr__(self):
        return f"<method {self.name}: {len(self.b)} stages>"


class Methods(list):
    """All methods, as dictionaries with name, title, kind and details."""

    def __getitem__(self, which):
        if not isinstance(which, str):
            return super().__getitem__(which)
        for one in self:
            if one["name"] == which:
                return one
        raise KeyError(f"there is no method '{which}'; there are: {', '.join(one['name'] for one in self)}")

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{html.escape(one['name'])}</td><td>{html.escape(one['title'])}</td><td>{html.escape(one['kind'])}</td></tr>" for one in self)
        return f"<table><tr><th>method</th><th></th><th>steps</th></tr>{rows}</table>"


def methods():
    """Every method: adaptive ones, and tableaux for fixed steps.

    >>> methods()["radau"]["details"]"""
    return Methods(json.loads(run_program("methods", "--json")))
