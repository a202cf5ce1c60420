"""Random calls of `stockham.signal`, and SciPy's beside them: what the tests take a sample of."""

import warnings

import numpy as np
import scipy.signal

FUNCTIONS = [
    "fftconvolve",
    "oaconvolve",
    "convolve",
    "correlate",
    "stft",
    "istft",
    "spectrogram",
    "welch",
    "csd",
    "coherence",
    "periodogram",
    "hilbert",
    "hilbert2",
    "resample",
    "fftfilt",
    "get_window",
]
PLAIN = [
    "barthann",
    "bartlett",
    "blackman",
    "blackmanharris",
    "bohman",
    "boxcar",
    "cosine",
    "exponential",
    "flattop",
    "hamming",
]
PLAIN += [
    "hann",
    "lanczos",
    "nuttall",
    "parzen",
    "taylor",
    "triang",
    "tukey",
    "hann_symmetric",
    "hamm",
    "brt",
    "kbd",
    "nothing",
]
DTYPES = ["f4", "f8", "i4"]
MODES = ["full", "same", "valid"]


def numbers(rng, shape, dtype=None):
    """Random numbers; a third of the floating point ones complex where no dtype is asked for."""
    dtype = np.dtype(dtype if dtype is not None else rng.choice([*DTYPES, "c8", "c16"]))
    a = 9 * rng.standard_normal(shape)
    return (a + 9j * rng.standard_normal(shape) if dtype.kind == "c" else a).astype(dtype)


def window(rng, n):
    """A window's name, with parameters where it has some, or factors."""
    several = [("kaiser", 8.0), ("gaussian", 5.0), ("tukey", 0.3), ("general_hamming", 0.6), ("chebwin", 60.0), 4.5]
    several += [
        ("general gaussian", 1.5, 7.0),
        ("exponential", None, 9.0),
        ("taylor", 5, 35.0, False),
        ("general cosine", [0.6, 0.4]),
    ]
    several += [("kaiser",), ("hann", 1.0), ("kaiser_bessel_derived", 3.0), ("exponential", 3.0, 9.0), ("triang_periodic",)]
    if n is not None and rng.random() < 0.2:
        return rng.random(n) + 0.5
    return PLAIN[rng.integers(len(PLAIN) - 3)] if rng.random() < 0.8 or n is not None else several[rng.integers(len(several))]


def spectral(rng, name, x, axis):
    """The arguments of functions of segments."""
    n = x.shape[axis]
    nperseg = int(rng.integers(1, n + 4))
    kwargs = {"fs": float(rng.choice([1.0, 44100.0])), "axis": axis}
    if name == "periodogram":
        kwargs["window"] = window(rng, n) if rng.random() < 0.7 else "boxcar"
        if rng.random() < 0.5:
            kwargs["nfft"] = int(rng.integers(max(1, n - 3), n + 9))
    else:
        kwargs["window"] = window(rng, min(nperseg, n))
        kwargs["nperseg"] = nperseg if isinstance(kwargs["window"], str) else None
        nperseg = min(nperseg, n)
        if rng.random() < 0.6:
            kwargs["noverlap"] = int(rng.integers(0, nperseg + (rng.random() < 0.1)))
        if rng.random() < 0.4:
            kwargs["nfft"] = nperseg + int(rng.integers(-1, 9))
    kwargs["detrend"] = [False, "constant", "linear", lambda a: a - 1][rng.integers(4)]
    if name == "coherence":
        return kwargs
    kwargs["return_onesided"] = bool(rng.integers(2))
    kwargs["scaling"] = str(rng.choice(["spectrum", "psd" if name == "stft" else "density"]))
    if name == "stft":
        kwargs["boundary"] = [None, "zeros", "even", "odd", "constant"][rng.integers(5)]
        kwargs["padded"] = bool(rng.integers(2))
    elif name == "spectrogram":
        kwargs["mode"] = str(rng.choice(["psd", "complex", "magnitude", "angle"]))
    elif name in ("welch", "csd"):
        kwargs["average"] = str(rng.choice(["mean", "median"]))
    return kwargs


def case(rng, name):
    """The positional and the other arguments of a call."""
    if name == "get_window":
        return (window(rng, None), int(rng.integers(0, 40))), {"fftbins": bool(rng.integers(2))}
    rank = int(rng.integers(1, 4))
    shape = rng.integers(1, [120, 20, 9][rank - 1], rank).tolist()
    axis = int(rng.integers(-rank, rank))
    if name in ("fftconvolve", "oaconvolve", "convolve", "correlate"):
        other = [int(rng.integers(1, n + 1)) if rng.random() < 0.5 else int(rng.integers(1, n + 3)) for n in shape]
        if name == "oaconvolve" and rng.random() < 0.5:
            other[axis], shape[axis] = int(rng.integers(1, 7)), int(rng.integers(50, 400))
        if rng.random() < 0.3:
            shape, other = other, shape
        kwargs = {"mode": MODES[rng.integers(3)]}
        if name in ("convolve", "correlate"):
            kwargs["method"] = ["auto", "direct", "fft"][rng.integers(3)]
        elif rng.random() < 0.5:
            kwargs["axes"] = rng.permutation(rank)[: rng.integers(1, rank + 1)].tolist()
            for i in range(rank):
                if i not in kwargs["axes"] and rng.random() < 0.8:
                    other[i] = shape[i]
        return (numbers(rng, shape), numbers(rng, other)), kwargs
    if name == "istft":
        onesided, n = bool(rng.integers(2)), int(rng.integers(1, 20))
        points = (n // 2 + 1) if onesided else n
        z = numbers(rng, [int(rng.integers(1, 4)), int(rng.integers(1, 12)), points][3 - int(rng.integers(2, 4)) :], "c16")
        times, frequencies = rng.permutation(z.ndim)[:2].tolist()
        z = np.moveaxis(z, (-2, -1), (times, frequencies))
        kwargs = {"input_onesided": onesided, "time_axis": times, "freq_axis": frequencies - z.ndim, "nperseg": n, "fs": 9.0}
        kwargs |= {"boundary": bool(rng.integers(2)) and n > 1, "scaling": str(rng.choice(["spectrum", "psd"]))}
        kwargs["noverlap"] = None if rng.random() < 0.5 else int(rng.integers(0, n + 1))
        return (z,), kwargs
    if name in ("hilbert", "hilbert2"):
        x = numbers(rng, shape, rng.choice([*DTYPES, *DTYPES, "c8"]))
        kwargs = {"N": int(rng.integers(0, 30))} if rng.random() < 0.5 else {}
        if name == "hilbert":
            return (x,), kwargs | {"axis": axis}
        axes = tuple(rng.permutation(max(rank, 2))[:2].tolist())
        if kwargs and rng.random() < 0.5:
            kwargs["N"] = tuple(rng.integers(1, 12, 2).tolist())
        return (x,), kwargs | {"axes": axes}
    if name == "resample":
        domain, n = str(rng.choice(["time", "freq"])), shape[axis]
        x = numbers(rng, shape, "c16" if domain == "freq" else None)
        windows = [None, "hann", ("kaiser", 3.0), rng.random(n), lambda f: np.exp(-abs(f))]
        kwargs = {"axis": axis, "window": windows[rng.integers(5)], "domain": domain}
        return (x, int(rng.integers(1, 2 * n + 3)), np.arange(3.0) if rng.random() < 0.3 else None), kwargs
    if name == "fftfilt":
        return (numbers(rng, int(rng.integers(1, 30))), numbers(rng, shape)), {"axis": axis}
    x = numbers(rng, shape, None if rng.random() < 0.3 else rng.choice(DTYPES))
    args = (x, numbers(rng, shape, x.dtype)) if name in ("csd", "coherence") else (x,)
    if len(args) == 2 and shape[axis] > 9 and rng.random() < 0.5:
        args = (x, np.take(args[1], np.arange(shape[axis] - 3), axis))
    return args, spectral(rng, name, x, axis)


LIMIT = 100.0
"""How far results may be from SciPy's, in units of the precision."""


def check(name, seed, put=None, get=None):
    """Hold a random call to SciPy's. Returns how far the result is from its, or None where both refuse.

    `put` makes another library's array of NumPy's, and `get` NumPy's of what it computes.
    """
    import stockham.signal

    rng = np.random.default_rng([seed, *name.encode()])
    args, kwargs = case(rng, name)
    words = f"{name}, seed {seed}: {[getattr(x, 'shape', x) for x in args]}, {kwargs}"
    expected = theirs(name, args, kwargs)
    copies = [np.array(x) if isinstance(x, np.ndarray) else x for x in args]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            given = [put(x) if put and isinstance(x, np.ndarray) else x for x in args]
            found = getattr(stockham.signal, name)(*given, **kwargs)
        except (ValueError, IndexError, TypeError) as error:
            assert put or type(error) is type(expected), f"{words}: {error!r}"
            assert isinstance(expected, Exception), f"{words}: {error!r}"
            return None
    assert not isinstance(expected, Exception), f"{words}: SciPy has {expected!r}"
    for x, before in zip(args, copies, strict=True):
        assert not isinstance(x, np.ndarray) or x.tobytes() == before.tobytes(), f"{words}: the input has changed"
    if get:
        found = tuple(map(get, found)) if isinstance(found, tuple) else get(found)
    units = differ(name, args, kwargs, found, expected)
    assert not isinstance(units, str), f"{words}: {units}"
    assert units <= LIMIT, f"{words}: {units} units of the precision"
    return units


def theirs(name, args, kwargs):
    """SciPy's result; an exception of its is returned."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            if name == "fftfilt":
                return scipy.signal.lfilter(args[0], [1.0], args[1], **kwargs)
            return getattr(scipy.signal, name)(*args, **kwargs)
        except (ValueError, IndexError, TypeError) as error:
            return error


def differ(name, args, kwargs, found, expected):
    """How far a result is from SciPy's, in units of the precision; a sentence where it is another thing altogether."""
    with np.errstate(all="ignore"):
        return difference(name, args, kwargs, found, expected)


def difference(name, args, kwargs, found, expected):
    if isinstance(expected, tuple) != isinstance(found, tuple):
        return "one is a tuple"
    single = any(getattr(x, "dtype", None) in (np.float32, np.complex64) for x in args)
    pairs = list(zip(found, expected, strict=True)) if isinstance(found, tuple) else [(found, expected)]
    worst = 0.0
    for at, (a, b) in enumerate(pairs):
        a, b = np.asarray(a), np.asarray(b)
        # SciPy counts the samples of an inverse along the first axis.
        if name == "istft" and at == 0:
            continue
        if a.shape != b.shape:
            return f"shapes {a.shape}, SciPy's {b.shape}"
        if a.dtype != b.dtype and not (single and b.dtype in (np.float64, np.complex128)):
            return f"dtypes {a.dtype}, SciPy's {b.dtype}"
        if a.size:
            is_result = at == len(pairs) - 1
            apart = weighed(name, args, kwargs, a, b) if is_result else abs(a - b)
            scale = size(name, args, kwargs, b) if is_result else np.max(abs(b)) or 1.0
            worst = max(worst, float(np.max(apart) / scale / (2.0**-24 if single else 2.0**-53)))
    return worst


def weighed(name, args, kwargs, a, b):
    """The difference of two results; that of angles and of quotients as far as there is something that has them."""
    if kwargs.get("mode") == "angle":
        spectra = theirs(name, args, kwargs | {"mode": "complex"})[-1]
        return abs(abs(spectra) * np.exp(1j * a) - spectra)
    if name == "coherence":
        powers = np.prod(np.broadcast_arrays(*(theirs("welch", (x,), kwargs)[-1] for x in args)), axis=0)
        return np.nan_to_num(abs(a - b) * powers)
    return abs(a - b)


def size(name, args, kwargs, b):
    """What would come out if nothing cancelled, roughly."""
    whole = float(np.nan_to_num(abs(b)).max())
    if name in ("fftconvolve", "oaconvolve", "convolve", "correlate", "fftfilt"):
        a, h = (abs(x.astype(complex)).astype(float) for x in args)
        return max(whole, float(np.sqrt((a**2).sum() * (h**2).sum())), 1e-300)
    if name in ("hilbert", "hilbert2", "resample"):
        x = abs(args[0].astype(complex))
        return max(whole, float(x.sum() if kwargs.get("domain") == "freq" else x.max()), 1e-300)
    if "detrend" in kwargs:
        # Of a signal that trends take nothing from, with a window that is all positive.
        plain = {word: value for word, value in kwargs.items() if word not in ("mode", "average")}
        plain["detrend"] = False
        of = name if name in ("stft", "periodogram", "spectrogram") else "welch"
        powers = [found[-1] for x in args if isinstance(found := theirs(of, (abs(x) + 1,), plain), tuple)]
        if kwargs.get("mode") in ("complex", "magnitude", "angle"):
            powers = [np.sqrt(power) for power in powers]
        largest = [float(np.max(abs(power))) for power in powers]
        return np.prod(largest) if name == "coherence" else max(whole, max(largest))
    return whole or 1.0
