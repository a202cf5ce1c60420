"""Discrete cosine and sine transforms."""

from __future__ import annotations

from typing import Any

from .. import _codes
from .._stockham import call_trig

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]


def dct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete cosine transform along one axis.

    Parameters
    ----------
    x : array_like
        Real numbers; of complex ones, the real and the imaginary parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.dct([1.0, 2.0, 4.0]).round(6)
    array([14.      , -5.196152,  1.      ])
    """
    return call_trig(_codes.DCT, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, device)


def idct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `dct`.

    Parameters
    ----------
    x : array_like
        What the forward transform gave.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The inverse transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.idct(stockham.fft.dct([1.0, 2.0, 3.0])).round(6)
    array([1., 2., 3.])
    """
    return call_trig(_codes.IDCT, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, device)


def dctn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete cosine transform along several axes.

    Parameters
    ----------
    x : array_like
        Real numbers; of complex ones, the real and the imaginary parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
    axes : sequence of ints, optional
        The axes; all by default, or as many of the last as `s` has numbers.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(6.0).reshape(2, 3)
    >>> np.allclose(stockham.fft.idctn(stockham.fft.dctn(x, norm="ortho"), norm="ortho"), x)
    True
    """
    return call_trig(_codes.DCTN, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, device)


def idctn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `dctn`.

    Parameters
    ----------
    x : array_like
        What the forward transform gave.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
    axes : sequence of ints, optional
        The axes; all by default, or as many of the last as `s` has numbers.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The inverse transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(6.0).reshape(2, 3)
    >>> np.allclose(stockham.fft.idctn(stockham.fft.dctn(x, norm="ortho"), norm="ortho"), x)
    True
    """
    return call_trig(_codes.IDCTN, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, device)


def dst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete sine transform along one axis.

    Parameters
    ----------
    x : array_like
        Real numbers; of complex ones, the real and the imaginary parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.dst([1.0, 2.0, 3.0], type=1).round(6)
    array([ 9.656854, -4.      ,  1.656854])
    """
    return call_trig(_codes.DST, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, device)


def idst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `dst`.

    Parameters
    ----------
    x : array_like
        What the forward transform gave.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The inverse transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, or words are not known.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.idst(stockham.fft.dst([1.0, 2.0, 3.0])).round(6)
    array([1., 2., 3.])
    """
    return call_trig(_codes.IDST, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, device)


def dstn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The discrete sine transform along several axes.

    Parameters
    ----------
    x : array_like
        Real numbers; of complex ones, the real and the imaginary parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
    axes : sequence of ints, optional
        The axes; all by default, or as many of the last as `s` has numbers.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        with the inverse, as its root with both, or here.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(6.0).reshape(2, 3)
    >>> np.allclose(stockham.fft.idstn(stockham.fft.dstn(x, norm="ortho"), norm="ortho"), x)
    True
    """
    return call_trig(_codes.DSTN, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, device)


def idstn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """The inverse of `dstn`.

    Parameters
    ----------
    x : array_like
        What the forward transform gave.
    type : {1, 2, 3, 4}, optional
        The type; that of the forward transform for inverses.
    s : sequence of ints, optional
        How many points are transformed along each axis: further ones are left out, missing ones are 0; -1 is all.
    axes : sequence of ints, optional
        The axes; all by default, or as many of the last as `s` has numbers.
    norm : {"backward", "ortho", "forward"}, optional
        Where the factor is, 1/N for N = 2n (of type 1, 2(n - 1) for cosines and 2(n + 1) for sines):
        here, as its root with both, or with the forward transform.
    overwrite_x : bool, optional
        Whether `x` may be used for the result.
    workers : int, optional
        Threads of the CPU; negative ones count from one more than there are cores. The default is that of `set_workers`.
    orthogonalize : bool, optional
        Whether the first or last numbers take factors of the square root of 2, which makes the matrix of an "ortho" transform
        orthogonal; by default if `norm` is "ortho".
    out : ndarray, optional
        Where the result goes, which is returned then.
    device : str, optional
        Where NumPy's arrays are transformed, such as "cpu" or "cuda:0"; by default as `stockham.set_device` says.

    Returns
    -------
    ndarray
        The inverse transform, in the dtype of `x`.

    Raises
    ------
    ValueError
        If there are no points, axes are repeated or not there, or words are not known.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham.fft
    >>> x = np.arange(6.0).reshape(2, 3)
    >>> np.allclose(stockham.fft.idstn(stockham.fft.dstn(x, norm="ortho"), norm="ortho"), x)
    True
    """
    return call_trig(_codes.IDSTN, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, device)
