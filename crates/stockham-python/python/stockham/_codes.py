"""The functions of `stockham.fft` by the numbers that `_stockham.call` takes: 4 * family + 2 * (several axes) + inverse."""

from __future__ import annotations

from typing import Final

FFT: Final = 0
IFFT: Final = 1
FFTN: Final = 2
IFFTN: Final = 3
RFFT: Final = 4
RFFTN: Final = 6
IRFFT: Final = 9
IRFFTN: Final = 11
DCT: Final = 12
IDCT: Final = 13
DCTN: Final = 14
IDCTN: Final = 15
DST: Final = 16
IDST: Final = 17
DSTN: Final = 18
IDSTN: Final = 19
HFFT: Final = 20
HFFTN: Final = 22
IHFFT: Final = 25
IHFFTN: Final = 27

NAMES: Final[dict[int, str]] = {
    FFT: "fft",
    IFFT: "ifft",
    FFTN: "fftn",
    IFFTN: "ifftn",
    RFFT: "rfft",
    RFFTN: "rfftn",
    IRFFT: "irfft",
    IRFFTN: "irfftn",
    DCT: "dct",
    IDCT: "idct",
    DCTN: "dctn",
    IDCTN: "idctn",
    DST: "dst",
    IDST: "idst",
    DSTN: "dstn",
    IDSTN: "idstn",
    HFFT: "hfft",
    HFFTN: "hfftn",
    IHFFT: "ihfft",
    IHFFTN: "ihfftn",
}
"""Their names."""

COMPLEX: Final = 0
TO_SPECTRUM: Final = 1
FROM_SPECTRUM: Final = 2
COSINE: Final = 3
SINE: Final = 4
FROM_HERMITIAN: Final = 5
TO_HERMITIAN: Final = 6


def family(code: int) -> int:
    """Which kind of numbers a function takes and gives."""
    return code >> 2


def is_many(code: int) -> bool:
    """Whether it takes several axes."""
    return bool(code & 2)


def is_inverse(code: int) -> bool:
    """Whether it is the inverse direction."""
    return bool(code & 1)
