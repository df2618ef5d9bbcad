"""The same bits from Python, from C++ and from the command line."""
import os
import subprocess
import tempfile
import unittest

import numpy as np

import pecann as pn
from problems import poisson


class SameBits(unittest.TestCase):
    def check(self, problem):
        run = problem.train(threads=2)
        with tempfile.TemporaryDirectory() as place:
            file, parameters = place + "/problem.toml", place + "/parameters"
            with open(file, "w") as out:
                out.write(problem.text)
            subprocess.run([os.environ["PECANN_TRAIN_IN_CPP"], file, parameters], check=True, capture_output=True)
            subprocess.run([os.environ["PECANN_PROGRAM"], "run", file, "--out", place + "/run", "--quiet",
                            "--threads", "1"], check=True)
            commanded = pn.open(place + "/run")
            self.assertEqual(np.fromfile(parameters).tobytes(), run.solution.parameters().tobytes())
        self.assertEqual(commanded.solution.parameters().tobytes(), run.solution.parameters().tobytes())
        for name in set(run.history) - {"seconds"}:
            self.assertEqual(commanded.history[name].tobytes(), run.history[name].tobytes(), name)

    def test_built_with_operators(self):
        self.check(poisson("lm", 30))

    def test_of_the_catalogue(self):
        self.check(pn.Problem.load("burgers-rarefaction-coarse", recipe="paper", set={"phase.1.epochs": 60}))

    def test_inverse_with_random_points(self):
        self.check(pn.Problem.load("heat-source-inverse", recipe="best", set={
            "term.pde.points.sobol": 200, "phase.1.epochs": 5, "phase.2.epochs": 5, "evaluate.grid": [11, 11]}))


if __name__ == "__main__":
    unittest.main()
