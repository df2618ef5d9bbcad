#!/usr/bin/env python3
"""What Python adds to training and to evaluating a million points, in processor seconds on one thread beside C++:

    export PYTHONPATH=$(./pecann python --path) PECANN_TRAIN_IN_CPP=build/python/tests/pecann_train_in_cpp
    ninja -C build pecann_train_in_cpp && python/tests/speed_check.py

Both sides alternate; the smallest of `--rounds` counts. Training is measured without a callback, and with one.
"""
import argparse
import os
import subprocess
import tempfile
import time

import numpy as np

import pecann

POINTS = 1_000_000


def seconds_of(action):
    begin = time.process_time()
    result = action()
    return time.process_time() - begin, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--problem", default="burgers-rarefaction-coarse")
    parser.add_argument("--epochs", type=int, default=1000)
    options = parser.parse_args()
    problem = pecann.Problem.load(options.problem, recipe="paper", set={"phase.1.epochs": options.epochs})
    rows = {name: [] for name in ("training in C++", "training in Python", "training in Python, with a callback",
                                  "evaluating in C++", "evaluating in Python")}
    with tempfile.TemporaryDirectory() as place:
        file = place + "/problem.toml"
        with open(file, "w") as out:
            out.write(problem.text)
        for _ in range(options.rounds):
            command = [os.environ["PECANN_TRAIN_IN_CPP"], file, place + "/parameters", str(POINTS)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            trained, evaluated = map(float, output.split())
            plain, run = seconds_of(lambda: problem.train(threads=1))
            watched, _ = seconds_of(lambda: problem.train(threads=1, on_epoch=lambda epoch: None))
            points = np.random.default_rng(1).uniform(0, 1, (POINTS, len(run.solution.coordinates)))
            values, _ = seconds_of(lambda: run.solution.evaluate(run.solution.fields[0], points, threads=1))
            for row, number in zip(rows.values(), (trained, plain, watched, evaluated, values)):
                row.append(number)
    best = [min(row) for row in rows.values()]
    for name, number, base in zip(rows, best, (best[0], best[0], best[0], best[3], best[3])):
        print(f"{name:36s} {number:8.3f} s   {number / base:6.3f} x")


if __name__ == "__main__":
    main()
