"""NumPy's functions on expressions: np.sin(np.pi * x) is pecann.sin(pi * x)."""
import operator

import numpy as np

from . import _core

_FUNCTIONS = {
    np.sin: _core.sin, np.cos: _core.cos, np.tan: _core.tan, np.exp: _core.exp, np.log: _core.log, np.sqrt: _core.sqrt,
    np.tanh: _core.tanh, np.sinh: _core.sinh, np.cosh: _core.cosh, np.arcsin: _core.asin, np.arccos: _core.acos,
    np.arctan: _core.atan, np.absolute: _core.abs, np.sign: _core.sign, np.minimum: _core.minimum,
    np.maximum: _core.maximum, np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul,
    np.true_divide: operator.truediv, np.power: operator.pow, np.negative: operator.neg, np.less: operator.lt,
    np.less_equal: operator.le, np.greater: operator.gt, np.greater_equal: operator.ge, np.equal: operator.eq,
    np.square: lambda a: a**2,
}


def _operand(value):
    if isinstance(value, _core.Expression):
        return value
    if np.ndim(value) > 0:
        raise TypeError("an expression and an array do not mix: numbers that belong to points are data(\"NAME\") with "
                        "points_table")
    return float(value)


def ufunc(self, function, method, *inputs, **options):
    """Expression.__array_ufunc__."""
    if method != "__call__" or options or function not in _FUNCTIONS:
        raise TypeError(f"numpy.{function.__name__} is no function of expressions; there are: "
                        + ", ".join(sorted(known.__name__ for known in _FUNCTIONS)))
    return _FUNCTIONS[function](*map(_operand, inputs))
