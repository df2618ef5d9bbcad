#!/usr/bin/python3
"""u_tt = div(c grad u) on [-1, 1]^2 with walls that reflect, c = 12 where a Gaussian random field is positive, else 1, constant on 64 x 64 cells: finite volumes and
leapfrog steps on 128, 256 and 512 cells a side; the finest is the table."""
import numpy as np

import table
from random_field import faces, gaussian

ROWS, CELLS = 20, 64


def solve(refine):
    c = np.kron(np.where(gaussian(CELLS, 1) > 0, 12.0, 1.0), np.ones((refine, refine)))
    cells = CELLS * refine
    h = 2 / cells
    x = -1 + h * (np.arange(cells) + 0.5)
    u = np.exp(-((x[:, None] + 0.5) ** 2 + x[None, :] ** 2) / (2 * 0.3**2))
    cx, cy = faces(c), faces(c.T).T
    steps = ROWS * int(np.ceil(5 / ROWS / (0.6 * h / np.sqrt(12 * 2))))
    k = 5 / steps

    def divergence(u):
        out = np.zeros_like(u)
        flux = cx * (u[1:] - u[:-1]) / h**2
        out[:-1] += flux
        out[1:] -= flux
        flux = cy * (u[:, 1:] - u[:, :-1]) / h**2
        out[:, :-1] += flux
        out[:, 1:] -= flux
        return out

    old, states = u + 0.5 * k**2 * divergence(u), [u]  # the state at -k, since the velocity is zero
    for step in range(1, steps + 1):
        old, u = u, 2 * u - old + k**2 * divergence(u)
        if step % (steps // ROWS) == 0:
            states.append(u)
    states = np.array(states)
    block = cells // (CELLS // 2)  # values at the nodes of a 32 x 32 grid, where four fine cells meet
    middle = np.arange(CELLS // 2) * block + block // 2
    corner = lambda i, j: states[:, i][:, :, j]
    return (corner(middle, middle) + corner(middle - 1, middle) + corner(middle, middle - 1) + corner(middle - 1, middle - 1)) / 4


def main():
    np.save(table.FOLDER / "wave-2d-cg-c.npy", np.ascontiguousarray(np.where(gaussian(CELLS, 1) > 0, 12.0, 1.0)))
    coarse, fine, finest = solve(2), solve(4), solve(8)
    print(f"128 and 256 cells: {table.difference(fine, coarse):.1e}; 256 and 512: {table.difference(finest, fine):.1e}")
    x = -1 + (np.arange(CELLS // 2) + 0.5) * 4 / CELLS
    keep = np.random.RandomState(1).permutation(finest.size)[:3000]
    row, i, j = np.unravel_index(keep, finest.shape)
    table.write("wave-2d-cg", x[i], x[j], 5 * row / ROWS, finest[row, i, j])


main()
