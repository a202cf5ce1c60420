"""What is asked of the libraries that own arrays on CUDA devices."""

from __future__ import annotations

import contextlib
from typing import Any

from . import _host, _producers

NOTHING = contextlib.nullcontext()
"""The context of a device that is the current one already."""

CAPTURED: list[Any] = []
"""Workspaces of calls that were captured in CUDA graphs of CuPy's."""


class Library:
    """A library's arrays, streams and memory."""

    def of(self, x: Any) -> Any:
        """The library's own array of what was given."""
        raise NotImplementedError

    def dtype(self, a: Any) -> str:
        """NumPy's name of the array's dtype."""
        raise NotImplementedError

    def strides(self, a: Any) -> list[int]:
        """Distances between neighbours, in elements."""
        raise NotImplementedError

    def pointer(self, a: Any) -> int:
        """Where it begins."""
        raise NotImplementedError

    def ordinal(self, a: Any) -> int:
        """The number of its device."""
        raise NotImplementedError

    def current(self, a: Any) -> contextlib.AbstractContextManager[Any]:
        """A context in which the array's device is the current one."""
        raise NotImplementedError

    def stream(self, a: Any) -> int:
        """The handle of the current stream of the array's device."""
        raise NotImplementedError

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        """A new array on the same device."""
        raise NotImplementedError

    def workspace(self, count: int, like: Any) -> Any:
        """So many bytes on the same device, for work that is submitted now."""
        return self.empty((count,), "uint8", like)

    def zeros(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        """The same of zeros."""
        raise NotImplementedError

    def astype(self, a: Any, dtype: str) -> Any:
        """A copy in another dtype."""
        raise NotImplementedError

    def contiguous(self, a: Any) -> Any:
        """A copy in C order."""
        raise NotImplementedError

    def conjugate(self, a: Any) -> Any:
        """The conjugates, written down."""
        raise NotImplementedError

    def parts(self, a: Any) -> tuple[Any, Any]:
        """Views of the real and of the imaginary parts."""
        return a.real, a.imag

    def copy_into(self, out: Any, result: Any) -> None:
        """Writes a result into an array."""
        out[...] = result


class CuPy(Library):
    """CuPy."""

    def __init__(self) -> None:
        import cupy

        self.cupy = cupy

    def of(self, x: Any) -> Any:
        return x if isinstance(x, self.cupy.ndarray) else self.cupy.asarray(x)

    def dtype(self, a: Any) -> str:
        return str(a.dtype.name)

    def strides(self, a: Any) -> list[int]:
        # One that is no whole number of elements cannot be: it is told as a negative one, which is copied.
        size = a.dtype.itemsize
        return [stride // size if stride % size == 0 else -1 for stride in a.strides]

    def pointer(self, a: Any) -> int:
        return int(a.data.ptr)

    def ordinal(self, a: Any) -> int:
        return int(a.device.id)

    def current(self, a: Any) -> contextlib.AbstractContextManager[Any]:
        ordinal = a.device.id
        if ordinal == self.cupy.cuda.runtime.getDevice():
            return NOTHING
        device: contextlib.AbstractContextManager[Any] = self.cupy.cuda.Device(ordinal)
        return device

    def stream(self, a: Any) -> int:
        return int(self.cupy.cuda.get_current_stream().ptr)

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.cupy.empty(shape, dtype)

    def workspace(self, count: int, like: Any) -> Any:
        space = super().workspace(count, like)
        if self.cupy.cuda.get_current_stream().is_capturing():
            # A graph does not know of CuPy's pool: memory that goes back there would be somebody else's when it runs.
            CAPTURED.append(space)
        return space

    def zeros(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.cupy.zeros(shape, dtype)

    def astype(self, a: Any, dtype: str) -> Any:
        return a.astype(dtype)

    def contiguous(self, a: Any) -> Any:
        return self.cupy.ascontiguousarray(a)

    def conjugate(self, a: Any) -> Any:
        return self.cupy.conjugate(a)


class Torch(Library):
    """PyTorch."""

    def __init__(self) -> None:
        self.torch = _producers.module("torch")

    def of(self, x: Any) -> Any:
        if not isinstance(x, self.torch.Tensor):
            raise TypeError(f"a tensor is needed, not {type(x).__name__}")
        _host.refuse_gradients(self.torch, x)
        # Bits that say that numbers are to be taken otherwise than they are written.
        if x.is_conj() or x.is_neg():
            x = x.resolve_conj().resolve_neg()
        return x.detach() if x.requires_grad else x

    def dtype(self, a: Any) -> str:
        return str(a.dtype).removeprefix("torch.")

    def strides(self, a: Any) -> list[int]:
        return list(a.stride())

    def pointer(self, a: Any) -> int:
        return int(a.data_ptr())

    def ordinal(self, a: Any) -> int:
        return int(a.device.index)

    def current(self, a: Any) -> contextlib.AbstractContextManager[Any]:
        if a.device.index == self.torch.cuda.current_device():
            return NOTHING
        device: contextlib.AbstractContextManager[Any] = self.torch.cuda.device(a.device)
        return device

    def stream(self, a: Any) -> int:
        return int(self.torch.cuda.current_stream(a.device).cuda_stream)

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.torch.empty(shape, dtype=getattr(self.torch, dtype), device=like.device)

    def zeros(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.torch.zeros(shape, dtype=getattr(self.torch, dtype), device=like.device)

    def astype(self, a: Any, dtype: str) -> Any:
        return a.to(getattr(self.torch, dtype))

    def contiguous(self, a: Any) -> Any:
        # What counts as contiguous may still have odd strides where there is one element only.
        return a.clone(memory_format=self.torch.contiguous_format)

    def conjugate(self, a: Any) -> Any:
        return self.torch.conj_physical(a)

    def copy_into(self, out: Any, result: Any) -> None:
        out.copy_(result)


class Wrapped(CuPy):
    """Whoever else has arrays on CUDA devices, seen through CuPy, whose arrays the results are."""

    def __init__(self) -> None:
        try:
            super().__init__()
        except ImportError:
            raise TypeError("such arrays on a CUDA device are taken and given through CuPy, which is not installed") from None

    def of(self, x: Any) -> Any:
        if isinstance(x, self.cupy.ndarray):
            return x
        # By DLPack the producer has CuPy's current stream wait for the array; the interface only tells where it is.
        return self.cupy.from_dlpack(x) if hasattr(x, "__dlpack__") else self.cupy.asarray(x)
