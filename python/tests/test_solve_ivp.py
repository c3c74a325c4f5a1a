"""SciPy's call: shapes, events, t_eval, dense output, backward time, args, and what SciPy does not have."""
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_solve_ivp

import driftless as dl


def rational(t, y):
    return np.array([y[1] / t, y[1] * (y[0] + 2 * y[1] - 1) / (t * (y[0] - 1))])


def rational_solution(t):
    return np.asarray((t / (t + 10), 10 * t / (t + 10) ** 2))


@pytest.mark.parametrize("span", [(5, 9), (5, 1)])
@pytest.mark.parametrize("method", ["auto", "RK45", "DOP853", "Radau"])
def test_both_directions_of_time(span, method):
    y0 = [1 / 3, 2 / 9]
    r = dl.solve_ivp(rational, span, y0, rtol=1e-6, atol=1e-9, method=method, dense_output=True)
    assert r.t[0] == span[0] and r.t[-1] == span[1] and r.success and r.status == 0 and r.t_events is None
    assert r.y.shape == (2, len(r.t)) and r.nfev > 0
    assert np.max(np.abs(r.y - rational_solution(r.t))) < 1e-5
    between = np.linspace(*span)
    assert r.sol(between).shape == (2, 50)
    assert np.max(np.abs(r.sol(between) - rational_solution(between))) < 1e-5
    assert r.sol(5.5 if span[1] > 5 else 4.5).shape == (2,)


def test_t_eval_is_what_comes_back():
    y0 = [1 / 3, 2 / 9]
    for span, times in (((5, 9), np.linspace(5, 9, 7)), ((5, 1), np.linspace(5, 1, 9)), ((5, 9), [5.01, 7, 8, 8.01]), ((5, 9), [6.0])):
        r = dl.solve_ivp(rational, span, y0, rtol=1e-6, atol=1e-9, t_eval=times)
        np.testing.assert_array_equal(r.t, times)
        assert np.max(np.abs(r.y - rational_solution(r.t))) < 1e-5
    for wrong in ([4, 6], [6, 5.5], [[5, 6], [7, 8]], []):
        with pytest.raises(ValueError):
            dl.solve_ivp(rational, (5, 9), y0, t_eval=wrong)


def test_args_are_handed_on():
    def oscillator(t, y, omega, c):
        return [y[1], -(omega**2) * y[0] - c * y[1]]

    r = dl.solve_ivp(oscillator, (0, 1), [1.0, 0.0], args=(2.0, 0.0), rtol=1e-9, atol=1e-12)
    assert r.y[0, -1] == pytest.approx(math.cos(2.0), abs=1e-7)


def cannon(t, y):
    return [y[2], y[3], 0.0, -9.81]


def hits(t, y):
    return y[1]


def apex(t, y):
    return y[3]


def test_events_are_found_and_may_end_the_run():
    y0 = [0.0, 1.0, 10.0, 20.0]
    hits.terminal, hits.direction = True, -1
    r = dl.solve_ivp(cannon, (0, 100), y0, events=[hits, apex], rtol=1e-9, atol=1e-9)
    top, down = 20 / 9.81, (20 + math.sqrt(400 + 2 * 9.81)) / 9.81
    assert r.status == 1 and r.message == "A termination event occurred."
    assert r.t_events[0] == pytest.approx([down], abs=1e-8) and r.t_events[1] == pytest.approx([top], abs=1e-8)
    assert r.y_events[0].shape == (1, 4) and r.y_events[1][0, 0] == pytest.approx(10 * top, abs=1e-7)
    assert r.t[-1] == pytest.approx(down, abs=1e-8) and abs(r.y[1, -1]) < 1e-7


@pytest.mark.parametrize("direction, wanted", [(0, [math.pi / 2, 3 * math.pi / 2, 5 * math.pi / 2]), (1, [3 * math.pi / 2]), (-1, [math.pi / 2, 5 * math.pi / 2])])
def test_directions_of_events_are_those_of_scipy(direction, wanted):
    def crossing(t, y):
        return y[0]

    crossing.direction = direction
    turn = lambda t, y: [-y[1], y[0]]
    r = dl.solve_ivp(turn, (0, 8), [1.0, 0.0], events=crossing, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r.t_events[0], wanted, atol=1e-8)
    theirs = scipy_solve_ivp(turn, (0, 8), [1.0, 0.0], events=crossing, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r.t_events[0], theirs.t_events[0], atol=1e-7)


def test_an_event_that_does_not_come_has_no_times():
    r = dl.solve_ivp(lambda t, y: [-y[0]], (0, 1), [1.0], events=lambda t, y: y[0] - 2.0)
    assert r.t_events[0].shape == (0,) and r.status == 0


def test_invariants_do_not_drift():
    # Two angles that turn at the rates 1 and sqrt 2, as points on circles.
    rates = np.array([1.0, math.sqrt(2.0)])

    def turn(t, y):
        return np.array([-rates[0] * y[1], rates[0] * y[0], -rates[1] * y[3], rates[1] * y[2]])

    def radii(t, y):
        return [y[0] ** 2 + y[1] ** 2, y[2] ** 2 + y[3] ** 2]

    r = dl.solve_ivp(turn, (0, 200), [1.0, 0.0, 2.0, 0.0], invariants=radii, rtol=1e-6, atol=1e-9)
    plain = dl.solve_ivp(turn, (0, 200), [1.0, 0.0, 2.0, 0.0], rtol=1e-6, atol=1e-9)
    kept = np.array([radii(0, y) for y in r.y.T])
    np.testing.assert_allclose(kept, [[1.0, 4.0]] * len(kept), atol=1e-13)
    assert np.abs(np.array(radii(0, plain.y[:, -1])) - [1.0, 4.0]).max() > 1e-10
    assert r.result.names == [f"y[{k + 1}]" for k in range(4)]
    with pytest.raises(dl.Misuse, match="invariant 1 is not kept"):
        dl.solve_ivp(turn, (0, 200), [1.0, 0.0, 2.0, 0.0], invariants=lambda t, y: [radii(t, y)[0], y[2]])
    angle = math.sqrt(2.0) * 200
    np.testing.assert_allclose(r.y[2:, -1], [2 * math.cos(angle), 2 * math.sin(angle)], atol=1e-3)


def test_what_is_refused():
    f = lambda t, y: -y
    for wrong in ({"method": "Euler"}, {"atol": [1e-6, 1e-3, 1e-3]}, {"rtol": -1.0}):
        with pytest.raises(ValueError):
            dl.solve_ivp(f, (0, 1), [1.0, 2.0], **wrong)
    for y0 in ([[1.0]], [math.nan], [1j]):
        with pytest.raises(ValueError):
            dl.solve_ivp(f, (0, 1), y0)
    with pytest.warns(dl.TraceWarning, match="fun cannot be recorded.*where"):
        dl.solve_ivp(lambda t, y: [-1.0 if y[0] > -5 else 1.0], (0, 1), [1.0])


def test_a_stiff_problem_at_the_error_of_scipy():
    def robertson(t, y):
        x, z, w = y
        return np.array([-0.04 * x + 1e4 * z * w, 0.04 * x - 1e4 * z * w - 3e7 * z**2, 3e7 * z**2])

    r = dl.solve_ivp(robertson, (0, 1e8), [1.0, 0.0, 0.0], rtol=1e-8, atol=1e-14)
    theirs = scipy_solve_ivp(robertson, (0, 1e8), [1.0, 0.0, 0.0], rtol=1e-10, atol=1e-16, method="Radau")
    assert r.success
    np.testing.assert_allclose(r.y[:, -1], theirs.y[:, -1], rtol=1e-5)


# Programs as one finds them, with another solve_ivp: what comes out has the same shapes, and the same values to the tolerance.
def prey_and_predators(solve_ivp):
    def rates(t, z, a, b, c, d):
        x, y = z
        return [a * x - b * x * y, -c * y + d * x * y]

    sol = solve_ivp(rates, [0, 15], [10, 5], args=(1.5, 1, 3, 1), dense_output=True, rtol=1e-8, atol=1e-10)
    return sol.sol(np.linspace(0, 15, 300))


def relaxation(solve_ivp):
    mu = 50.0
    sol = solve_ivp(lambda t, y: np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]), (0, 60), [2.0, 0.0], method="Radau", t_eval=np.arange(0, 61, 10),
                    rtol=1e-8, atol=1e-10)
    return sol.y[0]


def cannonball(solve_ivp):
    def flight(t, y):
        return np.hstack([y[2:], [0, -9.81] - 0.01 * np.sqrt(np.sum(y[2:] ** 2)) * y[2:]])

    ground = lambda t, y: y[1]
    ground.terminal, ground.direction = True, -1
    top = lambda t, y: y[3]
    sol = solve_ivp(flight, [0, 100], [0, 0, 30, 40], events=(ground, top), rtol=1e-9, atol=1e-9)
    assert sol.status == 1 and len(sol.t_events) == 2 and sol.y_events[1].shape == (1, 4)
    return np.hstack([sol.t_events[0], sol.t_events[1], sol.y_events[1][0], sol.t[-1], sol.y[:, -1]])


@pytest.mark.parametrize("program", [prey_and_predators, relaxation, cannonball])
@pytest.mark.filterwarnings("error")
def test_existing_programs_run_with_one_line_changed(program):
    ours, theirs = program(dl.solve_ivp), program(scipy_solve_ivp)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["t", "y", "sol", "t_events", "y_events", "nfev", "njev", "nlu", "status", "message", "success"])
def test_the_fields_of_the_result_are_those_of_scipy(name):
    run = dict(events=lambda t, y: y[0] - 0.5, dense_output=True, rtol=1e-6)
    ours, theirs = dl.solve_ivp(lambda t, y: -y, (0, 1), [1.0, 2.0], **run), scipy_solve_ivp(lambda t, y: -y, (0, 1), [1.0, 2.0], **run)
    assert name in theirs and ours[name] is getattr(ours, name)
    mine, its = ours[name], theirs[name]
    assert isinstance(mine, (int, np.integer)) == isinstance(its, (int, np.integer)) and isinstance(mine, str) == isinstance(its, str)
    if isinstance(its, np.ndarray):
        assert mine.ndim == its.ndim and mine.dtype == its.dtype
    if isinstance(its, list):
        assert [one.shape for one in mine] == [one.shape for one in its]


@pytest.mark.parametrize("span", [(0, 4), (4, 0)])
@pytest.mark.parametrize("method", ["auto", "RK45", "Radau"])
@pytest.mark.parametrize("trace", [True, False])
def test_steps_t_eval_and_polynomials_tell_one_solution(span, method, trace):
    fun = lambda t, y: [y[1], -y[0]]
    times = np.linspace(*span, 9)
    run = dict(method=method, rtol=1e-7, atol=1e-9, trace=trace)
    steps, rows = dl.solve_ivp(fun, span, [1.0, 0.0], dense_output=True, **run), dl.solve_ivp(fun, span, [1.0, 0.0], t_eval=times, **run)
    assert steps.t[0] == span[0] and steps.t[-1] == span[1] and steps.y.shape == (2, len(steps.t)) and rows.sol is None
    np.testing.assert_allclose(steps.sol(times), rows.y, atol=1e-6)
    np.testing.assert_allclose(steps.sol(steps.t), steps.y, atol=1e-9)
    exact = [np.cos(times - span[0]), -np.sin(times - span[0])]
    np.testing.assert_allclose(rows.y, exact, atol=2e-6)


@pytest.mark.parametrize("trace", [True, False])
def test_first_and_largest_steps(trace):
    fun = lambda t, y: -y
    r = dl.solve_ivp(fun, (0, 1), [1.0], first_step=0.01, max_step=0.1, trace=trace)
    assert r.t[1] == pytest.approx(0.01) and np.diff(r.t).max() <= 0.1 + 1e-12
    for wrong in ({"first_step": 0.0}, {"first_step": 2.0}, {"max_step": -1.0}, {"max_step": math.nan}, {"args": 2.0}):
        with pytest.raises((ValueError, TypeError)):
            dl.solve_ivp(fun, (0, 1), [1.0], trace=trace, **wrong)
