"""SciPy's Radau, BDF and DOP853 beside driftless, in one run on one machine: time where the error at the end is at most 1e-6.

    ./run --python bench/scipy_peers.py

Everybody gets the same functions of numpy. SciPy has no equations with constraints: it integrates accelerations from the
constraints differentiated twice, and the amplifier with its algebraic unknowns solved for inside."""
import pathlib
import sys
import time
import warnings

import numpy as np
from scipy.integrate import solve_ivp

import driftless as dl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python/tests"))
import reference_models as models  # noqa: E402

TARGET, TOLERANCES = 1e-6, [10.0**-k for k in range(4, 13)]


def index_1(force, constraint, mass, n):
    """y' of y = (q, v): [M G^T; G 0] (a, lambda) = (f, -g''), by differences of complex steps."""

    def gradient(q):
        return np.array([np.imag(constraint(q + 1e-30j * row)) / 1e-30 for row in np.eye(n)]).T

    def fun(t, y):
        q, v = y[:n], y[n:]
        g = gradient(q)
        h = 1e-4 / max(1.0, np.abs(v).max())
        curvature = (gradient(q + h * v) - gradient(q - h * v)) @ v / (2 * h)
        whole = np.block([[np.asarray(mass(q), dtype=float), g.T], [g, np.zeros((len(g), len(g)))]])
        return np.hstack([v, np.linalg.solve(whole, np.hstack([force(q, v), -curvature]))[:n]])

    return fun


def with_numbers(function):
    """A function of the test set with the numbers of Andrews' mechanism."""
    import inspect

    numbers = {name: models.ANDREWS[name] for name in inspect.signature(function).parameters if name in models.ANDREWS}
    return lambda *unknowns: function(*unknowns, **numbers)


def amplifier(t, x):
    z = np.array([3.0, 3.0, (6.0 - x[4]) / 2])
    for k, (at, emitter) in enumerate(((0, 1), (2, 3))):
        for _ in range(50):
            e = 1e-6 * np.exp((z[k] - x[emitter]) / 0.026)
            if k == 0:
                i1 = e - 1e-6
                rest, slope = (x[0] + z[0] - 0.1 * np.sin(200 * np.pi * t)) / 1000 + (2 * z[0] - 6) / 9000 + 0.01 * i1, 1 / 1000 + 2 / 9000 + 0.01 * e / 0.026
            else:
                i2 = e - 1e-6
                rest = (x[2] + z[1] - 6) / 9000 + 0.99 * i1 + (2 * z[1] - 6) / 9000 + 0.01 * i2
                slope = 3 / 9000 + 0.01 * e / 0.026
            z[k] -= rest / slope
            if abs(rest / slope) < 1e-14:
                break
    z[2] = (6.0 - x[4] - 9000 * 0.99 * i2) / 2
    return np.array([-(x[0] + z[0] - 0.1 * np.sin(200 * np.pi * t)) / 1000 / 1e-6, -(x[1] / 9000 - i1) / 2e-6, -((x[2] + z[1] - 6) / 9000 + 0.99 * i1) / 3e-6,
                     -(x[3] / 9000 - i2) / 4e-6, -((x[4] + z[2] - 6) / 9000 + 0.99 * i2) / 5e-6])


def jacobian(fun):
    """By central differences in numpy: what a user writes who does not want SciPy's."""

    def jac(t, y):
        steps = 1e-6 * (1.0 + np.abs(y))
        return np.array([(fun(t, y + h * row) - fun(t, y - h * row)) / (2 * h) for h, row in zip(steps, np.eye(len(y)))]).T

    return jac


def best(run, seconds=1.0):
    """(result, least time of several)"""
    found, begin = np.inf, time.perf_counter()
    while True:
        start = time.perf_counter()
        result = run()
        found = min(found, time.perf_counter() - start)
        if time.perf_counter() - begin > seconds:
            return result, found


def at_target(solve, reference, count):
    """The first tolerance whose error is small enough: (tolerance, error, milliseconds), or None."""
    for tolerance in TOLERANCES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            end, seconds = best(lambda: solve(tolerance), 0.5)
        error = np.max(np.abs(end[:count] - reference[:count]) / np.maximum(1.0, np.abs(reference[:count])))
        if error <= TARGET:
            return tolerance, error, 1e3 * seconds
        if seconds > 20.0:
            return None
    return None


def main():
    pendulum = index_1(lambda q, v: np.array([0.0, -1.0]), lambda q: np.array([q @ q - 1.0]), lambda q: np.eye(2), 2)
    andrews = index_1(with_numbers(models.andrews_force), with_numbers(models.andrews_loops), with_numbers(models.andrews_mass), 7)
    cases = [("pendulum, t = 5", pendulum, models.pendulum_schropp(), 5.0, [1.0, 0.0, 0.0, 0.0], 2),
             ("Andrews, t = 0.03", andrews, models.andrews(), 0.03, [*models.ANDREWS_START, *[0.0] * 7], 7),
             ("amplifier, t = 0.02", amplifier, models.transistor_amplifier(), 0.02, [-3.0, 3.0, 3.0, 3.0, 6.0], 5)]
    for name, fun, problem, end, start, count in cases:
        exact = problem.solve(end, rtol=1e-12, atol=1e-14, t_eval=[end])
        reference = np.array([exact[one][-1] for one in exact.names[: len(start)]])
        start = problem.solve(end, t_eval=[0.0, end])
        start = np.array([start[one][0] for one in start.names[: len(reference)]])
        print(f"\n{name}: tolerance, error, ms")

        def ours(tolerance):
            r = problem.solve(end, rtol=tolerance, atol=1e-3 * tolerance, t_eval=[end])
            return np.array([r[one][-1] for one in r.names[:count]])

        contestants = [("driftless", ours)]
        for method, jac in (("Radau", None), ("Radau", jacobian(fun)), ("BDF", None), ("BDF", jacobian(fun)), ("DOP853", None)):
            options = {"jac": jac} if jac else {}
            contestants.append((f"SciPy {method}{' + jac' if jac else ''}", lambda tolerance, method=method, options=options: solve_ivp(
                fun, (0, end), start, method=method, rtol=max(tolerance, 1e-13), atol=1e-3 * tolerance, **options).y[:, -1]))
        for label, solve in contestants:
            found = at_target(solve, reference, count)
            print(f"  {label:<18}" + ("never" if found is None else f"{found[0]:7.0e} {found[1]:9.1e} {found[2]:10.2f}"), flush=True)


if __name__ == "__main__":
    main()
