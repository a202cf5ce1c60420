"""Power spectra: averages over a signal's segments, and spectrograms.

P. D. Welch, "The use of fast Fourier transform for the estimation of power spectra", IEEE Trans. Audio Electroacoust. 15, 1967.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from . import _arrays
from ._arrays import Arrays
from ._segments import Segments, along_last, window_array

__all__ = ["coherence", "csd", "periodogram", "spectrogram", "welch"]


def welch(
    x: Any,
    fs: float = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:
    """Estimate the power spectrum of a signal, as the average over its segments.

    Parameters
    ----------
    x : array_like
        The signal.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        What segments are multiplied by, in the words of `get_window` or as factors.
    nperseg : int, optional
        Samples of a segment: 256, or as many as a window's factors.
    noverlap : int, optional
        Samples that a segment shares with the next: half of them.
    nfft : int, optional
        Points of transforms: as many as a segment's samples, or more.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken from segments: their mean, a line, nothing; or a function of segments along the last axis.
    return_onesided : bool, optional
        Whether frequencies of real signals are those from 0 on, with the powers of both signs.
    scaling : {"density", "spectrum"}, optional
        Power a hertz, or that of a sine at the frequency.
    axis : int, optional
        The signal's axis.
    average : {"mean", "median"}, optional
        How segments are averaged.

    Returns
    -------
    f : ndarray
        Frequencies.
    Pxx : ndarray
        Powers, with frequencies along `axis`.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Warns
    -----
    UserWarning
        If a segment is longer than the signal, which then is one.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> f, power = stockham.signal.welch(np.sin(np.arange(4096) * np.pi / 4), fs=8.0, scaling="spectrum")
    >>> float(f[power.argmax()]), round(float(power.max()), 6)
    (1.0, 0.5)
    """
    return _averaged(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def csd(
    x: Any,
    y: Any,
    fs: float = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:
    """Estimate the cross power spectrum of two signals, conj(X)·Y, as the average over their segments.

    Parameters
    ----------
    x, y : array_like
        The signals; the shorter one is followed by zeros.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        What segments are multiplied by, in the words of `get_window` or as factors.
    nperseg : int, optional
        Samples of a segment: 256, or as many as a window's factors.
    noverlap : int, optional
        Samples that a segment shares with the next: half of them.
    nfft : int, optional
        Points of transforms: as many as a segment's samples, or more.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken from segments: their mean, a line, nothing; or a function of segments along the last axis.
    return_onesided : bool, optional
        Whether frequencies of real signals are those from 0 on, with the powers of both signs.
    scaling : {"density", "spectrum"}, optional
        Power a hertz, or that of sines at the frequency.
    axis : int, optional
        The signals' axis.
    average : {"mean", "median"}, optional
        How segments are averaged.

    Returns
    -------
    f : ndarray
        Frequencies.
    Pxy : ndarray
        Cross powers, complex, with frequencies along `axis`; real ones if `y` is `x`.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Warns
    -----
    UserWarning
        If a segment is longer than the signals, which then are one.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> x = np.random.default_rng(1).standard_normal(4096)
    >>> f, power = stockham.signal.csd(x, np.roll(x, 1))
    >>> round(float(np.angle(power[64]) / np.pi), 1)
    -0.5
    """
    return _averaged(x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def coherence(
    x: Any,
    y: Any,
    fs: float = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    axis: int = -1,
) -> tuple[Any, Any]:
    """Estimate how far two signals are a linear system's input and output: |Pxy|² / (Pxx·Pyy), from 0 to 1.

    Parameters
    ----------
    x, y : array_like
        The signals.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        What segments are multiplied by, in the words of `get_window` or as factors.
    nperseg : int, optional
        Samples of a segment: 256, or as many as a window's factors.
    noverlap : int, optional
        Samples that a segment shares with the next: half of them.
    nfft : int, optional
        Points of transforms: as many as a segment's samples, or more.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken from segments: their mean, a line, nothing; or a function of segments along the last axis.
    axis : int, optional
        The signals' axis.

    Returns
    -------
    f : ndarray
        Frequencies.
    Cxy : ndarray
        Coherence, with frequencies along `axis`.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> x = np.random.default_rng(1).standard_normal(4096)
    >>> f, found = stockham.signal.coherence(x, 3 * x)
    >>> bool(np.allclose(found, 1))
    True
    """
    f, pxx = welch(x, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, pyy = welch(y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, pxy = csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    return f, abs(pxy) ** 2 / pxx / pyy


def periodogram(
    x: Any,
    fs: float = 1.0,
    window: Any = "boxcar",
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
) -> tuple[Any, Any]:
    """Estimate the power spectrum of a signal by one transform of all of it.

    Parameters
    ----------
    x : array_like
        The signal.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        What it is multiplied by, in the words of `get_window` or as factors.
    nfft : int, optional
        Points of the transform: further samples are left out, missing ones are 0.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken from it: its mean, a line, nothing; or a function of the signal along the last axis.
    return_onesided : bool, optional
        Whether frequencies of real signals are those from 0 on, with the powers of both signs.
    scaling : {"density", "spectrum"}, optional
        Power a hertz, or that of a sine at the frequency.
    axis : int, optional
        The signal's axis.

    Returns
    -------
    f : ndarray
        Frequencies.
    Pxx : ndarray
        Powers, with frequencies along `axis`.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> f, power = stockham.signal.periodogram(np.cos(np.arange(64) * np.pi / 8), scaling="spectrum")
    >>> float(f[power.argmax()]), round(float(power.max()), 6)
    (0.0625, 0.5)
    """
    ops = _arrays.of(x)
    a = ops.asarray(x)
    if 0 in a.shape:
        return _nothing(ops, a.shape), _nothing(ops, a.shape)
    n = a.shape[axis]
    if nfft is not None and nfft < n:
        a, n, nfft = _arrays.cut(a, axis, 0, nfft), int(nfft), None
    window = "boxcar" if window is None else window
    if not isinstance(window, (str, tuple)) and window_array(window).size != n:
        raise ValueError(f"the size of the window must be that of the input on the specified axis, {n}")
    a = ops.give(a)
    return _averaged(a, a, fs, window, n, 0, nfft, detrend, return_onesided, scaling, axis, "mean")


def spectrogram(
    x: Any,
    fs: float = 1.0,
    window: Any = ("tukey_periodic", 0.25),
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[Any, Any, Any]:
    """The spectra of a signal's segments.

    Parameters
    ----------
    x : array_like
        The signal.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        What segments are multiplied by, in the words of `get_window` or as factors.
    nperseg : int, optional
        Samples of a segment: 256, or as many as a window's factors.
    noverlap : int, optional
        Samples that a segment shares with the next: an eighth of them.
    nfft : int, optional
        Points of transforms: as many as a segment's samples, or more.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken from segments: their mean, a line, nothing; or a function of segments along `axis`.
    return_onesided : bool, optional
        Whether frequencies of real signals are those from 0 on.
    scaling : {"density", "spectrum"}, optional
        Power a hertz, or that of a sine at the frequency.
    axis : int, optional
        The signal's axis.
    mode : {"psd", "complex", "magnitude", "angle", "phase"}, optional
        Powers; spectra; their absolute values; their angles; those without jumps from frequency to frequency.

    Returns
    -------
    f : ndarray
        Frequencies.
    t : ndarray
        The times of the segments' middles.
    Sxx : ndarray
        With frequencies along `axis`, and times along a new last axis.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Warns
    -----
    UserWarning
        If the signal is complex, and one sign of frequencies was asked for; or if a segment is longer than the signal.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> f, t, power = stockham.signal.spectrogram(np.ones(1000), nperseg=100, noverlap=0)
    >>> power.shape, float(t[0])
    ((51, 10), 50.0)
    """
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"unknown value for mode {mode!r}, must be 'psd', 'complex', 'magnitude', 'angle' or 'phase'")
    ops = _arrays.of(x)
    a, place = along_last(ops, x, axis)
    if 0 in a.shape:
        nothing = _nothing(ops, ops.asarray(x).shape)
        return nothing, nothing, nothing
    cut = Segments(window, nperseg, noverlap, nfft, a.shape[-1], share=8)
    onesided = is_onesided(ops, return_onesided, a)
    scale = cut.scale(fs, scaling)
    spectra = cut.spectra(ops, a, in_place(ops, detrend, place, a.ndim), onesided)
    times = np.arange(cut.n / 2, a.shape[-1] - cut.n / 2 + 1, cut.step) / float(fs)
    result = spectra * (scale if mode == "psd" else math.sqrt(scale))
    if mode == "psd":
        result = ops.real(spectra * ops.conj(spectra)) * scale
        result = cut.doubled(ops, result) if onesided else result
    elif mode == "magnitude":
        result = abs(result)
    elif mode != "complex":
        result = ops.xp.angle(result)
        result = unwrapped(ops, result) if mode == "phase" else result
    result = ops.moveaxis(result, -1, place)
    return ops.give(cut.frequencies(ops, fs, onesided, a)), ops.give(ops.beside(times, a)), ops.give(result)


def _averaged(
    x: Any,
    y: Any,
    fs: float,
    window: Any,
    nperseg: Any,
    noverlap: Any,
    nfft: Any,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    average: str,
) -> tuple[Any, Any]:
    """The average of cross powers over segments."""
    same = y is x
    if average not in ("mean", "median"):
        raise ValueError(f"average must be 'median' or 'mean', not {average!r}")
    ops = _arrays.of(x, y)
    a, place = along_last(ops, x, axis)
    b = a if same else along_last(ops, y, axis)[0]
    try:
        outer = np.broadcast_shapes(tuple(a.shape[:-1]), tuple(b.shape[:-1]))
    except ValueError:
        raise ValueError("x and y cannot be broadcast together") from None
    if 0 in a.shape or 0 in b.shape:
        shape = (*outer, min(a.shape[-1], b.shape[-1]))
        nothing = _nothing(ops, np.moveaxis(np.empty(shape), -1, min(place, len(outer))).shape)
        return nothing, nothing
    length = max(a.shape[-1], b.shape[-1])
    cut = Segments(window, nperseg, noverlap, nfft, length, depth=5)
    scale = cut.scale(fs, scaling)
    onesided = bool(return_onesided) and not ops.is_complex(a, b)
    if same:
        spectra = cut.spectra(ops, a, detrend, onesided)
        power = ops.real(spectra * ops.conj(spectra)) * scale
    else:
        a, b = (cut.spectra(ops, ops.pad(each, -1, 0, length - each.shape[-1]), detrend, onesided) for each in (a, b))
        power = ops.conj(a) * b * scale
    power = cut.doubled(ops, power) if onesided else power
    if power.shape[-2] == 1:
        power = power[..., 0, :]
    elif average == "mean":
        power = ops.mean(power, -2)
    elif same:
        power = ops.median(power, -2) / median_bias(power.shape[-2])
    else:
        power = (ops.median(power.real, -2) + 1j * ops.median(power.imag, -2)) / median_bias(power.shape[-2])
    if power.ndim > 1:
        power = ops.moveaxis(power, -1, axis)
    return ops.give(cut.frequencies(ops, fs, onesided, a)), ops.give(power)


def median_bias(count: int) -> float:
    """The mean of the median of so many periodograms of noise, relative to their mean.

    B. Allen and others, "FINDCHIRP", Physical Review D 85, 2012, appendix B.
    """
    return 1 + sum(1 / (2 * k + 1) - 1 / (2 * k) for k in range(1, (count - 1) // 2 + 1))


def is_onesided(ops: Arrays, asked: bool, a: Any) -> bool:
    """Whether spectra have one sign of frequencies, which those of complex signals cannot."""
    if asked and ops.is_complex(a):
        warnings.warn("Input data is complex, switching to return_onesided=False", UserWarning, stacklevel=3)
    return bool(asked) and not ops.is_complex(a)


def in_place(ops: Arrays, detrend: Any, place: int, rank: int) -> Any:
    """A function that takes trends from segments, called with these where the signal's axis was."""
    if not callable(detrend) or place == rank - 1:
        return detrend
    return lambda x: ops.moveaxis(detrend(ops.moveaxis(x, -1, place)), place, -1)


def unwrapped(ops: Arrays, angles: Any) -> Any:
    """Angles without jumps of more than π along the last axis: frequencies, before times are the last."""
    steps = angles[..., 1:] - angles[..., :-1]
    turns = ops.xp.round(steps / (2 * math.pi)) * (2 * math.pi)
    return ops.concat([angles[..., :1], angles[..., 1:] - ops.cumsum(turns, -1)], -1)


def _nothing(ops: Arrays, shape: Any) -> Any:
    """An empty array."""
    return ops.give(ops.asarray(np.empty(tuple(shape))))
