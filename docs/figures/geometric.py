#!/usr/bin/env python3
"""Draws the figures of docs/geometric.md from runs of `driftless analyse`, with gnuplot:

    docs/figures/geometric.py build/release/bin/driftless

Takes a minute of two cores. Prints the numbers that it draws.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent.parent / "examples" / "models"
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "driftless"
COLOURS = ["#111111", "#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf"]


def analyse(*words):
    command = [PROGRAM, "analyse", *map(str, words), "--json"]
    print(" ".join(command[1:]), file=sys.stderr)
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def points_of(*words):
    """The sampled points by step size; 0 is the differential-algebraic equation itself."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        analyse("attractor", *words, "--no-kind", "--output", file.name)
        sets = {}
        for row in csv.DictReader(open(file.name)):
            sets.setdefault(float(row["h"]), []).append([float(row[name]) for name in list(row)[1:]])
        pathlib.Path(file.name + "-metadata.json").unlink()
    return sets


def gnuplot(name, size, commands):
    head = f"set terminal svg size {size[0]},{size[1]} font 'sans,12' background '#ffffff'\nset output '{HERE / name}'\n"
    subprocess.run(["gnuplot"], input=head + commands, text=True, check=True)


def block(label, rows):
    return f"${label} << EOD\n" + "\n".join(" ".join(f"{x:.9g}" for x in row) for row in rows) + "\nEOD\n"


def draw_manifold():
    study = analyse("manifold", MODELS / "mms_index2_gamma.mo", "--t-end", 1, "--points", 3,
                    "--step-sizes", "0.04,0.02,0.01,0.005,0.0025")
    data, curves = "", []
    for i, method in enumerate(study["methods"]):
        rows = [(row["h"], row["closeness"]) for row in method["rows"]]
        data += block(f"m{i}", rows)
        promised = method["promised"]
        title = f"{method['method']}: {method['closeness_order']:.2f} ({promised['symbol']} = {promised['order']})"
        curves.append(f"$m{i} with linespoints lw 2 pt {i + 4} ps 0.7 lc rgb '{COLOURS[i]}' title '{title}'")
        print(method["method"], method["closeness_order"], [row["chi"] for row in method["rows"]])
    gnuplot("manifold.svg", (720, 420), data + "set logscale xy\nset format y '10^{%L}'\nset xrange [0.002:0.05]\n"
            "set xlabel 'step size h'\nset ylabel '|psi_0 - psi_{0,h}|'\nset key outside right\nset grid\n"
            "plot " + ", ".join(curves) + "\n")


def draw_cycle():
    model = MODELS / "warped_cycle.mo"
    many = ["--starts", 5, "--samples", 60, "--interval", 0.025, "--transient", 15]
    one = ["--starts", 1, "--box", 0, "--samples", 100, "--interval", 0.01, "--underlying-ode", "--method", "hem3"]
    projected = points_of(model, "--method", "implicit-euler", "--step-sizes", "0.05,0.025,0.0125", *many)
    data, left = block("dae", projected[0.0]), ["$dae using 1:3 with points pt 7 ps 0.25 lc rgb '#111111' title 'DAE'"]
    for i, h in enumerate([0.05, 0.025, 0.0125]):
        data += block(f"p{i}", projected[h])
        left.append(f"$p{i} using 1:3 with points pt 7 ps 0.25 lc rgb '{COLOURS[i + 1]}' title 'h = {h}'")
    right = ["$dae using 1:3 with points pt 7 ps 0.25 lc rgb '#111111' title 'DAE'"]
    for i, transient in enumerate([2, 20, 100, 500]):
        lost = points_of(model, "--step-sizes", 0.05, "--transient", transient, *one)
        data += block(f"l{i}", lost[0.05])
        right.append(f"$l{i} using 1:3 with points pt 7 ps 0.25 lc rgb '{COLOURS[i + 1]}' title 'after t = {transient}'")
    gnuplot("cycle.svg", (900, 440), data + "set multiplot layout 1,2\nset size square\nset xrange [-1:1]\n"
            "set yrange [-1:1]\nset xlabel 'x'\nset ylabel 'z'\nset key top left samplen 1\n"
            "set title 'implicit Euler, projected on the sphere'\nplot " + ", ".join(left) + "\n"
            "set title 'HEM3 on the underlying ODE, h = 0.05'\nplot " + ", ".join(right) + "\n")


def study(*words):
    found = analyse("attractor", *words, "--no-kind")["distances"]
    print([(row["h"], row["distance"], row["gap"]) for row in found["rows"]], "rate", found["rate"])
    return found


def draw_distances():
    cycle, lorenz = MODELS / "warped_cycle.mo", MODELS / "lorenz_lifted.mo"
    section = ["--section", "y=0", "--direction", "rising", "--samples", 4, "--transient", 40, "--starts", 2]
    chaos = ["--set", "u1=5", "--set", "u2=5", "--set", "u3=20", "--set", "u4=4.5", "--section", "u3=27",
             "--direction", "falling", "--share", 0.98, "--box", 2, "--rtol", 1e-7]
    data, left, right = "", [], []
    studies = [(f"cycle, {name}", study(cycle, "--method", name, "--step-sizes", "0.04,0.02,0.01,0.005", *section))
               for name in ["implicit-euler", "sdirk-2-half", "hem3"]]
    studies.append(("Lorenz, sdirk-2-half", study(lorenz, "--method", "sdirk-2-half", "--step-sizes",
                    "0.113,0.095,0.08,0.067", "--samples", 400, "--starts", 20, "--transient", 10, *chaos)))
    for i, (title, found) in enumerate(studies):
        data += block(f"d{i}", [(row["h"], row["distance"]) for row in found["rows"]])
        left.append(f"$d{i} with linespoints lw 2 pt {i + 4} ps 0.7 lc rgb '{COLOURS[i]}' "
                    f"title '{title}: rate {found['rate']:.2f}'")
    ode = ["--underlying-ode", "--method", "hem3"]
    runs = [("cycle, sdirk-2-half, h = 0.05", cycle, 0.05, ["--method", "sdirk-2-half"]),
            ("cycle, hem3 on the ODE, h = 0.05", cycle, 0.05, ode),
            ("cycle, hem3 on the ODE, h = 0.025", cycle, 0.025, ode),
            ("Lorenz, sdirk-2-half, h = 0.067", lorenz, 0.067, ["--method", "sdirk-2-half", "--starts", 20,
                                                               "--samples", 400, *chaos]),
            ("Lorenz, hem3 on the ODE, h = 0.02", lorenz, 0.02, [*ode, "--starts", 2, "--samples", 100, *chaos])]
    for i, (title, model, h, words) in enumerate(runs):
        rows = []
        for transient in [10, 30, 100, 300, 1000]:
            plain = ["--starts", 4, "--samples", 400, "--interval", 0.01] if model == cycle else []
            found = study(model, "--step-sizes", h, "--transient", transient, *plain, *words)
            rows.append((transient, found["rows"][0]["distance"]))
        data += block(f"r{i}", rows)
        right.append(f"$r{i} with linespoints lw 2 pt {i + 4} ps 0.7 {'dt 2 ' if 'ODE' in title else ''}"
                     f"lc rgb '{COLOURS[i]}' title '{title}'")
    gnuplot("distances.svg", (920, 540), data + "set multiplot layout 1,2\nset bmargin 10\nset logscale xy\nset format y '10^{%L}'\n"
            "set grid\nset key below vertical maxrows 5 samplen 2\nset ylabel 'Hausdorff distance'\n"
            "set xlabel 'step size h'\nset xrange [0.004:0.15]\n"
            "set title 'with the constraint: falls with h'\nplot " + ", ".join(left) + "\n"
            "set xlabel 'time of the samples'\nset xrange [8:1300]\n"
            "set title 'without it (dashed): grows with time'\nplot " + ", ".join(right) + "\n")


if __name__ == "__main__":
    draw_manifold()
    draw_cycle()
    draw_distances()
