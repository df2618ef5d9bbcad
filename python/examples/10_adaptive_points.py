"""Points that follow the residual: a layer at x = 1, where most of a uniform set sees nothing.

    0.02 u'' - u' + 1 = 0,  u(0) = u(1) = 0

Every 20 epochs half of the points go to the largest of a thousand residuals (RAR-D of Wu et al. 2023). The function
depends on nothing but what it is given, and so the training resumes bit for bit: the points are part of its state.
"""
import numpy as np

import pecann as pn

x = pn.Coordinate("x", 0, 1)
u = pn.Field("u", [x])
problem = pn.Problem("A layer", [x]).network(u, hidden=[12, 12])
problem.objective("pde", 0.02 * pn.d(u, x, x) - pn.d(u, x) + 1 == 0, pn.interior(), pn.sobol(60))
problem.constraint("ends", u == 0, pn.boundary(), pn.grid([9]))
problem.exact(u, x - (pn.exp(50 * (x - 1)) - pn.exp(-50)) / (1 - pn.exp(-50)))
problem.phase("ssbroyden", epochs=120)


def follow(points):
    if points.epoch % 20:
        return
    candidates = np.linspace(0, 1, 1002)[1:-1, None]
    size = points.residual("pde", candidates)
    draw = np.random.default_rng(points.epoch)
    chance = size / size.sum()
    near = draw.choice(len(candidates), 30, replace=False, p=0.5 * chance + 0.5 / len(candidates))
    points.set("pde", np.concatenate([candidates[near], draw.uniform(0, 1, (30, 1))]))


plain = problem.train(seed=1, threads=1)
adapted = problem.train(seed=1, threads=1, change_points=follow)
for name, run in (("the same points", plain), ("points that follow", adapted)):
    print(f"{name:20} relative l2 error {run.summary.errors['u'].relative_l2:.1e}")
assert adapted.summary.errors["u"].relative_l2 < 1e-3
