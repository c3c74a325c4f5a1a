"""Events of functions: what SciPy has, and jumps; recorded and called functions alike."""
import math
import pickle

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_solve_ivp

import driftless as dl

TRACE = pytest.mark.parametrize("trace", [True, False])


def event(function, **attributes):
    for name, value in attributes.items():
        setattr(function, name, value)
    return function


def turn(t, y):
    return [-y[1], y[0]]


def watched():
    return [event(lambda t, y: y[0]), event(lambda t, y: y[0], direction=1), event(lambda t, y: y[0], direction=-1), event(lambda t, y: t - 3.0)]


@TRACE
@pytest.mark.parametrize("span", [(0, 8), (0, -8)])
def test_times_and_states_are_those_of_scipy(trace, span):
    events = watched()[:3] if span[1] < 0 else watched()
    r = dl.solve_ivp(turn, span, [1.0, 0.0], events=events, rtol=1e-9, atol=1e-11, trace=trace)
    theirs = scipy_solve_ivp(turn, span, [1.0, 0.0], events=events, rtol=1e-9, atol=1e-11)
    for times, states, t, y in zip(r.t_events, r.y_events, theirs.t_events, theirs.y_events):
        np.testing.assert_allclose(times, t, atol=1e-7)
        np.testing.assert_allclose(states, y, atol=1e-7)
        assert states.shape == y.shape


@TRACE
def test_the_first_or_the_third_occurrence_ends_a_run(trace):
    for terminal, end in ((True, 0.5), (1, 0.5), (3, 2.5)):
        r = dl.solve_ivp(turn, (0, 20), [1.0, 0.0], events=[event(lambda t, y: y[0], terminal=terminal), event(lambda t, y: -y[0])], rtol=1e-9, atol=1e-11,
                         trace=trace)
        assert r.status == 1 and r.success and r.message == "A termination event occurred."
        assert r.t[-1] == pytest.approx(end * math.pi, abs=1e-8) and len(r.t_events[0]) == int(terminal)
        np.testing.assert_allclose(r.t_events[1], r.t_events[0], atol=1e-8)  # at the same moments
    r = dl.solve_ivp(turn, (0, 2), [1.0, 0.0], events=event(lambda t, y: y[0], terminal=3), trace=trace)
    assert r.status == 0 and r.t[-1] == 2.0


@TRACE
def test_what_is_zero_at_the_start_leaves_zero_first(trace):
    r = dl.solve_ivp(turn, (0, 8), [1.0, 0.0], events=event(lambda t, y: y[1], terminal=True), rtol=1e-9, atol=1e-11, trace=trace)
    assert r.t[-1] == pytest.approx(math.pi, abs=1e-8)


@TRACE
def test_a_ball_bounces_and_its_force_depends_on_its_way(trace):
    def fall(t, y, e):
        return [y[1], -9.81 - dl.where(y[1] > 0.0, 3.0, 0.0)]

    floor = event(lambda t, y, e: y[0], direction=-1, jump=lambda t, y, e: [y[0], -e * y[1]])
    r = dl.solve_ivp(fall, (0, 1.2), [1.0, 0.0], args=(0.8,), events=floor, rtol=1e-9, atol=1e-11, trace=trace)
    first, speed = math.sqrt(2 / 9.81), 0.8 * math.sqrt(2 * 9.81)
    second = first + speed / 12.81 + math.sqrt(speed**2 / 12.81 / 9.81)  # up against 12.81, down by 9.81
    np.testing.assert_allclose(r.t_events[0], [first, second], atol=1e-7)
    assert r.y_events[0][0, 1] == pytest.approx(-math.sqrt(2 * 9.81), abs=1e-7)  # before the jump
    assert r.y[1, -1] > 0.0


@TRACE
def test_jumps_of_mechanisms_keep_constraints_and_parameters(trace):
    wall = event(lambda q: q[0], direction=-1, jump=lambda v, e: -e * v)
    p = dl.mechanical(lambda q: [0.0, -9.81], lambda q: q @ q - 1.0, q0=[1.0, 0.0], v0=[0.0, 0.0], events=wall, e=1.0, trace=trace)
    r = p.solve(3.0, rtol=1e-9)
    assert len(r.t_events[0]) == 3
    np.testing.assert_allclose(np.diff(r.t_events[0]), 2.0 * r.t_events[0][0], atol=1e-6)
    assert r.certificate["position"] < 1e-14
    slow = p.solve(1.0, rtol=1e-9, e=0.5)
    energy = 0.5 * np.sum(slow.v[:, -1] ** 2) + 9.81 * slow.q[1, -1]
    assert energy == pytest.approx(-9.81 + 0.25 * 9.81, abs=1e-6)
    if trace:
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(p)).solve(3.0, rtol=1e-9).t_events[0], r.t_events[0])


@TRACE
def test_index_1_with_an_event(trace):
    switch = event(lambda z: z[0] - 1.5, direction=-1, jump=lambda x: x + 1.0)
    r = dl.solve(rate=lambda x, z: -z, constraint=lambda x, z: z - x, x0=[2.0], z0=[2.0], events=switch, t_span=(0, 1), rtol=1e-9, trace=trace)
    first = math.log(2.0 / 1.5)
    assert r.t_events[0] == pytest.approx([first, first + math.log(2.5 / 1.5)], abs=1e-7)
    assert r["z"][-1] == pytest.approx(2.5 * math.exp(-(1.0 - r.t_events[0][1])), abs=1e-7)


@TRACE
def test_bounces_that_accumulate_are_said(trace):
    floor = event(lambda q: q[0], direction=-1, jump=lambda v: -0.5 * v)
    with pytest.raises(dl.RunError, match="accumulate"):
        dl.solve(force=lambda q: [-9.81], q0=[1.0], v0=[0.0], events=floor, t_span=(0, 2), trace=trace)
    floor = event(lambda q: q[1], direction=-1, jump=lambda v: -0.5 * v)
    with pytest.raises(dl.RunError, match="accumulate"):  # a bead on a vertical wire
        dl.solve(force=lambda q: [0.0, -9.81], constraint=lambda q: q[0], q0=[0.0, 1.0], v0=[0.0, 0.0], events=floor, t_span=(0, 2), trace=trace)


@pytest.mark.parametrize("attributes, words", [({"terminal": 1.5}, "terminal"), ({"terminal": -1}, "terminal"), ({"direction": math.nan}, "direction"),
                                               ({"jump": lambda t, y: y}, "needs a direction")])
def test_attributes_that_make_no_sense(attributes, words):
    with pytest.raises(dl.Misuse, match=words):
        dl.solve_ivp(turn, (0, 1), [1.0, 0.0], events=event(lambda t, y: y[0], **attributes))


def test_events_that_are_no_functions_and_that_raise():
    with pytest.raises(TypeError, match="event 0"):
        dl.solve_ivp(turn, (0, 1), [1.0, 0.0], events=[3.0])
    with pytest.raises(ZeroDivisionError):
        dl.solve_ivp(turn, (0, 1), [1.0, 0.0], events=lambda t, y: 1 / 0)
    with pytest.raises(dl.Misuse, match="shape"):
        dl.solve_ivp(turn, (0, 1), [1.0, 0.0], events=lambda t, y: y)


def test_an_event_at_the_moment_of_a_branch_is_seen():
    r = dl.solve_ivp(lambda t, y: [dl.where(y[0] < 1.0, 1.0, 2.0)], (0, 2), [0.0], events=lambda t, y: y[0] - 1.0, rtol=1e-8)
    assert r.t_events[0] == pytest.approx([1.0], abs=1e-9) and r.y[0, -1] == pytest.approx(3.0, abs=1e-8)


def test_a_jump_at_a_branch_is_refused():
    # The force changes where the ball is reflected: nothing says on which side it goes on.
    floor = event(lambda q: q[0], direction=-1, jump=lambda v: -v)
    r = dl.mechanical(lambda q: [dl.where(q[0] > 0.0, -9.81, -5.0)], q0=[1.0], v0=[0.0], events=floor).solve(1.0, check=False)
    assert not r.success and "event 0" in r.message
