"""Systems of sympy.physics.mechanics: their expressions are traced as functions are."""
from __future__ import annotations

import inspect

import numpy as np

from . import _core
from .derivative import jacobian
from .functions import Functions, Part, symbols_of
from .mechanics import Mechanism
from .problem import declared, finished, require_distinct, start_of, traced_or_called
from .trace import constant, forget
from .write import HIDDEN, Writer, quoted


def from_sympy(system, constants=None, start=None):
    """A Problem from LagrangesMethod or KanesMethod, after their equations were formed.

    constants       {symbol: number}: parameters, which solve() can give other values by name
    start           {coordinate or speed: number}; may be rough or incomplete, what is missing is found

    Results have the names of the coordinates and speeds; rates of Lagrange's coordinates are called x_dot. Multipliers have
    the sign of sympy: M q'' = forcing - J^T lam, J the derivative of coneqs by the rates."""
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod

    if isinstance(system, LagrangesMethod):
        return _lagrange(system, constants or {}, start or {})
    if isinstance(system, KanesMethod):
        return _kane(system, constants or {}, start or {})
    raise TypeError(f"from_sympy takes a LagrangesMethod or a KanesMethod, not {type(system).__name__}")


def _plain(one):
    """x of x(t), and of a plain symbol."""
    return one.func.__name__ if one.args else one.name


def _constants(expressions, constants, time):
    """Names and values of what is neither an unknown nor time."""
    free = set().union(*(expression.free_symbols for expression in expressions)) - {time}
    missing = sorted(str(one) for one in free if one not in constants)
    if missing:
        raise _core.Misuse(f"these symbols have no value: {', '.join(missing)}; give them in `constants`")
    return {one: float(constants[one]) for one in sorted(free, key=str)}


class _Lambdas:
    """Functions of named arguments from sympy's expressions, with what occurs twice computed once."""

    def __init__(self, groups, constants, time):
        self.groups, self.constants, self.time = groups, list(constants), time

    def __call__(self, expressions):
        import sympy

        stand_ins = {name: [sympy.Dummy() for _ in group] for name, group in self.groups.items()}
        rule = {one: dummy for name, group in self.groups.items() for one, dummy in zip(group, stand_ins[name])}
        plain = sympy.Matrix(expressions).doit().xreplace(rule)  # derivatives are replaced as a whole, before what is in them
        left = plain.atoms(sympy.core.function.AppliedUndef, sympy.Derivative)
        if left:
            raise _core.Misuse(f"neither a coordinate nor a speed: {', '.join(sorted(map(str, left)))}")
        nested = plain.tolist() if plain.shape[1] > 1 else list(plain)
        free = plain.free_symbols
        used = {name: dummies for name, dummies in stand_ins.items() if free.intersection(dummies)}
        single = {name: one for name, one in [("t", self.time), *((one.name, one) for one in self.constants)] if one in free}
        computed = sympy.lambdify([*used.values(), *single.values()], nested, modules=[{"Abs": np.abs}, "numpy"], cse=True)
        return _Named(computed, [*used, *single])


class _Named:
    """A function whose arguments have these names."""

    def __init__(self, function, names):
        self._function = function
        self.__signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names])

    def __call__(self, *values):
        return self._function(*values)


def _lagrange(system, constants, start):
    from sympy.physics.mechanics import dynamicsymbols

    if system.eom is None:
        raise _core.Misuse("call form_lagranges_equations() before from_sympy()")
    time = dynamicsymbols._t
    q = list(system.q)
    v = [one.diff(time) for one in q]
    rows = list(system.coneqs) if system.coneqs else []
    holonomic = list(getattr(system, "_hol_coneqs", None) or getattr(system, "holonomic_constraints", None) or [])
    mass, forcing = system.mass_matrix[:, : len(q)], list(system.forcing[: len(q)])
    known = _constants([*mass, *forcing, *holonomic, *rows], constants, time)
    function = _Lambdas({"q": q, "v": v}, known, time)
    given = {"force": function(forcing), "constraint": function(holonomic) if holonomic else None, "mass": function(mass.tolist()), "states": None,
             "velocity_constraint": function(rows[len(holonomic):]) if rows[len(holonomic):] else None, "constraint_jacobian": None}
    starts = {"q": [start.get(one, np.nan) for one in q], "v": [start.get(one, np.nan) for one in v], "s": None}
    forget()
    names = {"q": [_plain(one) for one in q], "v": None, "lam": None}
    return traced_or_called(Mechanism(given, starts, names, [], {one.name: value for one, value in known.items()}), True)


def _kane_constraints(system, q, u, rates):
    """What coordinates and speeds must satisfy, which Kane's equations keep by themselves: public attributes of later versions first."""
    import sympy

    holonomic = getattr(system, "holonomic_constraints", None)
    configuration = list(holonomic if holonomic is not None else getattr(system, "_f_h", []))
    velocity = getattr(system, "nonholonomic_constraints", None)
    if velocity is not None:  # of q' or of u
        velocity = [one.xreplace(rates) for one in velocity]
    else:
        k, f = system._k_nh, system._f_nh
        velocity = list(k * sympy.Matrix(u) + f) if k.shape[0] > 0 else []
    from sympy.physics.mechanics import dynamicsymbols

    # Differentiated configurations are velocity constraints, whether or not the system lists them.
    hidden = [one.diff(dynamicsymbols._t).xreplace(rates) for one in configuration] if not velocity and configuration else []
    return configuration + velocity + hidden


def _rates_of(system):
    """{q': expression in q and u}"""
    found = getattr(system, "_qdot_u_map", None)
    return dict(found) if found else {}


def _kane(system, constants, start):
    """M(x) w = f(x), x' = w + G^T mu, 0 = g(x): equations that keep g by themselves, so that mu is zero."""
    from sympy.physics.mechanics import dynamicsymbols

    time = dynamicsymbols._t
    q, u = list(system.q), list(system.u)
    try:
        mass, forcing = system.mass_matrix_full, list(system.forcing_full)
    except (ValueError, AttributeError) as error:
        raise _core.Misuse(f"call kanes_equations() before from_sympy(): {error}") from None
    unknowns = q + u
    kept = _kane_constraints(system, q, u, _rates_of(system))
    known = _constants([*mass, *forcing, *kept], constants, time)
    function = _Lambdas({"q": q, "u": u}, known, time)
    forget()
    names, n = [_plain(one) for one in unknowns], len(unknowns)
    functions = Functions({"q": names[: len(q)], "u": names[len(q):]}, {one.name: value for one, value in known.items()})
    x = np.concatenate([functions.symbols("q"), functions.symbols("u")])
    m = functions.record(Part("mass matrix", function(mass.tolist()), ("q", "u"), (n, n)))
    f = functions.record(Part("forcing", function(forcing), ("q", "u"), (n,)))
    g = functions.record(Part("constraints", function(kept), ("q", "u"), (len(kept),))) if kept else np.empty(0, dtype=object)
    blocks = {"q": names[: len(q)], "v": names[len(q):], "lam": []}
    require_distinct(functions, blocks)
    rates, drift = [f"{HIDDEN}rate_{k}" for k in range(n)], [f"{HIDDEN}drift{k}" for k in range(len(g))]
    w, mu = symbols_of(rates), symbols_of(drift)
    balance = [sum((m[i, j] * w[j] for j in range(n)), constant(0.0)) - f[i] for i in range(n)]
    moved = w + jacobian(g, x).T @ mu if len(g) else w
    writer = Writer()
    writer.count([*balance, *moved, *g])
    equations = [f"0 = {writer.text(node)};" for node in balance]
    equations += [f"der({quoted(name)}) = {writer.text(node)};" for name, node in zip(names, moved)]
    equations += [f"0 = {writer.text(node)};" for node in g]
    declarations = declared(names, start_of([start.get(one, np.nan) for one in unknowns], n, "start")) + declared(rates + drift, [None] * (n + len(g)))
    return finished(functions, declarations, equations, writer, blocks)
