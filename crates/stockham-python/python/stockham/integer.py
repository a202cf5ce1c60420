"""Exact products of huge integers.

>>> import stockham
>>> a, b = 3**300_000, 7**150_000
>>> stockham.integer.multiply(a, b) == a * b
True
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import SupportsIndex

from . import _stockham

__all__ = ["multiply"]

PYTHON_BELOW = 400_000
"""Bits of the shorter factor below which Python's own product is as fast."""


def multiply(
    a: SupportsIndex,
    b: SupportsIndex,
    *,
    workers: int | None = None,
    device: str | None = None,
    progress: Callable[[int, int, str], object] | None = None,
) -> int:
    """The product of two integers, by transforms over a finite field.

    Ctrl-C ends the call at once; the work in the background ends with the stage that it is in.

    Parameters
    ----------
    a, b : int
        The factors, of any length. A square takes less time: give the same integer twice.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `stockham.set_device` by default.
    progress : callable, optional
        Called as progress(done, count, what) before each of the work's stages and in the end, when `what` is empty. What it
        raises ends the call. Short products that Python computes itself have one stage.

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
        if progress is not None:
            progress(0, 1, "multiplying")
        product = a * b
        if progress is not None:
            progress(1, 1, "")
        return product
    return int(_stockham.multiply_integers(hex(a), hex(b), workers, device, progress), 16)
