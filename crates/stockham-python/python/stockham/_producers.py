"""Libraries whose arrays are not NumPy's: CuPy, PyTorch, JAX, and whoever else tells where CUDA memory is.

Arrays on a CUDA device are computed where they lie: on the current stream of their library, in the device's primary context,
with outputs and workspace that the library allocates. Nothing waits. Arrays of PyTorch and JAX in host memory are computed as
NumPy's, and results are given back as theirs.
"""

from __future__ import annotations

import sys
from typing import Any

KNOWN = {"numpy", "builtins"}
"""Where types come from that NumPy takes itself."""


def of(x: Any) -> Any:
    """Who computes for such an array; None if NumPy does."""
    root = type(x).__module__.partition(".")[0]
    if root in KNOWN:
        return None
    if root == "cupy":
        return _cuda("CuPy")
    if root == "torch":
        from . import _host

        return _cuda("Torch") if x.is_cuda else _host.TORCH
    if root in ("jax", "jaxlib"):
        from . import _host

        return _cuda("Jax") if _is_on_gpu(x) else _host.JAX
    if hasattr(x, "__cuda_array_interface__") or _is_on_gpu(x):
        return _cuda("Wrapped")
    return None


CALLERS: dict[str, Any] = {}
"""Those that have been asked before."""


def _cuda(name: str) -> Any:
    """Who calls for the arrays of a library."""
    caller = CALLERS.get(name)
    if caller is None:
        from . import _cuda_arrays, _cuda_libraries

        is_jax = name == "Jax"
        library = getattr(_cuda_libraries, "Wrapped" if is_jax else name)()
        caller = CALLERS[name] = (_cuda_arrays.JaxCaller if is_jax else _cuda_arrays.Caller)(library)
    return caller


def _is_on_gpu(x: Any) -> bool:
    """Whether an array tells by DLPack that a CUDA device has it."""
    where = getattr(x, "__dlpack_device__", None)
    if where is None:
        return False
    try:
        kind, _ = where()
    except Exception:
        # What is no array that exists, such as one that is traced, is told by whoever takes it.
        return False
    # kDLCUDA, kDLCUDAManaged
    return int(kind) in (2, 13)


def module(name: str) -> Any:
    """A library that is loaded already, as an array of it is there."""
    return sys.modules[name]
