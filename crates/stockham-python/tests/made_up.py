"""Libraries that are made up: they look like CuPy and PyTorch, and their arrays are in host memory."""

import contextlib
import types

import numpy as np

STREAM = 7


class Array:
    """An array as CuPy has it."""

    def __init__(self, a, ordinal=0):
        self.a = a
        self.device = types.SimpleNamespace(id=ordinal)
        self.data = types.SimpleNamespace(ptr=a.ctypes.data)

    shape = property(lambda self: self.a.shape)
    ndim = property(lambda self: self.a.ndim)
    dtype = property(lambda self: self.a.dtype)
    strides = property(lambda self: self.a.strides)
    real = property(lambda self: Array(self.a.real))
    imag = property(lambda self: Array(self.a.imag))

    def astype(self, dtype):
        return Array(self.a.astype(dtype))

    def __getitem__(self, index):
        return Array(self.a[index])

    def __setitem__(self, index, value):
        self.a[index] = value.a


Array.__module__ = "cupy"


def cupy():
    """CuPy, as far as it is used."""
    module = types.ModuleType("cupy")
    module.ndarray = Array
    module.captures = False
    module.asarray = lambda x: Array(np.asarray(x))
    module.empty = lambda shape, dtype: Array(np.empty(shape, dtype))
    module.zeros = lambda shape, dtype: Array(np.zeros(shape, dtype))
    module.ascontiguousarray = lambda x: Array(np.array(x.a, order="C"))
    module.conjugate = lambda x: Array(np.conjugate(x.a))
    module.cuda = types.SimpleNamespace(
        Device=lambda ordinal: contextlib.nullcontext(),
        get_current_stream=lambda: types.SimpleNamespace(ptr=STREAM, is_capturing=lambda: module.captures),
        runtime=types.SimpleNamespace(getDevice=lambda: 0),
    )
    return module


class Tensor:
    """A tensor as PyTorch has it: never of negative strides, and perhaps with a bit for its conjugate."""

    is_cuda = True

    def __init__(self, a, ordinal=0, conjugated=False, requires_grad=False):
        self.a = np.array(a) if any(stride < 0 for stride in a.strides) else a
        self.device = types.SimpleNamespace(index=ordinal)
        self.conjugated, self.requires_grad = conjugated, requires_grad

    shape = property(lambda self: self.a.shape)
    ndim = property(lambda self: self.a.ndim)
    dtype = property(lambda self: f"torch.{self.a.dtype.name}")
    real = property(lambda self: Tensor(self.a.real))
    imag = property(lambda self: Tensor(self.a.imag))

    def stride(self):
        return tuple(stride // self.a.itemsize for stride in self.a.strides)

    def data_ptr(self):
        assert not self.conjugated
        return self.a.ctypes.data

    def get_device(self):
        return self.device.index

    def is_conj(self):
        return self.conjugated

    def is_neg(self):
        return False

    def resolve_conj(self):
        return Tensor(np.conjugate(self.a)) if self.conjugated else self

    def resolve_neg(self):
        return self

    def detach(self):
        return Tensor(self.a)

    def to(self, dtype):
        return Tensor(self.a.astype(dtype))

    def clone(self, memory_format):
        assert memory_format == "contiguous"
        return Tensor(np.array(self.a, order="C"))

    def copy_(self, other):
        self.a[...] = other.a

    def __getitem__(self, index):
        return Tensor(self.a[index])

    def __setitem__(self, index, value):
        self.a[index] = value.a


Tensor.__module__ = "torch"


def torch(has_short_ways=True):
    """PyTorch, as far as it is used; of functions that are not public, those that are quicker may be missing."""
    module = types.ModuleType("torch")
    module.Tensor = Tensor
    module.contiguous_format = "contiguous"
    module.empty = lambda shape, dtype, device: Tensor(np.empty(shape, dtype), device.index)
    module.empty_strided = strided
    module.from_dlpack = lambda x: Tensor(np.asarray(x))
    module.zeros = lambda shape, dtype, device: Tensor(np.zeros(shape, dtype))
    module.conj_physical = lambda x: Tensor(np.conjugate(x.a))
    module.is_grad_enabled = lambda: True
    for name in ["uint8", "float32", "float64", "complex64", "complex128"]:
        setattr(module, name, np.dtype(name))
    module.current = 0

    @contextlib.contextmanager
    def current(device):
        before, module.current = module.current, device.index
        yield
        module.current = before

    module.cuda = types.SimpleNamespace(
        current_device=lambda: module.current,
        device=current,
        current_stream=lambda ordinal: types.SimpleNamespace(cuda_stream=STREAM + ordinal),
    )
    module.autograd = types.SimpleNamespace()
    module._C = types.SimpleNamespace()
    if has_short_ways:
        module._C._cuda_getDevice = module.cuda.current_device
        module._C._cuda_getCurrentRawStream = lambda ordinal: STREAM + ordinal
    return module


def strided(shape, strides, dtype, device):
    """A new tensor, which is made in C order only."""
    a = np.empty(shape, dtype)
    assert a.size == 0 or tuple(strides) == tuple(stride // a.itemsize for stride in a.strides)
    return Tensor(a, device.index)
