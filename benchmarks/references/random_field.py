"""Gaussian random fields as PINNacle draws them: periodic, amplitude |k|^-2, mean 0, standard deviation 1."""
import numpy as np


def gaussian(cells, seed):
    draw = np.random.RandomState(seed)
    k = np.fft.fftfreq(cells, 1 / cells)
    square = k[:, None] ** 2 + k[None, :] ** 2
    square[0, 0] = 1
    amplitude = 1 / square
    amplitude[0, 0] = 0
    field = np.fft.ifft2(amplitude * np.fft.fft2(draw.standard_normal((cells, cells)))).real
    return (field - field.mean()) / field.std()


def faces(a):
    """Conductivities between neighbouring cells, harmonic means, along the first index."""
    return 2 * a[1:] * a[:-1] / (a[1:] + a[:-1])
