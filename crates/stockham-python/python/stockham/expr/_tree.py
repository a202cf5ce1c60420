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

import typing as _typing
from collections.abc import Sequence as _Sequence

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

Operand: _typing.TypeAlias = _typing.Any
"""An expression, a number, or an array."""


class Condition:
    """Whether one number is less than another, to choose by with `where`.

    Examples
    --------
    >>> from stockham import expr
    >>> first_half = expr.index() < 512
    """

    __slots__ = ("_data", "_op", "_parts")

    def __init__(self, op: str, parts: tuple[Expr | Condition, ...], data: _typing.Any = None) -> None:
        self._op, self._parts, self._data = op, parts, data

    def __bool__(self) -> bool:
        """Refused: numbers are not there yet.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError("whether this holds is not known before a plan runs: choose with stockham.expr.where")

    def __repr__(self) -> str:
        return _written(self)


class Expr:
    """A number that is computed of each one that is read or written.

    Operators take other expressions, numbers, and arrays as `array` takes them: ``+ - * /``, ``-x``, ``abs(x)``, ``<``, ``>``.

    Examples
    --------
    >>> from stockham import expr
    >>> (expr.value() * 0.5 + 1).real
    real((value() * 0.5) + 1.0)
    """

    __slots__ = ("_data", "_op", "_parts")

    # NumPy's arrays leave operators to this class.
    __array_ufunc__ = None

    def __init__(self, op: str, parts: tuple[Expr | Condition, ...], data: _typing.Any = None) -> None:
        self._op, self._parts, self._data = op, parts, data

    def __add__(self, other: Operand) -> Expr:
        return Expr("add", (self, _of(other)))

    def __radd__(self, other: Operand) -> Expr:
        return Expr("add", (_of(other), self))

    def __sub__(self, other: Operand) -> Expr:
        return Expr("sub", (self, _of(other)))

    def __rsub__(self, other: Operand) -> Expr:
        return Expr("sub", (_of(other), self))

    def __mul__(self, other: Operand) -> Expr:
        return Expr("mul", (self, _of(other)))

    def __rmul__(self, other: Operand) -> Expr:
        return Expr("mul", (_of(other), self))

    def __truediv__(self, other: Operand) -> Expr:
        return Expr("div", (self, _of(other)))

    def __rtruediv__(self, other: Operand) -> Expr:
        return Expr("div", (_of(other), self))

    def __neg__(self) -> Expr:
        return Expr("neg", (self,))

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return sqrt(power(self))

    def __lt__(self, other: Operand) -> Condition:
        return Condition("less", (self, _of(other)))

    def __gt__(self, other: Operand) -> Condition:
        return Condition("less", (_of(other), self))

    def __bool__(self) -> bool:
        """Refused: numbers are not there yet.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError("an expression has no numbers before a plan runs: choose with stockham.expr.where")

    @property
    def real(self) -> Expr:
        """The real part."""
        return Expr("re", (self,))

    @property
    def imag(self) -> Expr:
        """The imaginary part."""
        return Expr("im", (self,))

    def conj(self) -> Expr:
        """The conjugate.

        Returns
        -------
        Expr
            The conjugate.
        """
        return Expr("conj", (self,))

    def __repr__(self) -> str:
        return _written(self)


def value() -> Expr:
    """The number that is read, or that would be written.

    Returns
    -------
    Expr
        The number.
    """
    return Expr("value", ())


def index(axis: int = -1) -> Expr:
    """Its index along an axis of the array.

    Parameters
    ----------
    axis : int, optional
        The axis, of those that are transformed or of the others; the last by default.

    Returns
    -------
    Expr
        A real number, from 0 on.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> from stockham import expr
    >>> ramp = stockham.plan(4, load=expr.value() * expr.index())
    >>> ramp(np.ones(4, complex))
    array([ 6.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return Expr("index", (), _axis(axis))


def array(a: _typing.Any, axes: int | _Sequence[int] | None = None) -> Expr:
    """The number that an array has at the same index.

    Parameters
    ----------
    a : array_like
        Real or complex numbers. They are copied when a plan is made.
    axes : int or sequence of ints, optional
        The axes of what is transformed along which the array's own lie, one for each; the last ones by default. An axis of
        length 1 is for all indices. Along an axis that a plan pads, the array may be as long as what is there, or as what is
        transformed.

    Returns
    -------
    Expr
        A real or a complex number.

    Raises
    ------
    TypeError
        If it has no numbers.
    ValueError
        If there are not as many axes as the array has dimensions, or one is named twice.
    """
    import numpy as np

    numbers = np.array(a)
    if numbers.dtype.kind == "V" and "float" in numbers.dtype.name:
        numbers = numbers.astype(np.float32)
    if numbers.dtype.kind not in "buifc":
        raise TypeError(f"an array of real or complex numbers is needed, not of {numbers.dtype}")
    numbers = numbers.astype(np.complex128 if numbers.dtype.kind == "c" else np.float64)
    if axes is None:
        listed = list(range(-numbers.ndim, 0))
    else:
        listed = [_axis(axis) for axis in ([axes] if isinstance(axes, int) else axes)]
    if len(listed) != numbers.ndim or len(set(listed)) != len(listed):
        raise ValueError(f"an array of {numbers.ndim} dimensions lies along as many axes, each once, not along {listed}")
    return Expr("array", (), (numbers, tuple(listed)))


def from_parts(real: Operand, imag: Operand) -> Expr:
    """The complex number of two real ones.

    Parameters
    ----------
    real, imag : Expr, number or array
        The parts.

    Returns
    -------
    Expr
        A complex number.
    """
    return Expr("complex", (_of(real), _of(imag)))


def power(x: Operand = None) -> Expr:
    """The square of the absolute value.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("norm_sqr", (_of(x),))


def phase(x: Operand = None) -> Expr:
    """x/|x|, and 0 of 0.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A number of absolute value 1, or 0.
    """
    return Expr("phase", (_of(x),))


def db(x: Operand = None, floor: float = 1e-20) -> Expr:
    """Decibels: ten times the decimal logarithm of a power.

    Parameters
    ----------
    x : Expr, number or array, optional
        A real number; the number itself by default. Of complex ones: ``db(power())``.
    floor : float, optional
        The least power, in place of what is less.

    Returns
    -------
    Expr
        A real number.
    """
    return log2(maximum(x, floor)) * 3.0102999566398120


def scale(factor: float | complex, x: Operand = None) -> Expr:
    """A number times a constant.

    Parameters
    ----------
    factor : number
        The constant.
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        The product.
    """
    return _of(x) * factor


def multiply(a: _typing.Any, axes: int | _Sequence[int] | None = None) -> Expr:
    """The number times that of an array at the same index: a mask, gates, the spectrum of a filter.

    Parameters
    ----------
    a : array_like
        Real or complex numbers.
    axes : int or sequence of ints, optional
        As in `array`.

    Returns
    -------
    Expr
        The product.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> from stockham import expr
    >>> spectrum = np.fft.rfft([1.0, 2.0, 0.0, 0.0])
    >>> convolution = stockham.plan(4, np.float64, kind="r2c", filtered=expr.multiply(spectrum))
    >>> convolution(np.array([1.0, 0.0, 0.0, 5.0])).round(12)
    array([11.,  2.,  0.,  5.])
    """
    return value() * array(a, axes)


def window(w: _typing.Any, axis: int = -1) -> Expr:
    """The number times that of a window along an axis.

    Parameters
    ----------
    w : array_like
        The window, of one dimension.
    axis : int, optional
        The axis; the last by default.

    Returns
    -------
    Expr
        The product.
    """
    return multiply(w, (axis,))


def shift(axes: int | _Sequence[int] = (-1,), x: Operand = None) -> Expr:
    """The number times −1 where the sum of its indices along some axes is odd.

    Done to the input, a spectrum of an even length has its zero frequency in the middle, as by `stockham.fft.fftshift`; done to
    the spectrum, the inverse transform has its first point there.

    Parameters
    ----------
    axes : int or sequence of ints, optional
        The axes; the last by default.
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        The number or its opposite.

    Raises
    ------
    ValueError
        If there is no axis.
    """
    listed = [_axis(axis) for axis in ([axes] if isinstance(axes, int) else axes)]
    if not listed:
        raise ValueError("a shift is along one axis at least")
    total = index(listed[0])
    for axis in listed[1:]:
        total = total + index(axis)
    return _of(x) * cospi(total)


def gate(start: float, stop: float, axis: int = -1, x: Operand = None) -> Expr:
    """The number where its index is from `start` to before `stop`, and 0 elsewhere.

    Parameters
    ----------
    start, stop : float
        The range.
    axis : int, optional
        The axis of the index; the last by default.
    x : Expr, number or array, optional
        What; the number itself by default.

    Returns
    -------
    Expr
        The number or 0.
    """
    at = index(axis)
    return where(at < start, 0.0, where(at < stop, x, 0.0))


def where(condition: Condition, x: Operand, y: Operand) -> Expr:
    """One number where something holds, and another elsewhere.

    Parameters
    ----------
    condition : Condition
        What holds: a comparison of expressions by ``<`` or ``>``.
    x, y : Expr, number or array
        The numbers; None is the number itself.

    Returns
    -------
    Expr
        One of them.

    Raises
    ------
    TypeError
        If the condition is none.
    """
    if not isinstance(condition, Condition):
        raise TypeError(f"a condition is a comparison of expressions by < or >, not {type(condition).__name__}")
    return Expr("select", (condition, _of(x), _of(y)))


def minimum(x: Operand, y: Operand) -> Expr:
    """The lesser of two real numbers.

    Parameters
    ----------
    x, y : Expr, number or array
        The numbers; None is the number itself.

    Returns
    -------
    Expr
        One of them.
    """
    return Expr("min", (_of(x), _of(y)))


def maximum(x: Operand, y: Operand) -> Expr:
    """The greater of two real numbers.

    Parameters
    ----------
    x, y : Expr, number or array
        The numbers; None is the number itself.

    Returns
    -------
    Expr
        One of them.
    """
    return Expr("max", (_of(x), _of(y)))


def sqrt(x: Operand = None) -> Expr:
    """The square root of a real number.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("sqrt", (_of(x),))


def rsqrt(x: Operand = None) -> Expr:
    """1/sqrt(x) of a real number.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("rsqrt", (_of(x),))


def log2(x: Operand = None) -> Expr:
    """The logarithm of a real number to base 2.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("log2", (_of(x),))


def exp2(x: Operand = None) -> Expr:
    """2**x of a real number.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("exp2", (_of(x),))


def sinpi(x: Operand = None) -> Expr:
    """The sine of pi·x of a real number.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("sin_pi", (_of(x),))


def cospi(x: Operand = None) -> Expr:
    """The cosine of pi·x of a real number.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("cos_pi", (_of(x),))


def floor(x: Operand = None) -> Expr:
    """The greatest integer that is not greater than a real number.

    Parameters
    ----------
    x : Expr, number or array, optional
        Of what; of the number itself by default.

    Returns
    -------
    Expr
        A real number.
    """
    return Expr("floor", (_of(x),))


def _axis(axis: _typing.Any) -> int:
    import operator

    return operator.index(axis)


def _of(operand: Operand) -> Expr:
    """An expression of what may stand for one."""
    if operand is None:
        return value()
    if isinstance(operand, Expr):
        return operand
    if isinstance(operand, Condition):
        raise TypeError("a condition is no number: choose with stockham.expr.where")
    if isinstance(operand, (int, float)):
        return Expr("constant", (), float(operand))
    if isinstance(operand, complex):
        return from_parts(operand.real, operand.imag)
    if isinstance(operand, (str, bytes)) or not hasattr(operand, "__array__"):
        raise TypeError(f"an expression, a number or an array is needed, not {type(operand).__name__}")
    found = array(operand)
    numbers = found._data[0]
    return _of(numbers.item()) if numbers.ndim == 0 else found


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "less": "<"}
_NAMES = {"re": "real", "im": "imag", "norm_sqr": "power", "select": "where", "complex": "from_parts"}
_NAMES |= {"min": "minimum", "max": "maximum", "sin_pi": "sinpi", "cos_pi": "cospi"}


def _written(of: Expr | Condition, depth: int = 0, is_operand: bool = False) -> str:
    """The expression as it could have been written; what is deep inside, in dots."""
    if of._op == "constant":
        return repr(of._data)
    if of._op == "array":
        return f"array({of._data[0].shape}, axes={of._data[1]})"
    if of._op == "index":
        return f"index({of._data})"
    if depth > 8 and of._parts:
        return "..."
    is_operator = of._op in _SIGNS or of._op == "neg"
    parts = [_written(part, depth + 1, is_operator) for part in of._parts]
    if not is_operator:
        return f"{_NAMES.get(of._op, of._op)}({', '.join(parts)})"
    text = f"-{parts[0]}" if of._op == "neg" else f"{parts[0]} {_SIGNS[of._op]} {parts[1]}"
    return f"({text})" if is_operand else text
