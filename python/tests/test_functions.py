"""Traced functions: the same results as the model file, every operation, and words for what cannot be traced."""
import math
import pickle

import numpy as np
import pytest

import driftless as dl
from driftless.derivative import gradient
from driftless.trace import as_nodes, symbol
from driftless.write import Writer

from test_model import SWING


def gravity(q, v, m, g):
    return np.array([0.0, -m * g])


def rod(q, L):
    return q @ q - L**2


def test_a_pendulum_is_that_of_its_model_file():
    p = dl.mechanical(gravity, rod, mass=lambda m: m * np.eye(2), q0=[1.0, 0.0], m=0.5, g=9.81, L=1.0)
    r = p.solve(5.0, rtol=1e-10, t_eval=np.linspace(0, 5, 11))
    text = dl.Model(SWING).solve(5.0, rtol=1e-10, t_eval=np.linspace(0, 5, 11))
    np.testing.assert_allclose(r.q, text.q, atol=1e-8)
    np.testing.assert_allclose(r.v, text.v, atol=1e-8)
    np.testing.assert_allclose(2.0 * r.lam, 0.5 * text.lam, atol=1e-7)  # m q'' = F - 2 q lam
    assert r.certificate["position"] < 1e-14
    before = dl.compilations()
    other = p.solve(5.0, rtol=1e-10, L=2.0, m=3.0)
    assert dl.compilations() == before
    np.testing.assert_allclose(other.q[:, -1], dl.Model(SWING, L=2.0).solve(5.0, rtol=1e-10).q[:, -1], atol=1e-8)


def test_problems_and_their_results_pickle():
    p = dl.mechanical(gravity, rod, q0=[1.0, 0.0], m=1.0, g=9.81, L=1.0)
    r = p.solve(1.0)
    again, copy = pickle.loads(pickle.dumps((p, r)))
    np.testing.assert_array_equal(again.solve(1.0).q, r.q)
    np.testing.assert_array_equal(copy.lam, r.lam)


def test_one_call_moves_a_rough_start():
    r = dl.solve(force=gravity, constraint=rod, q0=[0.9, 0.1], t_span=(0, 1), m=1.0, g=9.81, L=1.0)
    assert np.hypot(*r.q[:, 0]) == pytest.approx(1.0, abs=1e-14)
    assert {one.name for one in r.moved} >= {"q1", "q2"}


def test_a_constraint_of_time_and_several_of_them():
    # A point on a line that turns with the rate w: r'' = w^2 r for the distance.
    w = 2.0
    r = dl.solve(force=lambda q: np.zeros(2), constraint=lambda q, t, w: [q[0] * np.sin(w * t) - q[1] * np.cos(w * t)], q0=[1.0, 0.0],
                 v0=[0.0, w], t_span=(0, 1), rtol=1e-10, w=w)
    assert np.hypot(*r.q[:, -1]) == pytest.approx(math.cosh(w), rel=1e-8)


def test_semi_explicit_index_1_and_2():
    r = dl.solve(rate=lambda x, z: -z, constraint=lambda x, z: z - x, x0=[1.0], z0=[1.0], t_span=(0, 1), rtol=1e-9)
    assert r["x"][-1] == pytest.approx(math.exp(-1.0), abs=1e-8)
    # u' = (-u2, u1) + z u, |u| = 1: z = 0.
    r = dl.solve(rate=lambda x, z: np.array([-x[1], x[0]]) + z[0] * x, constraint=lambda x: x @ x - 1.0, x0=[1.0, 0.0], z0=[math.nan],
                 t_span=(0, 3), rtol=1e-9)
    np.testing.assert_allclose(r.block("x")[:, -1], [math.cos(3.0), math.sin(3.0)], atol=1e-7)


@pytest.mark.parametrize("trace", [True, False])
def test_semi_explicit_with_a_mass_matrix(trace):
    # x = (cos t, sin t): what M does to x' is undone by the rate, and z holds x on the circle.
    def mass(x, t, a):
        return np.array([[2 + a * t, x[0]], [0, 1 + x[1] ** 2]])

    p = dl.semi_explicit(lambda x, z, t, a: mass(x, t, a) @ np.array([-x[1] - z[0] * x[0], x[0] - z[0] * x[1]]), lambda x: x @ x - 1, mass=mass, x0=[1.0, 0.0],
                         z0=[0.0], a=1.0, trace=trace)
    for a in (1.0, 3.0):
        r = p.solve(2.0, rtol=1e-8, a=a)
        np.testing.assert_allclose(r.y[:3, -1], [math.cos(2.0), math.sin(2.0), 0.0], atol=1e-6)


def test_a_mass_matrix_that_is_wrong_is_named():
    with pytest.raises(dl.Misuse, match="mass must return an array of shape"):
        dl.semi_explicit(lambda x: -x, lambda x, z: z[0] - x[0], mass=lambda x: x, x0=[1.0, 2.0], z0=[1.0])
    singular = dl.semi_explicit(lambda x: -x, lambda x, z: z - x, mass=lambda x: np.array([[x[0] - 1.0]]), x0=[1.0], z0=[1.0], trace=False)
    with pytest.raises(dl.Misuse, match="mass is singular at x"):
        singular.solve(1.0)


def value_of(function, *values):
    """A traced function, computed by the machine code of a model."""
    names = [f"p{k}" for k in range(len(values))]
    node = as_nodes(function(*[symbol(name) for name in names]), (), "function")[()]
    grad = gradient(node, [symbol(name) for name in names])
    writer = Writer()
    writer.count([node, *grad])
    lines = [f"y = {writer.text(node)};"] + [f"g{k} = {writer.text(one)};" for k, one in enumerate(grad)]
    text = ("model M\n" + "".join(f"  parameter Real {name} = {value!r};\n" for name, value in zip(names, values)) + "  Real s(start = 0), y" +
            "".join(f", g{k}" for k in range(len(grad))) + ";\n" + "".join(f"  {line}\n" for line in writer.declarations) + "equation\n  der(s) = 1;\n" +
            "".join(f"  {line}\n" for line in writer.equations + lines) + "end M;\n")
    r = dl.Model(text).solve(t_end=1e-3, t_eval=[1e-3])
    return r["y"][-1], [r[f"g{k}"][-1] for k in range(len(grad))]


FUNCTIONS = [
    (lambda a, b: a + b * 2 - 3 / (a + 4), (0.3, 0.7)),
    (lambda a, b: -a**2 + (-b) ** 3 + 2**a + a**b, (0.3, 0.7)),
    (lambda a, b: np.sin(a) * np.cos(b) + np.tan(a * b), (0.3, 0.7)),
    (lambda a, b: np.arcsin(a) + np.arccos(b) - np.arctan(a / b) + np.arctan2(a, b), (0.3, 0.7)),
    (lambda a, b: np.sinh(a) - np.cosh(b) / np.tanh(a), (0.3, 0.7)),
    (lambda a, b: np.exp(-a) + np.log(b) * np.log10(a) - np.sqrt(a + b), (0.3, 0.7)),
    (lambda a, b: np.abs(a - b) + np.hypot(a, b) + np.square(a), (0.3, 0.7)),
    (lambda a, b: np.maximum(a, b) - 2 * np.minimum(a, 0.1), (0.3, 0.7)),
    (lambda a, b: dl.where(a < b, a * b, a / b) + dl.where((a > b) | (a > 10), 1.0, 2.0 * a), (0.3, 0.7)),
    (lambda a, b: np.linalg.norm(np.array([a, b, 1.0])) + np.sum(np.array([a, b]) * 3) + np.cross([a, b, 1.0], [1.0, a, b])[1], (0.3, 0.7)),
    (lambda a, b: (np.array([[a, b], [b, a]]) @ np.array([1.0, b]))[0] + np.dot([a, b], [b, a]) + np.outer([a], [b])[0, 0], (0.3, 0.7)),
    (lambda a, b: a - (b - a) - (a - (b - 2)) / (b / (a / 3)), (0.3, 0.7)),
    (lambda a, b: -(-a) ** 2 * -b - -a, (0.3, 0.7)),
]


@pytest.mark.parametrize("k", range(len(FUNCTIONS)))
def test_every_operation_means_what_numpy_means(k):
    function, at = FUNCTIONS[k]
    found, derivatives = value_of(function, *at)
    assert found == pytest.approx(float(function(*at)), rel=1e-14, abs=1e-14)
    for j, derivative in enumerate(derivatives):
        step = 1e-6
        shifted = [[x + sign * step * (i == j) for i, x in enumerate(at)] for sign in (1, -1)]
        difference = (float(function(*shifted[0])) - float(function(*shifted[1]))) / (2 * step)
        assert derivative == pytest.approx(difference, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("function, words", [
    (lambda q: [0.0, -1.0 if q[0] > 0 else 1.0], "where"),
    (lambda q: [0.0, math.sin(q[0])], "np.sin instead of math.sin"),
    (lambda q: [0.0, 1.0 if q[0] == 0 else 2.0], "equal"),
    (lambda q: [0.0, q[0] % 2], "np.floor"),
    (lambda q: np.fromiter((q[k] for k in range(2)), dtype=float), "dtype=object"),
    (lambda q: np.linalg.solve(np.eye(2), q), "force cannot be recorded"),
    (lambda q: np.einsum("i,i->i", q, q), "force cannot be recorded"),
])
def test_what_cannot_be_traced_is_said_and_called(function, words):
    with pytest.warns(dl.TraceWarning, match=words):
        p = dl.mechanical(function, q0=[1.0, 0.5])
    assert not p.compiled
    assert p.solve(0.1, rtol=1e-8).success


@pytest.mark.parametrize("function, error, words", [
    (lambda q: [0.0, 1.0, 2.0], dl.Misuse, "shape"),
    (lambda q: [0.0, "fast"], TypeError, "not an array of numbers"),
    (lambda q: [0.0, math.inf], dl.Misuse, "inf"),
    (lambda q: None, TypeError, "return"),
    (lambda q: [0.0, 1j], TypeError, "complex"),
    (lambda q: [[0.0], 1.0], TypeError, "not an array of numbers"),
])
def test_what_is_no_array_of_numbers_is_refused(function, error, words):
    with pytest.raises(error, match=words):
        dl.mechanical(function, q0=[1.0, 0.0])


def test_a_function_that_raises_keeps_its_traceback():
    def force(q):
        return 1 / 0

    with pytest.raises(ZeroDivisionError) as error:
        dl.mechanical(force, q0=[1.0])
    assert any(entry.name == "force" for entry in error.traceback)


def test_arguments_that_are_missing_or_too_many_are_named():
    with pytest.raises(TypeError, match="needs 'm'"):
        dl.mechanical(gravity, rod, q0=[1.0, 0.0], g=9.81, L=1.0)
    with pytest.raises(TypeError, match="'k'"):
        dl.mechanical(gravity, rod, q0=[1.0, 0.0], m=1.0, g=9.81, L=1.0, k=3.0)
    with pytest.raises(dl.Misuse, match="v0"):
        dl.mechanical(gravity, rod, q0=[1.0, 0.0], v0=[0.0], m=1.0, g=9.81, L=1.0)


def test_arrays_of_parameters_and_comparisons():
    p = dl.mechanical(lambda q, k: -k * q, q0=[1.0, 2.0], k=[1.0, 4.0])
    for k in ([1.0, 4.0], [9.0, 0.25]):
        np.testing.assert_allclose(p.solve(1.0, rtol=1e-10, k=k).q[:, -1], np.array([1.0, 2.0]) * np.cos(np.sqrt(k)), atol=1e-8)
    # Friction: whole arrays are compared, and the changes are located. Each half of a swing loses 0.2.
    r = dl.solve(force=lambda q, v: -q - 0.1 * dl.where(v > 0, 1.0, -1.0), q0=[1.0], t_span=(0, 2 * math.pi), rtol=1e-9)
    assert r.q[0, -1] == pytest.approx(0.6, abs=1e-7)
    with pytest.raises(dl.Misuse, match="empty"):
        dl.mechanical(lambda q: q, q0=[])
    for wrong in ([9.0], 9.0, [1.0, 2.0, 3.0], [[1.0, 4.0]]):
        with pytest.raises(dl.Misuse, match="shape"):
            p.solve(1.0, k=wrong)


@pytest.mark.parametrize("make, words", [
    (lambda: dl.mechanical(lambda q: -q, lambda v: v[0], q0=[1.0, 2.0]), "not on v"),
    (lambda: dl.mechanical(lambda q: -q, q0=[1.0, 2.0], names=["a", "a"]), "different names"),
    (lambda: dl.mechanical(lambda q: -q, q0=[1.0, 2.0], names=["a", "b"], v_names=["a", "c"]), "give one of them another name"),
    (lambda: dl.mechanical(lambda q, a: -q * a, q0=[1.0, 2.0], names=["a", "b"], a=1.0), "give one of them another name"),
    (lambda: dl.mechanical(lambda q, time: -q * time, q0=[1.0], time=1.0), "called 'time'"),
    (lambda: dl.mechanical(lambda q, method: -q * method, q0=[1.0], method=1.0), "option of solve"),
    (lambda: dl.mechanical(lambda q, k: -q * k, q0=[1.0], k=math.nan), "k cannot be nan"),
    (lambda: dl.mechanical(lambda q: -q, q0=[[1.0, 2.0]]), "q0 must have"),
    (lambda: dl.mechanical(lambda q: -q, mass=np.eye(3), q0=[1.0, 2.0]), "shape"),
    (lambda: dl.mechanical(lambda q: -q, q0=[1.0, 2.0], velocity_constraint=lambda v: v @ v - 1.0), "linear in v"),
])
def test_what_would_mean_two_things_is_refused(make, words):
    with pytest.raises(dl.Misuse, match=words):
        make()


@pytest.mark.parametrize("wrong", ["abc", None, [1.0, "a"], 1j])
def test_start_values_that_are_no_numbers(wrong):
    with pytest.raises((TypeError, dl.Misuse)):
        dl.mechanical(lambda q: -q, q0=wrong)


def test_names_are_those_of_the_user_whatever_they_are():
    plain = dl.solve(force=lambda q, k: -k * np.sin(q), q0=[1.0, 2.0], k=1.0, t_span=(0, 1)).q[:, -1]
    for names in (["sin", "der"], ["if", "end"], ["θ", "x y'z\\"]):
        r = dl.solve(force=lambda q, θ: -θ * np.sin(q), q0=[1.0, 2.0], θ=1.0, t_span=(0, 1), names=names) if names[0] != "θ" else dl.solve(
            force=lambda q, k: -k * np.sin(q), q0=[1.0, 2.0], k=1.0, t_span=(0, 1), names=names)
        np.testing.assert_array_equal([r[name][-1] for name in names], plain)


def test_a_contradiction_is_named():
    with pytest.raises((dl.ModelError, dl.RunError)):
        dl.solve(force=lambda q: np.zeros(2), constraint=lambda q: [q[0] - 1.0, q[0] - 2.0], q0=[1.0, 0.0], t_span=(0, 1))
