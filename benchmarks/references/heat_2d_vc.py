#!/usr/bin/python3
"""u_t = div(a grad u) + 200 sin(pi x) sin(5 pi y) sin(pi t) on the unit square, u = 0 around it and at the start; a, the ceiling of exp(g) with g a
Gaussian random field, constant on 64 x 64 cells. Finite volumes; steps of Peaceman and Rachford. Two grids, whose difference is printed."""
import numpy as np

import table
from random_field import faces, gaussian

CELLS, ROWS = 64, 20


def tridiagonal(a, cells):
    """Conductances of the first index: u of a cell takes from its neighbours, the walls lie half a cell away."""
    inner = faces(a)
    low, high = np.vstack([2 * a[:1], inner]), np.vstack([inner, 2 * a[-1:]])
    return low * cells**2, high * cells**2


def eliminate(low, high, k):
    """The factors of (1 + k A), A u = (low + high) u - low u(-) - high u(+), column by column."""
    n = len(low)
    ratio, pivot = np.zeros_like(low), np.zeros_like(low)
    diagonal = 1 + k * (low + high)
    pivot[0] = 1 / diagonal[0]
    for i in range(1, n):
        ratio[i - 1] = -k * high[i - 1] * pivot[i - 1]
        pivot[i] = 1 / (diagonal[i] + k * low[i] * ratio[i - 1])
    return k * low, ratio, pivot


def substitute(factors, right):
    low, ratio, pivot = factors
    u = np.empty_like(right)
    u[0] = right[0] * pivot[0]
    for i in range(1, len(right)):
        u[i] = (right[i] + low[i] * u[i - 1]) * pivot[i]
    for i in range(len(right) - 2, -1, -1):
        u[i] -= ratio[i] * u[i + 1]
    return u


def apply(low, high, u):
    out = -(low + high) * u
    out[1:] += low[1:] * u[:-1]
    out[:-1] += high[:-1] * u[1:]
    return out


def solve(refine, steps):
    a = np.kron(np.ceil(np.exp(gaussian(CELLS, 1))), np.ones((refine, refine)))
    cells = CELLS * refine
    x = (np.arange(cells) + 0.5) / cells
    shape = 200 * np.sin(np.pi * x)[:, None] * np.sin(5 * np.pi * x)[None, :]
    in_x, in_y = tridiagonal(a, cells), tridiagonal(np.ascontiguousarray(a.T), cells)
    k = 5 / steps / 2
    factors_x, factors_y = eliminate(*in_x, k), eliminate(*in_y, k)
    u, states = np.zeros((cells, cells)), []
    nodes = np.arange(0, cells, refine * 2) + refine  # where four fine cells meet, on a 32 x 32 grid
    for step in range(1, steps + 1):
        force = k * shape * np.sin(np.pi * (2 * step - 1) * k)
        u = substitute(factors_x, u + k * apply(*in_y, u.T.copy()).T + force)
        u = substitute(factors_y, (u + k * apply(*in_x, u) + force).T.copy()).T.copy()
        if step % (steps // ROWS) == 0:
            corner = lambda i, j: u[i][:, j]
            states.append((corner(nodes, nodes) + corner(nodes - 1, nodes) + corner(nodes, nodes - 1) + corner(nodes - 1, nodes - 1)) / 4)
    return np.array(states)


def main():
    np.save(table.FOLDER / "heat-2d-vc-a.npy", np.ascontiguousarray(np.ceil(np.exp(gaussian(CELLS, 1)))))
    coarse, fine = solve(2, 500), solve(4, 1000)
    print(f"128 cells and 500 steps against 256 and 1000: {table.difference(fine, coarse):.1e}, largest value {np.abs(fine).max():.3f}")
    x = (2 * np.arange(CELLS // 2) + 1) / CELLS
    keep = np.random.RandomState(1).permutation(fine.size)[:3000]
    row, i, j = np.unravel_index(keep, fine.shape)
    table.write("heat-2d-vc", x[i], x[j], 5 * (row + 1) / ROWS, fine[row, i, j])


main()
