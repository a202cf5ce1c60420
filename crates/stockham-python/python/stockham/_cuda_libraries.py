"""What is asked of the libraries that own arrays on CUDA devices."""

from __future__ import annotations

import contextlib
import importlib
import math
from typing import Any

from . import _fused, _host, _producers

NOTHING = contextlib.nullcontext()
"""The context of a device that is the current one already."""

CAPTURED: list[Any] = []
"""Workspaces of calls that were captured in CUDA graphs of CuPy's."""


class Library:
    """A library's arrays, streams and memory."""

    def of(self, x: Any) -> Any:
        """The library's own array of what was given."""
        raise NotImplementedError

    def identity(self, a: Any) -> tuple[Any, ...]:
        """All of an array that a plan follows from, to be compared with that of others."""
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

    def enqueue(self, core: Any, a: Any, result: Any) -> None:
        """Submits a plan's run from one array to another, on the current stream."""
        # Memory that is freed when this returns goes to later work of the same stream only.
        workspace = self.workspace(core.workspace_bytes, a) if core.workspace_bytes else None
        at = 0 if workspace is None else self.pointer(workspace)
        core.enqueue(self.pointer(a), self.pointer(result), at, self.stream(a))

    def known(self, core: Any, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        """What `again` takes: a plan of a new output's shape and dtype."""
        return core, shape, dtype

    def again(self, known: Any, a: Any) -> Any:
        """Runs a plan that is known for an array like this, on whose device all is, into a new array."""
        core, shape, dtype = known
        with self.current(a):
            result = self.empty(shape, dtype, a)
            self.enqueue(core, a, result)
            return result

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

    def identity(self, a: Any) -> tuple[Any, ...]:
        return a.dtype, a.device.id, a.shape, a.strides

    def dtype(self, a: Any) -> str:
        return str(a.dtype.name)

    def strides(self, a: Any) -> list[int]:
        # One that is no whole number of elements is told as a negative one, which is copied. Those of lengths of 1
        # are whatever they like, and stay so in copies.
        size = a.dtype.itemsize
        whole = [stride // size if stride % size == 0 else -1 for stride in a.strides]
        return [stride if n > 1 else 0 for stride, n in zip(whole, a.shape, strict=True)]

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
        torch = self.torch = _producers.module("torch")
        # PyTorch has uint16 since 2.3.
        self.dtypes = {name: getattr(torch, name, None) for name in _fused.SIZES}
        # The functions behind torch.cuda.current_device and current_stream, which make objects and ask whether CUDA is there:
        # it is, as the tensor's memory is.
        self.current_device = getattr(torch._C, "_cuda_getDevice", None) or torch.cuda.current_device
        self.raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None) or self.stream_of
        self.empty_strided, self.bytes = torch.empty_strided, torch.uint8

    def of(self, x: Any) -> Any:
        if not isinstance(x, self.torch.Tensor):
            raise TypeError(f"a tensor is needed, not {type(x).__name__}")
        if x.requires_grad:
            _host.refuse_gradients(self.torch, x)
            x = x.detach()
        # Bits that say that numbers are to be taken otherwise than they are written.
        return x.resolve_conj().resolve_neg() if x.is_conj() or x.is_neg() else x

    def identity(self, a: Any) -> tuple[Any, ...]:
        return a.dtype, a.get_device(), a.shape, a.stride()

    def dtype(self, a: Any) -> str:
        return str(a.dtype).removeprefix("torch.")

    def strides(self, a: Any) -> list[int]:
        return list(a.stride())

    def pointer(self, a: Any) -> int:
        return int(a.data_ptr())

    def ordinal(self, a: Any) -> int:
        return int(a.get_device())

    def current(self, a: Any) -> contextlib.AbstractContextManager[Any]:
        if a.get_device() == self.current_device():
            return NOTHING
        device: contextlib.AbstractContextManager[Any] = self.torch.cuda.device(a.device)
        return device

    def stream(self, a: Any) -> int:
        return int(self.raw_stream(a.get_device()))

    def stream_of(self, ordinal: int) -> int:
        """The current stream of a device, by the public way."""
        return int(self.torch.cuda.current_stream(ordinal).cuda_stream)

    def empty(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.torch.empty(shape, dtype=self.dtypes[dtype], device=like.device)

    def known(self, core: Any, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        return core.enqueue, core.workspace_bytes, shape, strides, self.dtypes[dtype], like.device, like.get_device()

    def again(self, known: Any, a: Any) -> Any:
        enqueue, space, shape, strides, dtype, device, ordinal = known
        if ordinal != self.current_device():
            with self.torch.cuda.device(device):
                return self.again(known, a)
        # It costs less than torch.empty, which has to find out the same.
        empty = self.empty_strided
        result = empty(shape, strides, dtype=dtype, device=device)
        if space:
            # Memory that is freed when this returns goes to later work of the same stream only.
            workspace = empty((space,), (1,), dtype=self.bytes, device=device)
            enqueue(a.data_ptr(), result.data_ptr(), workspace.data_ptr(), self.raw_stream(ordinal))
        else:
            enqueue(a.data_ptr(), result.data_ptr(), 0, self.raw_stream(ordinal))
        return result

    def zeros(self, shape: tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.torch.zeros(shape, dtype=self.dtypes[dtype], device=like.device)

    def astype(self, a: Any, dtype: str) -> Any:
        return a.to(self.dtypes[dtype])

    def contiguous(self, a: Any) -> Any:
        # What counts as contiguous may still have odd strides where there is one element only.
        return a.clone(memory_format=self.torch.contiguous_format)

    def conjugate(self, a: Any) -> Any:
        return self.torch.conj_physical(a)

    def copy_into(self, out: Any, result: Any) -> None:
        out.copy_(result)


class WrappedByCuPy(CuPy):
    """Whoever else has arrays on CUDA devices, seen through CuPy, whose arrays the results are."""

    def of(self, x: Any) -> Any:
        if isinstance(x, self.cupy.ndarray):
            return x
        # By DLPack the producer has CuPy's current stream wait for the array; the interface only tells where it is.
        return self.cupy.from_dlpack(x) if hasattr(x, "__dlpack__") else self.cupy.asarray(x)


class WrappedByTorch(Torch):
    """The same, seen through PyTorch."""

    def __init__(self) -> None:
        importlib.import_module("torch")
        super().__init__()

    def of(self, x: Any) -> Any:
        if isinstance(x, self.torch.Tensor):
            return super().of(x)
        # As above.
        return self.torch.from_dlpack(x) if hasattr(x, "__dlpack__") else self.torch.as_tensor(x, device="cuda")


def wrapped() -> Library:
    """The first of these whose library is there."""
    for kind in (WrappedByCuPy, WrappedByTorch):
        try:
            return kind()
        except ImportError:
            continue
    raise TypeError("such arrays on a CUDA device are taken and given through CuPy or PyTorch: neither is installed")
