"""Filters of finite impulse response, such as those of scipy.signal.firwin, in blocks of a signal."""

from __future__ import annotations

from typing import Any

from . import _arrays
from ._convolution import arranged, block_len, in_blocks, whole

__all__ = ["fftfilt"]


def fftfilt(b: Any, x: Any, axis: int = -1) -> Any:
    """Filter a signal: y[i] = sum of b[j]·x[i - j], with zeros before it, as `scipy.signal.lfilter(b, 1, x)` does.

    Blocks of the signal overlap, and what is wrong of each one's cyclic convolution is left out (overlap-save).

    Parameters
    ----------
    b : array_like
        The filter's impulse response, of one dimension.
    x : array_like
        The signal.
    axis : int, optional
        The signal's axis; the last by default.

    Returns
    -------
    ndarray
        As many samples as the signal has.

    Raises
    ------
    ValueError
        If the filter is empty or not of one dimension.

    Examples
    --------
    >>> import stockham.signal
    >>> stockham.signal.fftfilt([0.5, 0.5], [1.0, 3.0, 5.0]).round(12)
    array([0.5, 2. , 4. ])
    """
    ops = _arrays.of(x, b)
    taps = ops.floating(b)
    if taps.ndim != 1 or taps.shape[0] == 0:
        raise ValueError(f"a filter has one dimension and is not empty, not of shape {tuple(taps.shape)}")
    a = ops.floating(x)
    place = range(a.ndim)[axis]
    if 0 in a.shape:
        return ops.give(a)
    n, m = a.shape[place], taps.shape[0]
    shape = [1] * a.ndim
    shape[place] = m
    taps = taps.reshape(tuple(shape))
    if 1 in (n, m):
        return ops.give(_arrays.cut(a * _arrays.cut(taps, place, 0, n), place, 0, n))
    size = block_len(min(n, m), max(n, m))
    if size is None:
        found = whole(ops, *arranged(a, taps, "full", place), mode="full")
    else:
        found = in_blocks(ops, a, taps, {place: size})
    return ops.give(ops.copied(_arrays.cut(found, place, 0, n)))
