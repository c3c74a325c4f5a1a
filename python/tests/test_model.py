"""Models from text: values, parameters, events, errors, pickles."""
import math
import pathlib
import pickle
import resource
import threading

import numpy as np
import pytest

import driftless as dl

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/models"
SWING = """model Swing
  parameter Real L = 1, g = 9.81;
  Real x(start = 1), y(start = 0, fixed = true), vx, vy, F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F * x;
  der(vy) = -F * y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 5));
end Swing;
"""


def test_text_is_solved_and_its_constraints_are_kept():
    r = dl.Model(SWING).solve(rtol=1e-8)
    assert r.success and r.status == 0
    assert r.t[-1] == 5.0 and r["x"].shape == r.t.shape
    np.testing.assert_allclose(np.hypot(r["x"], r["y"]), 1.0, atol=1e-14)
    energy = 0.5 * (r["vx"] ** 2 + r["vy"] ** 2) + 9.81 * r["y"]
    assert np.ptp(energy) < 1e-5
    assert r.certificate["position"] < 1e-14 and r.certificate["velocity"] < 1e-13
    assert r.q.shape == (2, len(r.t)) and r.v.shape == (2, len(r.t)) and r.lam.shape == (1, len(r.t))


def test_a_file_is_read(tmp_path):
    path = tmp_path / "swing.mo"
    path.write_text(SWING)
    assert dl.Model(path).name == "Swing" and dl.Model(str(path)).parameters == {"L": 1.0, "g": 9.81}
    with pytest.raises(FileNotFoundError):
        dl.Model("no_such_file.mo")


def test_a_new_value_is_no_new_compilation_and_no_new_result():
    m = dl.Model(SWING)
    before = dl.compilations()
    runs = [m.solve(L=value)["x"][-1] for value in (0.5, 1.0, 2.0)]
    assert dl.compilations() == before
    assert m.parameters["L"] == 1.0
    for value, last in zip((0.5, 1.0, 2.0), runs):
        assert dl.Model(SWING, L=value).solve()["x"][-1] == last


def test_start_values_that_had_to_be_moved_are_said():
    r = dl.Model(SWING.replace("x(start = 1)", "x(start = 0.9)")).solve()
    assert [one.name for one in r.moved] == ["x"] and r.moved[0].given == 0.9 and r.moved[0].found == pytest.approx(1.0)


def test_rows_are_views_that_cannot_be_written():
    r = dl.Model(SWING).solve(t_eval=[0.0, 1.0, 2.0, 5.0])
    assert list(r.t) == [0.0, 1.0, 2.0, 5.0]
    assert not r["x"].flags.owndata and not r["x"].flags.writeable
    last = r["x"][-1]
    rows = r["x"]
    del r
    assert rows[-1] == last


def test_polynomials_between_the_rows():
    m = dl.Model(SWING)
    times = np.linspace(0.0, 5.0, 37)
    wanted = m.solve(rtol=1e-9, t_eval=times)
    r = m.solve(rtol=1e-9, dense_output=True)
    np.testing.assert_allclose(r(times)[r.names.index("x")], wanted["x"], atol=1e-12)
    assert r(2.5).shape == (len(r.names),) and r.sol is not None
    assert m.solve().sol is None
    with pytest.raises(dl.Misuse):
        m.solve()(1.0)
    with pytest.raises(dl.Misuse):
        r(6.0)


BALL = """model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
"""


def test_events_come_with_their_times():
    r = dl.Model(BALL).solve(t_end=1.5, rtol=1e-9, dense_output=True)
    first = math.sqrt(2.0 / 9.81)
    bounces = [event.time for event in r.events if event.name == "h <= 0"]
    assert r["n"][-1] == 2
    assert bounces[0] == pytest.approx(first, abs=1e-9)
    assert r(first + 1e-3)[r.names.index("v")] == pytest.approx(0.8 * math.sqrt(2 * 9.81) - 9.81e-3, abs=1e-6)


def test_errors_have_the_words_of_the_library():
    with pytest.raises(dl.ModelError, match="(?s)model:3.*nope") as error:
        dl.Model("model M\n Real x;\nequation der(x) = nope;\nend M;")
    assert isinstance(error.value, ValueError)
    m = dl.Model(SWING)
    for wrong in ({"l": 1.0}, {"L": math.nan}, {"rtol": -1.0}, {"method": "rk"}, {"t_eval": [2.0, 1.0]}, {"t_eval": [0.0, 9.0]}):
        with pytest.raises(dl.Misuse):
            m.solve(**wrong)
    with pytest.raises(TypeError):
        m.solve(L="long")
    with pytest.raises(KeyError, match="there are: x"):
        m.solve()["z"]


def test_a_run_that_fails_raises_or_says_so():
    text = "model M\n Real x(start = 1, fixed = true);\nequation\n der(x) = x^2;\nend M;"
    with pytest.raises(dl.RunError):
        dl.Model(text).solve(t_end=2)
    r = dl.Model(text).solve(t_end=2, check=False)
    assert not r.success and r.status == -1 and r.t[-1] == pytest.approx(1.0, abs=1e-3) and r.failure["kind"] in r.message.replace(" ", "-") + r.failure["kind"]


def test_pickles():
    m = dl.Model(SWING, L=2.0)
    again = pickle.loads(pickle.dumps(m))
    assert again.solve()["x"][-1] == m.solve()["x"][-1]
    r = m.solve()
    copy = pickle.loads(pickle.dumps(r))
    np.testing.assert_array_equal(copy.y, r.y)
    assert copy.certificate == r.certificate and copy.names == r.names


def test_callback_may_end_the_run_or_raise():
    m = dl.Model(SWING)
    times = []
    r = m.solve(callback=lambda t: times.append(t) or t > 1.0)
    assert r.status == 1 and 1.0 < r.t[-1] < 5.0 and times[-1] == r.t[-1]

    def fails(t):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        m.solve(callback=fails)


def test_ctrl_c_ends_a_long_run():
    import _thread

    m = dl.Model("model M\n Real x(start = 1, fixed = true);\nequation\n der(x) = cos(1000*time);\nend M;")
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        m.solve(t_end=1e6, t_eval=[1e6], rtol=1e-10)
    timer.join()


def test_threads_run_side_by_side():
    m = dl.Model(SWING)
    wanted = [m.solve(L=1.0 + 0.1 * k)["x"][-1] for k in range(8)]
    found = [None] * 8

    def work(k):
        found[k] = m.solve(L=1.0 + 0.1 * k)["x"][-1]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


def test_dataframe_plot_report(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    r = dl.Model(SWING).solve(L=2.0)
    frame = r.to_dataframe()
    assert list(frame.columns) == r.names and frame.index[-1] == 5.0
    assert len(r.plot("x", "y").lines) == 2
    page = r.report(tmp_path / "swing.html")
    assert "Swing" in page.read_text() and "<iframe" in r._repr_html_()


def test_the_impulse_of_a_stop_is_that_of_the_momentum():
    m = dl.Model(EXAMPLES / "end_stop.mo")
    r = m.solve(rtol=1e-10)
    (hit,) = [one for one in r.impulses if abs(one.size) > 1e-6]
    speed = math.sqrt(2 * 9.81 / 0.5 * (math.sin(1.2) - math.sin(0.2)))  # of the arm, from its energy
    assert hit.name == "M" and hit.size == pytest.approx(2 * 0.5**2 * speed, rel=1e-8)
    assert hit.time == pytest.approx(r.events[0].time) and pickle.loads(pickle.dumps(r)).impulses == r.impulses


def test_many_runs_take_no_more_memory_than_a_few():
    def resident():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    def wrong(k):
        with pytest.raises(dl.Misuse):
            swing.solve(0.1, M=1.0)

    swing = dl.Model(SWING)
    ways = [lambda k: swing.solve(0.05, t_eval=[0.05], L=1.0 + 1e-5 * k), lambda k: dl.Model(SWING), wrong,
            lambda k: dl.solve_ivp(lambda t, y: [-y[0]], (0, 0.1), [1.0 + k])]
    for way, count in zip(ways, (10000, 300, 300, 300)):
        for k in range(count // 10):
            way(k)
        before = resident()
        for k in range(count):
            way(k)
        assert resident() - before < 2e6, way
