"""Convolutions, spectra of segments, analytic signals and resampling, with the names, arguments and results of `scipy.signal`.

Arrays of NumPy, CuPy, PyTorch and JAX are taken, and computed where they are, in their own precision; results are arrays of the
same library, and tensors have gradients. Beside SciPy's functions there are `fftfilt`, which filters long signals, and
`phase_correlation`.

>>> import numpy as np
>>> import stockham.signal
>>> stockham.signal.fftconvolve(np.ones(4), np.ones(3)).round(12)
array([1., 2., 3., 3., 2., 1.])
"""

from __future__ import annotations

from ._analytic import hilbert, hilbert2
from ._convolution import fftconvolve, oaconvolve
from ._direct import choose_conv_method, convolve, correlate, correlation_lags
from ._filtering import fftfilt
from ._registration import phase_correlation
from ._resampling import resample
from ._short_time import istft, stft
from ._spectral import coherence, csd, periodogram, spectrogram, welch
from ._windows import get_window

__all__ = [
    "choose_conv_method",
    "coherence",
    "convolve",
    "correlate",
    "correlation_lags",
    "csd",
    "fftconvolve",
    "fftfilt",
    "get_window",
    "hilbert",
    "hilbert2",
    "istft",
    "oaconvolve",
    "periodogram",
    "phase_correlation",
    "resample",
    "spectrogram",
    "stft",
    "welch",
]
