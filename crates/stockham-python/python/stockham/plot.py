"""Spectra and spectrograms on Matplotlib's axes.

Matplotlib is asked for when something is drawn: `pip install 'stockham[plot]'` brings it.
"""

from __future__ import annotations

from typing import Any

from . import fft as _fft

__all__ = ["spectrogram", "spectrum"]

_FLOOR_DB = 120.0
"""What lies further below the highest value of a spectrum is not shown."""


def spectrum(
    x: Any,
    fs: float | None = None,
    *,
    ax: Any = None,
    window: Any = "hann",
    db: bool = True,
    unit: str = "",
    workers: int | None = None,
) -> Any:
    """Draw the amplitudes of a signal's frequencies.

    A sine of amplitude A between 0 and fs/2 has the height A, and so has exp(2πi·f·t) times A.

    Parameters
    ----------
    x : array_like
        Samples of one dimension: real ones are drawn from 0 to fs/2, complex ones from -fs/2 to fs/2.
    fs : float, optional
        Samples a second; without it frequencies are in cycles a sample.
    ax : matplotlib.axes.Axes, optional
        Where it is drawn; on axes of a new figure by default.
    window : {"hann", "rectangular"} or array_like, optional
        What the samples are multiplied by: one factor each.
    db : bool, optional
        Whether heights are in decibels, 20·log10 of the amplitude.
    unit : str, optional
        The samples' unit, such as "V".
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    ImportError
        If Matplotlib is not installed.
    TypeError
        If the samples are no numbers.
    ValueError
        If they are not of one dimension or none, or `fs` or `window` makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> t = np.arange(1000) / 1000
    >>> axes = stockham.plot.spectrum(np.sin(2 * np.pi * 50 * t), fs=1000, unit="V")  # doctest: +SKIP
    """
    import numpy as np

    a, rate = _samples(x), _rate(fs)
    weights = _weights(window, a.size)
    is_real = a.dtype.kind != "c"
    transform = _fft.rfft if is_real else _fft.fft
    heights = np.abs(transform(a * weights, workers=workers)) / weights.sum()
    if is_real:
        frequencies = _fft.rfftfreq(a.size, 1 / rate)
        # Both of a pair of frequencies, f and -f, have half of it.
        heights[1 : (a.size + 1) // 2] *= 2
    else:
        frequencies, heights = _fft.fftshift(_fft.fftfreq(a.size, 1 / rate)), _fft.fftshift(heights)
    axes = _axes(ax)
    if db:
        heights = _decibels(heights, heights.max(), _FLOOR_DB)
    axes.plot(frequencies, heights, linewidth=1)
    axes.margins(x=0)
    axes.grid(True, alpha=0.3)
    axes.set_xlabel(_frequency(fs))
    axes.set_ylabel(_level("Amplitude", db, unit))
    return axes


def spectrogram(
    x: Any,
    fs: float | None = None,
    *,
    ax: Any = None,
    n: int = 1024,
    hop: int | None = None,
    window: Any = "hann",
    range_db: float = 80.0,
    unit: str = "",
    colorbar: bool = True,
    workers: int | None = None,
) -> Any:
    """Draw the amplitudes of a signal's frequencies over time, in decibels.

    Parameters
    ----------
    x : array_like
        Samples of one dimension, real or complex.
    fs : float, optional
        Samples a second; without it times are in samples, and frequencies in cycles a sample.
    ax : matplotlib.axes.Axes, optional
        Where it is drawn; on axes of a new figure by default.
    n : int, optional
        Samples of each spectrum; frequencies are fs/n apart.
    hop : int, optional
        Samples from one spectrum to the next; n/4 by default.
    window : {"hann", "rectangular"} or array_like, optional
        What the n samples are multiplied by: one factor each.
    range_db : float, optional
        How far below the highest amplitude the scale of colours ends.
    unit : str, optional
        The samples' unit, such as "V".
    colorbar : bool, optional
        Whether the scale of colours is drawn beside the axes.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    ImportError
        If Matplotlib is not installed.
    TypeError
        If the samples are no numbers.
    ValueError
        If they are not of one dimension or fewer than `n`, or another argument makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> t = np.arange(8000) / 8000
    >>> axes = stockham.plot.spectrogram(np.sin(2 * np.pi * 2000 * t**2), fs=8000, n=256)  # doctest: +SKIP
    """
    import operator

    import numpy as np

    a, rate = _samples(x), _rate(fs)
    n = operator.index(n)
    hop = max(n // 4, 1) if hop is None else operator.index(hop)
    if not 1 <= n <= a.size or hop < 1:
        raise ValueError(
            f"spectra of n = {n} samples, {hop} from one to the next, need 1 <= n <= {a.size} and a hop of 1 or more"
        )
    if not range_db > 0:
        raise ValueError(f"range_db must be positive, not {range_db}")
    weights = _weights(window, n)
    pieces = np.lib.stride_tricks.sliding_window_view(a, n)[::hop] * weights
    is_real = a.dtype.kind != "c"
    heights = np.abs((_fft.rfft if is_real else _fft.fft)(pieces, workers=workers)) / weights.sum()
    if is_real:
        heights[:, 1 : (n + 1) // 2] *= 2
    else:
        heights = _fft.fftshift(heights, axes=1)
    levels = _decibels(heights, heights.max(), range_db)
    axes = _axes(ax)
    # A pixel is as wide as a hop, around the middle of its samples, and as high as the distance of frequencies.
    left, right = (n - hop) / 2 / rate, ((len(pieces) - 1) * hop + (n + hop) / 2) / rate
    step = rate / n
    low = -step / 2 if is_real else -(n // 2) * step - step / 2
    image = axes.imshow(
        levels.T,
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        extent=(left, right, low, low + levels.shape[1] * step),
        vmin=levels.max() - range_db,
    )
    axes.set_xlabel("Time in samples" if fs is None else "Time in s")
    axes.set_ylabel(_frequency(fs))
    if colorbar:
        axes.figure.colorbar(image, ax=axes, label=_level("Amplitude", True, unit))
    return axes


def _samples(x: Any) -> Any:
    import numpy as np

    a = np.asarray(x)
    if a.dtype.kind not in "biufc":
        raise TypeError(f"samples must be real or complex numbers, not {a.dtype}")
    if a.ndim != 1 or a.size == 0:
        raise ValueError(f"samples of one dimension are needed, one at least; the array's shape is {a.shape}")
    # Squares of numbers in half precision would be too large.
    return a if a.dtype.char in "fdFD" else a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)


def _rate(fs: Any) -> float:
    rate = 1.0 if fs is None else float(fs)
    if not 0 < rate < float("inf"):
        raise ValueError(f"fs must be a positive number of samples a second, not {fs}")
    return rate


def _weights(window: Any, n: int) -> Any:
    import numpy as np

    if isinstance(window, str):
        if window == "hann":
            # Periodic, so that a whole number of periods has three points.
            return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n) if n > 1 else np.ones(1)
        if window == "rectangular":
            return np.ones(n)
        raise ValueError(f'window {window!r} is not known: use "hann", "rectangular" or an array of {n} factors')
    weights = np.asarray(window, np.float64)
    if weights.shape != (n,) or not weights.sum() > 0:
        raise ValueError(f"window must have {n} factors with a positive sum; its shape is {weights.shape}")
    return weights


def _decibels(heights: Any, most: float, below: float) -> Any:
    """Levels, the least of them so far below the most."""
    import numpy as np

    least = most * 10 ** (-below / 20)
    return 20 * np.log10(np.maximum(heights, least if least > 0 else np.finfo(heights.dtype).tiny))


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("stockham.plot draws with Matplotlib, which is not installed: pip install 'stockham[plot]'") from None
    return plt.subplots(layout="constrained")[1]


def _frequency(fs: Any) -> str:
    return "Frequency in cycles per sample" if fs is None else "Frequency in Hz"


def _level(what: str, db: bool, unit: str) -> str:
    if db:
        return f"{what} in dB relative to 1 {unit}".rstrip()
    return f"{what} in {unit}" if unit else what
