"""Discrete Fourier transforms of real numbers, and back."""

from __future__ import annotations

from typing import Any

from .. import _codes
from .._stockham import call

__all__ = ["irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftn"]


def rfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete Fourier transform of real numbers along one axis.

    Parameters
    ----------
    x : array_like
        Real numbers.
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor 1/n is: with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    plan : None
        There for SciPy's sake.
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The first n/2 + 1 points of the spectrum, complex; the others are their conjugates.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.
    TypeError
        If `x` is complex.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.rfft([1.0, 2.0, 3.0, 4.0])
    array([10.+0.j, -2.+2.j, -2.+0.j])
    """
    return call(_codes.RFFT, x, n, axis, norm, overwrite_x, workers, plan, out, device)


def irfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `rfft`.

    Parameters
    ----------
    x : array_like
        Half of a spectrum of real numbers. The imaginary parts of its points 0 and n/2 are ignored.
    n : int, optional
        How many points come out: 2·(m − 1) of m by default.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor 1/n is: here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    plan : None
        There for SciPy's sake.
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        Real numbers.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.irfft([10, -2 + 2j, -2])
    array([1., 2., 3., 4.])
    """
    return call(_codes.IRFFT, x, n, axis, norm, overwrite_x, workers, plan, out, device)


def rfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete Fourier transform of real numbers along two axes.

    The last of the axes has half a spectrum.

    Parameters
    ----------
    x : array_like
        Real numbers.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
    axes : sequence of ints, optional
        The two axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor 1/n is: with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    plan : None
        There for SciPy's sake.
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The first n/2 + 1 points of the spectrum, complex; the others are their conjugates.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.
    TypeError
        If `x` is complex.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.rfft2([[1.0, 2.0], [3.0, 4.0]])
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return call(_codes.RFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def irfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `rfft2`.

    Parameters
    ----------
    x : array_like
        Half of a spectrum of real numbers. The imaginary parts of its points 0 and n/2 are ignored.
    s : sequence of ints, optional
        How many points come out along each axis; along the last, 2·(m − 1) of m by default.
    axes : sequence of ints, optional
        The two axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor 1/n is: here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    plan : None
        There for SciPy's sake.
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        Real numbers.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.irfft2([[10, -2], [-4, 0j]])
    array([[1., 2.],
           [3., 4.]])
    """
    return call(_codes.IRFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def rfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete Fourier transform of real numbers along several axes.

    The last of the axes has half a spectrum.

    Parameters
    ----------
    x : array_like
        Real numbers.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
    axes : sequence of ints, optional
        The axes; all by default, or as many of the last as `s` has numbers.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor 1/n is: with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    plan : None
        There for SciPy's sake.
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The first n/2 + 1 points of the spectrum, complex; the others are their conjugates.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.
    TypeError
        If `x` is complex.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> stockham.fft.rfftn(np.ones((2, 3, 4))).shape
    (2, 3, 3)
    """
    return call(_codes.RFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def irfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `rfftn`.

    Parameters
    ----------
    x : array_like
        Half of a spectrum of real numbers. The imaginary parts of its points 0 and n/2 are ignored.
    s : sequence of ints, optional
        How many points come out along each axis; along the last, 2·(m − 1) of m by default.
    axes : sequence of ints, optional
        The axes; all by default, or as many of the last as `s` has numbers.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor 1/n is: here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    plan : None
        There for SciPy's sake.
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        Real numbers.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(24.0).reshape(2, 3, 4)
    >>> np.allclose(stockham.fft.irfftn(stockham.fft.rfftn(x)), x)
    True
    """
    return call(_codes.IRFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)
