#!/usr/bin/python3
"""References of the flows: ns-2d-c, cavity-100 to cavity-3200, ns-2d-cg, cylinder-20, ns-2d-lt, by flows.edp (Debian: freefem++, libfreefem++).
Each on two meshes, whose difference at the table's points is printed: the error of the finer one is some tenth of it.

    flows.py [NAME...]
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import table

ELEMENTS = {**os.environ, "FF_LOADPATH": "/usr/lib/freefem++"}  # Debian's place of the elements of third order
CASES = {  # case, viscosity, coarse and fine mesh
    "ns-2d-c": ("lid4", 0.01, 24, 36),
    "cavity-100": ("cavity", 1 / 100, 32, 48),
    "cavity-400": ("cavity", 1 / 400, 28, 40),
    "cavity-1000": ("cavity", 1 / 1000, 20, 28),
    "cavity-3200": ("cavity", 1 / 3200, 20, 28),
    "ns-2d-cg": ("step", 0.01, 7, 10),
    "cylinder-20": ("cylinder", 0.001, 16, 24),
    "ns-2d-lt": ("pulse", 0.01, 12, 16),
}


def points(case, count=2400):
    draw = np.random.RandomState(1)
    x, y, t = draw.uniform(size=(3, 8 * count))
    if case in ("cavity", "lid4"):
        keep = np.ones_like(x, bool)
    elif case == "step":
        x, y = 4 * x, 2 * y
        keep = ((x > 2) | (y < 1)) & (np.hypot(x - 2, y - 1) > 0.1)
    elif case == "cylinder":
        x, y = 2.2 * x, 0.41 * y
        keep = np.hypot(x - 0.2, y - 0.2) > 0.0505
    else:
        x, t = 2 * x, np.round(t * 50) / 10
        keep = np.ones_like(x, bool)
    if case != "pulse":
        t = np.zeros_like(x)
    else:
        keep &= t > 0
    return np.column_stack([x, y, t])[keep][:count]


def solve(case, nu, mesh, places):
    with tempfile.TemporaryDirectory() as folder:
        given, taken = pathlib.Path(folder, "points.txt"), pathlib.Path(folder, "values.txt")
        with given.open("w") as out:
            print(len(places), file=out)
            for row in places:
                print(*(repr(float(value)) for value in row), file=out)
        program = str(pathlib.Path(__file__).with_name("flows.edp"))
        arguments = ["-case", case, "-n", mesh, "-nu", repr(nu), "-points", given, "-values", taken, "-steps", 50 * (mesh // 2)]
        done = subprocess.run(["FreeFem++-nw", "-nw", program, *map(str, arguments)], capture_output=True, text=True, env=ELEMENTS)
        if done.returncode:
            sys.exit(done.stdout[-2000:])
        print(f"  n = {mesh}: {[line for line in done.stdout.splitlines() if 'triangles' in line or 'change' in line][-1]}", flush=True)
        return np.loadtxt(taken)


def main():
    for name in sys.argv[1:] or CASES:
        case, nu, coarse_mesh, fine_mesh = CASES[name]
        places = points(case)
        ends = np.array([[0.15, 0.2, 0], [0.25, 0.2, 0]]) if case == "cylinder" else np.zeros((0, 3))
        coarse, fine = (solve(case, nu, mesh, np.concatenate([places, ends])) for mesh in (coarse_mesh, fine_mesh))
        if case == "cylinder":
            print(f"  pressure difference {fine[-2, 2] - fine[-1, 2]:.6f}, known 0.117520")
            coarse, fine = coarse[:-2], fine[:-2]
        each = ", ".join(f"{field} {table.difference(fine[:, f], coarse[:, f]):.1e}" for f, field in enumerate("uvp"))
        print(f"{name}: meshes {coarse_mesh} and {fine_mesh} differ by {table.difference(fine, coarse):.1e} ({each})", flush=True)
        columns = [places[:, 0], places[:, 1]] + ([places[:, 2]] if case == "pulse" else [])
        table.write(name, *columns, fine[:, 0], fine[:, 1], fine[:, 2])


main()
