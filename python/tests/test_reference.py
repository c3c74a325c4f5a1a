"""Reference problems: recorded functions, the model file, and the C++ of the test set agree; calls of Python, too."""
import json
import pathlib
import time

import numpy as np
import pytest

import driftless as dl
from driftless.command import run_program

import reference_models as models

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/models"

# (problem, end, the unknowns of the recorded functions under the names of the model file; of those of C++ the first as many)
CASES = [
    ("andrews_squeezer", 0.03, models.andrews, models.ANDREWS_NAMES + ["w_" + name for name in models.ANDREWS_NAMES]),
    ("pendulum_schropp", 5.0, models.pendulum_schropp, ["u1", "u2", "v1", "v2"]),
    ("car_axis", 3.0, models.car_axis, ["xl", "yl", "xr", "yr", "vxl", "vyl", "vxr", "vyr"]),
    ("hlr_index2", 1.0, models.hlr_index2, ["u1", "u2", "lambda"]),
    ("hlr_index3", 1.0, models.hlr_index3, ["y1", "y2", "z1", "z2", "lambda"]),
    ("ascher_petzold_index2", 1.0, models.ascher_petzold_index2, ["u1", "u2", "lambda"]),
    ("gradient_flow_sphere", 1.0, models.gradient_flow_sphere, ["u[1]", "u[2]", "u[3]", "u[4]", "u[5]", "lambda"]),
    ("limit_cycle_sphere", 1.0, models.limit_cycle_sphere, ["x", "y", "z", "lambda"]),
    ("lorenz_lifted", 1.0, models.lorenz_lifted, ["u1", "u2", "u3", "u4", "lambda"]),
    ("lognorm_linear", 1.0, models.lognorm_linear, ["y1", "y2", "z1", "z2"]),
    ("lognorm_nonlinear", 1.0, models.lognorm_nonlinear, ["y1", "y2", "z1", "z2"]),
    ("mms_index2_gamma", 2.0, models.mms_index2_gamma, ["u1", "u2", "u3", "lambda"]),
    ("mms_index3_nonautonomous", 3.0, models.mms_index3_nonautonomous, [f"{one}[{k}]" for one in "qv" for k in (1, 2, 3)]),
    ("redundant_parallelogram", 1.0, models.redundant_parallelogram, ["x", "y", "phi", "vx", "vy", "omega"]),
    ("n_four_bar", 0.3, models.n_four_bar, [f"{one}[{k}]" for one in ("x", "y", "vx", "vy") for k in (1, 2, 3)]),
    ("chain_pendulum", 1.0, models.chain_pendulum, [f"{one}[{k}]" for one in ("x", "y", "vx", "vy") for k in range(1, 6)]),
    ("closed_loop_chain", 1.0, models.closed_loop_chain, [f"{one}[{k}]" for one in ("x", "y", "vx", "vy") for k in range(1, 6)]),
    ("heat_flux_mol", 0.1, models.heat_flux_mol, [f"theta[{k}]" for k in range(1, 11)]),
    ("fekete20", 2.0, models.fekete20, [f"p[{i},{k}]" for i in range(1, 21) for k in (1, 2, 3)]),
]
IN_CPP = {"n_four_bar": "n_four_bar_2", "chain_pendulum": "chain_pendulum_5", "closed_loop_chain": "closed_loop_chain_6", "heat_flux_mol": "heat_flux_mol_10"}
BEGINS = {"redundant_parallelogram": 0.1}
POINT_BY_POINT = ("n_four_bar", "chain_pendulum", "closed_loop_chain")  # in C++: x and y of one point, then those of the next
NOT_CALLED = ("hlr_index3", "andrews_squeezer", "fekete20")  # index 3; dear, and tested by itself; dear


def ends(make, end, names, rtol, begin=0.0, **options):
    r = make(**options).solve(end, t_begin=begin, rtol=rtol, atol=1e-2 * rtol, t_eval=[end])
    return np.array([r[name][-1] for name in r.names[: len(names)]])


@pytest.mark.parametrize("name, end, make, names", CASES, ids=[case[0] for case in CASES])
def test_functions_text_and_cpp_agree(name, end, make, names):
    begin = BEGINS.get(name, 0.0)
    recorded = ends(make, end, names, 1e-12, begin)
    text = dl.Model(EXAMPLES / f"{name}.mo").solve(end, t_begin=begin, rtol=1e-12, atol=1e-14, t_eval=[end])
    size = np.maximum(1.0, np.abs(recorded))
    np.testing.assert_allclose(recorded / size, [text[one][-1] for one in names] / size, atol=1e-10, rtol=0)
    cpp = json.loads(run_program("solve", f"problem:{IN_CPP.get(name, name)}", "--t-end", end, "--rtol", "1e-12", "--atol", "1e-14", "--json"))["final"]
    cpp = np.array(list(cpp.values())[: len(names)])
    if name in POINT_BY_POINT:
        cpp = cpp.reshape(2, -1, 2).transpose(0, 2, 1).ravel()
    np.testing.assert_allclose(recorded / size, cpp / size, atol=1e-10, rtol=0)


CALLED = [case for case in CASES if case[0] not in NOT_CALLED]


@pytest.mark.parametrize("name, end, make, names", CALLED, ids=[case[0] for case in CALLED])
def test_calls_agree(name, end, make, names):
    begin, end = BEGINS.get(name, 0.0), min(end, 1.0)
    recorded, called = ends(make, end, names, 1e-8, begin), ends(make, end, names, 1e-8, begin, trace=False)
    np.testing.assert_allclose(called, recorded, rtol=1e-6, atol=1e-6)


def test_andrews_is_called_as_well():
    recorded = models.andrews().solve(0.01, rtol=1e-6, t_eval=[0.01])
    called = models.andrews(trace=False).solve(0.01, rtol=1e-6, t_eval=[0.01])
    np.testing.assert_allclose(called.q, recorded.q, atol=1e-6)


def test_index_3_that_is_called_is_refused():
    with pytest.raises(dl.Misuse, match="index 3"):
        models.hlr_index3(trace=False).solve(1.0)


def node_voltages(r):
    """Of the amplifier, whose functions know the voltages of its capacitors and one side of each."""
    x, z = r.block("x")[:, -1], r.block("z")[:, -1]
    return [x[0] + z[0], z[0], x[1], x[2] + z[1], z[1], x[3], x[4] + z[2], z[2]]


def cell_by_cell(r):
    return np.column_stack([r.block("x")[:, -1], r.block("z")[:, -1]]).ravel()


@pytest.mark.parametrize("name, cpp, end, make, names, values", [
    ("stiff_spring_pendulum", "stiff_spring_pendulum_eps1e-2", 1.0, models.stiff_spring_pendulum, ["x", "y", "vx", "vy"], lambda r: r.y[:4, -1]),
    ("transistor_amplifier", "transistor_amplifier", 0.02, models.transistor_amplifier, [f"y{k}" for k in range(1, 9)], node_voltages),
    ("reaction_diffusion", "reaction_diffusion_50", 2.0, models.reaction_diffusion, [f"{one}[{k}]" for k in range(1, 51) for one in "uw"], cell_by_cell),
])
def test_other_unknowns_than_those_of_the_file(name, cpp, end, make, names, values):
    recorded = values(make().solve(end, rtol=1e-12, atol=1e-12, t_eval=[end]))
    text = dl.Model(EXAMPLES / f"{name}.mo").solve(end, rtol=1e-12, atol=1e-12, t_eval=[end])
    np.testing.assert_allclose(recorded, [text[one][-1] for one in names], atol=1e-10, rtol=1e-10)
    found = json.loads(run_program("solve", f"problem:{cpp}", "--t-end", end, "--rtol", "1e-12", "--atol", "1e-12", "--json"))["final"]
    np.testing.assert_allclose(recorded, list(found.values())[: len(names)], atol=1e-10, rtol=1e-10)


@pytest.mark.parametrize("make", [models.andrews, models.car_axis, models.pendulum_schropp])
def test_recorded_mechanisms_are_recognised_as_such(make, tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(make().text)
    assert "mechanical system of index 3" in run_program("check", path)


def test_recording_costs_little():
    models.andrews()
    best = min(_seconds(models.andrews) for _ in range(3))
    assert best < 1.0  # measured: docs/benchmarks.md; this bound is for machines that do other things as well


def _seconds(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin
