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

__all__ = ["Field", "extend", "fft", "fields", "ifft"]

ORDERS = {"nn": (False, False), "nr": (False, True), "rn": (True, False), "rr": (True, True)}
"""Which sides are in bit-reversed order."""


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
        A name, such as "goldilocks", "babybear", "P3", "bls12-381", or a prime.
    root : str or int, optional
        The root of unity of the field's whole power of two: the preset of another library, such as "plonky3", "plonky2"
        or "risc0", or a number.

    Attributes
    ----------
    name : str
        Its name.
    modulus : int
        The prime.
    max_log_len : int
        The logarithm of the longest transform of a power of two.
    dtype : dtype or None
        What arrays of elements are made of: uint32 for primes below 2^31, uint64 for "goldilocks" and primes below 2^64; None
        where an element is more than a word.

    Raises
    ------
    NotImplementedError
        If the field takes no other roots.
    ValueError
        If there is no such field, or no such root.

    Examples
    --------
    >>> import stockham
    >>> stockham.ntt.Field("goldilocks").modulus == 2**64 - 2**32 + 1
    True
    """

    __slots__ = ("core", "max_log_len", "modulus", "name")

    def __init__(self, name: str, root: str | int | None = None) -> None:
        self.core = _stockham.CoreField(name, None if root is None else str(root))
        self.name = self.core.name
        self.max_log_len = self.core.max_log_len
        radix = self.core.radix
        self.modulus = int.from_bytes(self.core.modulus, "little") if radix == 0 else radix**self.core.digits + 1

    @property
    def dtype(self) -> Any:
        """What arrays of elements are made of, or None."""
        import numpy as np

        if self.core.radix or self.core.digits > 1:
            return None
        return np.dtype(np.uint32 if self.core.digit_bytes == 4 else np.uint64)

    def root_of_unity(self, n: int) -> int:
        """The root of order n that transforms of n points use: e^(-2πi/n) of complex numbers stands for it.

        Parameters
        ----------
        n : int
            A divisor of p - 1; a power of two in fields of big primes, and where roots were chosen.

        Returns
        -------
        int
            The root.

        Raises
        ------
        ValueError
            If there is no such root.

        Examples
        --------
        >>> import stockham
        >>> field = stockham.ntt.Field("goldilocks")
        >>> pow(field.root_of_unity(8), 4, field.modulus) == field.modulus - 1
        True
        """
        n = operator.index(n)
        if not 0 < n < 2**64:
            raise ValueError(f"{self.name} has no root of order {n}")
        return int(self.integers(self.core.root(n))[0])

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
        if a.dtype.kind in "ui" and self.dtype is not None:
            if a.dtype == dtype:
                reduced = a % dtype.type(self.modulus)
            elif a.dtype.kind == "u":
                reduced = a.astype(np.uint64) % np.uint64(self.modulus)
            else:
                # The absolute value of the least integer has no sign.
                size = np.where(a < 0, -(a + 1), a).astype(np.uint64) % np.uint64(self.modulus)
                reduced = np.where(a < 0, np.uint64(self.modulus - 1) - size, size)
            return np.ascontiguousarray(reduced, dtype)[..., None]
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
        """The integers of elements, in words where the integers they came from were an array of such.

        Parameters
        ----------
        elements : bytes
            What elements are made of.
        like : ndarray
            What they came from.

        Returns
        -------
        ndarray
            Of one dimension; of `like`'s dtype if that is uint32 or uint64 and holds elements, or uint64 for uint32.
        """
        import numpy as np

        if (dtype := self.result_dtype(like)) is object:
            return self.integers(elements)
        return np.frombuffer(elements, self.dtype).astype(dtype)

    def result_dtype(self, like: Any) -> Any:
        """What results are for integers of an array: object for Python's."""
        import numpy as np

        if self.dtype is None or like.dtype not in (np.uint32, np.uint64):
            return object
        return np.result_type(like.dtype, self.dtype)

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
    n: int | None = None,
    coset: int | None = None,
    order: str = "nn",
    root: str | int | None = None,
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
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    coset : int, optional
        A number s: x[j] is multiplied by s^j first, so that results are a polynomial's values on the coset of s.
    order : {"nn", "nr", "rn", "rr"}, optional
        The order of the points in the input and in the output: n is natural, r bit-reversed.
    root : str or int, optional
        Another root of unity, as `Field` takes it.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `stockham.set_device` by default.

    Returns
    -------
    ndarray
        uint32 or uint64 if `x` is and the field's elements are of one such word, otherwise Python's integers.

    Raises
    ------
    NotImplementedError
        If the field has no transform of that length, or no such coset or root.
    ValueError
        If there are no points, there is no such field, or words do not fit; cosets and orders are for powers of two.

    Examples
    --------
    >>> import numpy as np, stockham
    >>> stockham.ntt.fft([1, 2, 3, 4], field="17")
    array([10, 6, 15, 7], dtype=object)
    >>> stockham.ntt.fft(np.array([1, 2], np.uint32), field="babybear", n=4).dtype
    dtype('uint32')
    """
    return _transform(x, field, axis, norm, False, n, coset, order, root, workers, device)


def ifft(
    x: Any,
    field: str | Field = "goldilocks",
    axis: int = -1,
    norm: str | None = None,
    *,
    n: int | None = None,
    coset: int | None = None,
    order: str = "nn",
    root: str | int | None = None,
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
    n : int, optional
        How many points are transformed: further ones are left out, missing ones are 0.
    coset : int, optional
        A number s: the results are multiplied by s^-j, which undoes what `fft` does.
    order : {"nn", "nr", "rn", "rr"}, optional
        The order of the points in the input and in the output: n is natural, r bit-reversed.
    root : str or int, optional
        Another root of unity, as `Field` takes it.
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
        If the field has no transform of that length, or no such coset or root.
    ValueError
        If there are no points, there is no such field, or words do not fit; cosets and orders are for powers of two.

    Examples
    --------
    >>> import stockham
    >>> stockham.ntt.ifft(stockham.ntt.fft([1, 2, 3, 4], field="P3"), field="P3")
    array([1, 2, 3, 4], dtype=object)
    """
    return _transform(x, field, axis, norm, True, n, coset, order, root, workers, device)


def extend(
    x: Any,
    blowup: int,
    field: str | Field = "goldilocks",
    axis: int = -1,
    *,
    coset: int | None = None,
    order: str = "nn",
    root: str | int | None = None,
    workers: int | None = None,
    device: str | None = None,
) -> Any:
    """The low-degree extension along one axis: of a polynomial's values on n points, those on `blowup` times as many.

    Parameters
    ----------
    x : array_like
        Values on the subgroup of order n, a power of two.
    blowup : int
        A power of two.
    field : str or Field, optional
        The field.
    axis : int, optional
        The axis; the last by default.
    coset : int, optional
        A number s: the results are values on the coset of s.
    order : {"nn", "nr", "rn", "rr"}, optional
        The order of the points in the input and in the output: n is natural, r bit-reversed.
    root : str or int, optional
        Another root of unity, as `Field` takes it.
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
        If the field has no transform of that length, or no such coset or root.
    ValueError
        If there are no points, there is no such field, or lengths are no powers of two.

    Examples
    --------
    >>> import stockham
    >>> stockham.ntt.extend([2, 0], 2, field="babybear", coset=31)[0]
    32
    """
    field = of_name(field, root)
    a, moved, order_of, shift = _given(x, field, axis, order, coset)
    n, blowup = moved.shape[-1], operator.index(blowup)
    if blowup < 1:
        raise ValueError(f"blowup must be a power of two, not {blowup}")
    data = field.core.extend(_bytes(field, moved), n, blowup, shift, order_of, workers, device)
    return _shaped(field, data, a, moved.shape[:-1], n * blowup, axis)


def of_name(field: str | Field, root: str | int | None) -> Field:
    """The field that is meant."""
    if isinstance(field, Field):
        return field if root is None else Field(field.name, root)
    return Field(field, root)


def _given(x: Any, field: Field, axis: int, order: str, coset: int | None) -> tuple[Any, Any, tuple[bool, bool], bytes]:
    """An array, the same with the axis at the end, which sides are reversed, and the words of a coset."""
    import numpy as np

    a = array_of(x)
    if a.shape[axis] < 1:
        raise ValueError(f"invalid number of data points ({a.shape[axis]}) specified")
    if order not in ORDERS:
        raise ValueError(f"invalid order: {order!r}, should be 'nn', 'nr', 'rn' or 'rr'")
    words = (field.modulus.bit_length() + 63) // 64
    shift = b"" if coset is None else (operator.index(coset) % field.modulus).to_bytes(8 * words, "little")
    return a, np.moveaxis(a, axis, -1), ORDERS[order], shift


def _bytes(field: Field, moved: Any) -> bytes:
    """The bytes of an array's elements."""
    import numpy as np

    return bytes(np.ascontiguousarray(field.encode(moved)).tobytes())


def _shaped(field: Field, data: bytes, a: Any, outer: tuple[int, ...], n: int, axis: int) -> Any:
    """The result's array, with its axis where it was."""
    import numpy as np

    return np.moveaxis(field.decode(data, like=a).reshape(*outer, n), -1, axis)


def _transform(
    x: Any,
    field: str | Field,
    axis: int,
    norm: str | None,
    inverse: bool,
    n: int | None,
    coset: int | None,
    order: str,
    root: str | int | None,
    workers: int | None,
    device: str | None,
) -> Any:
    import numpy as np

    field = of_name(field, root)
    a, moved, reversed_sides, shift = _given(x, field, axis, order, coset)
    n = moved.shape[-1] if n is None else operator.index(n)
    if n < 1:
        raise ValueError(f"invalid number of data points ({n}) specified")
    moved = moved[..., :n]
    given = moved.shape[-1]
    if moved.size == 0:
        return np.moveaxis(np.empty((*moved.shape[:-1], n), field.result_dtype(a)), -1, axis)
    # Zeros that the transform knows of are in no memory.
    if given < n and (inverse or reversed_sides[0] or given & (given - 1) or n & (n - 1)):
        moved = np.concatenate([moved, np.zeros((*moved.shape[:-1], n - given), moved.dtype)], axis=-1)
        given = n
    data = field.core.transform(
        _bytes(field, moved), given, n, inverse, norm or "backward", shift, reversed_sides, workers, device
    )
    return _shaped(field, data, a, moved.shape[:-1], n, axis)
