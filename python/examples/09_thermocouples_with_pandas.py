"""Readings of thermocouples in a CSV, by way of pandas: the loss of heat from a wire, u_t = 0.1 u_xx - loss u.

The table is filtered with pandas, its columns are the points and the data of the term, and the history of the training
is a table again.
"""
import io
import sys

import numpy as np

from pecann import *

try:
    import pandas
except ImportError:
    print("skipped: pandas is not installed (python3-pandas)")
    sys.exit(77)

random = np.random.default_rng(3)  # what a laboratory would hand over: two sensors, one of them broken for a while
times = np.tile(np.linspace(0.02, 1, 40), 2)
places = np.repeat([0.3, 0.6], 40)
kelvin = np.exp(-(0.1 * np.pi**2 + 0.7) * times) * np.sin(np.pi * places) + random.normal(0, 0.005, 80)
status = np.where((places == 0.6) & (times < 0.1), "broken", "ok")
file = io.StringIO(pandas.DataFrame({"x": places, "t": times, "kelvin": kelvin, "status": status}).to_csv(index=False))

readings = pandas.read_csv(file).query("status == 'ok'")
x, t = Coordinate("x", 0, 1), Coordinate("t", 0, 1)
u = Field("u", [x, t])
loss = Parameter("loss", 0.1, log=True, exact=0.7)
problem = Problem("Loss of heat from a wire", [x, t]).network(u, hidden=[12, 12])
problem.objective("readings", u == data("kelvin"), points=points_table(**readings[["x", "t", "kelvin"]]))
problem.constraint("heat", d(u, t) == 0.1 * d(u, x, x) - loss * u, interior(), sobol(200))
problem.constraint("ends", u == 0, boundary(), sobol(30))
problem.constraint("start", u == sin(pi * x), initial_time(), sobol(50))
run = problem.phase("lm", epochs=60).train()
print(pandas.DataFrame(run.history)[["epoch", "loss", "scalar.loss"]].tail())
print(run.verdict)
assert abs(run.summary.parameters["loss"].value - 0.7) < 0.05
