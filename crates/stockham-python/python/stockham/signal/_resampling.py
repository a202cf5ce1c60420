"""Signals at another rate, by their spectra."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import fft as _fft
from . import _arrays
from ._arrays import Arrays, cut
from ._segments import window_array
from ._windows import get_window

__all__ = ["resample"]


def resample(x: Any, num: int, t: Any = None, axis: int = 0, window: Any = None, domain: str = "time") -> Any:
    """Take a periodic signal at another number of samples.

    Parameters
    ----------
    x : array_like
        The signal, or its spectrum.
    num : int
        The samples wanted.
    t : array_like, optional
        The times of the samples given, of which the first two are looked at.
    axis : int, optional
        The axis; the first by default.
    window : str, tuple, float, callable or array_like, optional
        What the spectrum is multiplied by: a window in the words of `get_window` around frequency 0, a function of the
        frequencies `fftfreq(n)`, or a factor for each of these.
    domain : {"time", "freq"}, optional
        Whether `x` is the signal or its spectrum.

    Returns
    -------
    ndarray or (ndarray, ndarray)
        The signal; with `t` also the times of its samples.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> stockham.signal.resample([0.0, 1.0, 0.0, -1.0], 8).round(3) + 0.0
    array([ 0.   ,  0.707,  1.   ,  0.707,  0.   , -0.707, -1.   , -0.707])
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"domain must be 'time' or 'freq', not {domain!r}")
    num = operator.index(num)
    if num < 1:
        raise ValueError(f"num must be positive, not {num}")
    ops = _arrays.of(x, t)
    a = ops.floating(x)
    a = ops.moveaxis(a, axis, -1) if a.ndim > 1 else a
    n = a.shape[-1]
    if n < 1:
        raise ValueError("a signal without samples cannot be resampled")
    factors = weights(ops, window, n)
    if domain == "time" and not ops.is_complex(a):
        found = of_real(a, factors, ops, num)
    else:
        spectrum = _fft.fft(a) if domain == "time" else a
        spectrum = spectrum if factors is None else spectrum * ops.constant(factors, spectrum)
        found = _fft.ifft(resized(ops, spectrum, num) * (num / n))
    found = ops.give(ops.moveaxis(found, -1, axis) if found.ndim > 1 else found)
    if t is None:
        return found
    times = ops.asarray(t)
    return found, ops.give(times[0] + (times[1] - times[0]) * ops.asarray(np.arange(num) * (n / num)))


def weights(ops: Arrays, window: Any, n: int) -> Any:
    """The factors of a spectrum's points in the order of `fftfreq`; None where there are none."""
    if window is None:
        return None
    if callable(window):
        return window_array(window(_fft.fftfreq(n)))
    if hasattr(window, "shape") and tuple(window.shape) != ():
        found = window_array(window)
        if found.size != n:
            raise ValueError(f"the window has {found.size} points, the signal's spectrum {n}")
        return found
    return np.fft.fftshift(get_window(window, n))


def of_real(a: Any, factors: Any, ops: Arrays, num: int) -> Any:
    """A real signal, along the last axis, at num samples."""
    n = a.shape[-1]
    half = _fft.rfft(a)
    if factors is not None:
        # What both signs of a frequency have on the average.
        mirrored = factors[-np.arange(half.shape[-1]) % n]
        half = half * ops.constant((factors[: half.shape[-1]] + mirrored) / 2, half)
    least = min(n, num)
    half = half[..., : least // 2 + 1]
    if least % 2 == 0 and num != n:
        # The frequency of changing signs stands for both of its signs on one side only.
        last = np.ones(half.shape[-1])
        last[-1] = 2 if num < n else 0.5
        half = half * ops.constant(last, half)
    return _fft.irfft(half * (num / n), num)


def resized(ops: Arrays, spectrum: Any, num: int) -> Any:
    """A spectrum of other length, with the frequencies that both have."""
    n = spectrum.shape[-1]
    if n == num:
        return spectrum
    least = min(n, num)
    positive, negative = (least + 1) // 2, (least - 1) // 2
    parts = [cut(spectrum, -1, 0, positive)]
    if least % 2 == 0:
        at, opposite = (spectrum[..., k : k + 1] for k in (least // 2, n - least // 2))
        # Two points become one, or one becomes two.
        parts.append(at + opposite if num < n else at / 2)
    if num > n:
        between = num - positive - negative - (2 if least % 2 == 0 else 0)
        parts.append(ops.zeros((*spectrum.shape[:-1], between), spectrum))
        if least % 2 == 0:
            parts.append(parts[1])
    parts.append(cut(spectrum, -1, n - negative, n))
    return ops.concat(parts, -1)
