"""Mechanisms from functions: q' = v,  M v' = F - G^T lam - A^T nu,  s' = r,  0 = g,  0 = h."""
from __future__ import annotations

import numpy as np

from . import _core
from ._core import Misuse
from .derivative import depends_on, jacobian
from .evaluate import evaluate
from .events import read_events, watch_calls, write_events
from .functions import Functions, Part, labelled, symbols_of
from .problem import declared, finished, names_of, require_distinct, start_of, traced_or_called
from .trace import forget
from .write import Writer, inertia, quoted


def mechanical(force, constraint=None, mass=None, *, q0, v0=None, s0=None, states=None, velocity_constraint=None, constraint_jacobian=None, events=None,
               names=None, v_names=None, lam_names=None, trace=True, **parameters):
    """q' = v,  M(q, t) v' = F(q, v, s, t) - G^T lam - A^T nu,  s' = r(q, v, s, t),  0 = g(q, t),  0 = h(q, v, t),  G = dg/dq, A = dh/dv.

    The functions name what they need among q, v, s, t and parameters, in any order:

    >>> def force(q, v, m, g): return np.array([0, -m * g])
    >>> def rod(q, L): return q @ q - L**2
    >>> p = mechanical(force, rod, mass=lambda m: m * np.eye(2), q0=[1, 0], m=0.5, g=9.81, L=1.0)
    >>> r = p.solve(t_end=10)

    q0, v0, s0              may be rough, and v0 may be left out: they are moved to the nearest values that satisfy the constraints (r.moved)
    mass                    a function, a constant matrix, or nothing for the identity
    states                  r, for first-order states s beside the mechanism
    velocity_constraint     h, linear in v: rolling, a knife edge; its multipliers nu follow lam in r.lam
    constraint_jacobian     G(q, t): found by itself; if it is given, it is checked against what was found, or used where functions are called
    events                  functions of q, v, s, t and parameters with `terminal`, `direction` and `jump`, which returns v behind the event
    names, v_names          of the unknowns, for r["x"]
    trace                   False: the functions are called for every value, as they are if they cannot be recorded"""
    forget()
    functions = {"force": force, "constraint": constraint, "mass": mass, "states": states, "velocity_constraint": velocity_constraint,
                 "constraint_jacobian": constraint_jacobian}
    return traced_or_called(Mechanism(functions, {"q": q0, "v": v0, "s": s0}, {"q": names, "v": v_names, "lam": lam_names}, read_events(events), parameters),
                            trace)


_NOT_LINEAR = "velocity_constraint must be linear in v: its multipliers act along its derivative by v"


class Mechanism:
    """What a mechanism consists of: checked, but not recorded yet."""

    t = 0.0
    _depends = {"force": ("q", "v", "s"), "constraint": ("q",), "mass": ("q",), "states": ("q", "v", "s"), "velocity_constraint": ("q", "v"),
                "constraint_jacobian": ("q",)}

    def __init__(self, given, starts, names, events, parameters):
        n, r = np.size(starts["q"]), 0 if starts["s"] is None else np.size(starts["s"])
        if (given["states"] is None) != (r == 0):
            raise Misuse("s0 and states belong together")
        self.start = {"q": start_of(np.atleast_1d(starts["q"]), n, "q0"), "v": start_of(starts["v"], n, "v0"), "s": start_of(starts["s"], r, "s0") if r else []}
        q_names = names_of(names["q"], "q", n, "names")
        v_names = names_of(names["v"], "v", n, "v_names") if names["v"] or names["q"] is None else [f"{name}_dot" for name in q_names]
        blocks = {"q": q_names, "v": v_names, "s": names_of(None, "s", r, "s") if r else []}
        self.functions, self.events, self._n, self._given = Functions(blocks, parameters), events, n, given
        self._rows = {name: self._count(name) for name in ("constraint", "velocity_constraint")}
        rows = sum(self._rows.values())
        self._lam = names_of(names["lam"], "lam", rows, "lam_names") if rows else []
        self.blocks = {**blocks, "lam": self._lam}
        for part in self.parts():
            if callable(part.function):
                self.functions.arguments(part.what, part.function, part.blocks)
        self.functions.require_all_used()
        require_distinct(self.functions, self.blocks)

    def _count(self, name):
        function = self._given[name]
        return 0 if function is None else len(self.functions.tried(Part(name, function, self._depends[name], None), self.start, self.t))

    def _shape(self, name):
        n, rows = self._n, self._rows["constraint"]
        return {"force": (n,), "mass": (n, n), "states": (len(self.start["s"]),), "constraint": (rows,), "constraint_jacobian": (rows, n),
                "velocity_constraint": (self._rows["velocity_constraint"],)}[name]

    def _part(self, name):
        return Part(name, self._given[name], self._depends[name], self._shape(name))

    def parts(self):
        found = [self._part(name) for name, function in self._given.items() if function is not None]
        for event in self.events:
            found.append(Part(event.name, event.function, ("q", "v", "s"), ()))
            if event.jump:
                found.append(Part(f"{event.name}, jump", event.jump, ("q", "v", "s"), (self._n,)))
        return found

    # Recorded ---------------------------------------------------------------------------------------------------
    def problem(self, recorded):
        q, v = self.functions.symbols("q"), self.functions.symbols("v")
        f, m = recorded["force"], recorded.get("mass")
        g, h, r = (recorded.get(name, np.empty(0, dtype=object)) for name in ("constraint", "velocity_constraint", "states"))
        by_q, by_v = jacobian(g, q), jacobian(h, v)
        if len(h) and depends_on(by_v.ravel(), v):
            raise Misuse(_NOT_LINEAR)
        if "constraint_jacobian" in recorded:
            self._compare(by_q, recorded["constraint_jacobian"])
        right = f - np.vstack([by_q, by_v]).T @ symbols_of(self._lam) if self._lam else f
        roots = [recorded[event.name][()] for event in self.events]
        jumps = [recorded.get(f"{event.name}, jump") for event in self.events]
        writer = Writer()
        writer.count([*right, *g, *h, *r, *roots, *(node for jump in jumps if jump is not None for node in jump), *([] if m is None else m.ravel())])
        equations = self._balance(writer, m, right)
        equations += [f"der({quoted(name)}) = {writer.text(node)};" for name, node in zip(self.blocks["s"], r)]
        equations += [f"0 = {writer.constraint(node)};" for node in [*g, *h]]
        declarations = [line for block in ("q", "v", "s") for line in declared(self.blocks[block], self.start[block])]
        declarations += declared(self._lam, [None] * len(self._lam))
        watched = write_events(self.events, roots, jumps, writer)
        return finished(self.functions, declarations + watched[0], equations + watched[1], writer, self.blocks, self.events, self.blocks["v"])

    def _balance(self, writer, m, right):
        v = self.blocks["v"]
        equations = [f"der({quoted(a)}) = {quoted(b)};" for a, b in zip(self.blocks["q"], v)]
        return equations + [f"{inertia(writer, m, i, v)} = {writer.text(right[i])};" for i in range(self._n)]

    def _compare(self, found, given):
        """Misuse where G, as it was given, is not the derivative of g."""
        x = self.functions.points(self._part("constraint"), self.start, self.t)[1]
        values = dict(zip(map(quoted, self.blocks["q"]), x)) | {quoted(name): value for name, value in labelled(self.functions.parameters)} | {"time": x[-1]}
        right, stated = evaluate(found.ravel(), values), evaluate(given.ravel(), values)
        wrong = np.flatnonzero(~(np.abs(right - stated) <= 1e-6 * (1.0 + np.abs(right))))
        if wrong.size:
            i, j = np.unravel_index(wrong[0], found.shape)
            raise Misuse(f"constraint_jacobian is not the derivative of constraint: row {i}, column {j} is {stated[wrong[0]]:g} where it should be {right[wrong[0]]:g}")

    # Called -----------------------------------------------------------------------------------------------------
    def core(self, values):
        call = {name: self.functions.numeric(self._part(name), values) for name, function in self._given.items() if function is not None}
        if "constraint" in call and "constraint_jacobian" in call:
            self._compare_calls(call)
        if "velocity_constraint" in call:
            self._require_linear(call["velocity_constraint"])
        n, r, m = self._n, len(self.start["s"]), self._rows["constraint"]
        none = np.empty(0)
        names = [*(self.blocks[block] for block in ("q", "v", "s")), self._lam[:m], self._lam[m:]]
        equations = _core.called_mechanical(call["force"], call.get("constraint", lambda x: none), call.get("velocity_constraint"), call.get("mass"),
                                            call.get("states"), call.get("constraint_jacobian"), self._moves(), names)
        start = [0.0 if entry is None else entry for block in ("q", "v", "s") for entry in self.start[block]]
        return watch_calls(_core.CalledModel(equations, start), self.events, self.functions, values, ("q", "v", "s"), 2 * n + r, (n, 2 * n))

    def _require_linear(self, call):
        for x in self.functions.points(self._part("velocity_constraint"), self.start, self.t):
            along = np.zeros_like(x)
            along[self._n:2 * self._n] = 1.0 - 0.4 * np.cos(np.arange(self._n))
            with np.errstate(all="ignore"):
                curved = call(x + along) - 2.0 * call(x) + call(x - along)
            if np.any(np.abs(curved) > 1e-8 * (1.0 + np.abs(call(x)))):
                raise Misuse(_NOT_LINEAR)

    def _moves(self):
        function = self._given["constraint"]
        return callable(function) and "t" in dict(self.functions.arguments("constraint", function, self._depends["constraint"]))

    def _compare_calls(self, call):
        x = self.functions.points(self._part("constraint"), self.start, self.t)[1]
        given = call["constraint_jacobian"](x)
        for j in range(self._n):
            step = np.zeros_like(x)
            step[j] = 1e-5 * (1.0 + abs(x[j]))
            found = (call["constraint"](x + step) - call["constraint"](x - step)) / (2.0 * step[j])
            for i in np.flatnonzero(~(np.abs(found - given[:, j]) <= 1e-5 * (1.0 + np.abs(found)))):
                raise Misuse(f"constraint_jacobian is not the derivative of constraint: row {i}, column {j} is {given[i, j]:g} where it should be {found[i]:g}")
