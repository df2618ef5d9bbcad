"""Problems: loaded, parsed, or built with operators; and their training."""
from __future__ import annotations

import html
import json
import os
import sys
import time
import tomllib
from collections.abc import Mapping
from typing import Callable, Optional, Sequence, Union

import numpy as np

from . import _core
from ._errors import InputError
from ._mathematics import problem_html
from ._results import Epoch
from ._run import Run


def _quoted(text: str) -> str:
    """A text of TOML; JSON writes them alike, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml(key: str, value) -> str:
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return _quoted(os.fspath(value))
    if isinstance(value, _core.Expression):
        return _quoted(value.text)
    if isinstance(value, _core.Equation):
        return _quoted(f"{value.left.text} = {value.right.text}")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(name)} = {_toml(key, part)}" for name, part in value.items()) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_toml(key, part) for part in value) + "]"
    raise TypeError(f"{key}: a change is a number, a text, an expression, a list or a dictionary of these, "
                    f"not {type(value).__name__}")


def _overrides(changes: Mapping[str, object]) -> list[str]:
    """As `--set key=value` writes them."""
    return [f"{key}={_toml(key, value)}" for key, value in changes.items()]


class PenaltyStrategy:
    """A rule of one's own for multipliers and penalties: derive from it, and give the class to Problem.train.

    One object serves one time window. A training in a folder resumes bit for bit when state() tells all that later
    updates depend on beyond multipliers and penalties.

    >>> class Monotonic(PenaltyStrategy):
    ...     def update(self, input, duals):
    ...         duals.multiplier += duals.penalty * input.constraints
    ...         duals.penalty = np.minimum(2 * duals.penalty, 1e4)
    ...         return True
    """

    def start(self, duals) -> None:
        """Called before the first epoch; duals.multiplier and duals.penalty are arrays of ones that may be changed."""

    def update(self, input, duals) -> bool:
        """Called after every epoch with input.constraints, input.loss and input.eta. Changes duals.multiplier and
        duals.penalty, and returns whether it did."""
        raise NotImplementedError("a penalty strategy has an update(input, duals)")

    def state(self) -> Sequence[float]:
        """All that later updates depend on, as numbers."""
        return ()

    def restore(self, state: np.ndarray) -> None:
        """The inverse of state()."""


class _Progress:
    """One line that tells of the training, twice a second."""

    def __init__(self):
        self._last = 0.0

    def __call__(self, epoch: Epoch) -> None:
        if time.monotonic() - self._last < 0.5:
            return
        self._last = time.monotonic()
        violations = "  ".join(f"{name} {one.value:.2e}" for name, one in epoch.constraints.items())
        print(f"\repoch {epoch.number}  loss {epoch.loss:.3e}  {violations}  {epoch.seconds:.1f} s ", end="",
              file=sys.stderr, flush=True)


class Problem(_core.Problem):
    """What is to be solved and how: the same thing as a problem file, whose text `problem.text` is.

    Built with operators, every call returns the problem, so that calls may be chained:

    >>> import pecann as pn
    >>> x, t = pn.Coordinate("x", 0, 1), pn.Coordinate("t", 0, 1)
    >>> u = pn.Field("u", [x, t])
    >>> problem = pn.Problem("Heat", [x, t]).network(u, hidden=[8])
    >>> problem = problem.objective("pde", pn.d(u, t) == 0.1 * pn.d(u, x, x), pn.interior(), pn.sobol(50))
    >>> problem = problem.constraint("ends", u == 0, pn.boundary(), pn.sobol(10))
    >>> problem = problem.constraint("start", u == pn.sin(pn.pi * x), pn.initial_time(), pn.sobol(20))
    >>> print(problem.text.splitlines()[0])
    title = "Heat"
    """

    @classmethod
    def load(cls, name_or_file: Union[str, os.PathLike], *, set: Mapping[str, object] = {},
             recipe: str = "") -> Problem:
        """A problem of the catalogue or a file, with changes as `--set` makes them: set={"phase.1.epochs": 50}."""
        return cls(_core.Problem.load(os.fsencode(name_or_file), _overrides(set), recipe))

    @classmethod
    def parse(cls, text: str, *, set: Mapping[str, object] = {}) -> Problem:
        """A problem from the content of a problem file. Files that it names are relative to the working directory."""
        return cls(_core.Problem.from_text(text, _overrides(set)))

    def changed(self, changes: Mapping[str, object]) -> Problem:
        """A copy with any key of problem files changed: problem.changed({"report.snapshots": [0.5, 1]})."""
        return type(self)(super().changed(_overrides(changes)))

    def train(self, *, seed: Optional[int] = None, threads: int = 0,
              on_epoch: Optional[Callable[[Epoch], Optional[bool]]] = None,
              folder: Union[str, os.PathLike] = "", resume: bool = False, checkpoint_seconds: float = 30,
              start: Sequence[float] = (), penalty_strategy: Optional[Callable[[], PenaltyStrategy]] = None,
              change_points: Optional[Callable[[_core.TrainingPoints], object]] = None,
              accuracy: Optional[float] = None, estimate: bool = False, progress: bool = False) -> Run:
        """Trains, and returns when it is done. Other threads of Python run meanwhile.

        seed       of all random numbers; without it, the problem's own
        threads    0: all cores; results do not depend on it
        on_epoch   called after every epoch with an Epoch; returns True to stop
        folder     a new folder for history, checkpoints and summary, as `pecann run --out` makes it
        resume     goes on from the folder's checkpoint, bit for bit
        start      parameters to begin with: run.solution.parameters()
        penalty_strategy   makes the dual update: a class derived from PenaltyStrategy
        change_points      called after every epoch, before on_epoch, with the points of the terms: it may give a term
                   other points of its region (points.set("pde", X)) or have them drawn anew (points.redraw("pde"));
                   points.points("pde") are those of now, points.residual("pde", X) is how large the equations' residual
                   is at X, points.epoch how many epochs are done; the points are part of what is resumed
        accuracy   the largest relative l2 error of every field: tries means until the estimate is below, for at most
                   ten minutes or stop(seconds=…); run.summary["accuracy"] says how that went
        estimate   also estimates the error; the verdict then judges by it
        progress   tells of the training in one line

        What on_epoch and change_points raise, and Ctrl-C, end the training after an epoch and are raised again; the
        folder can be resumed.
        """
        tell = _Progress() if progress else None

        def observe(parts: dict) -> Optional[bool]:
            epoch = Epoch._of(parts)
            if tell:
                tell(epoch)
            return on_epoch(epoch) if on_epoch else None

        if resume and not folder:
            raise ValueError("resume goes on in a folder: name it")
        parts = _core.train(self, seed, threads, os.fsencode(folder), resume, checkpoint_seconds,
                            np.asarray(start, dtype=float), observe if on_epoch or tell else None, penalty_strategy,
                            accuracy, estimate, change_points, len(tomllib.loads(self.text)["coordinates"])
                            if change_points else 0)
        if tell:
            print(file=sys.stderr)
        return Run(*parts)

    def __repr__(self) -> str:
        return f'<pecann.Problem "{self.title}">'

    def _repr_html_(self) -> str:
        try:
            return problem_html(tomllib.loads(self.text))
        except InputError as error:  # it is not complete yet
            return f"<b>{html.escape(self.title)}</b><br><small>{html.escape(str(error))}</small>"
