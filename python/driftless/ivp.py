"""SciPy's solve_ivp, with invariants."""
from __future__ import annotations

import numpy as np

from . import _core
from ._core import Misuse
from .derivative import jacobian
from .evaluate import evaluate
from .events import read_events, watch_calls, write_events
from .functions import Functions, Part, as_numbers, symbols_of
from .problem import declared, finished, require_distinct, traced_or_called
from .trace import forget
from .write import Writer, quoted

_METHODS = {"auto": "auto", "Radau": "radau", "DOP853": "dop853", "RK45": "dopri5", "BDF": "radau", "LSODA": "auto", "radau": "radau", "dop853": "dop853",
            "dopri5": "dopri5"}


class OdeResult:
    """The fields of SciPy's result, and the driftless Result as `result`."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __getitem__(self, name):
        return self.__dict__[name]

    def __repr__(self):
        shown = ("message", "success", "status", "t", "y", "sol", "t_events", "y_events", "nfev", "njev", "nlu", "certificate")
        return "\n".join(f"{name:>12}: {self.__dict__[name]!r}" for name in shown)

    def _repr_html_(self):
        return self.result._repr_html_()


class OdeSolution:
    """y(t), a column for each time; made from the polynomials of the steps."""

    def __init__(self, result, n):
        self._result, self._n = result, n
        self.t_min, self.t_max = sorted((float(result.t[0]), float(result.t[-1])))

    def __call__(self, t):
        return self._result(t)[: self._n]


def solve_ivp(fun, t_span, y0, method="auto", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, *, invariants=None,
              rtol=1e-3, atol=1e-6, first_step=None, max_step=np.inf, jac=None, jac_sparsity=None, callback=None, progress=False, trace=True):
    """scipy.integrate.solve_ivp with y' = fun(t, y, *args), whose functions are recorded and compiled.

    >>> r = solve_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0, 100), [2.0, 0.0], invariants=lambda t, y: y[1]**2 / 2 - np.cos(y[0]))

    invariants(t, y, *args), if given, returns quantities that the equations keep by themselves and that stay at their value at
    the start: the solution is projected on them after every step. Misuse if the equations do not keep them.

    method      auto (explicit, and implicit where the equations are stiff), RK45, DOP853, Radau; BDF and LSODA are taken for Radau and auto
    events      functions of t, y, *args with `terminal` and `direction`, and with `jump`, which returns y behind the event
    jac, jac_sparsity   are not needed: what is given is compared with the derivatives that were found, or used where fun is called
    trace       False: fun is called for every value, as it is if it cannot be recorded

    Everything else as SciPy has it."""
    if method not in _METHODS:
        raise Misuse(f"there is no method {method!r}; there are: {', '.join(_METHODS)}")
    forget()
    begin, end = map(float, t_span)
    try:
        args = tuple(args) if args is not None else ()
    except TypeError:
        raise TypeError(f"args is a tuple of further arguments, as (1.0,); it is {args!r}") from None
    watched = read_events(events)
    for event in watched:
        event.bind(args)
    ode = Ode(_bound(fun, args), _y0(y0), begin, _bound(invariants, args), watched, (_bound(jac, args), jac_sparsity))
    problem = traced_or_called(ode, trace)
    common, each = _tolerances(atol, ode.names)
    result = problem.solve(end, t_begin=begin, rtol=rtol, atol=common, atol_each=each, method=_METHODS[method], t_eval=t_eval, every_step=t_eval is None,
                           dense_output=dense_output or bool(watched), first_step=_positive("first_step", first_step, abs(end - begin)),
                           max_step=_positive("max_step", None if max_step is None or np.isinf(max_step) else max_step), callback=callback, progress=progress,
                           check=False)
    ode.require_invariants(result)
    return _as_scipy(result, ode.names, t_eval, dense_output, watched)


class _Bound:
    """A function with its further arguments."""

    def __init__(self, function, args):
        self.function, self.args = function, args

    def __call__(self, t, y):
        return self.function(t, y, *self.args)


def _bound(function, args):
    return _Bound(function, args) if callable(function) else function


def _y0(y0):
    y = np.asarray(y0)
    if y.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    if y.size == 0:
        raise Misuse("y0 is empty")
    if np.iscomplexobj(y):
        raise Misuse("driftless solves for real unknowns; take real and imaginary parts apart")
    try:
        y = y.astype(float)
    except (TypeError, ValueError):
        raise TypeError(f"y0 = {y0!r} is not an array of numbers") from None
    if not np.all(np.isfinite(y)):
        raise ValueError("All components of the initial state `y0` must be finite.")
    return y


def _tolerances(atol, names):
    """(for all, by name)"""
    tolerance = np.asarray(atol, dtype=float)
    if tolerance.ndim == 0:
        return float(tolerance), None
    if tolerance.shape != (len(names),):
        raise Misuse(f"atol must be a number, or {len(names)} of them; it has shape {tolerance.shape}")
    if np.any(~(tolerance > 0.0)):
        raise Misuse("each atol must be above zero")
    return float(tolerance.min()), list(zip(names, tolerance.tolist()))


def _positive(name, value, most=np.inf):
    if value is not None and not 0.0 < value <= most:
        raise ValueError(f"`{name}` must be positive" + ("." if value <= 0.0 or np.isnan(value) else ", and at most the length of the span."))
    return None if value is None else float(value)


class Ode:
    """y' = f(t, y) with invariants and events: checked, but not recorded yet."""

    def __init__(self, fun, y0, begin, invariants, events, jac):
        n = len(y0)
        self.t, self.events, self._jac, self._sparsity = begin, events, jac[0], jac[1]
        self.names = [f"y[{k + 1}]" for k in range(n)]
        self.functions, self.start = Functions({"y": self.names}, {}), {"y": y0.tolist()}
        self._fun, self._invariants, self._drift = Part("fun", fun, ("y",), (n,)), None, []
        if invariants is not None:
            self._invariants = Part("invariants", invariants, ("y",), None)
            self._kept = self.functions.tried(self._invariants, self.start, begin)
            self._invariants.shape = (len(self._kept),)
            self._drift = [f"_dl_drift{k + 1}" for k in range(len(self._kept))]
        self.blocks = {"y": self.names, "drift": self._drift, "q": [], "v": [], "lam": self._drift}

    def parts(self):
        found = [self._fun] + ([self._invariants] if self._invariants else [])
        for event in self.events:
            found.append(Part(event.name, event.function, ("y",), ()))
            if event.jump:
                found.append(Part(f"{event.name}, jump", event.jump, ("y",), (len(self.names),)))
        return found

    # Recorded ---------------------------------------------------------------------------------------------------
    def problem(self, recorded):
        f, y, n = recorded["fun"], self.functions.symbols("y"), len(self.names)
        self._compare(f, y)
        g = recorded.get("invariants", [])
        kept_by, size = [], []
        if len(g):
            slope = jacobian(g, [*y, self.functions.time])
            kept_by, size = slope[:, :n] @ f + slope[:, n], np.abs(slope[:, :n]) @ np.abs(f) + np.abs(slope[:, n])
            f = f + slope[:, :n].T @ symbols_of(self._drift)
        roots = [recorded[event.name][()] for event in self.events]
        jumps = [recorded.get(f"{event.name}, jump") for event in self.events]
        writer = Writer()
        writer.count([*f, *g, *roots, *(node for jump in jumps if jump is not None for node in jump), *kept_by, *size])
        equations = [f"der('{name}') = {writer.text(node)};" for name, node in zip(self.names, f)]
        declarations = [f"Real {quoted(name)}(start = {value!r}{'' if len(g) else ', fixed = true'});" for name, value in zip(self.names, self.start["y"])]
        declarations += declared(self._drift, [None] * len(self._drift))
        for k, (node, rate, scale) in enumerate(zip(g, kept_by, size)):
            declarations += [f"Real _dl_rate{k}, _dl_size{k};"]
            equations += [f"0 = {writer.constraint(node)} - ({float(self._kept[k])!r});", f"_dl_rate{k} = {writer.text(rate)};",
                          f"_dl_size{k} = noEvent({writer.text(scale)});"]
        watched = write_events(self.events, roots, jumps, writer)
        return finished(self.functions, declarations + watched[0], equations + watched[1], writer, self.blocks, self.events, self.names)

    def _compare(self, f, y):
        """Misuse where derivatives that were given are not those of fun."""
        if self._jac is None and self._sparsity is None:
            return
        x = self.functions.points(self._fun, self.start, self.t)[1]
        slope = jacobian(f, y)
        found = evaluate(slope.ravel(), dict(zip(map(quoted, self.names), x), time=x[-1])).reshape(slope.shape)
        if self._jac is not None:
            wrong = ~(np.abs(self._jacobian()(x) - found) <= 1e-6 * (1.0 + np.abs(found)))
        else:
            wrong = (found != 0.0) & ~(_dense(self._sparsity) != 0.0)
        if np.any(wrong):
            i, j = np.argwhere(wrong)[0]
            raise Misuse(f"{'jac' if self._jac is not None else 'jac_sparsity'} is not that of fun: the derivative of component {i} by y[{j}] is {found[i, j]:g}")

    def _jacobian(self):
        n = len(self.names)
        return lambda x: as_numbers(_dense(self._jac(x[-1], x[:-1].copy()) if callable(self._jac) else self._jac), (n, n), "jac")

    # Called -----------------------------------------------------------------------------------------------------
    def core(self, values):
        f, n = self.functions.numeric(self._fun), len(self.names)
        if self._invariants:
            g, kept = self.functions.numeric(self._invariants), self._kept
            equations = _core.called_index2(f, lambda x: g(x) - kept, self.names, self._drift, True, None)
        else:
            columns = None
            if self._jac is None and self._sparsity is not None:
                pattern = _dense(self._sparsity)
                if pattern.shape != (n, n):
                    raise Misuse(f"jac_sparsity must have shape {(n, n)}; it has {pattern.shape}")
                columns = [np.flatnonzero(pattern[:, j]).tolist() for j in range(n)]
            equations = _core.called_index1(f, [True] * n, self.names, None if self._jac is None else self._jacobian(), columns)
        return watch_calls(_core.CalledModel(equations, self.start["y"]), self.events, self.functions, values, ("y",), n, (0, n))

    def require_invariants(self, result):
        """What the equations do not keep by themselves is no invariant: the solution would be one of other equations."""
        for k in range(len(self._drift)):
            rate, size, trusted = self._rates(result, k)
            if rate.max(initial=0.0) > trusted * size:
                at = result.t[rate.argmax()]
                raise Misuse(f"invariant {k} is not kept by the equations: at t = {at:g} it changes by {rate.max():.3g} in a unit of time, "
                             f"where its parts change by {size:.3g}; leave it out, or state it as a constraint (driftless.solve)")

    def _rates(self, result, k):
        """|dg/dt| along the equations, the largest sum of its parts, and what of it may be rounding."""
        if result.compiled:
            return np.abs(result[f"_dl_rate{k}"]), result[f"_dl_size{k}"].max(), 1e-8
        f, g = self.functions.numeric(self._fun), self.functions.numeric(self._invariants)
        rates, sizes = [], []
        for t, y in zip(result.t, result.block("y").T):
            x = np.append(y, t)
            slope = np.append(f(x.copy()), 1.0)
            parts = np.zeros(len(x))
            for j in range(len(x)):
                step = np.zeros(len(x))
                step[j] = 6e-6 * (1.0 + abs(x[j]))
                parts[j] = (g(x + step)[k] - g(x - step)[k]) / (2.0 * step[j]) * slope[j]
            rates.append(abs(parts.sum()))
            sizes.append(np.abs(parts).sum())
        return np.array(rates), max(sizes), 1e-6


def _dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix, dtype=float)


def _as_scipy(result, names, t_eval, dense_output, events):
    t, rows = _rows(result.t, t_eval)
    message = "The solver successfully reached the end of the integration interval." if result.status == 0 else result.message
    return OdeResult(t=t, y=result.block("y")[:, rows], sol=OdeSolution(result, len(names)) if dense_output else None,
                     t_events=result.t_events if events else None, y_events=result.y_events if events else None, nfev=result.nfev, njev=result.njev,
                     nlu=result.nlu, status=result.status, message=message, success=result.success, certificate=result.certificate, result=result)


def _rows(t, t_eval):
    """The rows at the times asked for; of two at an event, the one behind it."""
    if t_eval is None:
        keep = [k for k in range(len(t)) if k + 1 == len(t) or t[k + 1] != t[k]]
        return t[keep], keep
    last = {time: k for k, time in enumerate(t)}
    keep = [last[time] for time in map(float, t_eval) if time in last]
    return t[keep], keep
