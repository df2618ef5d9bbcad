"""The trained fields as functions of the coordinates."""
from __future__ import annotations

import os
import tomllib
from typing import Sequence, Union

import numpy as np

from . import _core

Formula = Union[str, _core.Expression]


def _text(formula: Formula) -> str:
    return formula.text if isinstance(formula, _core.Expression) else formula


class Solution:
    """A trained solution. It is made by Problem.train and pecann.open.

    >>> import numpy as np, pecann
    >>> run = pecann.Problem.load("poisson", recipe="paper", set={"phase.1.epochs": 1}).train()
    >>> run.solution.coordinates, run.solution.fields
    (['x'], ['u'])
    >>> run.solution(np.linspace(0, 1, 5)).shape
    (5,)
    >>> run.solution.evaluate(["u", "u_xx"], np.zeros((3, 4, 1)))["u_xx"].shape
    (3, 4)
    """

    def __init__(self, core: _core.Solution):
        self._core = core

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates in the problem's order."""
        return self._core.coordinates

    @property
    def fields(self) -> list[str]:
        """Names of the fields, network by network."""
        return self._core.fields

    def __call__(self, *coordinates, threads: int = 0, **named):
        """The fields at coordinates, in the problem's order or by name: solution(x, t), solution(x, t=0.5).

        Arrays are broadcast. The answer has their shape; of several fields it is a dictionary of arrays.
        """
        names = self.coordinates
        given = dict(zip(names, coordinates))
        unknown = [name for name in named if name not in names or name in given]
        if len(coordinates) > len(names) or unknown or len(given) + len(named) != len(names):
            raise TypeError(f"the solution is a function of {', '.join(names)}")
        given |= named
        arrays = np.broadcast_arrays(*(np.asarray(given[name], dtype=float) for name in names))
        values = self._on(self.fields, [array.reshape(-1) for array in arrays], arrays[0].shape, threads)
        return values[self.fields[0]] if len(values) == 1 else values

    def evaluate(self, expression: Union[Formula, Sequence[Formula]], points, *, threads: int = 0):
        """A field, a derivative or any expression of them at points[..., coordinate]: evaluate("u_x", points).

        The array is read where it lies, and the answer has its shape without the last dimension. A list of expressions
        goes through the networks once and gives a dictionary of arrays by their texts.
        """
        columns, shape = self._columns(points)
        one = isinstance(expression, (str, _core.Expression))
        texts = [_text(formula) for formula in ([expression] if one else expression)]
        values = self._on(texts, columns, shape, threads)
        return values[texts[0]] if one else values

    def inside(self, points) -> np.ndarray:
        """Which of points[..., coordinate] belong to the domain, as an array of bools: outside of it, in a hole for
        one, fields have values that mean nothing."""
        columns, shape = self._columns(points)
        return self._core.inside(columns).reshape(shape)

    def _columns(self, points):
        points = np.asarray(points, dtype=float)
        dimension = len(self.coordinates)
        if points.ndim == 0 or points.shape[-1] != dimension:
            raise ValueError(f"points have {dimension} numbers in their last dimension, for "
                             f"{', '.join(self.coordinates)}; this array has the shape {points.shape}")
        rows = points.reshape(-1, dimension)
        return [rows[:, c] for c in range(dimension)], points.shape[:-1]

    def _on(self, texts, columns, shape, threads):
        values = self._core.evaluate(texts, columns, threads)
        return {text: value.reshape(shape) if shape else float(value[0]) for text, value in zip(texts, values)}

    def on_grid(self, nodes: Sequence[int] = (), expressions: Sequence[Formula] = ()) -> dict[str, np.ndarray]:
        """Coordinates (one-dimensional) and values (one dimension per coordinate) on a grid over the domain's box.

        Without nodes it is the evaluation grid, without expressions all fields. Values outside of a domain with shapes
        are NaN.
        """
        problem = tomllib.loads(self._core.problem_text)
        nodes = list(nodes) or problem["evaluate"]["grid"]
        if len(nodes) != len(self.coordinates):
            raise ValueError(f"a grid has a number of nodes for each of {', '.join(self.coordinates)}")
        ranges = [problem["coordinates"][name] for name in self.coordinates]
        axes = {name: np.linspace(*(of["range"] if isinstance(of, dict) else of), count)
                for name, of, count in zip(self.coordinates, ranges, nodes)}
        texts = [_text(formula) for formula in expressions] or self.fields
        points = np.meshgrid(*axes.values(), indexing="ij")
        columns = [axis.reshape(-1) for axis in points]
        values = self._on(texts, columns, points[0].shape, 0)
        outside = ~self._core.inside(columns).reshape(points[0].shape)
        if outside.any():
            for value in values.values():
                value[outside] = np.nan
        return axes | values

    def dataset(self, nodes: Sequence[int] = (), expressions: Sequence[Formula] = ()):
        """on_grid as an xarray.Dataset; needs xarray."""
        import xarray
        values = self.on_grid(nodes, expressions)
        axes = {name: values.pop(name) for name in self.coordinates}
        return xarray.Dataset({name: (list(axes), array) for name, array in values.items()}, coords=axes)

    def parameters(self, window: int = 0) -> np.ndarray:
        """All trainable numbers of a time window, as Problem.train(start=…) takes them."""
        return self._core.parameters(window)

    def write(self, path: Union[str, os.PathLike], expressions: Sequence[Formula] = (),
              nodes: Sequence[int] = ()) -> None:
        """Writes the solution on a grid as .csv, .npy, .vti or .vtu (ParaView, PyVista); without expressions, all
        fields."""
        self._core.write(os.fsencode(path), [_text(formula) for formula in expressions], list(nodes))

    def write_header(self, path: Union[str, os.PathLike], name_space: str) -> None:
        """Writes the fields and their derivatives as one C++17 header without dependencies."""
        self._core.write_header(os.fsencode(path), name_space)

    def __repr__(self) -> str:
        return f"<pecann.Solution {', '.join(self.fields)} of ({', '.join(self.coordinates)})>"
