"""SciPy's functions of `scipy.fft`, computed here: this module is a backend in SciPy's sense.

>>> import numpy as np, scipy.fft, stockham
>>> with scipy.fft.set_backend(stockham.scipy_backend, only=True):
...     scipy.fft.rfft(np.ones(4)).real
array([4., 0., 0.])

`stockham.use_for_scipy()` makes it the backend of a whole process.
"""

from __future__ import annotations

from typing import Any

from . import fft

__all__ = ["__ua_domain__", "__ua_function__"]

__ua_domain__ = "numpy.scipy.fft"
"""What it is a backend for."""


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the function of that name.

    Parameters
    ----------
    method : callable
        SciPy's function.
    args, kwargs : tuple, dict
        Its arguments.

    Returns
    -------
    object
        What `stockham.fft` gives, or NotImplemented of a function that is not there.
    """
    name = method.__name__
    function = getattr(fft, name, None) if name in fft.__all__ else None
    if function is None:
        return NotImplemented
    if name in ("fht", "ifht"):
        return function(*args, **kwargs)
    # The defaults of SciPy's own `set_workers`. (x, n, axis, norm, overwrite_x, workers; a type before n.)
    place = 6 if name.strip("i")[:3] in ("dct", "dst") else 5
    if kwargs.get("workers") is None and len(args) <= place:
        import scipy.fft

        kwargs = {**kwargs, "workers": scipy.fft.get_workers()}
    return function(*args, **kwargs)
