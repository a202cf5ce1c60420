"""Analytic signals, without negative frequencies.

L. Marple, "Computing the discrete-time analytic signal via FFT", IEEE Trans. Signal Process. 47, 1999.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import fft as _fft
from . import _arrays

__all__ = ["hilbert", "hilbert2"]


def hilbert(x: Any, N: int | None = None, axis: int = -1) -> Any:
    """The analytic signal, whose imaginary part is the Hilbert transform.

    Parameters
    ----------
    x : array_like
        A real signal.
    N : int, optional
        Points of the transforms: further samples are left out, missing ones are 0.
    axis : int, optional
        The axis; the last by default.

    Returns
    -------
    ndarray
        The analytic signal, complex.

    Raises
    ------
    ValueError
        If the signal is complex, or there are no points.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> t = 2 * np.pi * np.arange(64) / 8
    >>> bool(np.allclose(stockham.signal.hilbert(np.cos(t)), np.exp(1j * t)))
    True
    """
    ops = _arrays.of(x)
    a = ops.floating(x)
    if ops.is_complex(a):
        raise ValueError("x must be real")
    n = a.shape[axis] if N is None else operator.index(N)
    if n <= 0:
        raise ValueError(f"N must be positive, not {n}")
    half = _fft.rfft(a, n, axis=axis)
    factors = np.full(n // 2 + 1, 2.0)
    factors[0] = 1
    if n % 2 == 0:
        factors[-1] = 1
    shape = [1] * a.ndim
    shape[axis] = factors.size
    # Zeros behind are the negative frequencies.
    return ops.give(_fft.ifft(half * ops.constant(factors, half).reshape(tuple(shape)), n, axis=axis))


def hilbert2(x: Any, N: int | tuple[int, int] | None = None, axes: tuple[int, int] = (-2, -1)) -> Any:
    """The analytic signal of two dimensions, whose frequencies are all in one quadrant.

    Parameters
    ----------
    x : array_like
        Real signals.
    N : int or (int, int), optional
        Points of the transforms along both axes.
    axes : (int, int), optional
        The axes; the last two by default.

    Returns
    -------
    ndarray
        The analytic signal, complex.

    Raises
    ------
    ValueError
        If the signal is complex, there are no points, or not two axes.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> y, x = np.mgrid[0:8, 0:8] * np.pi / 4
    >>> bool(np.allclose(stockham.signal.hilbert2(np.cos(x + y)), 2 * np.exp(1j * (x + y))))
    True
    """
    ops = _arrays.of(x)
    a = ops.floating(x)
    while a.ndim < 2:
        a = a[None]
    if ops.is_complex(a):
        raise ValueError("x must be real")
    if len(axes) != 2:
        raise ValueError(f"axes must be a tuple of length 2, not {axes!r}")
    first, second = _arrays.axes_of(a, [range(a.ndim)[axis] for axis in axes])
    if N is None:
        N = (a.shape[first], a.shape[second])
    both: Any = N if hasattr(N, "__len__") else (N, N)
    lengths = [operator.index(n) for n in both]
    if len(lengths) != 2 or min(lengths) <= 0:
        raise ValueError(f"N must be a positive integer, or a tuple of two, not {N!r}")
    spectrum = _fft.rfftn(a, lengths, axes=(first, second))
    for axis, n in ((first, lengths[0]), (second, lengths[1])):
        # The positive frequencies twice; none of even lengths' last.
        count = (n + 1) // 2
        factors = np.full(count, 2.0)
        factors[0] = 1
        shape = [1] * a.ndim
        shape[axis] = count
        spectrum = _arrays.cut(spectrum, axis, 0, count)
        spectrum = spectrum * ops.constant(factors, spectrum).reshape(tuple(shape))
    return ops.give(_fft.ifftn(spectrum, lengths, axes=(first, second)))
