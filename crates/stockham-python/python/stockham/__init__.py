from __future__ import annotations
import os as _os
from . import _stockham, cache, fft, scipy_backend
_os.register_at_fork(after_in_child=_stockham.forget_after_fork)
