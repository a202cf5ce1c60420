"""How far an image is shifted against another, by the phase of their cross spectrum.

C. D. Kuglin, D. C. Hines, "The phase correlation image alignment method", Proc. IEEE Conf. Cybernetics and Society, 1975.
"""

from __future__ import annotations

from typing import Any

from .. import fft as _fft
from . import _arrays

__all__ = ["phase_correlation"]


def phase_correlation(in1: Any, in2: Any, axes: Any = None) -> Any:
    """Correlate two arrays by the phases of their spectra alone.

    Where `in1` is `in2`, shifted cyclically, the result is 1 at the shift and 0 elsewhere. Frequencies that one of the arrays
    lacks count nothing.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of the same shape.
    axes : int or sequence of ints, optional
        The axes; all by default.

    Returns
    -------
    ndarray
        The correlation, in that shape; real if both arrays are. Negative shifts are counted from the end.

    Raises
    ------
    ValueError
        If shapes differ, or there are no points.

    Examples
    --------
    >>> import numpy as np, stockham.signal
    >>> image = np.random.default_rng(1).standard_normal((32, 32))
    >>> found = stockham.signal.phase_correlation(np.roll(image, (3, -5), axis=(0, 1)), image)
    >>> [int(i) for i in np.unravel_index(found.argmax(), found.shape)]
    [3, 27]
    """
    ops = _arrays.of(in1, in2)
    a, b = ops.floating(in1), ops.floating(in2)
    if tuple(a.shape) != tuple(b.shape):
        raise ValueError(f"the arrays have different shapes: {tuple(a.shape)} and {tuple(b.shape)}")
    found = _arrays.axes_of(a, axes)
    if not found or 0 in a.shape:
        raise ValueError("at least one axis of some length is needed")
    real = not ops.is_complex(a, b)
    forward = _fft.rfftn if real else _fft.fftn
    cross = forward(a, axes=found) * ops.conj(forward(b, axes=found))
    size = abs(cross)
    phases = cross / ops.xp.where(size > 0, size, 1)
    lengths = [a.shape[axis] for axis in found]
    return ops.give(_fft.irfftn(phases, lengths, axes=found) if real else _fft.ifftn(phases, axes=found))
