"""Discrete Fourier, cosine and sine transforms with the names, arguments and results of `scipy.fft`.

Arrays are taken as they lie, with whatever strides, and computed in their own precision: float32 and complex64 give
complex64, float64 and complex128 complex128, float16 is computed in single precision and integers in double. `out` and
`device` are there beside SciPy's arguments.
"""

from __future__ import annotations

from ._complex import fft, fft2, fftn, ifft, ifft2, ifftn
from ._helpers import (
    fftfreq,
    fftshift,
    fht,
    fhtoffset,
    get_workers,
    ifftshift,
    ifht,
    next_fast_len,
    prev_fast_len,
    rfftfreq,
    set_workers,
)
from ._hermitian import hfft, hfft2, hfftn, ihfft, ihfft2, ihfftn
from ._real import irfft, irfft2, irfftn, rfft, rfft2, rfftn
from ._trig import dct, dctn, dst, dstn, idct, idctn, idst, idstn

__all__ = [
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "fht",
    "fhtoffset",
    "get_workers",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ifht",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "prev_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "set_workers",
]
