"""Discrete Fourier transforms of Hermitian numbers, and back."""

from __future__ import annotations

from typing import Any

from .. import _codes
from .._stockham import call

__all__ = ["hfft", "hfft2", "hfftn", "ihfft", "ihfft2", "ihfftn"]


def hfft(
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
    """The discrete Fourier transform of Hermitian numbers along one axis, whose spectrum is real.

    Parameters
    ----------
    x : array_like
        Half of the numbers; the others are their conjugates.
    n : int, optional
        How many points come out: 2·(m − 1) of m by default.
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
        The spectrum, real.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.hfft([1.0, 2.0, 3.0])
    array([ 8., -2.,  0., -2.])
    """
    return call(_codes.HFFT, x, n, axis, norm, overwrite_x, workers, plan, out, device)


def ihfft(
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
    """The inverse of `hfft`.

    Parameters
    ----------
    x : array_like
        A real spectrum.
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
        The first n/2 + 1 Hermitian numbers, complex.

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
    >>> stockham.fft.ihfft([8.0, -2.0, 0.0, -2.0]).real
    array([1., 2., 3.])
    """
    return call(_codes.IHFFT, x, n, axis, norm, overwrite_x, workers, plan, out, device)


def hfft2(
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
    """The discrete Fourier transform of Hermitian numbers along two axes, whose spectrum is real.

    Parameters
    ----------
    x : array_like
        Half of the numbers; the others are their conjugates.
    s : sequence of ints, optional
        How many points come out along each axis; along the last, 2·(m − 1) of m by default.
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
        The spectrum, real.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(12.0).reshape(3, 4)
    >>> np.allclose(stockham.fft.hfft2(stockham.fft.ihfft2(x)), x)
    True
    """
    return call(_codes.HFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def ihfft2(
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
    """The inverse of `hfft2`.

    Parameters
    ----------
    x : array_like
        A real spectrum.
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
        The first n/2 + 1 Hermitian numbers, complex.

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
    >>> stockham.fft.ihfft2(np.ones((2, 4))).shape
    (2, 3)
    """
    return call(_codes.IHFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def hfftn(
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
    """The discrete Fourier transform of Hermitian numbers along several axes, whose spectrum is real.

    Parameters
    ----------
    x : array_like
        Half of the numbers; the others are their conjugates.
    s : sequence of ints, optional
        How many points come out along each axis; along the last, 2·(m − 1) of m by default.
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
        The spectrum, real.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(12.0).reshape(3, 4)
    >>> np.allclose(stockham.fft.hfftn(stockham.fft.ihfftn(x)), x)
    True
    """
    return call(_codes.HFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)


def ihfftn(
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
    """The inverse of `hfftn`.

    Parameters
    ----------
    x : array_like
        A real spectrum.
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
        The first n/2 + 1 Hermitian numbers, complex.

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
    >>> stockham.fft.ihfftn(np.ones((2, 4))).shape
    (2, 3)
    """
    return call(_codes.IHFFTN, x, s, axes, norm, overwrite_x, workers, plan, out, device)
