"""Coupling with an own solver: half of a rod is a network, half is finite differences (examples/07_coupling.cc).

Each takes its boundary value from the other (alternating Schwarz method, overlap [0.4, 0.6]); the error falls by about
(0.4/0.6)^2 = 0.44 a sweep [Quarteroni & Valli, Domain Decomposition Methods, 1999, section 1.4].
"""
import numpy as np

from pecann import *


def differences(a, left, cells):
    """u'' = -pi^2 sin(pi x) on [a, 1] with u(a) given and u(1) = 0, second order."""
    h = (1 - a) / cells
    nodes = a + h * np.arange(1, cells)
    matrix = 2 * np.eye(cells - 1) - np.eye(cells - 1, k=1) - np.eye(cells - 1, k=-1)
    right = h * h * np.pi**2 * np.sin(np.pi * nodes)
    right[0] += left
    return np.concatenate([[left], np.linalg.solve(matrix, right), [0]])


x = Coordinate("x", 0, 0.6)
u = Field("u", [x])
start, at_right, error = (), 0.0, 1.0  # at_right: u(0.6), known to the network only through the other code
for sweep in range(1, 9):
    problem = Problem("Left part of a rod", [x]).network(u, hidden=[10])
    problem.objective("pde", d(u, x, x) == -pi * pi * sin(pi * x), interior(), grid([25]))
    problem.constraint("left", u == 0, face(x, 0), grid([25]))
    problem.constraint("right", u == at_right, face(x, 0.6), grid([25]))
    left = problem.phase("lm", epochs=30).train(start=start).solution
    start = left.parameters()  # the next sweep begins where this one ended
    at_right = float(differences(0.4, left(0.4), 60)[20])
    error = abs(at_right - np.sin(0.6 * np.pi))
    print(f"sweep {sweep}: u(0.4) = {left(0.4):.5f} from the network, u(0.6) = {at_right:.5f}, error {error:.1e}")
assert error < 0.01
