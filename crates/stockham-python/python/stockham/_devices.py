"""Devices, and where NumPy's arrays are transformed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _stockham

__all__ = ["Accuracy", "Device", "devices", "get_device", "set_device", "use_for_scipy", "verify"]


class Device(NamedTuple):
    """A device that transforms can run on."""

    id: str
    """The name that selects it: "cpu", "opencl:0", "cuda:0"."""
    backend: str
    """ "cpu", "opencl" or "cuda"."""
    name: str
    """The vendor's name for it."""
    driver: str
    """The driver and its version."""
    memory_bytes: int
    """Its memory in bytes."""
    compute_units: int
    """Multiprocessors or cores."""
    has_f64: bool
    """Whether it computes in double precision."""


class Accuracy(NamedTuple):
    """The measured error of a device's transforms of one length."""

    n: int
    """Points."""
    dtype: str
    """The numbers."""
    inverse: bool
    """The direction."""
    l2: float
    """The relative L2 error in units of u·sqrt(log2 n), u the unit roundoff; over a field, how much is wrong at all."""
    largest: float
    """The largest error, relative to the largest output, in the same units."""
    passes: bool
    """Whether both are within the limits."""


def devices(*, explain: bool = False) -> list[Device]:
    """The devices of this machine.

    Parameters
    ----------
    explain : bool, optional
        Whether to warn of what was not found, with the reason.

    Returns
    -------
    list of Device
        The fastest kind first; the CPU is always the last.

    Examples
    --------
    >>> import stockham
    >>> stockham.devices()[-1].id
    'cpu'
    """
    found, missing = _stockham.list_devices()
    if explain:
        for what, reason in missing:
            warnings.warn(f"{what}: {reason}", RuntimeWarning, stacklevel=2)
    return [Device(**info) for info in found]


def set_device(name: str | None) -> None:
    """Choose where NumPy's arrays are transformed from now on, by all threads.

    Arrays are copied to that device and back, on all cores, whatever `workers` says. Those of CuPy, PyTorch and JAX are
    transformed where they are, whatever is set.

    Parameters
    ----------
    name : str or None
        A device's name, such as "cuda:0" or "opencl:0"; None is the CPU.

    Raises
    ------
    ValueError
        If there is no such device.

    Examples
    --------
    >>> import stockham
    >>> stockham.set_device("cpu")
    >>> stockham.get_device()
    'cpu'
    """
    _stockham.set_device(name)


def get_device() -> str:
    """The name of the device where NumPy's arrays are transformed.

    Returns
    -------
    str
        What `set_device` was given, or "cpu".
    """
    return _stockham.get_device()


def use_for_scipy(only: bool = False) -> None:
    """Have `scipy.fft` and all that is built on it compute here, in the whole process.

    Parameters
    ----------
    only : bool, optional
        Whether SciPy's own functions are left out altogether; otherwise they stay behind these, for what is not here.

    Raises
    ------
    ImportError
        If SciPy is not installed.
    """
    import scipy.fft

    from . import scipy_backend

    if only:
        scipy.fft.set_global_backend(scipy_backend, only=True)
    else:
        scipy.fft.register_backend("scipy")
        scipy.fft.set_global_backend(scipy_backend)


def verify(
    device: str | None = None,
    *,
    dtype: Any = "complex128",
    lengths: Sequence[int] = (2, 16, 100, 1024, 1009, 65536),
    inverse: bool = False,
    seed: int = 1,
) -> list[Accuracy]:
    """Measure the errors of a device's transforms of random numbers, against a reference in twice the precision.

    Parameters
    ----------
    device : str, optional
        The device; that of `set_device` by default.
    dtype : dtype, optional
        complex64 or complex128, or "goldilocks" for the field of 2^64 - 2^32 + 1.
    lengths : sequence of ints, optional
        The lengths.
    inverse : bool, optional
        Whether the inverse is measured.
    seed : int, optional
        That of the random numbers.

    Returns
    -------
    list of Accuracy
        One of each length.

    Raises
    ------
    ValueError
        If there is no such device or dtype, or a length is 0.
    NotImplementedError
        If the device has no transforms of that length.

    Examples
    --------
    >>> import stockham
    >>> all(accuracy.passes for accuracy in stockham.verify("cpu", dtype="complex64", lengths=[16, 1024]))
    True
    """
    name = dtype if isinstance(dtype, str) else dtype_name(dtype)
    return [Accuracy(n, name, inverse, *_stockham.measure(name, n, inverse, seed, device)) for n in lengths]


def dtype_name(dtype: Any) -> str:
    """NumPy's name of a dtype."""
    import numpy as np

    return str(np.dtype(dtype).name)
