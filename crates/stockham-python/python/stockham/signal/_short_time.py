"""The short-time Fourier transform and its inverse.

D. W. Griffin, J. S. Lim, "Signal estimation from modified short-time Fourier transform", IEEE Trans. ASSP 32, 1984.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import fft as _fft
from . import _arrays
from ._arrays import Arrays
from ._segments import Segments, along_last, window_array
from ._spectral import in_place, is_onesided
from ._windows import get_window

__all__ = ["istft", "stft"]


def stft(
    x: Any,
    fs: float = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[Any, Any, Any]:
    """The spectra of a signal's overlapping segments, from which `istft` makes the signal again.

    Parameters
    ----------
    x : array_like
        The signal.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        What segments are multiplied by, in the words of `get_window` or as factors.
    nperseg : int, optional
        Samples of a segment.
    noverlap : int, optional
        Samples that a segment shares with the next: half of them.
    nfft : int, optional
        Points of transforms: as many as a segment's samples, or more.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken from segments: their mean, a line, nothing; or a function of segments along `axis`.
    return_onesided : bool, optional
        Whether frequencies of real signals are those from 0 on.
    boundary : {"even", "odd", "constant", "zeros", None}, optional
        What half a segment before and behind the signal is: its mirror image, that turned around the end, its last value,
        zeros; nothing of the kind.
    padded : bool, optional
        Whether zeros follow, so that segments cover all.
    axis : int, optional
        The signal's axis.
    scaling : {"spectrum", "psd"}, optional
        Whether a sine's magnitude is told, or the root of power a hertz.

    Returns
    -------
    f : ndarray
        Frequencies.
    t : ndarray
        The times of the segments' middles.
    Zxx : ndarray
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
    >>> x = np.random.default_rng(1).standard_normal(1000)
    >>> f, t, spectra = stockham.signal.stft(x, nperseg=100)
    >>> spectra.shape
    (51, 21)
    >>> bool(np.allclose(stockham.signal.istft(spectra)[1], x))
    True
    """
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"scaling must be 'spectrum' or 'psd', not {scaling!r}")
    if boundary not in ("even", "odd", "constant", "zeros", None):
        raise ValueError(f"Unknown boundary option {boundary!r}, must be 'even', 'odd', 'constant', 'zeros' or None")
    ops = _arrays.of(x)
    a, place = along_last(ops, x, axis)
    if 0 in a.shape:
        nothing = ops.asarray(np.empty(tuple(ops.asarray(x).shape)))
        return ops.give(nothing), ops.give(nothing), ops.give(nothing)
    cut = Segments(window, nperseg, noverlap, nfft, a.shape[-1])
    onesided = is_onesided(ops, return_onesided, a)
    begin = 0.0
    if boundary is not None:
        a, begin = extended(ops, a, cut.n // 2, boundary), cut.n / 2
    if padded:
        a = ops.pad(a, -1, 0, -(a.shape[-1] - cut.n) % cut.step % cut.n)
    scale = math.sqrt(cut.scale(fs, "density" if scaling == "psd" else "spectrum"))
    spectra = cut.spectra(ops, a, in_place(ops, detrend, place, a.ndim), onesided) * scale
    times = (np.arange(cut.n / 2, a.shape[-1] - cut.n / 2 + 1, cut.step) - begin) / float(fs)
    result = ops.moveaxis(spectra, -1, place)
    return ops.give(cut.frequencies(ops, fs, onesided, a)), ops.give(ops.beside(times, a)), ops.give(result)


def istft(
    Zxx: Any,
    fs: float = 1.0,
    window: Any = "hann_periodic",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
    scaling: str = "spectrum",
) -> tuple[Any, Any]:
    """The signal whose short-time Fourier transform is nearest to the spectra.

    Parameters
    ----------
    Zxx : array_like
        Spectra, as `stft` gives them.
    fs : float, optional
        Samples a second.
    window : str, tuple or array_like, optional
        That of `stft`.
    nperseg : int, optional
        Samples of a segment; as many as transforms have points. Odd ones are to be told.
    noverlap : int, optional
        Samples that a segment shares with the next: half of them.
    nfft : int, optional
        Points of transforms, as in `stft`.
    input_onesided : bool, optional
        Whether the spectra have frequencies from 0 on only.
    boundary : bool, optional
        Whether the signal had something before and behind it.
    time_axis, freq_axis : int, optional
        The axes of times and of frequencies.
    scaling : {"spectrum", "psd"}, optional
        That of `stft`.

    Returns
    -------
    t : ndarray
        Times. (Of the signal's axis, where SciPy counts along the first.)
    x : ndarray
        The signal, real if the spectra are one-sided.

    Raises
    ------
    ValueError
        If lengths or words do not fit.

    Warns
    -----
    UserWarning
        If windows leave some of the signal out.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> t, x = stockham.signal.istft(np.ones((5, 4), complex))
    >>> x.shape
    (12,)
    """
    ops = _arrays.of(Zxx)
    z = ops.floating(Zxx)
    if z.ndim < 2:
        raise ValueError("an stft has two dimensions at least")
    times, frequencies = (range(z.ndim)[int(axis)] for axis in (time_axis, freq_axis))
    if times == frequencies:
        raise ValueError("time_axis and freq_axis must differ")
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"scaling must be 'spectrum' or 'psd', not {scaling!r}")
    default = 2 * (z.shape[frequencies] - 1) if input_onesided else z.shape[frequencies]
    n = default if nperseg is None else int(nperseg)
    if n < 1:
        raise ValueError(f"nperseg must be a positive integer, not {n}")
    if nfft is None:
        nfft = n if input_onesided and n == default + 1 else default
    if nfft < n:
        raise ValueError(f"nfft must be greater than or equal to nperseg = {n}, not {nfft}")
    overlap = n // 2 if noverlap is None else int(noverlap)
    if overlap >= n:
        raise ValueError(f"noverlap must be less than nperseg = {n}, not {overlap}")
    w = get_window(window, n) if isinstance(window, (str, tuple)) else window_array(window)
    if w.size != n:
        raise ValueError(f"the window must have a length of {n}, not {w.size}")
    # Segments, and their points, last.
    z = ops.moveaxis(z, (times, frequencies), (-2, -1))
    pieces = (_fft.irfft if input_onesided else _fft.ifft)(z, int(nfft))[..., :n]
    factor = w.sum() if scaling == "spectrum" else math.sqrt(fs * (w * w).sum())
    x = added(ops, pieces * ops.constant(w * factor, pieces), n - overlap)
    norm = added(_arrays.NUMPY, np.broadcast_to(w * w, (z.shape[-2], n)), n - overlap)
    if boundary:
        end = x.shape[-1] - n // 2
        x, norm = x[..., n // 2 : end], norm[n // 2 : end]
    if not (norm > 1e-10).all():
        hint = "" if boundary else ", possibly due to a missing boundary"
        warnings.warn(f"NOLA condition failed, STFT may not be invertible{hint}", UserWarning, stacklevel=2)
    x = x / ops.constant(np.where(norm > 1e-10, norm, 1.0), x)
    t = np.arange(x.shape[-1]) / float(fs)
    if x.ndim > 1:
        x = ops.moveaxis(x, -1, times - (frequencies < times))
    return ops.give(ops.beside(t, z)), ops.give(x)


def extended(ops: Arrays, x: Any, count: int, boundary: str) -> Any:
    """A signal with so many samples more at both ends."""
    if boundary == "zeros" or count == 0:
        return ops.pad(x, -1, count, count)
    n = x.shape[-1]
    if boundary == "constant":
        ends = [x[..., :1] + 0 * x[..., :count], x[..., n - 1 :] + 0 * x[..., :count]]
        return ops.concat([ends[0], x, ends[1]], -1)
    if count > n - 1:
        raise ValueError(f"an extension of {count} samples is too long for {n}: at most {n - 1}")
    before, behind = ops.flip(x[..., 1 : count + 1], (-1,)), ops.flip(x[..., n - 1 - count : n - 1], (-1,))
    if boundary == "odd":
        before, behind = 2 * x[..., :1] - before, 2 * x[..., n - 1 :] - behind
    return ops.concat([before, x, behind], -1)


def added(ops: Arrays, pieces: Any, step: int) -> Any:
    """The sum of pieces (…, pieces, n), each a step behind the one before."""
    count, n = pieces.shape[-2:]
    parts = -(-n // step)
    pieces = ops.pad(pieces, -1, 0, parts * step - n)
    total: Any = None
    for part in range(parts):
        # What all pieces have in their part of that number lies side by side.
        beside = ops.pad(pieces[..., part * step : (part + 1) * step], -2, part, parts - 1 - part)
        total = beside if total is None else total + beside
    joined = total.reshape((*pieces.shape[:-2], (count + parts - 1) * step))
    return joined[..., : n + (count - 1) * step]
