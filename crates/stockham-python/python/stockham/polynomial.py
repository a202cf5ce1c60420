"""Products of polynomials: linear, and modulo x^n - 1 or x^n + 1.

>>> import stockham
>>> stockham.polynomial.multiply([1, 2, 3], [4, 5, 6], field="goldilocks")
array([4, 13, 28, 27, 18], dtype=object)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _stockham, ntt

__all__ = ["multiply"]


def multiply(
    a: Any,
    b: Any,
    *,
    product: str = "linear",
    field: str | None = None,
    workers: int | None = None,
    device: str | None = None,
    progress: Callable[[int, int, str], object] | None = None,
) -> Any:
    """The product of two polynomials, the constant coefficients first.

    Ctrl-C ends the call at once; the work in the background ends with the stage that it is in.

    Parameters
    ----------
    a, b : array_like
        Their coefficients, of one dimension: real or complex numbers, or integers of a field.
    product : {"linear", "cyclic", "negacyclic"}, optional
        Whether the product is reduced by nothing, by x^n - 1, or by x^n + 1 for factors of n coefficients.
    field : str, optional
        A finite field's name (`stockham.ntt.fields`), for exact products modulo its prime.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `stockham.set_device` by default.
    progress : callable, optional
        Called as progress(done, count, what) before each of the work's stages and in the end, when `what` is empty. What it
        raises ends the call.

    Returns
    -------
    ndarray
        The coefficients: numbers of the wider precision, or integers as `stockham.ntt.fft` gives them.

    Raises
    ------
    ValueError
        If the arrays are not of one dimension, or lengths differ where the product is not linear.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> stockham.polynomial.multiply([1.0, 1.0], [1.0, -1.0]).round(12) + 0.0
    array([ 1.,  0., -1.])
    """
    import numpy as np

    if field is not None:
        core = ntt.Field(field)
        words = [core.encode(ntt.line(each)) for each in (a, b)]
        found = core.core.multiply(words[0].tobytes(), words[1].tobytes(), product, workers, device, progress)
        return core.decode(found, like=ntt.line(a))
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError("polynomials have coefficients of one dimension")
    kinds = np.result_type(a, b, np.float32)
    is_double = kinds.itemsize > (8 if kinds.kind == "c" else 4)
    of = np.dtype(np.complex128 if is_double else np.complex64)
    bytes_of = [np.ascontiguousarray(each, of).tobytes() for each in (a, b)]
    found = _stockham.multiply_polynomials(bytes_of[0], bytes_of[1], is_double, product, workers, device, progress)
    result = np.frombuffer(found, of)
    return result.copy() if kinds.kind == "c" else result.real.copy()
