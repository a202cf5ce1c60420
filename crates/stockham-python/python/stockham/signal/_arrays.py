"""What signals need of the libraries that own arrays: NumPy, CuPy, JAX and PyTorch.

Nothing here writes to an array, so that JAX's are taken, and gradients of tensors pass through.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import _general, _producers

SINGLE = {"float32", "complex64"}
"""Dtypes computed in single precision, when short ones have become float32."""


class Arrays:
    """A library whose functions have NumPy's names, and which computes where its arrays are."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def asarray(self, x: Any) -> Any:
        """The library's array of what was given."""
        return x if isinstance(x, self.xp.ndarray) else self.xp.asarray(x)

    def floating(self, x: Any) -> Any:
        """An array of floating point or complex numbers; shorter ones than float32 as float32, integers as float64."""
        a = self.asarray(x)
        name = self.name(a)
        if "float16" in name:
            return self.astype(a, "float32")
        return a if self.kind(a.dtype) in "fc" else self.astype(a, "float64")

    def name(self, a: Any) -> str:
        """NumPy's name of an array's dtype."""
        return str(np.dtype(a.dtype).name)

    def kind(self, dtype: Any) -> str:
        """NumPy's letter for a dtype's kind of numbers; those that it does not know are floating point numbers."""
        kind = np.dtype(dtype).kind
        return "f" if kind == "V" else kind

    def is_complex(self, *arrays: Any) -> bool:
        """Whether any is of complex numbers."""
        return any(self.kind(a.dtype) == "c" for a in arrays)

    def astype(self, a: Any, dtype: Any) -> Any:
        """A copy in another dtype, by its name or as the library has it."""
        return a.astype(dtype)

    def result_type(self, a: Any, b: Any) -> Any:
        """The dtype of both's products."""
        return self.xp.result_type(a.dtype, b.dtype)

    def constant(self, w: Any, like: Any) -> Any:
        """Numbers of NumPy's beside an array: on its device, and real ones in its precision."""
        w = np.asarray(w)
        if w.dtype.kind in "fc":
            single = self.name(like) in SINGLE
            wide = self.name(like) in ("longdouble", "clongdouble", "float128", "complex256")
            real = np.float32 if single else np.longdouble if wide else np.float64
            w = w.astype(real if w.dtype.kind == "f" else np.result_type(real, np.complex64))
        return self.asarray(w)

    def beside(self, w: Any, like: Any) -> Any:
        """Numbers of NumPy's on the device of an array, as they are."""
        return self.asarray(np.asarray(w))

    def pad(self, a: Any, axis: int, before: int, behind: int) -> Any:
        """Zeros before and behind along an axis."""
        if before == 0 and behind == 0:
            return a
        widths = [(0, 0)] * a.ndim
        widths[axis] = (before, behind)
        return self.xp.pad(a, widths)

    def zeros(self, shape: tuple[int, ...], like: Any) -> Any:
        """Zeros of an array's dtype on its device."""
        return self.xp.zeros(shape, dtype=like.dtype)

    def concat(self, arrays: list[Any], axis: int) -> Any:
        """Arrays one behind the other."""
        return self.xp.concatenate(arrays, axis=axis)

    def flip(self, a: Any, axes: tuple[int, ...] | None = None) -> Any:
        """The reverse order along some axes, or all."""
        return self.xp.flip(a, axis=axes)

    def moveaxis(self, a: Any, source: Any, target: Any) -> Any:
        """Axes at other places."""
        return a if source == target else self.xp.moveaxis(a, source, target)

    def frames(self, a: Any, n: int, step: int) -> Any:
        """The runs of n numbers along the last axis, each a step behind the one before: (…, frames, n)."""
        shape = (*a.shape[:-1], max(0, (a.shape[-1] - n) // step + 1), n)
        strides = (*a.strides[:-1], step * a.strides[-1], a.strides[-1])
        return self.xp.lib.stride_tricks.as_strided(a, shape, strides)

    def conj(self, a: Any) -> Any:
        """The conjugates."""
        return self.xp.conj(a) if self.is_complex(a) else a

    def real(self, a: Any) -> Any:
        """The real parts."""
        return a.real if self.is_complex(a) else a

    def mean(self, a: Any, axis: int, keep: bool = False) -> Any:
        """The mean along an axis."""
        return self.xp.mean(a, axis=axis, keepdims=keep)

    def median(self, a: Any, axis: int) -> Any:
        """The median along an axis, of real numbers."""
        return self.xp.median(a, axis=axis)

    def sum(self, a: Any, axis: int, keep: bool = False) -> Any:
        """The sum along an axis."""
        return self.xp.sum(a, axis=axis, keepdims=keep)

    def cumsum(self, a: Any, axis: int) -> Any:
        """The sums of all up to each along an axis."""
        return self.xp.cumsum(a, axis=axis)

    def largest(self, a: Any) -> int:
        """The largest size of integers."""
        return max(abs(int(a.max())), abs(int(a.min())))

    def copied(self, a: Any) -> Any:
        """The numbers in memory of their own, in C order: what was computed around them is let go."""
        return self.xp.ascontiguousarray(a)

    def give(self, a: Any) -> Any:
        """The array as the caller has them."""
        return a


class Jax(Arrays):
    """JAX, which has no views."""

    def frames(self, a: Any, n: int, step: int) -> Any:
        count = max(0, (a.shape[-1] - n) // step + 1)
        return a[..., (step * np.arange(count))[:, None] + np.arange(n)]

    def copied(self, a: Any) -> Any:
        return a


class Lent(Arrays):
    """Whoever else lends memory by DLPack: NumPy computes, and results are lent back."""

    def __init__(self, like: Any) -> None:
        super().__init__(np)
        self.like = like

    def asarray(self, x: Any) -> Any:
        return _host().DLPACK.view(x) if type(x) is type(self.like) else np.asarray(x)

    def give(self, a: Any) -> Any:
        return _host().DLPACK.give(a, self.like)


class Torch(Arrays):
    """PyTorch."""

    def __init__(self, like: Any) -> None:
        super().__init__(_producers.module("torch"))
        self.device = like.device

    def asarray(self, x: Any) -> Any:
        if isinstance(x, self.xp.Tensor):
            return x.resolve_conj().resolve_neg() if x.is_conj() or x.is_neg() else x
        # PyTorch has no negative strides, and no numbers in another byte order.
        a = np.ascontiguousarray(x) if np.ndim(x) else np.asarray(x)
        return self.xp.from_numpy(a.astype(a.dtype.newbyteorder("="))).to(self.device)

    def name(self, a: Any) -> str:
        return str(a.dtype).removeprefix("torch.")

    def kind(self, dtype: Any) -> str:
        if dtype.is_complex:
            return "c"
        return "f" if dtype.is_floating_point else "b" if dtype is self.xp.bool else "i" if dtype.is_signed else "u"

    def astype(self, a: Any, dtype: Any) -> Any:
        return a.to(getattr(self.xp, dtype) if isinstance(dtype, str) else dtype)

    def result_type(self, a: Any, b: Any) -> Any:
        return self.xp.promote_types(a.dtype, b.dtype)

    def pad(self, a: Any, axis: int, before: int, behind: int) -> Any:
        if before == 0 and behind == 0:
            return a
        axes_behind = a.ndim - 1 - axis % a.ndim
        return self.xp.nn.functional.pad(a, [0, 0] * axes_behind + [before, behind])

    def zeros(self, shape: tuple[int, ...], like: Any) -> Any:
        return self.xp.zeros(shape, dtype=like.dtype, device=self.device)

    def concat(self, arrays: list[Any], axis: int) -> Any:
        return self.xp.cat(arrays, dim=axis)

    def flip(self, a: Any, axes: tuple[int, ...] | None = None) -> Any:
        return self.xp.flip(a, axes if axes is not None else tuple(range(a.ndim)))

    def frames(self, a: Any, n: int, step: int) -> Any:
        return a.unfold(-1, n, step)

    def mean(self, a: Any, axis: int, keep: bool = False) -> Any:
        return a.mean(dim=axis, keepdim=keep)

    def median(self, a: Any, axis: int) -> Any:
        # Its own median is the lower of the middle two.
        n = a.shape[axis]
        middle = self.xp.sort(a, dim=axis).values.movedim(axis, -1)[..., (n - 1) // 2 : n // 2 + 1]
        return middle.mean(dim=-1)

    def sum(self, a: Any, axis: int, keep: bool = False) -> Any:
        return a.sum(dim=axis, keepdim=keep)

    def cumsum(self, a: Any, axis: int) -> Any:
        return self.xp.cumsum(a, dim=axis)

    def copied(self, a: Any) -> Any:
        return a.contiguous()


NUMPY = Arrays(np)


def of(*given: Any) -> Arrays:
    """The library of the first array that is not NumPy's; NumPy if there is none."""
    for x in given:
        producer = _producers.of(x)
        if producer is not None:
            return _of_producer(x)
    return NUMPY


def _of_producer(x: Any) -> Arrays:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return Torch(x)
    root = str(type(x).__module__).partition(".")[0]
    if root in ("jax", "jaxlib"):
        return Jax(_producers.module("jax").numpy)
    if root == "cupy":
        return Arrays(_producers.module("cupy"))
    if _producers._device_kind(x) in _producers.ON_HOST:
        return Lent(x)
    # Memory on a CUDA device, through CuPy or PyTorch.
    library = _producers.of(x).library
    a = library.of(x)
    return _of_producer(a)


def _host() -> Any:
    from .. import _host as host

    return host


def axes_of(a: Any, axes: Any) -> list[int]:
    """The axes that are meant, counted from the first; all if there is nothing said."""
    return _general.several(a, None, axes)[1]


def cut(a: Any, axis: int, begin: int, end: int) -> Any:
    """A part along an axis."""
    index = [slice(None)] * a.ndim
    index[axis] = slice(begin, end)
    return a[tuple(index)]
