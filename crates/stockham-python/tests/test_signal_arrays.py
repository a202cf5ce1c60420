"""`stockham.signal` for arrays of PyTorch, JAX, and who else lends memory by DLPack: NumPy's results, as theirs."""

import functools

import numpy as np
import pytest
import signal_cases
from stockham import signal

NAMES = [name for name in signal_cases.FUNCTIONS if name != "get_window"]


def libraries():
    """How arrays of each library are made, and seen by NumPy."""
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    strict = pytest.importorskip("array_api_strict")
    jax.config.update("jax_enable_x64", True)
    return {
        "torch": (torch.Tensor, torch.from_numpy, lambda a: a.numpy()),
        "jax": (jax.Array, jax.numpy.asarray, np.asarray),
        "strict": (type(strict.zeros(1)), strict.asarray, np.from_dlpack),
    }


@pytest.mark.parametrize("library", ["torch", "jax", "strict"])
@pytest.mark.parametrize("name", NAMES)
def test_results_are_numpys(library, name):
    kind, make, see = libraries()[library]
    # JAX compiles every operation of a shape.
    for seed in range(4 if library == "jax" else 12):
        args, kwargs = signal_cases.case(np.random.default_rng([seed, *name.encode(), 1]), name)
        if callable(kwargs.get("detrend")) or callable(kwargs.get("window")):
            continue
        expected = signal_cases.theirs(name, args, kwargs)
        given = [make(np.ascontiguousarray(x)) if isinstance(x, np.ndarray) else x for x in args]
        if isinstance(expected, Exception):
            with pytest.raises((ValueError, IndexError, TypeError)):
                call(name, given, kwargs)
            continue
        found = call(name, given, kwargs)
        assert all(isinstance(each, kind) for each in (found if isinstance(found, tuple) else (found,)))
        seen = tuple(map(see, found)) if isinstance(found, tuple) else see(found)
        units = signal_cases.differ(name, args, kwargs, seen, expected)
        assert not isinstance(units, str) and units <= signal_cases.LIMIT, (seed, units, kwargs)


def call(name, args, kwargs):
    """A call without its warnings."""
    import warnings

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return getattr(signal, name)(*args, **kwargs)


def test_gradients_of_tensors():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(9)

    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    check = functools.partial(torch.autograd.gradcheck, atol=1e-6)
    for mode in ("full", "same", "valid"):
        assert check(functools.partial(signal.fftconvolve, mode=mode), (tensor(2, 9), tensor(2, 4)))
    assert check(signal.oaconvolve, (tensor(40), tensor(3)))
    assert check(lambda x: signal.stft(x, nperseg=8, boundary="odd", detrend="linear")[2], (tensor(30),))
    assert check(lambda x: signal.welch(x, nperseg=8)[1], (tensor(30),))
    assert check(lambda x: signal.istft(torch.complex(x, x), nperseg=8)[1], (tensor(5, 6),))
    assert check(signal.hilbert, (tensor(9),))
    assert check(lambda x: signal.resample(x, 7), (tensor(10),))
    assert check(signal.fftfilt, (tensor(3), tensor(40)))


def test_precision_stays():
    torch = pytest.importorskip("torch")
    x = torch.ones(300)
    assert signal.fftconvolve(x, [0.5, 0.5]).dtype == torch.float64
    assert signal.fftfilt(torch.ones(3), x).dtype == torch.float32
    assert signal.welch(x, window=np.ones(30))[1].dtype == torch.float32
    assert signal.stft(x.to(torch.bfloat16))[2].dtype == torch.complex64
