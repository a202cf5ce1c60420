"""What goes with transforms: frequencies, shifts, fast lengths, workers, and what SciPy computes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from .. import _stockham
from .._stockham import get_workers

__all__ = [
    "fftfreq",
    "fftshift",
    "fht",
    "fhtoffset",
    "get_workers",
    "ifftshift",
    "ifht",
    "next_fast_len",
    "prev_fast_len",
    "rfftfreq",
    "set_workers",
]


def fftfreq(n: int, d: float = 1.0, *, xp: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the points of `fft`.

    Parameters
    ----------
    n : int
        Points.
    d : float, optional
        The time between samples.
    xp : namespace, optional
        Whose array is returned: NumPy's by default.
    dtype : dtype, optional
        The result's; float64 by default.
    device : device, optional
        Where the result is, in the words of `xp`; "cpu" of NumPy.

    Returns
    -------
    ndarray
        0, 1, ... up to below n/2, and then the negative ones from -n/2 or -(n - 1)/2 on, over n·d.

    Raises
    ------
    ValueError
        If n is no integer, or the device is another than NumPy's.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.fftfreq(5, 0.2)
    array([ 0.,  1.,  2., -2., -1.])
    """
    return _frequencies("fftfreq", n, d, xp, dtype, device)


def rfftfreq(n: int, d: float = 1.0, *, xp: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the points of `rfft`.

    Parameters
    ----------
    n : int
        Points of the real numbers.
    d : float, optional
        The time between samples.
    xp : namespace, optional
        Whose array is returned: NumPy's by default.
    dtype : dtype, optional
        The result's; float64 by default.
    device : device, optional
        Where the result is, in the words of `xp`; "cpu" of NumPy.

    Returns
    -------
    ndarray
        0, 1, ... up to n/2, over n·d.

    Raises
    ------
    ValueError
        If n is no integer, or the device is another than NumPy's.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.rfftfreq(5, 0.2)
    array([0., 1., 2.])
    """
    return _frequencies("rfftfreq", n, d, xp, dtype, device)


def _frequencies(name: str, n: int, d: float, xp: Any, dtype: Any, device: Any) -> Any:
    import numpy as np

    if xp is not None and xp is not np:
        given = {"dtype": dtype, "device": device}
        return getattr(xp.fft, name)(n, d=d, **{word: value for word, value in given.items() if value is not None})
    if device not in (None, "cpu"):
        raise ValueError(f"NumPy's arrays are on the device 'cpu', not {device!r}")
    found = getattr(np.fft, name)(n, d)
    return found if dtype is None else found.astype(dtype)


def fftshift(x: Any, axes: Any = None) -> Any:
    """Move the point of frequency 0 to the middle.

    Parameters
    ----------
    x : array_like
        A spectrum.
    axes : int or sequence of ints, optional
        The axes; all by default.

    Returns
    -------
    ndarray
        The shifted array.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.fftshift([0, 1, 2, -2, -1])
    array([-2, -1,  0,  1,  2])
    """
    return _namespace(x).fft.fftshift(x, axes)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """Undo `fftshift`.

    Parameters
    ----------
    x : array_like
        A shifted spectrum.
    axes : int or sequence of ints, optional
        The axes; all by default.

    Returns
    -------
    ndarray
        The array in the order of `fft`.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.ifftshift([-2, -1, 0, 1, 2])
    array([ 0,  1,  2, -2, -1])
    """
    return _namespace(x).fft.ifftshift(x, axes)


def _namespace(x: Any) -> Any:
    """The library of an array, if it has transforms; NumPy else."""
    import sys

    import numpy as np

    tells = getattr(x, "__array_namespace__", None)
    library = sys.modules.get(type(x).__module__.partition(".")[0]) if tells is None else tells()
    return library if hasattr(getattr(library, "fft", None), "fftshift") else np


def next_fast_len(target: int, real: bool = False) -> int:
    """The next length that is transformed fast: without prime factors above 11, or 5 of real numbers.

    Parameters
    ----------
    target : int
        The least length.
    real : bool, optional
        Whether real numbers are transformed.

    Returns
    -------
    int
        The length.

    Raises
    ------
    ValueError
        If it is negative.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.next_fast_len(1021)
    1024
    """
    return _kept(operator.index(target), bool(real), True)


def prev_fast_len(target: int, real: bool = False) -> int:
    """The last length up to this one that is transformed fast: without prime factors above 11, or 5 of real numbers.

    Parameters
    ----------
    target : int
        The greatest length.
    real : bool, optional
        Whether real numbers are transformed.

    Returns
    -------
    int
        The length.

    Raises
    ------
    ValueError
        If it is negative.

    Examples
    --------
    >>> import stockham.fft
    >>> stockham.fft.prev_fast_len(1021)
    1008
    """
    return _kept(operator.index(target), bool(real), False)


def _fast(target: int, real: bool, up: bool) -> int:
    if target < 0:
        raise ValueError(f"a length must not be negative: {target}")
    if target <= (6 if real else 12):
        return target
    best = 0
    # Products of odd primes, each filled up with factors of 2.
    products = [1]
    for prime in (3, 5) if real else (3, 5, 7, 11):
        longer = products
        while longer := [prime * product for product in longer if prime * product <= 2 * target]:
            products = products + longer
    for product in products:
        twos = (target // product).bit_length()
        for power in (twos - 1, twos):
            length = product << max(power, 0)
            if up and length >= target and (best == 0 or length < best):
                best = length
            elif not up and best < length <= target:
                best = length
    return best


_kept: Callable[[int, bool, bool], int] = lru_cache(maxsize=1024)(_fast)


@contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Set the calling thread's default of `workers` within a context.

    Parameters
    ----------
    workers : int
        Threads; negative ones count from one more than there are cores.

    Raises
    ------
    ValueError
        If it is 0, or less than there are cores.

    Examples
    --------
    >>> import stockham.fft
    >>> with stockham.fft.set_workers(4):
    ...     stockham.fft.get_workers()
    4
    >>> stockham.fft.get_workers()
    1
    """
    before = _stockham.set_default_workers(operator.index(workers))
    try:
        yield
    finally:
        _stockham.set_default_workers(before)


def fht(a: Any, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Any:
    """The fast Hankel transform, which SciPy computes: see `scipy.fft.fht`.

    Parameters
    ----------
    a : array_like
        Real numbers, logarithmically spaced.
    dln : float
        Their spacing.
    mu : float
        The order.
    offset, bias : float, optional
        The offset of the output's spacing, and the exponent of the bias.

    Returns
    -------
    ndarray
        The transform.

    Raises
    ------
    ImportError
        If SciPy is not installed.
    """
    return _by_scipy("fht", a, dln, mu, offset, bias)


def ifht(A: Any, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Any:
    """The inverse of `fht`, which SciPy computes: see `scipy.fft.ifht`.

    Parameters
    ----------
    A : array_like
        What `fht` gave.
    dln : float
        Its spacing.
    mu : float
        The order.
    offset, bias : float, optional
        As of `fht`.

    Returns
    -------
    ndarray
        The inverse transform.

    Raises
    ------
    ImportError
        If SciPy is not installed.
    """
    return _by_scipy("ifht", A, dln, mu, offset, bias)


def fhtoffset(dln: float, mu: float, initial: float = 0.0, bias: float = 0.0) -> Any:
    """An offset for `fht` that rings little: see `scipy.fft.fhtoffset`.

    Parameters
    ----------
    dln, mu, initial, bias : float
        As of `scipy.fft.fhtoffset`.

    Returns
    -------
    float
        The offset.

    Raises
    ------
    ImportError
        If SciPy is not installed.
    """
    import scipy.fft

    return scipy.fft.fhtoffset(dln, mu, initial, bias)


def _by_scipy(name: str, *args: Any) -> Any:
    import scipy.fft

    with scipy.fft.set_backend("scipy", only=True):
        return getattr(scipy.fft, name)(*args)
