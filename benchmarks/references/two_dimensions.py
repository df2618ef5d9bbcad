#!/usr/bin/python3
"""References of the periodic problems in two coordinates: gray-scott, gray-scott-slow, ginzburg-landau, burgers-2d-c. Each is solved twice, the second
time on a coarser grid with a larger step; the difference at the common nodes is printed and bounds the error of the finer one.
A table has 3,000 nodes, drawn with a seed from all nodes and times.

    two_dimensions.py [NAME...]
"""
import sys

import numpy as np

import table
from etdrk4 import integrate


def waves(modes, length):
    k = 2 * np.pi / length * np.fft.fftfreq(modes, 1 / modes)
    return k[:, None], k[None, : modes // 2 + 1] * np.where(np.arange(modes // 2 + 1) == modes // 2, -1, 1)


def nodes(modes, lower, length):
    x = lower + length * np.arange(modes) / modes
    return np.meshgrid(x, x, indexing="ij")


def reaction(modes, steps, final, diffusion, rates, feed, sharp, rows):
    x, y = nodes(modes, -1, 2)
    kx, ky = waves(modes, 2)
    laplace = -(kx**2 + ky**2)
    start = np.array([1 - np.exp(-sharp * ((x + 0.05) ** 2 + (y + 0.02) ** 2)), np.exp(-sharp * ((x - 0.05) ** 2 + (y - 0.02) ** 2))])
    linear = np.array([diffusion[0] * laplace - rates[0], diffusion[1] * laplace - rates[1]])

    def nonlinear(v):
        a, b = np.fft.irfft2(v, (modes, modes))
        c = rates[2] * a * b * b
        return np.fft.rfft2(np.array([feed - c, c]))

    return np.fft.irfft2(integrate(np.fft.rfft2(start), linear, nonlinear, final, steps, rows), (modes, modes))


def gray_scott(modes, steps, rows):
    return reaction(modes, steps, 0.5, (0.2, 0.1), (40, 100, 1000), 40, 10, rows)


def gray_scott_slow(modes, steps, rows):
    return reaction(modes, steps, 200, (1e-5, 5e-6), (0.04, 0.1, 1), 0.04, 80, rows)


def ginzburg_landau(modes, steps, rows):
    x, y = nodes(modes, -1, 2)
    k = np.pi * np.fft.fftfreq(modes, 1 / modes)
    linear = 10 - 0.004 * (k[:, None] ** 2 + k[None, :] ** 2)

    def nonlinear(v):
        a = np.fft.ifft2(v)
        return np.fft.fft2(-(10 + 15j) * a * np.abs(a) ** 2)

    start = np.fft.fft2(10 * (y + 1j * x) * np.exp(-25 * (x**2 + y**2)))
    a = np.fft.ifft2(integrate(start, linear, nonlinear, 1, steps, rows))
    return np.stack([a.real, a.imag], axis=1)


def burgers_start():
    """The recipe of PINNacle's start with a draw of our own: A, B of each field, the factor and the means."""
    draw = np.random.RandomState(1)
    a, b, mean = draw.randn(2, 4, 4), draw.randn(2, 4, 4), draw.randn(2)
    x = np.arange(128) / 128
    w = np.array([start_sum(a[f], b[f], x[:, None], x[None, :]) for f in range(2)])
    return a, b, 2 / w.max(), mean


def start_sum(a, b, x, y):
    return sum(a[i, j] * np.sin(2 * np.pi * (i * x + j * y)) + b[i, j] * np.cos(2 * np.pi * (i * x + j * y)) for i in range(4) for j in range(4))


def burgers_2d(modes, steps, rows):
    """On one period of the start, which is a quarter of each side."""
    a, b, factor, mean = burgers_start()
    x, y = nodes(modes, 0, 1)
    kx, ky = waves(modes, 1)
    keep = (np.abs(kx) < 2 / 3 * np.pi * modes) & (np.abs(ky) < 2 / 3 * np.pi * modes)
    linear = np.repeat(-1e-3 * (kx**2 + ky**2)[None], 2, axis=0)

    def nonlinear(v):
        u = np.fft.irfft2(v, (modes, modes))
        ux, uy = np.fft.irfft2(1j * kx * v, (modes, modes)), np.fft.irfft2(1j * ky * v, (modes, modes))
        return keep * np.fft.rfft2(-u[0] * ux - u[1] * uy)

    start = np.array([factor * start_sum(a[f], b[f], x, y) + mean[f] for f in range(2)])
    return np.fft.irfft2(integrate(np.fft.rfft2(start), linear, nonlinear, 1, steps, rows), (modes, modes))


CASES = {  # solver, (modes, steps) twice, times, lower end, length of a period, periods, last time
    "gray-scott": (gray_scott, (128, 4000), (64, 2000), 20, -1, 2, 1, 0.5),
    "ginzburg-landau": (ginzburg_landau, (256, 800), (128, 400), 20, -1, 2, 1, 1),
    "gray-scott-slow": (gray_scott_slow, (256, 400), (128, 200), 20, -1, 2, 1, 200),
    "burgers-2d-c": (burgers_2d, (384, 800), (192, 400), 10, 0, 1, 4, 1),
}


def main():
    for name in sys.argv[1:] or CASES:
        solve, fine_size, coarse_size, rows, lower, length, periods, final = CASES[name]
        fine = solve(*fine_size, rows)
        coarse = solve(*coarse_size, rows)
        skip = fine_size[0] // coarse_size[0]
        print(f"{name}: {fine_size} nodes and steps against {coarse_size}: {table.difference(fine[:, :, ::skip, ::skip], coarse):.1e}", flush=True)
        draw = np.random.RandomState(1)
        row, i, j = draw.randint(0, rows + 1, 3000), draw.randint(0, fine_size[0], 3000), draw.randint(0, fine_size[0], 3000)
        place = lambda index: lower + length * index / fine_size[0] + length * draw.randint(0, periods, 3000)
        table.write(name, place(i), place(j), final * row / rows, fine[row, 0, i, j], fine[row, 1, i, j])


if __name__ == "__main__":
    main()
