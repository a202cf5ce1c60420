"""Libraries whose arrays are not NumPy's: CuPy, PyTorch, JAX, and whoever else tells by DLPack where memory is.

Arrays on a CUDA device are computed where they lie: on the current stream of their library, in the device's primary context,
with outputs and workspace that the library allocates. Nothing waits. Arrays in host memory are computed as NumPy's, and results
are given back as theirs. What takes part in automatic differentiation is PyTorch's only, and goes through `_gradients`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

KNOWN = {"numpy", "builtins"}
"""Where types come from that NumPy takes itself."""

ON_HOST, ON_CUDA = (1, 3), (2, 13)
"""Kinds of devices in DLPack's numbers: kDLCPU and kDLCUDAHost, kDLCUDA and kDLCUDAManaged."""


def of(x: Any) -> Any:
    """Who computes for such an array; None if NumPy does."""
    kind = type(x)
    if kind is TENSOR_TYPE[0]:
        return TENSOR_TYPE[1](x)
    # Whatever a type has for its module.
    root = str(kind.__module__).partition(".")[0]
    if root in KNOWN:
        return None
    if root == "cupy":
        return _cuda("CuPy")
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, getattr(torch, "Tensor", ())):
        if TENSOR_TYPE[0] is not torch.Tensor:
            TENSOR_TYPE[:] = torch.Tensor, _of_tensors(torch)
        return TENSOR_TYPE[1](x)
    place = _device_kind(x)
    if root in ("jax", "jaxlib"):
        from . import _host

        _host.refuse_traced(x)
        return _cuda("Jax") if place in ON_CUDA else _host.JAX
    if place in ON_CUDA or _has(x, "__cuda_array_interface__"):
        return _cuda("Wrapped")
    if place in ON_HOST and not _has(x, "__array_struct__"):
        from . import _host

        return _host.DLPACK
    return None


CALLERS: dict[str, Any] = {}
"""Those that have been asked before."""

TENSOR_TYPE: list[Any] = [None, None]
"""PyTorch's tensors, and who computes for one, when one has been seen."""


def _of_tensors(torch: Any) -> Callable[[Any], Any]:
    """Who computes for a tensor."""
    from . import _gradients

    # What torch.func takes apart, and how deep forward differentiation is: neither is public; both are there since PyTorch 2.0.
    is_wrapped = getattr(getattr(torch._C, "_functorch", None), "is_functorch_wrapped_tensor", None) or (lambda x: False)
    is_grad_enabled = torch.is_grad_enabled
    forward = getattr(torch.autograd, "forward_ad", None)
    level = "_current_level"

    def of_tensor(x: Any) -> Any:
        if (x.requires_grad and is_grad_enabled()) or is_wrapped(x) or getattr(forward, level, -1) >= 0:
            return _gradients.TENSORS
        return of_numbers(x)

    return of_tensor


def of_numbers(x: Any) -> Any:
    """Who computes for a tensor that is not differentiated."""
    if x.is_cuda:
        return CALLERS.get("Torch") or _cuda("Torch")
    from . import _host

    return _host.TORCH


def _cuda(name: str) -> Any:
    """Who calls for the arrays of a library."""
    caller = CALLERS.get(name)
    if caller is None:
        from . import _cuda_arrays, _cuda_libraries

        is_jax = name == "Jax"
        library = _cuda_libraries.wrapped() if name in ("Jax", "Wrapped") else getattr(_cuda_libraries, name)()
        caller = CALLERS[name] = (_cuda_arrays.JaxCaller if is_jax else _cuda_arrays.Caller)(library)
    return caller


def _device_kind(x: Any) -> int | None:
    """The kind of device that an array is on, as it tells by DLPack."""
    try:
        kind, _ = x.__dlpack_device__()
        return int(kind)
    except Exception:
        # What is no array that exists, such as one that is traced, is told by whoever takes it.
        return None


def _has(x: Any, name: str) -> bool:
    """Whether an object tells something of itself. (hasattr passes on whatever asking raises.)"""
    try:
        return getattr(x, name, None) is not None
    except Exception:
        return False


def module(name: str) -> Any:
    """A library that is loaded already, as an array of it is there."""
    return sys.modules[name]
