"""What expressions are made of."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

Operand: TypeAlias = Any
"""An expression, a number, or an array."""


class Condition:
    """Whether one number is less than another, to choose by with `where`.

    Examples
    --------
    >>> from stockham import expr
    >>> first_half = expr.index() < 512
    """

    __slots__ = ("_data", "_op", "_parts")

    def __init__(self, op: str, parts: tuple[Expr | Condition, ...], data: Any = None) -> None:
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
        return written(self)


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

    def __init__(self, op: str, parts: tuple[Expr | Condition, ...], data: Any = None) -> None:
        self._op, self._parts, self._data = op, parts, data

    def __add__(self, other: Operand) -> Expr:
        return Expr("add", (self, expression_of(other)))

    def __radd__(self, other: Operand) -> Expr:
        return Expr("add", (expression_of(other), self))

    def __sub__(self, other: Operand) -> Expr:
        return Expr("sub", (self, expression_of(other)))

    def __rsub__(self, other: Operand) -> Expr:
        return Expr("sub", (expression_of(other), self))

    def __mul__(self, other: Operand) -> Expr:
        return Expr("mul", (self, expression_of(other)))

    def __rmul__(self, other: Operand) -> Expr:
        return Expr("mul", (expression_of(other), self))

    def __truediv__(self, other: Operand) -> Expr:
        return Expr("div", (self, expression_of(other)))

    def __rtruediv__(self, other: Operand) -> Expr:
        return Expr("div", (expression_of(other), self))

    def __neg__(self) -> Expr:
        return Expr("neg", (self,))

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return Expr("sqrt", (Expr("norm_sqr", (self,)),))

    def __lt__(self, other: Operand) -> Condition:
        return Condition("less", (self, expression_of(other)))

    def __gt__(self, other: Operand) -> Condition:
        return Condition("less", (expression_of(other), self))

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
        return written(self)


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
    return Expr("index", (), number_of_axis(axis))


def array(a: Any, axes: int | Sequence[int] | None = None) -> Expr:
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
        listed = [number_of_axis(axis) for axis in ([axes] if isinstance(axes, int) else axes)]
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
    return Expr("complex", (expression_of(real), expression_of(imag)))


def number_of_axis(axis: Any) -> int:
    return operator.index(axis)


def expression_of(x: Operand) -> Expr:
    """An expression of what may stand for one."""
    if x is None:
        return value()
    if isinstance(x, Expr):
        return x
    if isinstance(x, Condition):
        raise TypeError("a condition is no number: choose with stockham.expr.where")
    if isinstance(x, (int, float)):
        return Expr("constant", (), float(x))
    if isinstance(x, complex):
        return from_parts(x.real, x.imag)
    if isinstance(x, (str, bytes)) or not hasattr(x, "__array__"):
        raise TypeError(f"an expression, a number or an array is needed, not {type(x).__name__}")
    found = array(x)
    numbers = found._data[0]
    return expression_of(numbers.item()) if numbers.ndim == 0 else found


SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "less": "<"}
NAMES = {"re": "real", "im": "imag", "norm_sqr": "power", "select": "where", "complex": "from_parts"}
NAMES |= {"min": "minimum", "max": "maximum", "sin_pi": "sinpi", "cos_pi": "cospi"}


def written(of: Expr | Condition, depth: int = 0, is_operand: bool = False) -> str:
    """The expression as it could have been written; what is deep inside, in dots."""
    if of._op == "constant":
        return repr(of._data)
    if of._op == "array":
        return f"array({of._data[0].shape}, axes={of._data[1]})"
    if of._op == "index":
        return f"index({of._data})"
    if depth > 8 and of._parts:
        return "..."
    is_operator = of._op in SIGNS or of._op == "neg"
    parts = [written(part, depth + 1, is_operator) for part in of._parts]
    if not is_operator:
        return f"{NAMES.get(of._op, of._op)}({', '.join(parts)})"
    text = f"-{parts[0]}" if of._op == "neg" else f"{parts[0]} {SIGNS[of._op]} {parts[1]}"
    return f"({text})" if is_operand else text
