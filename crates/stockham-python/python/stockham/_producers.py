"""Libraries whose arrays are not NumPy's: how theirs are taken and made."""

from __future__ import annotations

from typing import Any


def of(x: Any) -> Any:
    """Who computes for such an array; None if NumPy does."""
    return None
