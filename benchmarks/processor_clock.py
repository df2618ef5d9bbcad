"""Commands with limits in seconds of the processor, on a machine that others use too."""
import os
import resource
import subprocess
import time


class Clock:
    """Runs commands and measures their processor seconds; `load` is what a second of them takes on the wall's clock."""

    def __init__(self):
        self.load = max(1.0, os.getloadavg()[0] / os.cpu_count())

    def run(self, arguments, most):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        try:
            done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=most * max(self.load, 1) * 2)
        except subprocess.TimeoutExpired:
            done = None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if used > 0.1:
            self.load = (self.load + min(max((time.time() - begin) / used, 1.0), 20.0)) / 2
        return done, round(used, 2)
