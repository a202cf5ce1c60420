"""Fast Fourier transforms on GPUs and CPUs, of complex and real numbers and over finite fields.

`stockham.fft` has the functions of `scipy.fft`, for NumPy's arrays on the CPU, and for those of CuPy, PyTorch, JAX and others
where they are.

>>> import numpy as np
>>> import stockham.fft
>>> stockham.fft.fft(np.array([1.0, 2.0, 3.0, 4.0]))
array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
"""

from __future__ import annotations

import os as _os
import typing as _typing

from . import _stockham, cache, expr, fft, integer, ntt, plot, polynomial, scipy_backend
from ._devices import Device, devices, get_device, set_device, use_for_scipy, verify
from ._plan import Plan, plan
from ._stockham import __version__

if _typing.TYPE_CHECKING:
    from . import signal

__all__ = [
    "Device",
    "Plan",
    "__version__",
    "cache",
    "devices",
    "expr",
    "fft",
    "get_device",
    "integer",
    "ntt",
    "plan",
    "plot",
    "polynomial",
    "scipy_backend",
    "set_device",
    "signal",
    "use_for_scipy",
    "verify",
]

# A forked process has none of the threads that its parent started.
_os.register_at_fork(after_in_child=_stockham.forget_after_fork)


# By this name alone type checkers know what is not for them.
if not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> _typing.Any:
        # It imports NumPy, which takes longer than all else.
        if name == "signal":
            from importlib import import_module

            return import_module(".signal", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
