"""Functions that cannot be recorded: called for every value, with the same results as recorded ones."""
import math
import pickle
import threading
import warnings

import numpy as np
import pytest

import driftless as dl


def both(make, **run):
    """The same problem, recorded and called."""
    return [make(trace).solve(**run) for trace in (True, False)]


def rod(q, L):
    return q @ q - L**2


def pendulum(trace, **more):
    return dl.mechanical(lambda m, g: np.array([0.0, -m * g]), rod, mass=lambda m: m * np.eye(2), q0=[0.6, 0.8], m=0.5, g=9.81, L=1.0, trace=trace, **more)


@pytest.mark.parametrize("method", ["auto", "radau", "dop853", "hem5"])
def test_a_mechanism_of_calls_is_that_of_formulas(method):
    recorded, called = both(pendulum, t_end=2.0, rtol=1e-8, method=method, t_eval=[0.0, 1.0, 2.0], parameters={"g": 5.0})
    np.testing.assert_allclose(called.q, recorded.q, atol=1e-8)
    np.testing.assert_allclose(called.v, recorded.v, atol=1e-7)
    np.testing.assert_allclose(called.lam, recorded.lam, atol=1e-6)
    assert not called.compiled and recorded.compiled
    assert called.certificate["position"] < 1e-14 and called.certificate["velocity"] < 1e-12


def test_a_rough_start_is_moved():
    r = dl.solve(force=lambda q: [0.0, -1.0], constraint=lambda q: q @ q - 1.0, q0=[0.9, 0.1], t_span=(0, 1), trace=False)
    assert [one.name for one in r.moved] == ["q1", "q2"] and np.hypot(*r.q[:, 0]) == pytest.approx(1.0, abs=1e-14)


def test_derivatives_that_are_given_are_used_and_checked():
    calls = []

    def gradient(q):
        calls.append(1)
        return [[2.0 * q[0], 2.0 * float(q[1])]]

    r = pendulum(False, constraint_jacobian=gradient).solve(1.0, rtol=1e-8, t_eval=[1.0])
    np.testing.assert_allclose(r.q, pendulum(True).solve(1.0, rtol=1e-8, t_eval=[1.0]).q, atol=1e-9)
    assert len(calls) > 50
    for trace in (True, False):
        with pytest.raises(dl.Misuse, match="row 0, column 1"):
            pendulum(trace, constraint_jacobian=lambda q: [[2.0 * q[0], q[1]]])


def test_masses_that_move_and_constraints_of_time():
    def make(trace):
        return dl.mechanical(lambda q, v, t: np.array([-q[0] + 0.1 * v[1], np.sin(t) - q[1], 0.2 * v[0]]), lambda q, t: q[0] - q[2] * np.cos(t),
                             mass=lambda q: np.array([[2.0 + q[1] ** 2, 0.1, 0.0], [0.1, 1.0, 0.0], [0.0, 0.0, 1.0 + q[0] ** 2]]), q0=[1.0, 0.5, 1.0],
                             v0=[0.0, 0.0, 0.0], trace=trace)

    for method in ("radau", "dop853"):
        recorded, called = both(make, t_end=2.0, rtol=1e-8, method=method, t_eval=[2.0])
        np.testing.assert_allclose(called.q, recorded.q, atol=1e-7)
        np.testing.assert_allclose(called.lam, recorded.lam, atol=1e-6)


def test_states_beside_a_mechanism():
    recorded, called = both(lambda trace: dl.mechanical(lambda q, s: -q - s, q0=[1.0], s0=[0.5], states=lambda q, s: q - s, trace=trace), t_end=2.0,
                            rtol=1e-8, t_eval=[2.0])
    np.testing.assert_allclose(called.y, recorded.y, atol=1e-8)


def test_index_1_and_2():
    r = dl.solve(rate=lambda x, z, k: -k * z, constraint=lambda x, z: z + z**3 - x, x0=[2.0], z0=[1.0], k=1.0, t_span=(0, 1), rtol=1e-9, trace=False)
    # z' (1 + 3 z^2) = -z: log z + 1.5 z^2 + t is a constant.
    z = r["z"]
    np.testing.assert_allclose(np.log(z) + 1.5 * z**2 + r.t, 1.5, atol=1e-8)
    r = dl.solve(rate=lambda x, z: np.array([-x[1], x[0]]) + z[0] * x, constraint=lambda x: x @ x - 1.0, x0=[1.0, 0.0], z0=[math.nan], t_span=(0, 3),
                 rtol=1e-9, trace=False)
    np.testing.assert_allclose(r.block("x")[:, -1], [math.cos(3.0), math.sin(3.0)], atol=1e-8)
    with pytest.raises((dl.RunError, dl.ModelError)):  # z is there, but says nothing of itself
        dl.solve(rate=lambda x, z: z, constraint=lambda x, z: x - 1.0 + 0.0 * z, x0=[1.0], z0=[1.0], t_span=(0, 1), trace=False)


def test_a_sleigh_that_is_called_goes_around_in_circles():
    # A knife edge at the centre of mass, on a table that a holonomic constraint states: radius 2 / 0.5.
    def skate(**options):
        return dl.mechanical(lambda m: np.array([0.0, 0.0, -9.81 * m, 0.0]), lambda q: [q[2] - 0.3], lambda m: np.diag([m, m, m, 0.2]),
                             velocity_constraint=lambda q, v: [v[0] * np.sin(q[3]) - v[1] * np.cos(q[3])], q0=[0.0, 0.0, 0.3, 0.0], v0=[2.0, 0.0, 0.0, 0.5],
                             m=1.5, **options).solve(5.0, rtol=1e-8)

    called, recorded = skate(trace=False), skate()
    np.testing.assert_allclose(called.q[:, -1], [4 * math.sin(2.5), 4 - 4 * math.cos(2.5), 0.3, 2.5], atol=1e-6)
    np.testing.assert_allclose(called.lam[:, -1], [-1.5 * 9.81, 1.5 * 2.0 * 0.5], atol=1e-6)  # the weight, and what turns the speed
    np.testing.assert_allclose(recorded.lam[:, -1], called.lam[:, -1], atol=1e-6)
    assert called.certificate["velocity"] < 1e-12


def test_a_moving_velocity_constraint_that_is_called():
    # A belt under a wheel: v1 = 3 sin(t) q2, with a force that depends on v. By Radau and explicitly.
    p = dl.mechanical(lambda q, v: -q - 0.1 * v, velocity_constraint=lambda q, v, t: [v[0] - 3 * np.sin(t) * q[1]], q0=[0.2, 1.0], v0=[0.0, 0.0], trace=False)
    hand = dl.solve_ivp(lambda t, y: [3 * np.sin(t) * y[1], y[2], -y[1] - 0.1 * y[2]], (0, 4), [0.2, 1.0, 0.0], rtol=1e-11, atol=1e-12)
    for method in ("auto", "radau"):
        r = p.solve(4.0, rtol=1e-8, method=method)
        np.testing.assert_allclose(r.q[:, -1], hand.y[:2, -1], atol=1e-6)
        force = -(-r.q[0, -1] - 0.1 * r.v[0, -1]) + 3 * (math.cos(4.0) * r.q[1, -1] + math.sin(4.0) * r.v[1, -1])
        assert -r.lam[0, -1] == pytest.approx(force, abs=1e-5)


def test_a_velocity_constraint_that_is_curved_is_refused():
    with pytest.raises(dl.Misuse, match="linear in v"):
        dl.mechanical(lambda q: -q, q0=[1.0, 1.0], velocity_constraint=lambda v: [v[0] * v[1] - 1.0], v0=[1.0, 1.0], trace=False).solve(1.0)


def heat(t, y):
    padded = np.concatenate([[0.0], y, [0.0]])
    return 400.0 * np.diff(padded, 2)


def test_stiff_equations_with_a_pattern_of_their_jacobian():
    n = 40
    y0 = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))
    band = np.abs(np.subtract.outer(range(n), range(n))) <= 1
    counts, ends = [], []
    for sparsity in (None, band):
        called = [0]

        def fun(t, y):
            called[0] += 1
            return heat(t, y)

        r = dl.solve_ivp(fun, (0, 0.5), y0, method="Radau", rtol=1e-6, atol=1e-9, jac_sparsity=sparsity, trace=False)
        counts.append(called[0])
        ends.append(r.y[:, -1])
    exact = y0 * math.exp(-0.5 * 1600.0 * math.sin(0.5 * math.pi / (n + 1)) ** 2)
    for end in ends:
        np.testing.assert_allclose(end, exact, atol=1e-6)
    assert counts[1] < 0.7 * counts[0]  # three colours instead of forty columns


def test_jacobians_of_solve_ivp():
    jacobian = lambda t, y: [[0.0, 1.0], [-math.cos(y[0]), 0.0]]
    fun = lambda t, y: [y[1], -np.sin(y[0])]
    plain = dl.solve_ivp(fun, (0, 5), [1.0, 0.0], method="Radau", rtol=1e-8, atol=1e-10)
    for trace in (True, False):
        r = dl.solve_ivp(fun, (0, 5), [1.0, 0.0], method="Radau", rtol=1e-8, atol=1e-10, jac=jacobian, trace=trace)
        np.testing.assert_allclose(r.y[:, -1], plain.y[:, -1], atol=1e-7)
    with pytest.raises(dl.Misuse, match="jac is not that of fun"):
        dl.solve_ivp(fun, (0, 5), [1.0, 0.0], jac=lambda t, y: np.eye(2))
    with pytest.raises(dl.Misuse, match="jac_sparsity"):
        dl.solve_ivp(fun, (0, 5), [1.0, 0.0], jac_sparsity=np.eye(2))


def test_what_depends_on_more_than_its_arguments():
    with pytest.warns(dl.TraceWarning, match="other values than were recorded"):
        r = dl.solve_ivp(lambda t, y: -y if y.dtype == float else y, (0, 1), [1.0], rtol=1e-8)
    assert r.y[0, -1] == pytest.approx(math.exp(-1.0), abs=1e-6)
    count = [0]

    def counting(t, y):
        count[0] += 1
        return [-y[0] * count[0]]

    with pytest.raises(dl.Misuse, match="different values for the same arguments"):
        dl.solve_ivp(counting, (0, 1), [1.0])


def test_arguments_may_be_changed():
    def force(q):
        q *= 2.0
        return -q

    p = dl.mechanical(force, lambda q: q[0] - q[1], q0=[1.0, 1.0])
    assert p.compiled
    r = p.solve(1.0, rtol=1e-9)
    assert r.q[0, -1] == pytest.approx(math.cos(math.sqrt(2.0)), abs=1e-8)


def test_what_a_function_raises_comes_out_with_its_traceback():
    def fails(t, y):
        if t > 0.5:
            raise LookupError("late")
        return [-float(y[0])]

    for method in ("auto", "Radau"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(LookupError, match="late") as error:
                dl.solve_ivp(fails, (0, 1), [1.0], method=method)
        assert any(entry.name == "fails" for entry in error.traceback)


def branch(t, y):
    return [-y[0] if y[0] > 0.0 else 0.0]


@pytest.mark.filterwarnings("ignore::driftless.TraceWarning")
def test_calls_pickle_and_run_in_threads():
    r = pickle.loads(pickle.dumps(dl.solve_ivp(branch, (0, 1), [1.0], rtol=1e-8)))
    assert r.y[0, -1] == pytest.approx(math.exp(-1.0), abs=1e-6)
    found = [None] * 4

    def work(k):
        found[k] = dl.solve_ivp(branch, (0, 1), [1.0 + k], rtol=1e-8, trace=False).y[0, -1]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(found, [(1.0 + k) * math.exp(-1.0) for k in range(4)], rtol=1e-6)


@pytest.mark.filterwarnings("ignore::driftless.TraceWarning")
def test_memory_of_calls_does_not_grow():
    import resource

    for _ in range(100):
        dl.solve_ivp(branch, (0, 1), [1.0])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        dl.solve_ivp(branch, (0, 1), [1.0])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000  # kB


@pytest.mark.parametrize("trace", [True, False])
def test_invariants_of_calls(trace):
    r = dl.solve_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0, 20), [2.0, 0.0], invariants=lambda t, y: y[1] ** 2 / 2 - np.cos(y[0]), rtol=1e-6, trace=trace)
    np.testing.assert_allclose(r.y[1] ** 2 / 2 - np.cos(r.y[0]), -math.cos(2.0), atol=1e-13)
    with pytest.raises(dl.Misuse, match="invariant 0 is not kept"):
        dl.solve_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0, 20), [2.0, 0.0], invariants=lambda t, y: y[1] ** 2 / 2, trace=trace)


def test_gradients_of_calls_are_as_good_as_the_equations_need():
    # A bead on a wire with short waves: their third derivative is 2500 times the first.
    def make(trace):
        return dl.mechanical(lambda q: np.array([0.0, -1.0]), lambda q: q[1] - np.sin(50.0 * q[0]) / 50.0, q0=[0.0, 0.0], v0=[1.0, 1.0], trace=trace)

    recorded, called = both(make, t_end=0.3, rtol=1e-11, t_eval=[0.3])
    np.testing.assert_allclose(called.v, recorded.v, atol=1e-9)
    np.testing.assert_allclose(called.v[1] - np.cos(50.0 * called.q[0]) * called.v[0], 0.0, atol=1e-11)
