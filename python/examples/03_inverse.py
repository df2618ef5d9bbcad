"""An inverse problem: how well does a rod conduct heat? u_t = nu u_xx, nu from 60 readings (examples/03_inverse.cc).

The misfit of the data is the objective, because noisy data cannot hold exactly; equation, ends and start are
constraints, because they must. The noise allows nu within a few per cent of 0.2, though it starts five times too large.
The readings are arrays: no file is in between.
"""
import numpy as np

from pecann import *

true_nu = 0.2
random = np.random.default_rng(7)
places, times = random.uniform(0, 1, (2, 60))
readings = np.exp(-true_nu * np.pi**2 * times) * np.sin(np.pi * places) + random.normal(0, 0.02, 60)

x, t = Coordinate("x", 0, 1), Coordinate("t", 0, 1)
u = Field("u", [x, t])
nu = Parameter("nu", 1, log=True, exact=true_nu)  # log keeps it positive

problem = Problem("Conductivity of a rod", [x, t])
problem.network(u, hidden=[16, 16])
problem.objective("readings", u == data("kelvin"), points=points_table(x=places, t=times, kelvin=readings))
problem.constraint("heat", d(u, t) == nu * d(u, x, x), interior(), sobol(200))
problem.constraint("ends", u == 0, boundary(), sobol(30))
problem.constraint("start", u == sin(pi * x), initial_time(), sobol(50))
problem.phase("lm", epochs=60)

run = problem.train()
found = run.summary.parameters["nu"].value
print(run.summary)
print(f"nu = {found:.4f}, true {true_nu}")
assert abs(found - true_nu) < 0.05 * true_nu
