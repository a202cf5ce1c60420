"""The plans that calls have made, kept for the next call of the same kind.

A plan is kept for an array's shape, strides and dtype, the axes, the kind of transform, the device and the number of workers.
Those that were not used for the longest time go first; the latest stays, however large it is. Calls with arrays on CUDA devices
keep up to 64 of them by themselves, which are not counted.

>>> import numpy as np, stockham
>>> stockham.cache.clear()
>>> _ = stockham.fft.fft(np.ones(8, complex)), stockham.fft.fft(np.ones(8, complex))
>>> info = stockham.cache.info()
>>> info.entries, info.hits, info.misses
(1, 1, 1)
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from . import _stockham

__all__ = ["CacheInfo", "clear", "info", "limit"]


class CacheInfo(NamedTuple):
    """What the cache holds, and what became of calls since it was cleared."""

    entries: int
    """Plans that are kept."""
    bytes: int
    """Bytes that they take, by a generous estimate."""
    hits: int
    """Calls whose plan was there."""
    misses: int
    """Calls whose plan was made."""
    max_entries: int
    """Plans at most."""
    max_bytes: int
    """Bytes at most, by that estimate."""


def info() -> CacheInfo:
    """What the cache holds.

    Returns
    -------
    CacheInfo
        A named tuple of numbers.
    """
    return CacheInfo(**_stockham.cache_info())


def clear() -> None:
    """Forget all plans, and count from 0 again. Limits stay."""
    _forget_calls()
    _stockham.cache_clear()


def limit(max_entries: int | None = None, max_bytes: int | None = None) -> None:
    """Set the cache's limits; those that are not given stay.

    Parameters
    ----------
    max_entries : int, optional
        Plans at most; 1024 at first.
    max_bytes : int, optional
        Bytes at most, by estimate; 512 MiB at first.

    Raises
    ------
    OverflowError
        If a limit is negative.
    """
    _forget_calls()
    _stockham.cache_limit(max_entries, max_bytes)


def _forget_calls() -> None:
    """Let go of the plans that calls with arrays on CUDA devices hold beside the cache."""
    calls = sys.modules.get("stockham._cuda_arrays")
    if calls is not None:
        calls.KNOWN.clear()
