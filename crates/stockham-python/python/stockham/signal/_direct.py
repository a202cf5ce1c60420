"""Convolutions and correlations by whichever way is faster, or as sums of products."""

from __future__ import annotations

import itertools
import math
import time
import warnings
from typing import Any

import numpy as np

from .. import fft as _fft
from . import _arrays
from ._arrays import Arrays
from ._convolution import MODES, arranged, whole, windows

__all__ = ["choose_conv_method", "convolve", "correlate", "correlation_lags"]


def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Convolve two arrays, in their own kind of numbers.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        All of the convolution; what depends on no zeros beyond the ends; or the middle, in the shape of `in1`.
    method : {"auto", "direct", "fft"}, optional
        As `choose_conv_method` says, as sums of products, or by Fourier transforms. Integers are rounded by "fft".

    Returns
    -------
    ndarray
        The convolution, of the dtype of products.

    Raises
    ------
    ValueError
        If dimensions, lengths or words do not fit.

    Warns
    -----
    RuntimeWarning
        If infinite numbers, or such as are none, have spread by Fourier transforms.

    Examples
    --------
    >>> import stockham.signal
    >>> stockham.signal.convolve([1, 2, 3], [0, 1, 2])
    array([0, 1, 4, 7, 6])
    """
    ops = _arrays.of(in1, in2)
    return ops.give(convolved(ops, ops.asarray(in1), ops.asarray(in2), mode, method))


def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Correlate two arrays: sum of in1[l] · conj(in2[l - k + n - 1]), n the length of `in2`.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        All of the correlation; what depends on no zeros beyond the ends; or the middle, in the shape of `in1`.
    method : {"auto", "direct", "fft"}, optional
        As `choose_conv_method` says, as sums of products, or by Fourier transforms. Integers are rounded by "fft".

    Returns
    -------
    ndarray
        The correlation, of the dtype of products. `correlation_lags` tells the lags.

    Raises
    ------
    ValueError
        If dimensions, lengths or words do not fit.

    Examples
    --------
    >>> import stockham.signal
    >>> stockham.signal.correlate([1, 2, 3], [0, 1, 2], mode="same")
    array([5, 8, 3])
    """
    ops = _arrays.of(in1, in2)
    a, b = ops.asarray(in1), ops.asarray(in2)
    return ops.give(convolved(ops, a, ops.conj(ops.flip(b) if b.ndim else b), mode, method))


def correlation_lags(in1_len: int, in2_len: int, mode: str = "full") -> Any:
    """The lags of a correlation of one dimension.

    Parameters
    ----------
    in1_len, in2_len : int
        The lengths of what is correlated.
    mode : {"full", "valid", "same"}, optional
        That of `correlate`.

    Returns
    -------
    ndarray
        Integers, one for each point of the correlation.

    Raises
    ------
    ValueError
        If the mode is not known.

    Examples
    --------
    >>> import stockham.signal
    >>> stockham.signal.correlation_lags(3, 2)
    array([-1,  0,  1,  2])
    """
    if mode not in MODES:
        raise ValueError(f"Mode {mode} is invalid: acceptable are 'valid', 'same', or 'full'")
    if mode == "valid":
        return np.arange(min(in1_len - in2_len, 0), max(in1_len - in2_len, 0) + 1)
    lags = np.arange(1 - in2_len, in1_len)
    if mode == "full":
        return lags
    begin = lags.size // 2 - in1_len // 2
    return lags[begin : begin + in1_len]


def choose_conv_method(in1: Any, in2: Any, mode: str = "full", measure: bool = False) -> Any:
    """The faster way to convolve two arrays: "direct" or "fft".

    Integers that double precision might not hold exactly, and booleans, go directly.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        That of `convolve`.
    measure : bool, optional
        Whether both are timed, rather than estimated.

    Returns
    -------
    str or (str, dict)
        The method; with `measure` also the seconds that each took.

    Raises
    ------
    ValueError
        If dimensions, lengths or words do not fit.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> stockham.signal.choose_conv_method(np.ones(100000), np.ones(100000))
    'fft'
    >>> stockham.signal.choose_conv_method(np.ones(100), [0.5, 0.5])
    'direct'
    """
    ops = _arrays.of(in1, in2)
    a, b = ops.asarray(in1), ops.asarray(in2)
    if measure:
        times = {name: _seconds(lambda name=name: convolved(ops, a, b, mode, name)) for name in ("fft", "direct")}
        return min(times, key=lambda name: times[name]), times
    return chosen(ops, a, b, mode)


def convolved(ops: Arrays, a: Any, b: Any, mode: str, method: str) -> Any:
    """The convolution, of the dtype of products."""
    if a.ndim != b.ndim:
        raise ValueError(f"in1 and in2 should have the same dimensionality, not {a.ndim} and {b.ndim} dimensions")
    if a.ndim == 0:
        return a * b
    if mode not in MODES:
        raise ValueError(f"Acceptable mode flags are 'valid', 'same', or 'full', not {mode!r}")
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"Acceptable method flags are 'auto', 'direct', or 'fft', not {method!r}")
    if mode == "valid" and not all(n >= m for n, m in zip(a.shape, b.shape, strict=True)):
        a, b = b, a
        if not all(n >= m for n, m in zip(a.shape, b.shape, strict=True)):
            raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
    if 0 in a.shape or 0 in b.shape:
        raise ValueError(f"neither array can be empty, of shapes {tuple(a.shape)} and {tuple(b.shape)}")
    dtype = ops.result_type(a, b)
    if (chosen(ops, a, b, mode) if method == "auto" else method) == "direct":
        return directly(ops, ops.astype(a, dtype), ops.astype(b, dtype), mode)
    found = whole(ops, *arranged(a, b, mode, None), mode=mode)
    if ops.kind(dtype) in "iub":
        found = ops.xp.round(found)
    # To look at numbers of another device would wait for it.
    elif ops.xp is np and not np.isfinite(found[(0,) * found.ndim]):
        words = "an input that is infinite or no number has spread by Fourier transforms: method='direct' keeps it where it is"
        warnings.warn(words, RuntimeWarning, stacklevel=3)
    return ops.astype(found, dtype)


def directly(ops: Arrays, a: Any, b: Any, mode: str) -> Any:
    """The sums of products of two arrays of one dtype."""
    axes = list(range(a.ndim))
    window = windows(a.shape, b.shape, mode, axes)
    if ops.xp is np and a.ndim == 1:
        found = np.convolve(a, b, "valid" if mode == "valid" else "full")
        return found if mode == "valid" else found[slice(*window[0])]
    long, short = (a, b) if math.prod(a.shape) >= math.prod(b.shape) else (b, a)
    for axis in axes:
        long = ops.pad(long, axis, short.shape[axis] - 1, short.shape[axis] - 1)
    total = None
    for place in itertools.product(*map(range, short.shape)):
        # Point i takes long[i - place], which is padded.
        shifts = [m - 1 - at for m, at in zip(short.shape, place, strict=True)]
        part = long[tuple(slice(begin + by, end + by) for (begin, end), by in zip(window, shifts, strict=True))] * short[place]
        total = part if total is None else total + part
    return total


def chosen(ops: Arrays, a: Any, b: Any, mode: str) -> str:
    """The faster way by an estimate."""
    kind = ops.kind(ops.result_type(a, b))
    if kind in "bO":
        return "direct"
    if kind in "iu" and 0 not in (*a.shape, *b.shape):
        largest = ops.largest(a) * ops.largest(b) * min(math.prod(a.shape), math.prod(b.shape))
        if largest >= 2**52:
            return "direct"
    if ops.xp is not np:
        return "fft"
    window = windows(a.shape, b.shape, mode, list(range(a.ndim)))
    outputs = math.prod(end - begin for begin, end in window)
    short = min(math.prod(a.shape), math.prod(b.shape))
    points = math.prod(_fft.next_fast_len(max(n + m - 1, 1), True) for n, m in zip(a.shape, b.shape, strict=True))
    # In nanoseconds: what calls take, and what each product or point does.
    direct = outputs * short * PRODUCT_NS + (CALL_NS if a.ndim == 1 else short * STEP_NS)
    transforms = points * math.log2(max(points, 2)) * POINT_NS + TRANSFORMS_NS
    return "fft" if transforms < direct else "direct"


CALL_NS, STEP_NS, PRODUCT_NS = 2000.0, 4000.0, 0.5
TRANSFORMS_NS, POINT_NS = 20000.0, 3.0


def _seconds(function: Any) -> float:
    """The least time of a call, of three rounds of some milliseconds."""
    begin = time.perf_counter()
    function()
    once = time.perf_counter() - begin
    count = max(1, int(5e-3 / max(once, 1e-9)))
    best = math.inf
    for _ in range(3 if once < 1 else 0):
        begin = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - begin) / count)
    return min(best, once)
