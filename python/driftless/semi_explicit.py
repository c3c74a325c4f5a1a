"""M(x, t) x' = f(x, z, t), 0 = g(x, z, t), from functions."""
from __future__ import annotations

import numpy as np

from . import _core
from ._core import Misuse
from .events import read_events, watch_calls, write_events
from .functions import Functions, Part
from .problem import declared, finished, names_of, require_distinct, start_of, traced_or_called
from .trace import forget
from .write import Writer, inertia, quoted


def semi_explicit(rate, constraint, *, mass=None, x0, z0=None, events=None, names=None, z_names=None, trace=True, **parameters):
    """M(x, t) x' = f(x, z, t),  0 = g(x, z, t) of index 1, 2 or 3: which one, is found out.

    rate and constraint name what they need among x, z, t and parameters:

    >>> p = semi_explicit(lambda x, z, k: -k * z, lambda x, z: z - x**2, x0=[1.0], z0=[1.0], k=2.0)
    >>> r = p.solve(t_end=1, k=3.0)

    mass        M: a function of x, t and parameters, a constant matrix, or nothing for the identity; must not be singular
    x0          may be rough; r.moved says what had to be changed
    z0          guesses, nan where there is none; may be left out where z_names says how many z there are
    events      functions of x, z, t and parameters with `terminal`, `direction` and `jump`, which returns x behind the event
    trace       False: the functions are called for every value, as they are if they cannot be recorded. The index is then 1 if
                constraint has an argument z, and 2 if it has none"""
    forget()
    return traced_or_called(SemiExplicit((rate, constraint, mass), (x0, z0), (names, z_names), read_events(events), parameters), trace)


class SemiExplicit:
    """What it consists of: checked, but not recorded yet."""

    t = 0.0

    def __init__(self, given, starts, names, events, parameters):
        rate, constraint, mass = given
        x_start = start_of(np.atleast_1d(starts[0]), np.size(starts[0]), "x0")
        if starts[1] is None and names[1] is None:
            raise Misuse("say how many unknowns z there are, by z_names or by guesses z0 (nan: none)")
        count = np.size(starts[1]) if starts[1] is not None else len(names[1])
        self.start = {"x": x_start, "z": start_of(starts[1], count, "z0")}
        self.blocks = {"x": names_of(names[0], "x", len(x_start), "names"), "z": names_of(names[1], "z", count, "z_names"), "q": [], "v": [], "lam": []}
        self.events, self._sizes = events, (len(x_start), count)
        self.functions = Functions({"x": self.blocks["x"], "z": self.blocks["z"]}, parameters)
        self._rate, self._constraint = Part("rate", rate, ("x", "z"), (len(x_start),)), Part("constraint", constraint, ("x", "z"), (count,))
        self._mass = None if mass is None else Part("mass", mass, ("x",), (len(x_start), len(x_start)))
        for part in self.parts():
            if callable(part.function):
                self.functions.arguments(part.what, part.function, part.blocks)
        self.functions.require_all_used()
        require_distinct(self.functions, self.functions.blocks)

    def parts(self):
        found = [self._rate, self._constraint, *([self._mass] if self._mass else [])]
        for event in self.events:
            found.append(Part(event.name, event.function, ("x", "z"), ()))
            if event.jump:
                found.append(Part(f"{event.name}, jump", event.jump, ("x", "z"), (self._sizes[0],)))
        return found

    def problem(self, recorded):
        f, g, m, x = recorded["rate"], recorded["constraint"], recorded.get("mass"), self.blocks["x"]
        roots = [recorded[event.name][()] for event in self.events]
        jumps = [recorded.get(f"{event.name}, jump") for event in self.events]
        writer = Writer()
        writer.count([*f, *g, *roots, *(node for jump in jumps if jump is not None for node in jump), *([] if m is None else m.ravel())])
        equations = [f"{inertia(writer, m, i, x)} = {writer.text(node)};" for i, node in enumerate(f)]
        equations += [f"0 = {writer.constraint(node)};" for node in g]
        declarations = declared(x, self.start["x"]) + declared(self.blocks["z"], self.start["z"])
        watched = write_events(self.events, roots, jumps, writer)
        return finished(self.functions, declarations + watched[0], equations + watched[1], writer, self.blocks, self.events, x)

    def core(self, values):
        f, g = self._numeric_rate(values), self.functions.numeric(self._constraint, values)
        (n, m), x, z = self._sizes, self.blocks["x"], self.blocks["z"]
        reads_z = callable(self._constraint.function) and "z" in dict(self.functions.arguments("constraint", self._constraint.function, ("x", "z")))
        if reads_z:
            equations = _core.called_index1(lambda at: np.concatenate([f(at), g(at)]), [True] * n + [False] * m, [*x, *z], None, None)
        else:
            nothing = np.zeros(m)
            self._require_index_2(f, g)
            equations = _core.called_index2(f, lambda at: g(np.concatenate([at[:-1], nothing, at[-1:]])), x, z, False, None)
        start = [0.0 if entry is None else entry for block in ("x", "z") for entry in self.start[block]]
        return watch_calls(_core.CalledModel(equations, start), self.events, self.functions, values, ("x", "z"), n + m, (0, n))

    def _numeric_rate(self, values):
        f = self.functions.numeric(self._rate, values)
        if not self._mass:
            return f
        m, n = self.functions.numeric(self._mass, values), self._sizes[0]

        def solved(at):
            try:
                return np.linalg.solve(m(np.concatenate([at[:n], at[-1:]])), f(at))
            except np.linalg.LinAlgError:
                raise Misuse(f"mass is singular at x = {at[:n]}, t = {at[-1]:g}") from None

        return solved

    def _require_index_2(self, f, g):
        """Differences cannot tell zero from rounding on the way: what would be of index 3 is refused at the start."""
        n, m = self._sizes
        for x in self.functions.points(self._rate, self.start, self.t):
            by_x, by_z = _slopes(g, x, range(n)), _slopes(f, x, range(n, n + m))
            values = np.linalg.svd(by_x @ by_z, compute_uv=False)
            if np.all(np.isfinite(values)) and values.min(initial=np.inf) > 1e-6 * np.linalg.norm(by_x) * np.linalg.norm(by_z):
                return
        raise Misuse("the constraint does not depend on z, and z does not act on it directly: that is index 3 or more, which has to be recorded; "
                     "write functions that can be recorded, or state a mechanism by dl.mechanical")


def _slopes(function, x, places):
    """Columns of a Jacobian, by central differences."""
    columns = []
    for j in places:
        step = np.zeros(len(x))
        step[j] = 6e-6 * (1.0 + abs(x[j]))
        columns.append((function(x + step) - function(x - step)) / (2.0 * step[j]))
    return np.array(columns).T
