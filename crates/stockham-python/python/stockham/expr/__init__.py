"""Expressions: what is computed of each number as a plan reads it, or before it writes it.

They are made of the number itself, of its index along an axis, of constants and of NumPy's arrays, with operators and the
functions here, and given to `stockham.plan` as `load`, `store` or `filtered`. A GPU computes them within the first or the last
kernel of the transform, so that what they stand for takes no pass through memory of its own. Zeros behind the input, and
numbers of the output that are not wanted, are said by `n` and `keep` of `stockham.plan`: they take no memory.

>>> import numpy as np
>>> import stockham
>>> from stockham import expr
>>> spectrum = stockham.plan(8, np.int16, kind="r2c", load=expr.window(np.hanning(8)), store=expr.db(expr.power(), floor=1e-6))
>>> spectrum(np.full(8, 100, np.int16)).dtype
dtype('float32')
"""

from __future__ import annotations

from ._functions import (
    cospi,
    db,
    exp2,
    floor,
    gate,
    log2,
    maximum,
    minimum,
    multiply,
    phase,
    power,
    rsqrt,
    scale,
    shift,
    sinpi,
    sqrt,
    where,
    window,
)
from ._tree import Condition, Expr, array, from_parts, index, value

__all__ = [
    "Condition",
    "Expr",
    "array",
    "cospi",
    "db",
    "exp2",
    "floor",
    "from_parts",
    "gate",
    "index",
    "log2",
    "maximum",
    "minimum",
    "multiply",
    "phase",
    "power",
    "rsqrt",
    "scale",
    "shift",
    "sinpi",
    "sqrt",
    "value",
    "where",
    "window",
]
