"""Analyses, methods, estimates of errors, progress: what the package has beside runs."""
import math
import pathlib
import pickle

import numpy as np
import pytest

import driftless as dl

from test_model import SWING

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/models"


def test_invariant_manifolds_of_methods():
    found = dl.analyse.manifold("problem:mms_index2_gamma", method=["radau-iia-2", "radau-iia-3"], step_sizes=[0.02, 0.01], points=1)
    assert [one["method"] if "method" in one else one["name"] for one in found.methods] == ["radau-iia-2", "radau-iia-3"]
    assert found["status"] == "ok" and "<iframe" in found._repr_html_()


def test_what_a_model_settles_on(tmp_path):
    model = dl.Model(EXAMPLES / "limit_cycle_sphere.mo")
    found = dl.analyse.attractor(model, starts=4, transient=20.0, samples=50, no_distances=True)
    assert found.unknowns == ["x", "y", "z", "lambda"]
    assert found.report(tmp_path / "page.html").read_text().startswith("<!doctype html>")
    with pytest.raises(AttributeError, match="there are: status"):
        found.nothing


def test_stability_of_recorded_functions():
    p = dl.semi_explicit(lambda x, z, k: -k * x + 0.1 * z, lambda x, z: z - 0.5 * x, x0=[1.0], z0=[0.5], k=1.0)
    for k in (1.0, 2.0):
        found = dl.analyse.stability(p, box={"x": (0, 1)}, time=(0, 1), parameters={"k": k})
        assert found.rate == pytest.approx(0.05 - k) and found.rate_proved and found.exponentially_stable == "yes"


def test_a_box_in_an_ellipsoid():
    for a in (1.0, 2.0):
        found = dl.analyse.minimise(EXAMPLES / "minimise/box_in_ellipsoid.mo", objective="volume", maximise=True, parameters={"a": a})
        assert found.value == pytest.approx(8 * a * 6 / math.sqrt(27))


def test_what_an_analysis_does_not_know_is_refused():
    with pytest.raises(dl.Misuse, match="no option --bocks"):
        dl.analyse.stability(SWING, bocks=3)
    with pytest.raises(dl.Misuse, match="nowhere.mo"):
        dl.analyse.manifold("nowhere.mo")
    with pytest.raises(dl.ModelError):
        dl.analyse.minimise(SWING)
    with pytest.raises(dl.Misuse, match="could not be recorded"):
        dl.analyse.stability(dl.semi_explicit(lambda z: -z, lambda x, z: z - x, x0=[1.0], z0=[1.0], trace=False))


def test_methods_and_numbers_of_ones_own():
    known = dl.methods()
    assert known["radau"]["kind"] == "adaptive" and "radau-iia-3" in known._repr_html_()
    with pytest.raises(KeyError, match="radau-iia-2"):
        known["euler"]
    own = dl.Tableau("mine", A=[[1 / 4, 0], [1 / 2, 1 / 4]], b=[1 / 2, 1 / 2])
    found = own.properties()
    assert found["name"] == "mine" and found["order"] == 2 and found["stage_order"] == 1 and found["r_infinity"] == 1.0
    np.testing.assert_allclose(pickle.loads(pickle.dumps(own)).A, [[0.25, 0.0], [0.5, 0.25]])
    for wrong in ({"A": [[1.0, 0.0]], "b": [1.0]}, {"A": [[1.0], [1.0, 2.0]], "b": [1.0, 1.0]}, {"A": [[1.0]]}):
        with pytest.raises(ValueError):
            dl.Tableau("wrong", **wrong)
    with pytest.raises(dl.Misuse, match="radau-iia"):
        dl.Tableau("no-such-method")


@pytest.mark.parametrize("method, order", [("gauss-2", 4), ("radau-iia-2", 3), (dl.Tableau("mine", A=[[1 / 4, 0], [1 / 2, 1 / 4]], b=[1 / 2, 1 / 2]), 2)])
def test_fixed_steps_have_their_order(method, order):
    p = dl.semi_explicit(lambda x, z: -z, lambda x, z: z - x**3, x0=[1.0], z0=[1.0])  # x = 1 / sqrt(1 + 2 t)
    errors = [abs(p.solve(1.0, method=method, steps=n)["x"][-1] - 3**-0.5) for n in (10, 20)]
    assert order - 0.3 < math.log2(errors[0] / errors[1]) < order + 0.3
    assert p.solve(1.0, method=method, step_size=0.1)["x"][-1] == pytest.approx(3**-0.5, abs=1.5 * errors[0])


def test_fixed_and_adaptive_steps_do_not_mix():
    m = dl.Model(SWING)
    for wrong in ({"method": "gauss-2"}, {"method": "radau", "steps": 10}, {"method": "radau-iia-2", "steps": 10, "rtol": 1e-3},
                  {"method": "radau-iia-2", "steps": 10, "step_size": 0.1}, {"method": dl.Tableau("gauss-2")}, {"t_eval": [1.0], "every_step": True}):
        with pytest.raises(dl.Misuse):
            m.solve(**wrong)


def test_the_error_is_estimated():
    p = dl.mechanical(lambda q: -q, q0=[1.0], v0=[0.0])
    for rtol in (1e-4, 1e-7):
        r = p.solve(10.0, rtol=rtol)
        true = np.abs(r.y - [np.cos(r.t), -np.sin(r.t)])
        assert 0.5 < np.max(r.error) / np.max(true) < 2.0 and r.error.shape == r.y.shape
    assert np.array_equal(pickle.loads(pickle.dumps(r)).error, r.error)


def test_progress_is_shown(capfd):
    r = dl.Model(SWING).solve(progress=True)
    assert r.success and "%" in capfd.readouterr().err
    assert dl.Model(SWING).solve(progress=True, callback=lambda t: t > 1.0).status == 1


def test_runs_of_any_span_have_rows_in_it():
    m = dl.Model(SWING)
    for begin, end in ((0.0, 0.5), (0.0, 20.0), (1.0, 2.0), (0.0, -1.0)):
        r = m.solve(end, t_begin=begin)
        np.testing.assert_allclose(r.t, np.linspace(begin, end, 501), atol=1e-12)


def test_tolerances_of_their_own():
    fun = lambda t, y: [1000.0 * np.cos(t), -y[1] ** 2 + 1e-6 * np.sin(y[0])]
    loose = dl.solve_ivp(fun, (0, 10), [0.0, 1e-5], rtol=1e-12, atol=1e-3)
    own = dl.solve_ivp(fun, (0, 10), [0.0, 1e-5], rtol=1e-12, atol=[1e-3, 1e-12])
    assert own.nfev > 1.5 * loose.nfev
    for trace in (True, False):
        with pytest.raises(dl.Misuse, match="atol must be"):
            dl.solve_ivp(fun, (0, 10), [0.0, 1e-5], atol=[1e-3] * 3, trace=trace)
        with pytest.raises(dl.Misuse, match="above zero"):
            dl.solve_ivp(fun, (0, 10), [0.0, 1e-5], atol=[1e-3, 0.0], trace=trace)
