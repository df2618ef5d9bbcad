"""The first problem: u'' = f on a line, zero at both ends (examples/01_poisson.cc).

Look at the error (below 1e-3 after a second), and that no weight was chosen between the equation and the ends.
"""
from pecann import *

x = Coordinate("x", 0, 1)
u = Field("u", [x])
exact = sin(2 * pi * x)

problem = Problem("Poisson equation on a line", [x])
problem.network(u, hidden=[20, 20])
problem.exact(u, exact)
problem.objective("pde", d(u, x, x) == d(exact, x, x), interior(), grid([66]))
problem.constraint("ends", u == exact, boundary(), grid([66]))
problem.phase("lbfgs", epochs=60)

run = problem.train()
print(run.summary)
print(f"u(1/4) = {run.solution(0.25):.6f}, u'(1/4) = {run.solution.evaluate('u_x', [0.25]):.6f}\n")
print(problem.text)
assert run.summary.errors["u"].relative_l2 < 1e-3
