#!/usr/bin/python3
"""Laplace's equation on a square with four holes: logarithms and multipoles at the holes' centres, harmonic polynomials for the square, their
coefficients by least squares on the boundary. By the maximum principle the error inside is at most the largest misfit on the
boundary, which is printed (at other points than those of the fit)."""
import numpy as np

import table

CENTRES, RADIUS = [(-0.3, -0.3), (0.3, -0.3), (-0.3, 0.3), (0.3, 0.3)], 0.1


def basis(x, y, order):
    z = x + 1j * y
    columns = [np.ones_like(x)]
    for n in range(1, 4 * order + 1):
        power = (z / 0.7) ** n
        columns += [power.real, power.imag]
    for cx, cy in CENTRES:
        w = RADIUS / (z - (cx + 1j * cy))
        columns.append(np.log(np.abs(w)))
        for n in range(1, order + 1):
            columns += [(w**n).real, (w**n).imag]
    return np.column_stack(columns)


def boundary(count, shift):
    s = (np.arange(count) + shift) / count
    side = s - 0.5
    x = [side, side, np.full(count, -0.5), np.full(count, 0.5)]
    y = [np.full(count, -0.5), np.full(count, 0.5), side, side]
    value = [np.ones(count)] * 4
    for cx, cy in CENTRES:
        x.append(cx + RADIUS * np.cos(2 * np.pi * s))
        y.append(cy + RADIUS * np.sin(2 * np.pi * s))
        value.append(np.zeros(count))
    return np.concatenate(x), np.concatenate(y), np.concatenate(value)


def main():
    x, y, value = boundary(300, 0.5)
    draw = np.random.RandomState(1)
    px, py = draw.uniform(-0.5, 0.5, (2, 4000))
    outside = np.all([np.hypot(px - cx, py - cy) > RADIUS for cx, cy in CENTRES], axis=0)
    px, py = px[outside], py[outside]
    found = {}
    for order in (16, 24):
        coefficients = np.linalg.lstsq(basis(x, y, order), value, rcond=1e-15)[0]
        bx, by, exact = boundary(501, 0.3)
        print(f"order {order}: misfit {np.abs(basis(bx, by, order) @ coefficients - exact).max():.1e}")
        found[order] = basis(px, py, order) @ coefficients
    print(f"orders 16 and 24: {table.difference(found[24], found[16]):.1e}")
    table.write("poisson-2d-c", px, py, found[24])


main()
