#!/usr/bin/env python3
"""Trains many times and looks at the memory of the process: memory_check.py --trainings 1000

Every training has a callback, a strategy in Python, points that change and an evaluation; every tenth one ends with an
exception. What is compared is the least memory after a training, over those between the first fifth and the middle and
over the second half: memory goes up and down by some megabytes, since the allocator gives pages back when it likes, and
its least does not.
"""
import argparse
import gc
import sys

import numpy as np

import pecann as pn
from problems import poisson


class Mine(pn.PenaltyStrategy):
    def update(self, input, duals):
        duals.multiplier += duals.penalty * input.constraints
        return True


def resident_kilobytes() -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def train_once(number: int) -> None:
    def watch(epoch):
        if number % 10 == 9:
            raise LookupError("enough")

    def move(points):
        candidates = np.linspace(0.01, 0.99, 200)[:, None]
        points.set("pde", candidates[np.argsort(points.residual("pde", candidates))[-30 - points.epoch:]])

    try:
        run = poisson("lbfgs", 3).train(on_epoch=watch, penalty_strategy=Mine, change_points=move, threads=1)
        run.solution.evaluate(["u", "u_xx"], np.zeros((1000, 1)))
        run._repr_html_()
    except LookupError:
        pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trainings", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=1500, help="kilobytes that may be gained")
    options = parser.parse_args()
    used = []
    for number in range(options.trainings):
        train_once(number)
        gc.collect()
        used.append(resident_kilobytes())
    middle = options.trainings // 2
    early = min(used[options.trainings // 5:middle])
    gained = min(used[middle:]) - early
    print(f"{options.trainings} trainings: {early} kB early, {gained:+d} kB later")
    return int(gained > options.limit)


if __name__ == "__main__":
    sys.exit(main())
