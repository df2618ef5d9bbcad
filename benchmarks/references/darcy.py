#!/usr/bin/python3
"""Darcy's flow through a medium of random conductivity: draws the 256 x 256 table of the problem file, and solves with it by finite elements,
darcy.edp (Debian: freefem++), on two meshes."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import table

NODES = 256


def conductivity(seed):
    """exp(g) at the nodes of a grid over the unit square: g a Gaussian random field with the covariance exp(-r^2/(2 0.1^2)), cut out of a
    periodic one twice as wide. The largest conductivity is some 30 times the smallest."""
    cells = 2 * NODES
    k = 2 * np.pi * np.fft.fftfreq(cells, 1 / (NODES - 1))
    amplitude = np.exp(-(k[:, None] ** 2 + k[None, :] ** 2) * 0.1**2 / 4)
    noise = np.random.RandomState(seed).standard_normal((cells, cells))
    field = np.fft.ifft2(amplitude * np.fft.fft2(noise)).real
    return np.exp(0.7 * (field / field.std())[:NODES, :NODES])


def solve(mesh, kappa, places):
    with tempfile.TemporaryDirectory() as folder:
        with open(pathlib.Path(folder, "kappa.txt"), "w") as out:
            print(len(kappa), file=out)
            np.savetxt(out, kappa, fmt="%.17g")
        with open(pathlib.Path(folder, "points.txt"), "w") as out:
            print(len(places), file=out)
            np.savetxt(out, places, fmt="%.17g")
        program = str(pathlib.Path(__file__).with_name("darcy.edp"))
        done = subprocess.run(["FreeFem++-nw", "-nw", program, str(mesh), folder], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout[-2000:])
        return np.loadtxt(pathlib.Path(folder, "values.txt"))


def main():
    kappa = np.ascontiguousarray(conductivity(1), dtype=np.float32)
    np.save(table.FOLDER / "darcy-kappa.npy", kappa)
    print(f"conductivity from {kappa.min():.3g} to {kappa.max():.3g}")
    places = np.random.RandomState(2).uniform(0, 1, (3000, 2))
    coarse, fine = (solve(mesh, kappa.astype(float), places) for mesh in (85, 170))
    print(f"85 and 170 cells: {table.difference(fine, coarse):.1e}")
    table.write("darcy", *places.T, fine)


main()
