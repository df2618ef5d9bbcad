"""A penalty strategy of one's own, on a rarefaction wave: u_t + u u_x = 0 with a jump (examples/04_own_strategy.cc).

It implements the built-in rule "capu" [Hu, Basir, Senocak 2026, algorithm 3], and the two histories agree to the last
bit; change a line and the table shows what your idea does.
"""
import numpy as np

import pecann


class OwnCapu(pecann.PenaltyStrategy):
    def __init__(self):
        self.average, self.previous = 0.0, np.inf

    def update(self, input, duals):
        self.average = 0.99 * self.average + (1 - 0.99) * input.constraints * input.constraints
        due = bool(input.loss >= 0.999 * self.previous)
        self.previous = input.loss
        if due:
            duals.multiplier += duals.penalty * input.constraints
            duals.penalty = np.maximum(duals.penalty, input.eta / np.sqrt(self.average + 1e-16))
        return due

    def state(self):  # so that a training in a folder can be resumed
        return np.append(self.average, self.previous)

    def restore(self, state):
        self.average, self.previous = state[:-1], state[-1]


problem = pecann.Problem.load("burgers-rarefaction-coarse", recipe="paper", set={"phase.1.epochs": 60})
builtin = problem.train()
own = problem.train(penalty_strategy=OwnCapu)
for epoch in range(9, 60, 10):
    print(f"{epoch + 1:5d}   {builtin.history['loss'][epoch]:.17e}   {own.history['loss'][epoch]:.17e}")
assert np.array_equal(builtin.history["loss"], own.history["loss"])
assert np.array_equal(builtin.solution.parameters(), own.solution.parameters())
