"""What comes out of a training, as plain objects."""
from __future__ import annotations

import dataclasses
import difflib
from typing import Optional

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
class Summary:
    """What came out; `text` is what `pecann run` prints at the end."""
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


class History(dict[str, np.ndarray]):
    """Columns by name, one number per recorded epoch: history["loss"]. pandas.DataFrame(history) is a table of them."""

    def __missing__(self, name):
        near = difflib.get_close_matches(str(name), self, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "there are: " + ", ".join(self)
        raise KeyError(f"no column {name!r} in the history; {hint}")

    def __repr__(self) -> str:
        rows = len(next(iter(self.values()), ()))
        return f"<pecann.History of {rows} epochs: {', '.join(self)}>"
