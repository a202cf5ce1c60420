"""Arrays of whoever lends host memory by DLPack, as the array API has it."""

import types

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, TRIGS, assert_near


class Lent:
    """An array that lends its memory, and nothing else."""

    def __init__(self, a, device=(1, 0)):
        self.a, self.device, self.streams = a, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, **kwargs):
        self.streams.append(stream)
        return self.a.__dlpack__(**kwargs)


class InNamespace(Lent):
    """One whose library tells who makes them."""

    def __array_namespace__(self, api_version=None):
        return types.SimpleNamespace(from_dlpack=InNamespace)


@pytest.mark.parametrize("kind", [Lent, InNamespace])
@pytest.mark.parametrize("name", KINDS + TRIGS)
def test_lent_arrays(name, kind):
    a = np.random.default_rng([*name.encode()]).standard_normal((5, 12))[:, ::2]
    x = kind(a)
    found = getattr(stockham.fft, name)(x)
    # In host memory there is no stream to wait for.
    assert x.streams == [None]
    assert isinstance(found, InNamespace if kind is InNamespace else np.ndarray)
    expected = getattr(scipy.fft, name)(a)
    assert_near(found.a if kind is InNamespace else found, expected, 6, 100.0)


def test_outputs():
    a = np.random.default_rng(1).standard_normal(8) + 0j
    out = Lent(np.zeros(8, complex))
    assert stockham.fft.fft(Lent(a), out=out) is out
    assert_near(out.a, scipy.fft.fft(a), 8)
    x = Lent(a.copy())
    assert stockham.fft.fft(x, out=x) is x
    assert_near(x.a, scipy.fft.fft(a), 8)
    fixed = np.zeros(8, complex)
    fixed.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        stockham.fft.fft(Lent(a), out=Lent(fixed))


def test_read_only_arrays():
    a = np.random.default_rng(1).standard_normal(8)
    a.flags.writeable = False
    assert_near(stockham.fft.rfft(Lent(a)), scipy.fft.rfft(a), 8)


def test_other_devices():
    # kDLROCM, kDLMetal
    for kind in (10, 8):
        with pytest.raises((TypeError, ValueError)):
            stockham.fft.fft(Lent(np.ones(4), (kind, 0)))


def test_the_strict_array_api():
    strict = pytest.importorskip("array_api_strict")
    x = strict.asarray([1.0, 2.0, 3.0, 4.0])
    found = stockham.fft.rfft(x)
    assert type(found) is type(x)
    assert_near(np.from_dlpack(found), scipy.fft.rfft(np.arange(1.0, 5)), 4)
    # A backend of SciPy's gets such arrays, too.
    with scipy.fft.set_backend(stockham.scipy_backend, only=True):
        assert type(scipy.fft.fft(x)) is type(x)
