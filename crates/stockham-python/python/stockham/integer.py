"""Exact products of huge integers.

>>> import stockham
>>> a, b = 3**300_000, 7**150_000
>>> stockham.integer.multiply(a, b) == a * b
True
"""

from __future__ import annotations

import operator
from typing import SupportsIndex

from . import _stockham

__all__ = ["multiply"]

PYTHON_BELOW = 400_000
"""Bits of the shorter factor below which Python's own product is as fast."""


def multiply(a: SupportsIndex, b: SupportsIndex, *, workers: int | None = None, device: str | None = None) -> int:
    """The product of two integers, by transforms over a finite field.

    Parameters
    ----------
    a, b : int
        The factors, of any length. A square takes less time: give the same integer twice.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `stockham.set_device` by default.

    Returns
    -------
    int
        a·b.

    Raises
    ------
    TypeError
        If a factor is no integer.
    MemoryError
        If there is not enough memory.

    Examples
    --------
    >>> import stockham
    >>> stockham.integer.multiply(-12, 12)
    -144
    """
    a, b = operator.index(a), operator.index(b)
    if min(a.bit_length(), b.bit_length()) < PYTHON_BELOW and device is None:
        return a * b
    return int(_stockham.multiply_integers(hex(a), hex(b), workers, device), 16)
