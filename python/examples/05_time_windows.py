"""Time in windows: a wave travels around a ring, u_t + u_x = 0, periodic (examples/05_time_windows.cc).

Each window has its own small network and takes its initial condition from the window before; the solution is one
function.
"""
import numpy as np

from pecann import *

x, t = Coordinate("x", 0, 1), Coordinate("t", 0, 1)
u = Field("u", [x, t])
exact = sin(2 * pi * (x - t))

problem = Problem("A wave on a ring", [x, t])
problem.network(u, hidden=[12, 12])
problem.exact(u, exact)
problem.objective("advection", d(u, t) + d(u, x) == 0, interior(), sobol(200))
problem.constraint("ring", [u == at(u, x=1), d(u, x) == at(d(u, x), x=1)], face(x, 0), sobol(30))
problem.constraint("start", u == exact, initial_time(), grid([41, 2]))
problem.windows(4, normalise="window")
problem.phase("lm", epochs=25).evaluation([51, 41])


def tell(epoch):
    if epoch.number == 25:
        print(f"window {epoch.window + 1}: loss {epoch.loss:.2e} after {epoch.seconds:.2f} s")


run = problem.train(on_epoch=tell)
print(run.summary)
wave = run.solution.on_grid([41, 9], ["u", "u_x"])
print("u at t = 1/2:", wave["u"][::8, 4].round(3))
assert np.abs(run.solution(0.25, 0.5) + 1) < 0.05
assert run.summary.errors["u"].relative_l2 < 0.02
