"""A run: what a training has left, in memory or in a folder."""
from __future__ import annotations

import html
import os
from typing import Optional, Union

import numpy as np

from . import _core
from ._results import Estimate, History, Summary, Verdict
from ._solution import Solution

_COLOURS = {"good": "#2e7d32", "note": "#1565c0", "usable": "#1565c0", "warning": "#ef6c00", "doubtful": "#ef6c00",
            "bad": "#c62828"}
_LINES = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]


def _shown_columns(history: History) -> list[str]:
    wanted = ("loss", "objective", "constraint.")
    return [name for name in history if name.startswith(wanted) or name.endswith(".relative_l2")]


def _sketch(history: History, width: int = 460, height: int = 150) -> str:
    """Losses, constraints and errors over the epochs on a logarithmic axis, as SVG."""
    lines = {name: np.log10(np.where(history[name] > 0, history[name], np.nan)) for name in _shown_columns(history)}
    lines = {name: values for name, values in lines.items() if np.isfinite(values).any()}
    if not lines:
        return ""
    low = min(np.nanmin(values) for values in lines.values())
    high = max(np.nanmax(values) for values in lines.values())
    drawn = ""
    for number, (name, values) in enumerate(lines.items()):
        known = np.flatnonzero(np.isfinite(values))
        known = known[np.unique(np.linspace(0, len(known) - 1, min(len(known), 200)).astype(int))]
        x = known / max(1, len(values) - 1) * width
        y = (high - values[known]) / max(high - low, 1e-12) * height
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
        colour = _LINES[number % len(_LINES)]
        drawn += (f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
                  f'<text x="{width + 8}" y="{14 * (number + 1)}" fill="{colour}" font-size="11">{html.escape(name)}'
                  "</text>")
    return (f'<svg width="{width + 190}" height="{max(height, 14 * len(lines)) + 8}" style="overflow:visible">'
            f'<text x="{width}" y="{height + 8}" text-anchor="end" font-size="10" fill="#777">'
            f"1e{low:.1f} … 1e{high:.1f}</text>{drawn}</svg>")


class Run:
    """What a training has left. Problem.train and pecann.open make it.

    summary    numbers and why it ended (Summary); run.summary["verdict"] as in summary.json
    history    columns of numbers by epoch (History): run.history["loss"]
    verdict    whether the answer can be trusted, and why (Verdict)
    estimate   how large the error is, without an exact solution (Estimate); made when it is first asked for
    solution   the trained fields (Solution): run.solution(x, y)
    """

    def __init__(self, summary: dict, history: dict, verdict: dict, result: _core.Result):
        self.summary = Summary._of(summary)
        self.history = History(history)
        self.verdict = Verdict(**verdict)
        self.solution = Solution(result.solution)
        self._result = result
        self._estimate: Optional[Estimate] = None

    @property
    def estimate(self) -> Estimate:
        """How large the error is, told without the exact solution. It takes some seconds when it is first asked for,
        unless it was made with the training (`train(estimate=True)`, `pecann run`).

        >>> import pecann
        >>> run = pecann.Problem.load("gallery/beam").train()
        >>> run.estimate.fields["w"].relative_l2 < 1e-6
        True
        """
        if self._estimate is None:
            self._estimate = Estimate._of(self._result.estimate(float("inf")))
        return self._estimate

    def _estimate_html(self) -> str:
        """Where it is known, or can be made in about three seconds."""
        if self._estimate is None and not self._result.has_estimate:
            try:
                estimate = Estimate._of(self._result.estimate(3.0))
            except (ValueError, RuntimeError) as error:  # a notebook shows the rest
                return f"<small>no estimate of the error: {html.escape(str(error))}</small><br>"
        else:
            estimate = self.estimate
        return "Estimated error:<br>" + "".join(html.escape(line) + "<br>" for line in str(estimate).splitlines())

    def __repr__(self) -> str:
        return (f"<pecann.Run of {self.summary.epochs} epochs, loss {self.summary.last.loss:.3g}: "
                f"{self.verdict.headline}>")

    def _repr_html_(self) -> str:
        findings = "".join(f'<li style="color:{_COLOURS[level]}">{html.escape(text)}</li>'
                           for level, text in self.verdict.findings)
        advice = "".join(f"<li>{html.escape(text)}</li>" for text in self.verdict.advice)
        return (f'<b style="color:{_COLOURS[self.verdict.level]}">{html.escape(self.verdict.headline)}</b>'
                f"<ul>{findings}</ul>" + self._estimate_html() + (f"What to try:<ul>{advice}</ul>" if advice else "")
                + f"<small>{self.summary.epochs} epochs, {self.summary.seconds:.1f} s, "
                f"seed {self.summary.seed}</small><br>"
                + _sketch(self.history))

    def plot(self, nodes=()):
        """Draws the history and, of one or two coordinates, the fields; returns the figure. Needs matplotlib."""
        import matplotlib.pyplot as plt
        solution = self.solution
        fields = solution.fields if len(solution.coordinates) <= 2 else []
        figure, axes = plt.subplots(1, 1 + len(fields), figsize=(5 * (1 + len(fields)), 4), constrained_layout=True)
        axes = np.atleast_1d(axes)
        for name in _shown_columns(self.history):
            known = np.isfinite(self.history[name])
            axes[0].semilogy(np.flatnonzero(known) + 1, self.history[name][known], label=name)
        axes[0].set_xlabel("recorded epoch")
        axes[0].legend(fontsize="small")
        values = solution.on_grid(nodes) if fields else {}
        for axis, field in zip(axes[1:], fields):
            axis.set_title(field)
            axis.set_xlabel(solution.coordinates[0])
            if len(solution.coordinates) == 1:
                axis.plot(values[solution.coordinates[0]], values[field])
                continue
            first, second = (values[name] for name in solution.coordinates)
            figure.colorbar(axis.pcolormesh(first, second, values[field].T, shading="auto"), ax=axis)
            axis.set_ylabel(solution.coordinates[1])
        return figure


def open(folder: Union[str, os.PathLike], trial: int = 0) -> Run:
    """The run in a folder that `pecann run` or Problem.train(folder=…) has written; trial 0 is the best one."""
    return Run(*_core.open(os.fsencode(folder), trial))
