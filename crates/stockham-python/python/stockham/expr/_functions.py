"""What expressions are used for: functions of numbers and of their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._tree import Condition, Expr, Operand, array, expression_of, index, number_of_axis, value


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
    return Expr("norm_sqr", (expression_of(x),))


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
    return Expr("phase", (expression_of(x),))


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
    return expression_of(x) * factor


def multiply(a: Any, axes: int | Sequence[int] | None = None) -> Expr:
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


def window(w: Any, axis: int = -1) -> Expr:
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


def shift(axes: int | Sequence[int] = (-1,), x: Operand = None) -> Expr:
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
    listed = [number_of_axis(axis) for axis in ([axes] if isinstance(axes, int) else axes)]
    if not listed:
        raise ValueError("a shift is along one axis at least")
    total = index(listed[0])
    for axis in listed[1:]:
        total = total + index(axis)
    return expression_of(x) * cospi(total)


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
    return Expr("select", (condition, expression_of(x), expression_of(y)))


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
    return Expr("min", (expression_of(x), expression_of(y)))


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
    return Expr("max", (expression_of(x), expression_of(y)))


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
    return Expr("sqrt", (expression_of(x),))


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
    return Expr("rsqrt", (expression_of(x),))


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
    return Expr("log2", (expression_of(x),))


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
    return Expr("exp2", (expression_of(x),))


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
    return Expr("sin_pi", (expression_of(x),))


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
    return Expr("cos_pi", (expression_of(x),))


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
    return Expr("floor", (expression_of(x),))
