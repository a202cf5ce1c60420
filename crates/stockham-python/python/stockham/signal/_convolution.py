"""Convolutions by Fourier transforms, of whole arrays and of blocks."""

from __future__ import annotations

import math
from typing import Any

from .. import fft as _fft
from . import _arrays
from ._arrays import Arrays, cut

__all__ = ["fftconvolve", "oaconvolve"]

MODES = ("full", "same", "valid")


def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolve two arrays by Fourier transforms.

    The transforms are as long as the part of the result that is asked for requires: "valid" needs the longer array's points.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of as many dimensions. A length of 1 is repeated along the other's.
    mode : {"full", "valid", "same"}, optional
        All of the convolution; what depends on no zeros beyond the ends; or the middle, in the shape of `in1`.
    axes : int or sequence of ints, optional
        The axes; all by default. Along others, lengths are equal or 1.

    Returns
    -------
    ndarray
        The convolution, of floating point numbers.

    Raises
    ------
    ValueError
        If dimensions, lengths or words do not fit.

    Examples
    --------
    >>> import stockham.signal
    >>> stockham.signal.fftconvolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).round(12) + 0.0
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    ops = _arrays.of(in1, in2)
    a, b = ops.asarray(in1), ops.asarray(in2)
    early = trivial(ops, a, b)
    if early is not None:
        return ops.give(early)
    a, b, found = arranged(a, b, mode, axes)
    return ops.give(whole(ops, a, b, found, mode))


def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolve two arrays in blocks, which is faster than `fftconvolve` where one is much longer than the other.

    Blocks of the longer one overlap, and what is wrong of each one's cyclic convolution is left out (overlap-save).

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of as many dimensions. A length of 1 is repeated along the other's.
    mode : {"full", "valid", "same"}, optional
        All of the convolution; what depends on no zeros beyond the ends; or the middle, in the shape of `in1`.
    axes : int or sequence of ints, optional
        The axes; all by default. Along others, lengths are equal or 1.

    Returns
    -------
    ndarray
        The convolution, of floating point numbers.

    Raises
    ------
    ValueError
        If dimensions, lengths or words do not fit.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> stockham.signal.oaconvolve(np.ones(1000), np.ones(3), mode="valid").shape
    (998,)
    """
    ops = _arrays.of(in1, in2)
    a, b = ops.asarray(in1), ops.asarray(in2)
    early = trivial(ops, a, b)
    if early is not None:
        return ops.give(early)
    a, b, found = arranged(a, b, mode, axes)
    sizes = {axis: block_len(min(a.shape[axis], b.shape[axis]), max(a.shape[axis], b.shape[axis])) for axis in found}
    if all(n is None for n in sizes.values()):
        return ops.give(whole(ops, a, b, found, mode))
    result = in_blocks(ops, a, b, sizes)
    window = windows(a.shape, b.shape, mode, found)
    for axis, (begin, end) in enumerate(window):
        result = cut(result, axis, begin, end)
    return ops.give(ops.copied(result))


def trivial(ops: Arrays, a: Any, b: Any) -> Any:
    """The product of two numbers, or nothing of nothing; None of whatever has to be convolved."""
    if a.ndim != b.ndim:
        raise ValueError(f"in1 and in2 should have the same dimensionality, not {a.ndim} and {b.ndim} dimensions")
    if a.ndim == 0:
        return a * b
    return ops.asarray([]) if 0 in a.shape or 0 in b.shape else None


def arranged(a: Any, b: Any, mode: str, axes: Any) -> tuple[Any, Any, list[int]]:
    """Two arrays, the longer one first where that is no matter but of "valid", and the axes that take transforms."""
    if mode not in MODES:
        raise ValueError(f"acceptable mode flags are 'valid', 'same', or 'full', not {mode!r}")
    found = _arrays.axes_of(a, axes)
    if axes is not None and not found:
        raise ValueError("when provided, axes cannot be empty")
    # A product is what convolves with one number.
    found = sorted(axis for axis in found if a.shape[axis] != 1 and b.shape[axis] != 1)
    for axis in range(a.ndim):
        if axis not in found and a.shape[axis] != b.shape[axis] and 1 not in (a.shape[axis], b.shape[axis]):
            raise ValueError(f"incompatible shapes for in1 and in2: {tuple(a.shape)} and {tuple(b.shape)}")
    if mode == "valid" and not all(a.shape[axis] >= b.shape[axis] for axis in found):
        a, b = b, a
        if not all(a.shape[axis] >= b.shape[axis] for axis in found):
            raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
    return a, b, found


def windows(s1: Any, s2: Any, mode: str, axes: list[int]) -> list[tuple[int, int]]:
    """The part of the full convolution that a mode has, along each axis."""
    found = []
    for axis, (n, m) in enumerate(zip(s1, s2, strict=True)):
        full = n + m - 1 if axis in axes else max(n, m)
        length = full
        if mode == "same":
            length = n
        elif mode == "valid" and axis in axes:
            length = n - m + 1
        begin = (full - length) // 2
        found.append((begin, begin + length))
    return found


def whole(ops: Arrays, a: Any, b: Any, axes: list[int], mode: str) -> Any:
    """The convolution by one transform of each array."""
    window = windows(a.shape, b.shape, mode, axes)
    real = not ops.is_complex(a, b)
    lengths = []
    for axis in axes:
        n, m = a.shape[axis], b.shape[axis]
        begin, end = window[axis]
        # Point i of a cyclic convolution has i + length beside it, which must lie behind the full one's end.
        lengths.append(_fft.next_fast_len(max(n, m, end, n + m - 1 - begin), real))
    result = cyclic(ops, a, b, axes, lengths)
    for axis, (begin, end) in enumerate(window):
        result = cut(result, axis, begin, end)
    return ops.copied(result)


def cyclic(ops: Arrays, a: Any, b: Any, axes: list[int], lengths: list[int]) -> Any:
    """The cyclic convolution of some lengths."""
    if not axes:
        return a * b
    if ops.is_complex(a, b):
        spectrum = _fft.fftn(a, lengths, axes=axes) * _fft.fftn(b, lengths, axes=axes)
        return _fft.ifftn(spectrum, lengths, axes=axes, overwrite_x=True)
    spectrum = _fft.rfftn(a, lengths, axes=axes) * _fft.rfftn(b, lengths, axes=axes)
    return _fft.irfftn(spectrum, lengths, axes=axes, overwrite_x=True)


def block_len(m: int, n: int) -> int | None:
    """The length of blocks' transforms that convolves m numbers with n fastest; None if one transform of all does."""
    full = n + m - 1
    best, least = None, full * math.log2(max(full, 2))
    length = _fft.next_fast_len(2 * m, True)
    while length < full:
        cost = math.ceil(full / (length - m + 1)) * length * math.log2(length)
        if cost < least:
            best, least = length, cost
        length = _fft.next_fast_len(2 * length, True)
    return best


def in_blocks(ops: Arrays, a: Any, b: Any, sizes: dict[int, int | None]) -> Any:
    """The full convolution, in overlapping blocks along the axes that have a length of blocks."""
    full = [n + m - 1 if axis in sizes else max(n, m) for axis, (n, m) in enumerate(zip(a.shape, b.shape, strict=True))]
    wrong = {axis: min(a.shape[axis], b.shape[axis]) - 1 for axis in sizes}
    lengths: list[int] = []
    places: list[int] = []
    # From the last axis on, so that the blocks' new axes leave the others where they are.
    for axis in sorted(sizes, reverse=True):
        size = sizes[axis]
        if size is None:
            lengths.append(_fft.next_fast_len(full[axis], not ops.is_complex(a, b)))
            places.append(axis)
            continue
        is_first = a.shape[axis] >= b.shape[axis]
        long, short = (a, b) if is_first else (b, a)
        step = size - wrong[axis]
        count = math.ceil(full[axis] / step)
        padded = ops.pad(long, axis, wrong[axis], count * step - long.shape[axis])
        framed = ops.frames(ops.moveaxis(padded, axis, -1), size, step)
        long = ops.moveaxis(ops.moveaxis(framed, -2, axis), -1, axis + 1)
        short = short[(slice(None),) * axis + (None,)]
        a, b = (long, short) if is_first else (short, long)
        lengths.append(size)
        places = [place + 1 for place in places] + [axis + 1]
    result = cyclic(ops, a, b, places, lengths)
    # When those before have been joined, the blocks of an axis are counted by it, and their points by the next.
    for axis in sorted(sizes):
        if (size := sizes[axis]) is not None:
            kept = cut(result, axis + 1, wrong[axis], size)
            joined = (*kept.shape[:axis], kept.shape[axis] * kept.shape[axis + 1], *kept.shape[axis + 2 :])
            result = cut(kept.reshape(joined), axis, 0, full[axis])
    return result
