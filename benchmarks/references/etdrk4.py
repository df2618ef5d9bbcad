"""Fourier series in one or two periodic coordinates, exponential time differencing of fourth order (Cox and Matthews 2002, with the contour
integrals of Kassam and Trefethen 2005): v' = L v + N(v) for arrays of Fourier coefficients."""
import numpy as np


def integrate(v, linear, nonlinear, final, steps, rows):
    """Coefficients at rows + 1 equal times from 0 to final; steps is a multiple of rows."""
    h = final / steps
    circle = np.exp(1j * np.pi * (np.arange(32) + 0.5) / 32)
    q, f1, f2, f3 = (np.zeros(linear.shape, complex) for _ in range(4))
    for root in np.concatenate([circle, circle.conj()]) if np.iscomplexobj(linear) else circle:
        z = h * linear + root
        ez = np.exp(z)
        q += (np.exp(z / 2) - 1) / z
        f1 += (-4 - z + ez * (4 - 3 * z + z**2)) / z**3
        f2 += (2 + z + ez * (z - 2)) / z**3
        f3 += (-4 - 3 * z - z**2 + ez * (4 - z)) / z**3
    count = 64 if np.iscomplexobj(linear) else 32
    take = (lambda a: a) if np.iscomplexobj(linear) else np.real
    q, f1, f2, f3 = (take(h * a / count) for a in (q, f1, f2, f3))
    e_full, e_half = np.exp(h * linear), np.exp(h * linear / 2)
    states = [v]
    for step in range(1, steps + 1):
        nv = nonlinear(v)
        a = e_half * v + q * nv
        na = nonlinear(a)
        b = e_half * v + q * na
        nb = nonlinear(b)
        nc = nonlinear(e_half * a + q * (2 * nb - nv))
        v = e_full * v + f1 * nv + 2 * f2 * (na + nb) + f3 * nc
        if step % (steps // rows) == 0:
            states.append(v)
    return np.array(states)


def below(wave, share=2 / 3):
    """A mask of the wave numbers below a share of the largest: products of two fields are then free of aliases."""
    return np.abs(wave) < share * np.abs(wave).max()
