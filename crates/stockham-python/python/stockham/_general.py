"""Calls of `stockham.fft` with anything that the extension module does not take as it is: other kinds of arrays, lengths that
pad, outputs that are given, devices, and whatever is wrong."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from numbers import Number
from typing import Any

import numpy as np

from . import _codes, _producers, _stockham

NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}
SWAPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}
COMPLEX_OF = {"f": np.dtype(np.complex64), "d": np.dtype(np.complex128)}
REAL_OF = {"F": np.dtype(np.float32), "D": np.dtype(np.float64)}


def call(
    code: int,
    x: Any,
    n: Any,
    axis: Any,
    norm: Any,
    overwrite_x: Any,
    workers: Any,
    plan: Any,
    out: Any,
    device: str | None,
) -> Any:
    """A DFT, in the words of `stockham.fft`; `n` and `axis` stand for `s` and `axes` where there are several."""
    if plan is not None:
        raise NotImplementedError("a precomputed plan is not supported here: call the Plan itself")
    producer = _producers.of(x)
    if producer is not None:
        return producer.call(code, x, n, axis, norm, workers, out, device)
    a = floating(x)
    if is_wide(a):
        return by_scipy(code, x, n, axis, norm=norm, overwrite_x=overwrite_x, workers=workers, out=out)
    family = _codes.family(code)
    if family in (_codes.TO_SPECTRUM, _codes.TO_HERMITIAN) and a.dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    from_half = family in (_codes.FROM_SPECTRUM, _codes.FROM_HERMITIAN)
    if _codes.is_many(code):
        lengths, axes = several(a, n, axis)
        if not axes:
            if family != _codes.COMPLEX:
                raise ValueError("at least 1 axis must be transformed")
            return x
        if from_half and n is None:
            lengths[-1] = points_of_half(a.shape[axes[-1]])
    else:
        axes = [position(a, axis)]
        lengths = [one(a, n, axes[0], from_half)]
    return computed(code, a, axes, lengths, normalized(norm), workers, out, device)


def computed(
    code: int, a: Any, axes: list[int], lengths: list[int], norm: str, workers: Any, out: Any, device: str | None
) -> Any:
    """The result for an array of floating point numbers."""
    family, inverse = _codes.family(code), _codes.is_inverse(code)
    taken = list(lengths)
    kind, finish = ("real", 0), ""
    if family in (_codes.FROM_SPECTRUM, _codes.FROM_HERMITIAN):
        if lengths[-1] < 1:
            raise ValueError(f"Invalid number of data points ({lengths[-1]}) specified")
        taken[-1] = lengths[-1] // 2 + 1
        a = a.astype(COMPLEX_OF[a.dtype.char]) if a.dtype.kind != "c" else a
        if family == _codes.FROM_HERMITIAN:
            a, norm = np.conjugate(a), SWAPPED[norm]
        inverse = True
    elif family == _codes.COMPLEX and a.dtype.kind == "c":
        kind = ("dft", 0)
    else:
        if family != _codes.TO_SPECTRUM and inverse:
            norm = SWAPPED[norm]
            finish = "mirror-conjugate" if family == _codes.COMPLEX else "conjugate"
        elif family == _codes.COMPLEX:
            finish = "mirror"
        inverse = False
    a = fitted(a, taken, axes)
    shape = list(a.shape)
    for each, length in zip(axes, lengths, strict=True):
        shape[each] = length
    if kind[0] == "real" and not inverse and not finish.startswith("mirror"):
        shape[axes[-1]] = lengths[-1] // 2 + 1
    dtype = a.dtype
    if kind[0] == "real":
        dtype = REAL_OF[a.dtype.char] if inverse else COMPLEX_OF[a.dtype.char]

    def work(source: Any, target: Any) -> None:
        _stockham.run_job(kind, inverse, source, target, axes, lengths, norm, False, finish, index_or_none(workers), device)

    return into(out, tuple(shape), dtype, a, work, kind[0] == "dft")


def call_trig(
    code: int,
    x: Any,
    type: Any,
    n: Any,
    axis: Any,
    norm: Any,
    overwrite_x: Any,
    workers: Any,
    orthogonalize: Any,
    out: Any,
    device: str | None,
) -> Any:
    """A cosine or sine transform, in the words of `stockham.fft`."""
    producer = _producers.of(x)
    if producer is not None:
        return producer.call_trig(code, x, type, n, axis, norm, workers, orthogonalize, out, device)
    a = floating(x)
    if is_wide(a):
        return by_scipy(
            code, x, type, n, axis, norm=norm, overwrite_x=overwrite_x, workers=workers, orthogonalize=orthogonalize, out=out
        )
    if _codes.is_many(code):
        lengths, axes = several(a, n, axis)
        if not axes:
            return x
    else:
        axes = [position(a, axis)]
        lengths = [one(a, n, axes[0], False)]
    words = normalized(norm)
    type = operator.index(type)
    if not 1 <= type <= 4:
        raise ValueError(f"invalid type of transform: {type}, should be 1, 2, 3 or 4")
    orthogonal = words == "ortho" if orthogonalize is None else bool(orthogonalize)
    is_cosine = _codes.family(code) == _codes.COSINE
    if is_cosine and type == 1 and min(lengths) < 2:
        raise RuntimeError("zero-length FFT requested: a DCT of type 1 takes two points at least")
    a = fitted(a, lengths, axes)
    kind = ("cosine" if is_cosine else "sine", type)

    def work(source: Any, target: Any) -> None:
        # The real and the imaginary parts of complex numbers, each for itself.
        parts = [(source, target)]
        if source.dtype.kind == "c":
            parts = [(source.real, target.real), (source.imag, target.imag)]
        for part, result in parts:
            _stockham.run_job(
                kind,
                _codes.is_inverse(code),
                part,
                result,
                axes,
                lengths,
                words,
                orthogonal,
                "",
                index_or_none(workers),
                device,
            )

    return into(out, a.shape, a.dtype, a, work, True)


def floating(x: Any) -> Any:
    """An array of floating point or complex numbers in the machine's byte order, float16 as float32."""
    a = np.asarray(x)
    # Those of other libraries, bfloat16 and shorter ones, are of no kind that NumPy knows.
    if (a.dtype.kind == "f" and a.dtype.itemsize == 2) or (a.dtype.kind == "V" and "float" in a.dtype.name):
        return a.astype(np.float32)
    if a.dtype.kind not in "fc":
        return np.asarray(a, np.float64)
    return np.asarray(a, a.dtype.newbyteorder("="))


def is_wide(a: Any) -> bool:
    """Whether its numbers have more digits than double precision."""
    return bool(a.dtype.char in "gG")


def by_scipy(code: int, x: Any, *args: Any, out: Any, **kwargs: Any) -> Any:
    """What SciPy computes itself."""
    try:
        import scipy.fft
    except ImportError:
        raise TypeError("long double is computed by SciPy, which is not installed: use float64") from None
    with scipy.fft.set_backend("scipy", only=True):
        result = getattr(scipy.fft, _codes.NAMES[code])(x, *args, **kwargs)
    if out is None:
        return result
    checked(out, result.shape, result.dtype)
    out[...] = result
    return out


def normalized(norm: Any) -> str:
    """The norm's name."""
    try:
        return NORMS[norm]
    except KeyError:
        raise ValueError(f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"') from None


def index_or_none(workers: Any) -> int | None:
    return None if workers is None else operator.index(workers)


def position(a: Any, axis: Any) -> int:
    """The axis counted from the first."""
    found: int = operator.index(axis)
    # Out of range is an IndexError of the shape's.
    _ = a.shape[found]
    return found if found >= 0 else found + int(a.ndim)


def points_of_half(n: int) -> int:
    """The points of the last of several axes whose half spectrum has n, where none are told. One has one point, as in SciPy."""
    return 2 * (n - 1) if n != 1 else 1


def one(a: Any, n: Any, axis: int, from_half: bool) -> int:
    """The points along one axis."""
    if n is None:
        n = 2 * (a.shape[axis] - 1) if from_half else a.shape[axis]
    found: int = operator.index(n)
    if found < 1:
        raise ValueError(f"invalid number of data points ({found}) specified")
    return found


def integers(values: Any, name: str) -> list[int]:
    listed: Iterable[Any] = (values,) if isinstance(values, Number) else values
    try:
        return [operator.index(value) for value in listed]
    except TypeError:
        raise ValueError(f"{name} must be a scalar or iterable of integers") from None


def several(a: Any, s: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The points along each of several axes, and the axes counted from the first."""
    rank = a.ndim
    found: list[int] | None = None
    if axes is not None:
        found = [axis + rank if axis < 0 else axis for axis in integers(axes, "axes")]
        if any(not 0 <= axis < rank for axis in found):
            raise ValueError("axes exceeds dimensionality of input")
        if len(set(found)) != len(found):
            raise ValueError("all axes must be unique")
    if s is not None:
        lengths = integers(s, "shape")
        if found is None:
            if len(lengths) > rank:
                raise ValueError("shape requires more axes than are present")
            found = list(range(rank - len(lengths), rank))
        elif len(found) != len(lengths):
            raise ValueError("when given, axes and shape arguments have to be of the same length")
        lengths = [a.shape[axis] if n == -1 else n for n, axis in zip(lengths, found, strict=True)]
    else:
        found = list(range(rank)) if found is None else found
        lengths = [a.shape[axis] for axis in found]
    if any(n < 1 for n in lengths):
        raise ValueError(f"invalid number of data points ({lengths}) specified")
    return lengths, found


def fitted(a: Any, lengths: Iterable[int], axes: Iterable[int]) -> Any:
    """The array cropped to lengths, or with zeros behind."""
    index = [slice(None)] * a.ndim
    shape = list(a.shape)
    for n, axis in zip(lengths, axes, strict=True):
        index[axis] = slice(0, min(n, shape[axis]))
        shape[axis] = n
    cropped = a[tuple(index)]
    if list(cropped.shape) == shape:
        return cropped
    padded = np.zeros(shape, a.dtype)
    padded[tuple(index)] = cropped
    return padded


def is_plain(a: Any) -> bool:
    """Whether the library can describe how it lies."""
    whole = (stride >= 0 and stride % a.itemsize == 0 for stride, n in zip(a.strides, a.shape, strict=True) if n > 1)
    return a.flags.aligned and all(whole)


def checked(out: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Refuses an output of another kind."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array of NumPy's, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, the result {shape}")
    if out.dtype != dtype:
        raise TypeError(f"out has the dtype {out.dtype}, the result {dtype}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def into(out: Any, shape: tuple[int, ...], dtype: Any, a: Any, work: Any, may_replace: bool) -> Any:
    """Has the work done on an array, and its result put into the output that was given, or into a new one."""
    a = a if is_plain(a) else np.array(a, order="C")
    if out is None:
        result = np.empty(shape, dtype)
        work(a, result)
        return result
    checked(out, shape, dtype)
    same = may_replace and a.ctypes.data == out.ctypes.data and a.strides == out.strides and a.shape == out.shape
    if not same and np.may_share_memory(a, out):
        a = np.array(a, order="C")
    target = out if is_plain(out) and is_distinct(out) else np.empty(shape, dtype)
    work(a, target)
    if target is not out:
        out[...] = target
    return out


def is_distinct(a: Any) -> bool:
    """Whether no two elements share a place, as far as the strides tell at once."""
    room = a.itemsize
    for stride, n in sorted((stride, n) for stride, n in zip(a.strides, a.shape, strict=True) if n > 1):
        if stride < room:
            return False
        room = stride * n
    return True
