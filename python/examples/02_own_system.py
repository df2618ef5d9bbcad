"""An own system of equations: sound in a closed tube, p_t + v_x = 0, v_t + p_x = 0 (examples/02_own_system.cc).

Look at two fields from one network, two equations in one term, and the errors of both fields, below 1 %.
"""
import numpy as np

from pecann import *

x, t = Coordinate("x", 0, 1), Coordinate("t", 0, 0.5)
p, v = Field("p", [x, t]), Field("v", [x, t])

problem = Problem("Sound in a closed tube", [x, t])
problem.network([p, v], hidden=[12, 12])
problem.exact(p, cos(pi * x) * cos(pi * t)).exact(v, sin(pi * x) * sin(pi * t))
problem.objective("sound", [d(p, t) + d(v, x) == 0, d(v, t) + d(p, x) == 0], interior(), sobol(300))
problem.constraint("walls", v == 0, boundary(), sobol(40))
problem.constraint("start", [p == cos(pi * x), v == 0], initial_time(), sobol(60))
problem.phase("lm", epochs=40).evaluation([51, 51])

run = problem.train()
print(run.summary)
at_the_wall = run.solution(0, np.linspace(0, 0.5, 5))
print("p at the left wall:", at_the_wall["p"].round(5))
assert max(error.relative_l2 for error in run.summary.errors.values()) < 0.01
