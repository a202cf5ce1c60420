"""Windows, by their names.

Definitions: F. J. Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66,
1978; A. H. Nuttall, "Some windows with very good sidelobe behavior", IEEE Trans. ASSP 29, 1981.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import fft as _fft

__all__ = ["get_window"]


def get_window(window: Any, Nx: int, fftbins: bool = True, *, xp: Any = None, device: Any = None) -> Any:
    """Make a window.

    Names are barthann, bartlett, blackman, blackmanharris, bohman, boxcar, cosine, flattop, hamming, hann, lanczos, nuttall,
    parzen and triang. In a tuple with their parameters: chebwin (dB), gaussian (standard deviation), general_cosine
    (coefficients), general_gaussian (exponent, width), general_hamming (share), kaiser (beta), kaiser_bessel_derived (beta).
    In one or alone: exponential (center, tau), taylor (nbar, sidelobes, whether it is 1 in the middle), tukey (share that is
    tapered). SciPy's shorter names are known, and `dpss` where SciPy is installed. `_periodic` or `_symmetric` behind a name
    overrides `fftbins`.

    Parameters
    ----------
    window : str, tuple or float
        A name, a name and parameters, or Kaiser's beta.
    Nx : int
        Points.
    fftbins : bool, optional
        Whether it is periodic, for spectra; else symmetric, for filters.
    xp : namespace, optional
        Whose array is returned: NumPy's by default.
    device : device, optional
        Where the result is, in the words of `xp`.

    Returns
    -------
    ndarray
        `Nx` float64.

    Raises
    ------
    ValueError
        If there is no such window, or parameters are missing or too many.

    Examples
    --------
    >>> import stockham.signal
    >>> stockham.signal.get_window("hann", 4)
    array([0. , 0.5, 1. , 0.5])
    """
    if not hasattr(Nx, "__index__") or operator.index(Nx) < 1:
        raise ValueError(f"Nx must be a positive integer, not {Nx!r}")
    if not isinstance(fftbins, bool):
        raise ValueError(f"fftbins must be True or False, not {fftbins!r}")
    if not isinstance(window, (str, tuple)):
        try:
            window = ("kaiser", float(window))
        except Exception:
            raise ValueError(f"a window is a string, a tuple or a number, not {window!r}") from None
    name, *parameters = (window,) if isinstance(window, str) else window
    if not isinstance(name, str):
        raise ValueError(f"the first of a window's tuple is its name, not {name!r}")
    symmetric = not fftbins
    for suffix, is_symmetric in (("_symmetric", True), ("_periodic", False)):
        if name.endswith(suffix):
            name, symmetric = name.removesuffix(suffix), is_symmetric
    found = make(name, parameters, operator.index(Nx), symmetric)
    if xp is None or xp is np:
        return found
    return xp.asarray(found) if device is None else xp.asarray(found, device=device)


def make(name: str, parameters: list[Any], n: int, symmetric: bool) -> Any:
    """A window of n points."""
    if name == "dpss":
        return by_scipy(name, parameters, n, symmetric)
    known = name.replace(" ", "_") if name.startswith(("general ", "kaiser ")) else name
    known = SHORT.get(known, known)
    if known not in WINDOWS:
        raise ValueError(f"there is no window {name!r}")
    function, least, most = WINDOWS[known]
    if not least <= len(parameters) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"the window {name!r} has {wanted} parameters, not {len(parameters)}")
    if known == "kaiser_bessel_derived":
        if not symmetric or n % 2:
            raise ValueError("Kaiser-Bessel derived windows are symmetric and of even length")
    elif known == "exponential" and symmetric and parameters and parameters[0] is not None:
        raise ValueError("an exponential window with a center of its own is not symmetric")
    if n == 1:
        return np.ones(1)
    # A period of the window that is one point longer.
    return np.ascontiguousarray(function(n if symmetric else n + 1, *parameters)[:n])


def by_scipy(name: str, parameters: list[Any], n: int, symmetric: bool) -> Any:
    """What SciPy computes itself."""
    try:
        import scipy.signal
    except ImportError:
        raise ValueError(f"the window {name!r} is computed by SciPy, which is not installed") from None
    window_of: Any = scipy.signal.get_window
    return window_of((name, *parameters), n, fftbins=not symmetric)


def centred(n: int) -> Any:
    """The distances of points from the middle."""
    return np.arange(n) - (n - 1) / 2


def cosines(n: int, coefficients: Any) -> Any:
    """A sum of cosines of 0, 1, … periods, which all have their maximum in the middle."""
    x = 2 * np.pi / (n - 1) * centred(n)
    terms = (a * np.cos(k * x) for k, a in enumerate(coefficients))
    return sum(terms, np.zeros(n))


def general_cosine(n: int, coefficients: Any) -> Any:
    return cosines(n, coefficients)


def general_hamming(n: int, share: float) -> Any:
    return cosines(n, (share, 1.0 - share))


def barthann(n: int) -> Any:
    x = abs(centred(n)) / (n - 1)
    return 0.62 - 0.48 * x + 0.38 * np.cos(2 * np.pi * x)


def bartlett(n: int) -> Any:
    return 1 - abs(centred(n)) * 2 / (n - 1)


def bohman(n: int) -> Any:
    x = abs(centred(n)) * 2 / (n - 1)
    w = (1 - x) * np.cos(np.pi * x) + np.sin(np.pi * x) / np.pi
    w[[0, -1]] = 0
    return w


def boxcar(n: int) -> Any:
    return np.ones(n)


def cosine(n: int) -> Any:
    return np.sin(np.pi / n * (np.arange(n) + 0.5))


def triang(n: int) -> Any:
    return 1 - abs(centred(n)) * 2 / (n + n % 2)


def parzen(n: int) -> Any:
    x = abs(centred(n)) * 2 / n
    return np.where(abs(centred(n)) <= (n - 1) / 4, 1 - 6 * x**2 + 6 * x**3, 2 * (1 - x) ** 3)


def lanczos(n: int) -> Any:
    return np.sinc(centred(n) * 2 / (n - 1))


def exponential(n: int, center: float | None = None, tau: float = 1.0) -> Any:
    return np.exp(-abs(np.arange(n) - ((n - 1) / 2 if center is None else center)) / tau)


def gaussian(n: int, deviation: float) -> Any:
    return np.exp(-0.5 * (centred(n) / deviation) ** 2)


def general_gaussian(n: int, exponent: float, width: float) -> Any:
    return np.exp(-0.5 * abs(centred(n) / width) ** (2 * exponent))


def kaiser(n: int, beta: float) -> Any:
    x = centred(n) * 2 / (n - 1)
    return np.i0(beta * np.sqrt(np.maximum(1 - x * x, 0))) / np.i0(beta)


def kaiser_bessel_derived(n: int, beta: float) -> Any:
    """J. P. Princen, A. W. Johnson, A. B. Bradley, "Subband/transform coding using filter bank designs", ICASSP 1987."""
    sums = np.cumsum(kaiser(n // 2 + 1, beta))
    half = np.sqrt(sums[:-1] / sums[-1])
    return np.concatenate([half, half[::-1]])


def tukey(n: int, share: float = 0.5) -> Any:
    if share <= 0:
        return np.ones(n)
    if share >= 1:
        return cosines(n, COSINES["hann"])
    # Distances from the next end, in half periods of the taper.
    x = ((n - 1) / 2 - abs(centred(n))) * 2 / (share * (n - 1))
    taper = np.floor(share * (n - 1) / 2)
    return np.where((n - 1) / 2 - abs(centred(n)) <= taper, 0.5 - 0.5 * np.cos(np.pi * x), 1.0)


def taylor(n: int, nbar: int = 4, sll: float = 30, norm: bool = True) -> Any:
    """W. G. Carrara, R. S. Goodman, R. M. Majewski, "Spotlight synthetic aperture radar", 1995, appendix D."""
    a = math.acosh(10 ** (sll / 20)) / np.pi
    dilation = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
    order = np.arange(1, nbar)
    coefficients = []
    for m in order:
        zeros = np.prod(1 - m**2 / dilation / (a**2 + (order - 0.5) ** 2))
        others = order[order != m]
        coefficients.append((-1) ** (m + 1) * zeros / np.prod(1 - m**2 / others**2))

    def at(x: Any) -> Any:
        return sum((f * np.cos(2 * np.pi * m * x / n) for m, f in zip(order, coefficients, strict=True)), np.ones(np.shape(x)))

    w = at(centred(n))
    return w / at(0.0) if norm else w


def chebwin(n: int, attenuation: float) -> Any:
    """C. L. Dolph, "A current distribution for broadside arrays", Proc. IRE 34, 1946."""
    if abs(attenuation) < 45:
        warnings.warn("Chebyshev windows of less than 45 dB do not suit spectra", UserWarning, stacklevel=4)
    order = n - 1
    beta = math.cosh(math.acosh(10 ** (abs(attenuation) / 20)) / order)
    x = beta * np.cos(np.pi * np.arange(n) / n)
    inside = np.cos(order * np.arccos(np.clip(x, -1, 1)))
    outside = np.cosh(order * np.arccosh(np.maximum(abs(x), 1)))
    spectrum = np.where(abs(x) <= 1, inside, np.where(x > 1, 1, (-1) ** order) * outside)
    # The middle of an even number of points lies between two of them.
    shifted = spectrum if n % 2 else spectrum * np.exp(1j * np.pi / n * np.arange(n))
    half = _fft.fft(shifted).real[: n // 2 + 1]
    w = np.concatenate([half[:0:-1], half]) if n % 2 else np.concatenate([half[:0:-1], half[1:]])
    return w / w.max()


COSINES: dict[str, tuple[float, ...]] = {
    "hann": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
    "blackmanharris": (0.35875, 0.48829, 0.14128, 0.01168),
    "nuttall": (0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}
"""The coefficients of windows that are sums of cosines."""

WINDOWS: dict[str, tuple[Callable[..., Any], int, int]] = {
    **{name: (partial(cosines, coefficients=coefficients), 0, 0) for name, coefficients in COSINES.items()},
    "barthann": (barthann, 0, 0),
    "bartlett": (bartlett, 0, 0),
    "bohman": (bohman, 0, 0),
    "boxcar": (boxcar, 0, 0),
    "chebwin": (chebwin, 1, 1),
    "cosine": (cosine, 0, 0),
    "exponential": (exponential, 0, 2),
    "gaussian": (gaussian, 1, 1),
    "general_cosine": (general_cosine, 1, 1),
    "general_gaussian": (general_gaussian, 2, 2),
    "general_hamming": (general_hamming, 1, 1),
    "kaiser": (kaiser, 1, 1),
    "kaiser_bessel_derived": (kaiser_bessel_derived, 1, 1),
    "lanczos": (lanczos, 0, 0),
    "parzen": (parzen, 0, 0),
    "taylor": (taylor, 0, 3),
    "triang": (triang, 0, 0),
    "tukey": (tukey, 0, 1),
}
"""All windows, and how many parameters they take."""

SHORT: dict[str, str] = {
    short: name
    for name, shorts in {
        "barthann": "brthan bth",
        "bartlett": "bart brt",
        "blackman": "black blk",
        "blackmanharris": "blackharr bkh",
        "bohman": "bman bmn",
        "boxcar": "box ones rect rectangular",
        "chebwin": "cheb",
        "cosine": "halfcosine",
        "exponential": "poisson",
        "flattop": "flat flt",
        "gaussian": "gauss gss",
        "general_gaussian": "general_gauss ggs",
        "hamming": "hamm ham",
        "hann": "han",
        "kaiser": "ksr",
        "kaiser_bessel_derived": "kbd",
        "lanczos": "sinc",
        "nuttall": "nutl nut",
        "parzen": "parz par",
        "taylor": "taylorwin",
        "triang": "triangle tri",
        "tukey": "tuk",
    }.items()
    for short in shorts.split()
}
"""Their other names; words may have spaces between them, too."""
