"""SciPy around train: which heat source makes the middle of a rod exactly 1?  u'' = -s sin(pi x), u = 0 at the ends.

Every value of s is a training that begins where the last one ended; brentq finds the root. Exact: s = pi^2.
"""
import sys

import numpy as np

from pecann import *

try:
    from scipy.optimize import brentq
except ImportError:
    print("skipped: SciPy is not installed (python3-scipy)")
    sys.exit(77)

x = Coordinate("x", 0, 1)
u = Field("u", [x])
start = ()


def middle(s):
    global start
    problem = Problem("A heated rod", [x]).network(u, hidden=[10])
    problem.objective("pde", d(u, x, x) == -s * sin(pi * x), interior(), grid([25]))
    problem.constraint("ends", u == 0, boundary(), grid([25]))
    solution = problem.phase("lm", epochs=40).train(start=start).solution
    start = solution.parameters()
    print(f"s = {s:.6f}: u(1/2) = {solution(0.5):.6f}")
    return solution(0.5)


s = brentq(lambda s: middle(s) - 1, 5, 15, xtol=1e-5)
print(f"s = {s:.5f}, exact {np.pi**2:.5f}")
assert abs(s - np.pi**2) < 0.01
