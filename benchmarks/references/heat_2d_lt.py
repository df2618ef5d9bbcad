#!/usr/bin/python3
"""u_t = 0.001 Lap u + 5 sin(u^2) (1 + 2 sin(pi t/4)) sin(4 pi x) sin(2 pi y) to t = 100: sine series and exponential time differencing of
fourth order, with the time in the source. The problem is odd about x = 1/4 and even about x = 1/8, so that only the modes
sin(4 pi (2 k + 1) x) appear; y has all modes. Solved twice; the difference is printed."""
import numpy as np

import table


def solve(nx, ny, steps, rows, places):
    """nx odd modes over [0, 1/8], ny modes over [0, 1]; values at the places (x, y) at rows + 1 times."""
    kx = 4 * np.pi * (2 * np.arange(nx) + 1)
    ky = np.pi * np.arange(1, ny + 1)
    x = (np.arange(nx) + 0.5) / (8 * nx)
    y = np.arange(1, ny + 1) / (ny + 1)
    sx, sy = np.sin(np.outer(x, kx)), np.sin(np.outer(y, ky))
    to_x, to_y = np.linalg.inv(sx), np.linalg.inv(sy)
    linear = -0.001 * (kx[:, None] ** 2 + ky[None, :] ** 2)
    shape = 5 * np.sin(4 * np.pi * x)[:, None] * np.sin(2 * np.pi * y)[None, :]
    h = 100 / steps
    circle = np.exp(1j * np.pi * (np.arange(32) + 0.5) / 32)
    z = h * linear[..., None] + circle
    ez = np.exp(z)
    mean = lambda a: h * np.real(a.mean(axis=-1))
    q, f1 = mean((np.exp(z / 2) - 1) / z), mean((-4 - z + ez * (4 - 3 * z + z**2)) / z**3)
    f2, f3 = mean((2 + z + ez * (z - 2)) / z**3), mean((-4 - 3 * z - z**2 + ez * (4 - z)) / z**3)
    full, half = np.exp(h * linear), np.exp(h * linear / 2)

    def source(v, t):
        u = sx @ v @ sy.T
        return (1 + 2 * np.sin(np.pi * t / 4)) * (to_x @ (shape * np.sin(u * u)) @ to_y.T)

    v = np.zeros((nx, ny))
    v[0, 2] = 1
    px, py = np.sin(np.outer(places[:, 0], kx)), np.sin(np.outer(places[:, 1], ky))
    values = [((px @ v) * py).sum(axis=1)]
    for step in range(1, steps + 1):
        t = (step - 1) * h
        nv = source(v, t)
        a = half * v + q * nv
        na = source(a, t + h / 2)
        b = half * v + q * na
        nb = source(b, t + h / 2)
        nc = source(half * a + q * (2 * nb - nv), t + h)
        v = full * v + f1 * nv + 2 * f2 * (na + nb) + f3 * nc
        if step % (steps // rows) == 0:
            values.append(((px @ v) * py).sum(axis=1))
    return np.array(values)


def main():
    rows = 50
    grid = np.meshgrid((np.arange(16) + 0.5) / 16, (np.arange(12) + 0.5) / 12, indexing="ij")
    places = np.column_stack([g.ravel() for g in grid])
    fine = solve(32, 192, 10000, rows, places)
    coarse = solve(24, 128, 5000, rows, places)
    print(f"32 x 192 modes and 10000 steps against 24 x 128 and 5000: {table.difference(fine, coarse):.1e}")
    keep = np.random.RandomState(1).permutation(fine.size)[:3000]
    row, place = np.unravel_index(keep, fine.shape)
    table.write("heat-2d-lt", places[place, 0], places[place, 1], 100 * row / rows, fine[row, place])


main()
