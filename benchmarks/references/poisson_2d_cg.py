#!/usr/bin/python3
"""-Lap u + 64 u = f on a square with four holes: a particular solution in closed form, and sources K0(8 r) inside the holes and around the
square, more and more of them towards its corners, where u has the term r^2 log r (Gopal and Trefethen 2019). Coefficients by least
squares on the boundary; the maximum principle bounds the error by the misfit on the boundary, which is printed."""
import numpy as np

import table

K, M, N = 8.0, np.pi, 4 * np.pi
CIRCLES = [(0.5, 0.5, 0.2), (0.4, -0.4, 0.4), (-0.2, -0.7, 0.1), (-0.6, 0.5, 0.3)]


def particular(x, y):
    """L = -Lap + K^2 gives L[s s'] = q s s', L[x c s'] = q x c s' + 2 M s s', L[x^2 s s'] = q x^2 s s' - 2 s s' - 4 M x c s'."""
    q = M**2 + N**2 + K**2
    s, c, s2, c2 = np.sin(M * x), np.cos(M * x), np.sin(N * y), np.cos(N * y)
    of_x2 = (x**2 * s * s2 + 4 * M / q * x * c * s2 + (2 - 8 * M**2 / q) / q * s * s2) / q
    of_y2 = (y**2 * s * s2 + 4 * N / q * y * s * c2 + (2 - 8 * N**2 / q) / q * s * s2) / q
    return 10 * (of_x2 + of_y2 + 17 * s * s2 / q)


def k0(z):
    """K0 by the trapezoidal rule for the integral of exp(-z cosh t)."""
    t = np.linspace(0, 8, 161)
    weight = np.full(t.size, t[1])
    weight[0] /= 2
    total = np.zeros_like(z)
    for node, w in zip(t, weight):
        total += w * np.exp(-z * np.cosh(node))
    return total


def sources(count, near):
    points = []
    for cx, cy, radius in CIRCLES:
        angle = 2 * np.pi * np.arange(count) / count
        points.append(np.column_stack([cx + 0.75 * radius * np.cos(angle), cy + 0.75 * radius * np.sin(angle)]))
    s = np.linspace(-1.35, 1.35, 2 * count)
    for sign in (-1.35, 1.35):
        points += [np.column_stack([s, np.full_like(s, sign)]), np.column_stack([np.full_like(s, sign), s])]
    distance = 0.45 * np.exp(-3.2 * (np.sqrt(near) - np.sqrt(np.arange(1, near + 1))))
    for sx in (-1, 1):
        for sy in (-1, 1):
            for turn in (-0.5, 0, 0.5):  # three rays out of each corner
                angle = np.arctan2(sy, sx) + turn
                points.append(np.column_stack([sx + distance * np.cos(angle), sy + distance * np.sin(angle)]))
    return np.concatenate(points)


def boundary(count, shift):
    s = (np.arange(count) + shift) / count
    graded = np.concatenate([np.tanh(9 * (s - 0.5)) / np.tanh(4.5), 2 * s - 1])  # as many near the corners
    x, y, value = [], [], []
    for sign in (-1.0, 1.0):
        x += [graded, np.full_like(graded, sign)]
        y += [np.full_like(graded, sign), graded]
        value += [np.full_like(graded, 0.2)] * 2
    for cx, cy, radius in CIRCLES:
        x.append(cx + radius * np.cos(2 * np.pi * s))
        y.append(cy + radius * np.sin(2 * np.pi * s))
        value.append(np.ones(count))
    x, y, value = (np.concatenate(a) for a in (x, y, value))
    return x, y, value - particular(x, y)


def matrix(x, y, at):
    return k0(K * np.hypot(x[:, None] - at[:, 0], y[:, None] - at[:, 1]))


def main():
    draw = np.random.RandomState(1)
    px, py = draw.uniform(-1, 1, (2, 4000))
    outside = np.all([np.hypot(px - cx, py - cy) > radius for cx, cy, radius in CIRCLES], axis=0)
    px, py = px[outside], py[outside]
    found = []
    for count, near in ((40, 20), (60, 30)):
        at = sources(count, near)
        x, y, value = boundary(4 * count, 0.5)
        a = matrix(x, y, at)
        scale = np.linalg.norm(a, axis=0)
        coefficients = np.linalg.lstsq(a / scale, value, rcond=1e-14)[0] / scale
        bx, by, exact = boundary(5 * count + 1, 0.3)
        print(f"{len(at)} sources: misfit {np.abs(matrix(bx, by, at) @ coefficients - exact).max():.1e}", flush=True)
        found.append(particular(px, py) + matrix(px, py, at) @ coefficients)
    print(f"both: {table.difference(found[1], found[0]):.1e}")
    table.write("poisson-2d-cg", px, py, found[1])


main()
