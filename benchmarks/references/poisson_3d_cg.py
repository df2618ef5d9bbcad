#!/usr/bin/python3
"""-Lap u + k(z)^2 u = f on the unit cube with four spherical holes and no flux anywhere: finite volumes, where a cell that a sphere cuts has the
part of its volume and of its faces that lies outside (second order). Conjugate gradients. Two grids, the second three times as fine, and Richardson's
extrapolation of both; what it changes is printed, and the values of PINNacle's file in a corner beside ours."""
import numpy as np

import table

BALLS = [(0.4, 0.3, 0.6, 0.2), (0.6, 0.7, 0.6, 0.2), (0.2, 0.8, 0.7, 0.1), (0.6, 0.2, 0.3, 0.1)]


def outside(x, y, z):
    free = np.ones(np.broadcast_shapes(x.shape, y.shape, z.shape), bool)
    for cx, cy, cz, radius in BALLS:
        free &= (x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2 > radius**2
    return free


def parts(shape, face, samples=4):
    """The share of every cell, or of every inner face across one axis, that lies outside of the balls: means over samples in each direction."""
    total = 0
    offsets = [[0.0] if axis == face else (np.arange(samples) + 0.5) / samples for axis in range(3)]
    starts = [np.arange(1, n) if axis == face else np.arange(n) for axis, n in enumerate(shape)]
    for a in offsets[0]:
        for b in offsets[1]:
            for c in offsets[2]:
                axes = [(start + offset) / n for start, offset, n in zip(starts, (a, b, c), shape)]
                total = total + outside(axes[0][:, None, None], axes[1][None, :, None], axes[2][None, None, :]).astype(np.float32)
    return total / (len(offsets[0]) * len(offsets[1]) * len(offsets[2]))


def solve(shape):
    x, y, z = ((np.arange(n) + 0.5) / n for n in shape)
    x, y, z = x[:, None, None], y[None, :, None], z[None, None, :]
    s = x**2 + y**2 + z**2
    waves = np.sin(np.pi * x), np.sin(10 * np.pi * y), np.sin(5 * np.pi * z)
    f = 20 * np.exp(waves[0] + waves[1] + waves[2]) * (s - 1) / (s + 1) + 100 * waves[0] * waves[1] * waves[2]
    volume = parts(shape, None)
    faces = [parts(shape, axis) * shape[axis] ** 2 for axis in range(3)]
    k2 = np.where(z < 0.5, 64.0, 100.0)
    diagonal = volume * k2 + 1e-30
    ends = [(tuple(slice(1, None) if a == axis else slice(None) for a in range(3)), tuple(slice(None, -1) if a == axis else slice(None) for a in range(3))) for axis in range(3)]
    for (upper, lower), face in zip(ends, faces):
        diagonal[upper] += face
        diagonal[lower] += face
    empty = volume == 0

    def operator(u):
        out = volume * k2 * u
        for (upper, lower), face in zip(ends, faces):
            flux = face * (u[upper] - u[lower])
            out[upper] += flux
            out[lower] -= flux
        return out

    u = np.zeros(shape)
    r = np.where(empty, 0, volume * f)
    d = p = r / diagonal
    rho = first = float((r * d).sum())
    while rho > 1e-20 * first:
        q = operator(p)
        alpha = rho / float((p * q).sum())
        u += alpha * p
        r -= alpha * q
        d = r / diagonal
        rho, old = float((r * d).sum()), rho
        p = d + rho / old * p
    return u, volume == 1


def main():
    shape = np.array([32, 64, 32])
    coarse, whole = solve(shape)
    print("coarse done", flush=True)
    fine, _ = solve(3 * shape)
    fine = fine[1::3, 1::3, 1::3]
    best = fine + (fine - coarse) / 8
    print(f"grids: {table.difference(fine[whole], coarse[whole]):.1e}; the extrapolation changes the finer one by {table.difference(best[whole], fine[whole]):.1e}")
    for i, place, value in (((0, 0, 0), "(0, 0, 0)", -0.95184857), ((6, 0, 0), "(0.2069, 0, 0)", -1.09799683)):
        print(f"  next to {place}: {best[i]:.4f}, PINNacle's file has {value:.4f}")
    i, j, k = np.nonzero(whole)
    keep = np.random.RandomState(1).permutation(i.size)[:3000]
    i, j, k = i[keep], j[keep], k[keep]
    table.write("poisson-3d-cg", (i + 0.5) / shape[0], (j + 0.5) / shape[1], (k + 0.5) / shape[2], best[i, j, k])


main()
