"""What comes out of a training, as plain objects."""
from __future__ import annotations

import collections.abc
import dataclasses
import difflib
import functools
import json as _json
from typing import Any, Iterator, Optional

import numpy as np


@dataclasses.dataclass
class Constraint:
    """A constraint after an epoch; for a point-wise one, the means over its points."""
    value: float
    multiplier: float
    penalty: float


@dataclasses.dataclass
class FieldError:
    """Error of a field against its exact solution on the evaluation grid."""
    relative_l2: float
    linf: float


@dataclasses.dataclass
class ParameterValue:
    """A trainable number, and its true value where it is known."""
    value: float
    exact: Optional[float] = None


def _named(kind, values: dict) -> dict:
    return {name: kind(**parts) for name, parts in values.items()}


@dataclasses.dataclass
class Epoch:
    """What an epoch leaves behind: values after the step, with the multipliers that the step used."""
    window: int
    phase: int
    number: int
    seconds: float
    loss: float
    objective: float
    constraints: dict[str, Constraint]
    learning_rate: float
    damping: Optional[float]
    evaluations: int
    errors: dict[str, FieldError]
    parameters: dict[str, ParameterValue]

    @classmethod
    def _of(cls, parts: dict) -> Epoch:
        parts["constraints"] = _named(Constraint, parts["constraints"])
        parts["errors"] = _named(FieldError, parts["errors"])
        parts["parameters"] = _named(ParameterValue, parts["parameters"])
        return cls(**parts)


@dataclasses.dataclass
class Summary(collections.abc.Mapping):
    """What came out: of the trial as attributes, and all of summary.json by its keys: summary["verdict"].

    `text` is what `pecann run` prints at the end, `json` the text of summary.json (docs/report.md).
    """
    trial: int
    seed: int
    seconds: float
    termination: str
    message: str
    epochs: int
    evaluations: int
    num_parameters: int
    num_points: int
    last: Epoch
    errors: dict[str, FieldError]
    parameters: dict[str, ParameterValue]
    text: str = dataclasses.field(repr=False)
    json: str = dataclasses.field(repr=False, compare=False)

    def __getitem__(self, key: str) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    @functools.cached_property
    def _content(self) -> dict:
        return _json.loads(self.json) if self.json else {}

    @classmethod
    def _of(cls, parts: dict) -> Summary:
        parts["last"] = Epoch._of(parts["last"])
        parts["errors"] = _named(FieldError, parts["errors"])
        parts["parameters"] = _named(ParameterValue, parts["parameters"])
        return cls(**parts)

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass
class Verdict:
    """Can the answer be trusted? `level` is "good", "usable", "doubtful" or "bad" (docs/report.md).

    `findings` are pairs of level and sentence, the worst first; `advice` says what to try.
    """
    level: str
    headline: str
    findings: list[tuple[str, str]]
    advice: list[str]

    def __str__(self) -> str:
        return "\n".join([self.headline] + [f"  {level}: {text}" for level, text in self.findings]
                         + [f"  try: {text}" for text in self.advice])


@dataclasses.dataclass
class FieldEstimate:
    """How large the error of a field is, told without the exact solution; `decided` says by what it is trusted or not.

    A trusted one is right within a factor of two and the error lies between `low` and `high`; a good one within a fourth.
    """
    relative_l2: float
    low: float
    high: float
    trusted: bool
    good: bool
    decided: str


@dataclasses.dataclass
class ScalarEstimate:
    """A trainable number, and what noise in the data does to it; NaN where no data decide."""
    value: float
    standard_error: float


@dataclasses.dataclass
class Estimate:
    """The estimated error of a run (docs/estimate.md): estimate.fields["u"].relative_l2.

    Without fields, `decided` says why none could be made; `seconds` is what it took.
    """
    fields: dict[str, FieldEstimate]
    scalars: dict[str, ScalarEstimate]
    decided: str
    seconds: float

    @classmethod
    def _of(cls, parts: dict) -> Estimate:
        return cls(_named(FieldEstimate, parts["fields"]), _named(ScalarEstimate, parts["scalars"]), parts["decided"],
                   parts["seconds"])

    def __str__(self) -> str:
        lines = [f"{name}: relative l2 {one.relative_l2:.2e}, "
                 + (f"{'good' if one.good else 'trusted'}: {one.low:.1e} .. {one.high:.1e}" if one.trusted
                    else f"not trusted: {one.decided}") for name, one in self.fields.items()]
        lines += [f"{name}: {one.value:.6g} ± {one.standard_error:.1e}" for name, one in self.scalars.items()]
        return "\n".join(lines) or f"no estimate: {self.decided}"


class History(dict[str, np.ndarray]):
    """Columns by name, one number per recorded epoch: history["loss"]. pandas.DataFrame(history) is a table of them."""

    def __missing__(self, name):
        near = difflib.get_close_matches(str(name), self, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "there are: " + ", ".join(self)
        raise KeyError(f"no column {name!r} in the history; {hint}")

    def __repr__(self) -> str:
        rows = len(next(iter(self.values()), ()))
        return f"<pecann.History of {rows} epochs: {', '.join(self)}>"
