#!/usr/bin/env python3
"""Trains many times and looks at the memory of the process: memory_check.py --trainings 1000

Every training has a callback, a strategy in Python, points that change and an evaluation; every tenth one ends with an
exception. What is compared is the memory in use after a training, as the allocator counts it (glibc's mallinfo2) and as
Python counts its blocks: the least over the trainings between the first fifth and the middle, and over the second half.
The pages of the process are no measure: the allocator gives them back when it likes, and they go up and down by some
megabytes.
"""
import argparse
import ctypes
import gc
import sys

import numpy as np

import pecann as pn
from problems import poisson


class Mine(pn.PenaltyStrategy):
    def update(self, input, duals):
        duals.multiplier += duals.penalty * input.constraints
        return True


class MallocInfo(ctypes.Structure):
    """struct mallinfo2 of malloc.h: sums over all arenas, in bytes."""
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


malloc_info = ctypes.CDLL(None).mallinfo2
malloc_info.restype = MallocInfo
bytes_of_a_block = 64  # Python counts its small objects by number; this is about their mean size.


def kilobytes_in_use() -> int:
    info = malloc_info()
    return (info.uordblks + info.hblkhd + bytes_of_a_block * sys.getallocatedblocks()) // 1024


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
    parser.add_argument("--limit", type=int, default=150, help="kilobytes that may be gained")
    options = parser.parse_args()
    used = []
    for number in range(options.trainings):
        train_once(number)
        gc.collect()
        used.append(kilobytes_in_use())
    middle = options.trainings // 2
    early = min(used[options.trainings // 5:middle])
    gained = min(used[middle:]) - early
    print(f"{options.trainings} trainings: {early} kB early, {gained:+d} kB later")
    return int(gained > options.limit)


if __name__ == "__main__":
    sys.exit(main())
