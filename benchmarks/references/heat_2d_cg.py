#!/usr/bin/python3
"""Heat in a plate with seventeen holes: finite elements by heat_2d_cg.edp (Debian: freefem++) on two meshes with two steps."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import table

HOLES = [(x, y, 1.0) for x in (-4, 4) for y in (-9, -3, 3, 9)] + [(0, y, 1.0) for y in (-6, 0, 6)] + [(x, y, 0.4) for x in (-3.2, 3.2) for y in (-6, 0, 6)]


def solve(mesh, places):
    with tempfile.TemporaryDirectory() as folder:
        with open(pathlib.Path(folder, "points.txt"), "w") as out:
            print(len(places), file=out)
            for row in places:
                print(*(repr(float(value)) for value in row), file=out)
        program = str(pathlib.Path(__file__).with_name("heat_2d_cg.edp"))
        done = subprocess.run(["FreeFem++-nw", "-nw", program, str(mesh), folder], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout[-2000:])
        return np.loadtxt(pathlib.Path(folder, "values.txt"))


def main():
    draw = np.random.RandomState(1)
    x, y, t = draw.uniform(-8, 8, 6000), draw.uniform(-12, 12, 6000), draw.randint(1, 31, 6000) / 10
    keep = np.all([np.hypot(x - cx, y - cy) > 1.01 * radius for cx, cy, radius in HOLES], axis=0)
    places = np.column_stack([x, y, t])[keep][:3000]
    coarse, fine = solve(16, places), solve(24, places)
    print(f"meshes 16 and 24: {table.difference(fine, coarse):.1e}, values {fine.min():.3f} to {fine.max():.3f}")
    table.write("heat-2d-cg", *places.T, fine)


main()
