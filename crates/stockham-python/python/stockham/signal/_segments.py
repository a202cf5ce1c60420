"""Segments of a signal: cut, detrended, windowed, and transformed."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np

from .. import fft as _fft
from ._arrays import Arrays
from ._windows import get_window


class Segments:
    """How a signal is cut, and what its segments are multiplied by.

    Raises
    ------
    ValueError
        If lengths do not fit.

    Warns
    -----
    UserWarning
        If the segments asked for are longer than the signal, which then is one.
    """

    def __init__(
        self, window: Any, nperseg: Any, noverlap: Any, nfft: Any, length: int, *, share: int = 2, depth: int = 4
    ) -> None:
        if nperseg is not None and (nperseg := int(nperseg)) < 1:
            raise ValueError(f"nperseg must be a positive integer, not {nperseg}")
        if isinstance(window, (str, tuple)):
            nperseg = 256 if nperseg is None else nperseg
            if nperseg > length:
                words = f"nperseg = {nperseg} is greater than input length = {length}, using nperseg = {length}"
                warnings.warn(words, UserWarning, stacklevel=depth)
                nperseg = length
            self.window = get_window(window, nperseg)
        else:
            self.window = window_array(window)
            if self.window.size > length:
                raise ValueError(f"the window is longer than the input signal: {self.window.size} points, {length} samples")
            if nperseg is not None and nperseg != self.window.size:
                raise ValueError(f"nperseg = {nperseg} is not the length of the window, {self.window.size}")
        self.n = int(self.window.size)
        self.nfft = self.n if nfft is None else int(nfft)
        if self.nfft < self.n:
            raise ValueError(f"nfft must be greater than or equal to nperseg = {self.n}, not {self.nfft}")
        noverlap = self.n // share if noverlap is None else int(noverlap)
        if noverlap >= self.n:
            raise ValueError(f"noverlap must be less than nperseg = {self.n}, not {noverlap}")
        self.step = self.n - noverlap

    def scale(self, fs: float, scaling: str) -> float:
        """What squares of spectra are multiplied by: for a density by frequency, or for a sine's mean square."""
        if scaling == "density":
            return float(1 / (fs * (self.window * self.window).sum()))
        if scaling == "spectrum":
            return float(1 / self.window.sum() ** 2)
        raise ValueError(f"Unknown scaling: {scaling!r}, should be 'density' or 'spectrum'")

    def spectra(self, ops: Arrays, x: Any, detrend: Any, onesided: bool) -> Any:
        """The spectra of a signal's segments, which is along the last axis: (…, segments, frequencies)."""
        cut = detrended(ops, ops.frames(x, self.n, self.step), detrend)
        cut = cut * ops.constant(self.window, cut)
        return _fft.rfft(ops.real(cut), self.nfft) if onesided else _fft.fft(cut, self.nfft)

    def frequencies(self, ops: Arrays, fs: float, onesided: bool, like: Any) -> Any:
        """The frequencies of the points of spectra."""
        found = _fft.rfftfreq(self.nfft, 1 / fs) if onesided else _fft.fftfreq(self.nfft, 1 / fs)
        return ops.beside(found, like)

    def doubled(self, ops: Arrays, power: Any) -> Any:
        """Powers of positive frequencies with those of negative ones: all but 0 and the last of even lengths twice."""
        factors = np.full(power.shape[-1], 2.0)
        factors[0] = 1
        if self.nfft % 2 == 0:
            factors[-1] = 1
        return power * ops.constant(factors, power)


def window_array(window: Any) -> Any:
    """The factors of a window that was given as an array."""
    if type(window).__module__.partition(".")[0] == "torch":
        window = window.detach().cpu()
    elif hasattr(window, "get") and type(window).__module__.partition(".")[0] == "cupy":
        window = window.get()
    found = np.asarray(window)
    if found.ndim != 1:
        raise ValueError(f"a window must be 1-D, not of {found.ndim} dimensions")
    return found if found.dtype.kind in "fc" and found.dtype.itemsize > 4 else found.astype(np.result_type(found, np.float64))


def detrended(ops: Arrays, x: Any, detrend: Any) -> Any:
    """Segments along the last axis without their mean, or the line that is nearest to them, or as a function has it."""
    if detrend is None or detrend is False:
        return x
    if callable(detrend):
        return detrend(x)
    if detrend in ("constant", "c"):
        return x - ops.mean(x, -1, True)
    if detrend not in ("linear", "l"):
        raise ValueError(f"Trend type must be 'linear' or 'constant', not {detrend!r}")
    n = x.shape[-1]
    x = x - ops.mean(x, -1, True)
    if n == 1:
        return x
    # Times around their mean are orthogonal to what is constant.
    t = np.arange(n) - (n - 1) / 2
    slopes = ops.sum(x * ops.constant(t / (t * t).sum(), x), -1, True)
    return x - slopes * ops.constant(t, x)


def along_last(ops: Arrays, x: Any, axis: Any) -> tuple[Any, int]:
    """A signal with its axis at the end, and that axis counted from the first."""
    a = ops.floating(x)
    found = operator.index(axis)
    if not -a.ndim <= found < a.ndim:
        raise IndexError(f"axis {found} is out of bounds for array of dimension {a.ndim}")
    found %= a.ndim
    return (ops.moveaxis(a, found, -1) if found != a.ndim - 1 else a), found
