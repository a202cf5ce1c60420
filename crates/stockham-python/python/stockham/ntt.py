"""Transforms over finite fields (number theoretic transforms): exact, of integers modulo a prime.

>>> import numpy as np
>>> import stockham
>>> x = np.arange(8, dtype=np.uint64)
>>> y = stockham.ntt.fft(x)
>>> int(y[0]), bool((stockham.ntt.ifft(y) == x).all())
(28, True)
"""

from __future__ import annotations

import operator
from typing import Any

from . import _stockham

__all__ = ["Field", "fft", "fields", "ifft"]


def fields() -> list[str]:
    """The names of fields; a prime in decimal or after 0x is a name, too.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> import stockham
    >>> "goldilocks" in stockham.ntt.fields()
    True
    """
    return _stockham.field_names()


class Field:
    """A finite field of prime order.

    Parameters
    ----------
    name : str
        A name, such as "goldilocks", "P3", "bls12-381", or a prime.

    Attributes
    ----------
    name : str
        Its name.
    modulus : int
        The prime.
    max_log_len : int
        The logarithm of the longest transform of a power of two.

    Raises
    ------
    ValueError
        If there is no such field.

    Examples
    --------
    >>> import stockham
    >>> stockham.ntt.Field("goldilocks").modulus == 2**64 - 2**32 + 1
    True
    """

    __slots__ = ("core", "max_log_len", "modulus", "name")

    def __init__(self, name: str) -> None:
        self.core = _stockham.CoreField(name)
        self.name = self.core.name
        self.max_log_len = self.core.max_log_len
        radix = self.core.radix
        self.modulus = int.from_bytes(self.core.modulus, "little") if radix == 0 else radix**self.core.digits + 1

    def root_of_unity(self, n: int) -> int:
        """The root of order n that transforms of n points use: e^(-2πi/n) of complex numbers stands for it.

        Parameters
        ----------
        n : int
            A power of two.

        Returns
        -------
        int
            The root.

        Raises
        ------
        ValueError
            If n is no power of two, or there is no such root.

        Examples
        --------
        >>> import stockham
        >>> field = stockham.ntt.Field("goldilocks")
        >>> pow(field.root_of_unity(8), 4, field.modulus) == field.modulus - 1
        True
        """
        n = operator.index(n)
        if n < 1 or n & (n - 1):
            raise ValueError(f"{n} is no power of two")
        return int(self.integers(self.core.root(n.bit_length() - 1))[0])

    def encode(self, x: Any) -> Any:
        """Integers as the words or digits that elements are made of.

        Parameters
        ----------
        x : array_like
            Integers of any size; they are reduced by the prime.

        Returns
        -------
        ndarray
            Of uint32 or uint64, with a last axis of an element's digits.

        Raises
        ------
        TypeError
            If there are other numbers than integers.
        """
        import numpy as np

        a = array_of(x)
        dtype = np.dtype(np.uint32 if self.core.digit_bytes == 4 else np.uint64)
        if a.dtype.kind in "ui" and self.core.radix == 0 and self.core.digits == 1:
            if a.dtype.kind == "u":
                reduced = a.astype(np.uint64) % np.uint64(self.modulus)
            else:
                # The absolute value of the least integer has no sign.
                size = np.where(a < 0, -(a + 1), a).astype(np.uint64) % np.uint64(self.modulus)
                reduced = np.where(a < 0, np.uint64(self.modulus - 1) - size, size)
            return np.ascontiguousarray(reduced)[..., None]
        words = (self.modulus.bit_length() + 63) // 64
        numbers = b"".join(
            (operator.index(each) % self.modulus).to_bytes(8 * words, "little") for each in a.reshape(-1).tolist()
        )
        found = self.core.elements(numbers, words)
        return np.frombuffer(found, dtype).reshape(*a.shape, self.core.digits)

    def integers(self, elements: Any) -> Any:
        """The integers of elements.

        Parameters
        ----------
        elements : bytes or ndarray
            What elements are made of.

        Returns
        -------
        ndarray
            Python's integers, of one dimension.
        """
        import numpy as np

        data = elements if isinstance(elements, bytes) else elements.tobytes()
        words = 8 * self.core.digits
        found = self.core.numbers(data)
        result = np.empty(len(found) // words, object)
        result[:] = [int.from_bytes(found[at : at + words], "little") for at in range(0, len(found), words)]
        return result

    def decode(self, elements: bytes, like: Any) -> Any:
        """The integers of elements, as uint64 where the integers they came from were an array of such.

        Parameters
        ----------
        elements : bytes
            What elements are made of.
        like : ndarray
            What they came from.

        Returns
        -------
        ndarray
            Of one dimension.
        """
        import numpy as np

        if like.dtype == np.uint64 and self.core.radix == 0 and self.core.digits == 1:
            return np.frombuffer(elements, np.uint64).copy()
        return self.integers(elements)

    def __repr__(self) -> str:
        return f"Field({self.name!r})"


def array_of(x: Any) -> Any:
    """An array; of lists, one of Python's integers, as NumPy makes some of them floating point numbers."""
    import numpy as np

    return x if isinstance(x, np.ndarray) else np.asarray(x, object)


def line(x: Any) -> Any:
    """An array of one dimension."""
    a = array_of(x)
    if a.ndim != 1:
        raise ValueError("polynomials have coefficients of one dimension")
    return a


def fft(
    x: Any,
    field: str | Field = "goldilocks",
    axis: int = -1,
    norm: str | None = None,
    *,
    workers: int | None = None,
    device: str | None = None,
) -> Any:
    """The transform along one axis: X[k] = sum of x[j]·w^(jk) modulo the prime, w the field's root of order n.

    Parameters
    ----------
    x : array_like
        Integers of any size.
    field : str or Field, optional
        The field.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "forward"}, optional
        Where the factor 1/n is: with the inverse, or here.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `stockham.set_device` by default.

    Returns
    -------
    ndarray
        uint64 if `x` is and the field's elements are, otherwise Python's integers.

    Raises
    ------
    NotImplementedError
        If the field has no transform of that length.
    ValueError
        If there are no points, or there is no such field.

    Examples
    --------
    >>> import stockham
    >>> stockham.ntt.fft([1, 2, 3, 4], field="17")
    array([10, 6, 15, 7], dtype=object)
    """
    return _transform(x, field, axis, norm, False, workers, device)


def ifft(
    x: Any,
    field: str | Field = "goldilocks",
    axis: int = -1,
    norm: str | None = None,
    *,
    workers: int | None = None,
    device: str | None = None,
) -> Any:
    """The inverse of `fft`.

    Parameters
    ----------
    x : array_like
        Integers of any size.
    field : str or Field, optional
        The field.
    axis : int, optional
        The axis; the last by default.
    norm : {"backward", "forward"}, optional
        Where the factor 1/n is: here, or with the forward transform.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `stockham.set_device` by default.

    Returns
    -------
    ndarray
        As that of `fft`.

    Raises
    ------
    NotImplementedError
        If the field has no transform of that length.
    ValueError
        If there are no points, or there is no such field.

    Examples
    --------
    >>> import stockham
    >>> stockham.ntt.ifft(stockham.ntt.fft([1, 2, 3, 4], field="P3"), field="P3")
    array([1, 2, 3, 4], dtype=object)
    """
    return _transform(x, field, axis, norm, True, workers, device)


def _transform(
    x: Any,
    field: str | Field,
    axis: int,
    norm: str | None,
    inverse: bool,
    workers: int | None,
    device: str | None,
) -> Any:
    import numpy as np

    field = field if isinstance(field, Field) else Field(field)
    a = array_of(x)
    n = a.shape[axis]
    if n < 1:
        raise ValueError(f"invalid number of data points ({n}) specified")
    moved = np.moveaxis(a, axis, -1)
    if moved.size == 0:
        return np.empty(a.shape, np.uint64 if a.dtype == np.uint64 else object)
    elements = np.ascontiguousarray(field.encode(moved))
    data = field.core.transform(elements.tobytes(), n, inverse, norm or "backward", workers, device)
    return np.moveaxis(field.decode(data, like=a).reshape(moved.shape), -1, axis)
