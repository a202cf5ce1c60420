"""Importing this module makes Stockham the only backend of `scipy.fft`. As a plugin it has SciPy's own tests, and those of
whoever builds on SciPy, compute here:

    pytest -p stockham.scipy_only --pyargs scipy.fft.tests
"""

from __future__ import annotations

import multiprocessing
from typing import Any

import scipy.fft

import stockham

scipy.fft.set_global_backend(stockham.scipy_backend, only=True)


def pytest_configure(config: Any) -> None:
    """Have processes that tests start by a server of forks compute here, too."""
    multiprocessing.set_forkserver_preload([__name__])
