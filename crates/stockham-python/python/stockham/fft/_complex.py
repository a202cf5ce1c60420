"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

from .. import _codes
from .._stockham import call

__all__ = ["fft", "fft2", "fftn", "ifft", "ifft2", "ifftn"]


def fft(
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
    """The discrete Fourier transform along one axis.

    Parameters
    ----------
    x : array_like
        Complex or real numbers.
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
        The spectrum, complex, in the shape that `n` or `s` says.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.fft([1.0, 2.0, 3.0, 4.0])
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return call(_codes.FFT, x, n, axis, norm, overwrite_x, workers, plan, out, device)


def ifft(
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
    """The inverse of `fft`.

    Parameters
    ----------
    x : array_like
        A spectrum.
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
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
        The inverse transform, complex, in the shape that `n` or `s` says.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.ifft([10, -2 + 2j, -2, -2 - 2j])
    array([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j])
    """
    return call(_codes.IFFT, x, n, axis, norm, overwrite_x, workers, plan, out, device)


def fft2(
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
    """The discrete Fourier transform along two axes.

    Parameters
    ----------
    x : array_like
        Complex or real numbers.
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
        The spectrum, complex, in the shape that `n` or `s` says.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.fft2([[1.0, 2.0], [3.0, 4.0]])
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return call(_codes.FFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def ifft2(
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
    """The inverse of `fft2`.

    Parameters
    ----------
    x : array_like
        A spectrum.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
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
        The inverse transform, complex, in the shape that `n` or `s` says.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.ifft2([[10, -2], [-4, 0j]])
    array([[1.+0.j, 2.+0.j],
           [3.+0.j, 4.+0.j]])
    """
    return call(_codes.IFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def fftn(
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
    """The discrete Fourier transform along several axes.

    Parameters
    ----------
    x : array_like
        Complex or real numbers.
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
        The spectrum, complex, in the shape that `n` or `s` says.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> stockham.fft.fftn(np.ones((2, 3, 4)))[0, 0].real
    array([24.,  0.,  0.,  0.])
    """
    return call(_codes.FFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def ifftn(
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
    """The inverse of `fftn`.

    Parameters
    ----------
    x : array_like
        A spectrum.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
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
        The inverse transform, complex, in the shape that `n` or `s` says.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(24.0).reshape(2, 3, 4)
    >>> np.allclose(stockham.fft.ifftn(stockham.fft.fftn(x)), x)
    True
    """
    return call(_codes.IFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)
