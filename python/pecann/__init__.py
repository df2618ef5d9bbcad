"""PDEs solved by neural networks as equality-constrained optimisation.

    >>> import pecann as pn
    >>> x = pn.Coordinate("x", 0, 1)
    >>> u = pn.Field("u", [x])
    >>> problem = pn.Problem("Poisson equation on a line", [x])
    >>> problem.network(u, hidden=[10, 10])
    <pecann.Problem "Poisson equation on a line">
    >>> problem.objective("pde", pn.d(u, x, x) == -pn.sin(pn.pi * x), pn.interior(), pn.grid([34]))
    <pecann.Problem "Poisson equation on a line">
    >>> problem.constraint("ends", u == 0, pn.boundary(), pn.grid([34])).phase("lm", epochs=30)
    <pecann.Problem "Poisson equation on a line">
    >>> run = problem.train(seed=1)
    >>> round(run.solution(0.5) * pn.pi**2, 3)
    1.0

A problem file or a name of the catalogue is `Problem.load("plate.toml")`, a run on the disk
`pecann.open("runs/plate")`. The words are those of problem files and of the C++ library; docs/python.md is the guide.
"""
import warnings as _warnings
from math import pi

from ._core import (
    Constant, Coordinate, Data, Equation, Expression, Field, Mesh, Parameter, Points, Region, Schedule, Shape,
    TrainingPoints, Vector, WindowTry, abs, acos, asin, at, atan, ball, boundary, box, chosen_points, cos, cosh, curl,
    cylinder, d, data, disc,
    div, dn, dot, ellipse, ellipsoid, erf, exp, face, final_time, from_file, gauss, grad, grid, half_space, if_else,
    initial_time, inside, integral, interior, laplacian, latin_hypercube, log, maximum, mean, minimum, normal,
    of_points, on, polygon, points_file, points_of, points_table, residual, sign,
    sin, sinh, sobol, sqrt, table, tan, tanh, turned, uniform, version, where)
from ._core import better_blas_kernel as _better_blas_kernel
from ._errors import InputError
from ._problem import PenaltyStrategy, Problem
from ._results import (
    Constraint, Epoch, Estimate, FieldError, FieldEstimate, History, ParameterValue, ScalarEstimate, Summary, Verdict)
from ._run import Run, open
from ._solution import Solution

if _better_blas_kernel():
    _warnings.warn("OpenBLAS runs kernels for older processors than this one; start Python with OPENBLAS_CORETYPE="
                   f"{_better_blas_kernel()} to make Levenberg-Marquardt several times faster", RuntimeWarning,
                   stacklevel=2)

# `from pecann import *` leaves Python's own abs (which takes expressions) and open alone.
__all__ = [name for name in dir() if not name.startswith("_") and name not in ("abs", "open")]
for _name in __all__:  # people see the package, not the files that it is made of
    if getattr(globals()[_name], "__module__", "").startswith("pecann."):
        try:
            globals()[_name].__module__ = "pecann"
        except AttributeError:  # functions of the C++ module
            pass
