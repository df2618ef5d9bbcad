#!/usr/bin/python3
"""Diffusion through five by five blocks (PINNacle's coefficients): finite elements by poisson_2d_ms.edp (Debian: freefem++) on two meshes,
and the tables of coefficients for the problem file."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import table

A = [[46.1172818, 0.59732824, 0.292270701, 1.26276433, 0.144561957],
     [12.7181494, 1.46975287, 82.5802293, 0.236117644, 0.321257529],
     [0.98706832, 9.05693316, 87.9360355, 0.1319132, 66.2484785],
     [6.94013041, 1.71436624, 1.88294394, 0.477754805, 12.2677575],
     [65.9531579, 22.7651432, 5.14950631, 10.5172968, 6.4850083]]
C0 = [[-0.539145134, -0.377679882, 0.95938867, 0.239579229, 0.529850275],
      [-0.875422482, 0.920058593, 0.230217618, 0.1264191, -0.805552585],
      [0.311825391, -0.123976126, 0.75588619, -0.0569080565, -0.968497743],
      [-0.405480489, 0.89286094, 0.439457946, -0.803799561, 0.508779988],
      [0.635645977, -0.434819575, -0.832342089, -0.778838607, 0.178578712]]
C1 = [[-0.829375099, 0.114282196, 0.586443743, -0.937095028, 0.424731066],
      [0.477917422, -0.369079406, 0.339628144, 0.324124803, 0.265265022],
      [0.66301599, -0.079720287, -0.76039446, 0.105131503, -0.0586470165],
      [0.0761380159, -0.18601997, 0.0490580267, -0.41341084, 0.224805836],
      [-0.782512425, -0.635845614, 0.884609006, 0.677474062, -0.984830839]]
PROBES = [(-9.614373, -9.614408, -0.02111956), (-9.416165, -9.414778, -0.02636631), (-9.837344, -9.030100, -0.02370533)]  # PINNacle's file


def solve(mesh, places):
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(pathlib.Path(folder, "blocks.txt"), np.array([A, C0, C1]).reshape(3, 25), fmt="%.17g")
        with open(pathlib.Path(folder, "points.txt"), "w") as out:
            print(len(places), file=out)
            for x, y in places:
                print(repr(float(x)), repr(float(y)), file=out)
        program = str(pathlib.Path(__file__).with_name("poisson_2d_ms.edp"))
        done = subprocess.run(["FreeFem++-nw", "-nw", program, str(mesh), folder], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout[-2000:])
        return np.loadtxt(pathlib.Path(folder, "values.txt"))


def main():
    for name, values in (("a", A), ("c0", C0), ("c1", C1)):
        np.save(table.FOLDER / f"blocks-{name}.npy", np.array(values))
    places = np.random.RandomState(1).uniform(-10, 10, (2500, 2))
    everywhere = np.concatenate([places, [probe[:2] for probe in PROBES]])
    coarse, fine = solve(16, everywhere), solve(28, everywhere)
    for (x, y, value), ours in zip(PROBES, fine[-3:, 0]):
        print(f"  u({x}, {y}) = {ours:.8f}, PINNacle's file has {value}")
    each = [table.difference(fine[:-3, f], coarse[:-3, f]) for f in range(3)]
    print(f"16 and 28 cells a block: u {each[0]:.1e}, p {each[1]:.1e}, q {each[2]:.1e}")
    table.write("poisson-2d-ms", places[:, 0], places[:, 1], fine[:-3, 0])


main()
