"""NumPy's arrays on other devices, as far as the machine has them, and SciPy's backend."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.fft
import scipy.signal
import stockham
import stockham.fft
from conftest import assert_near

OTHERS = [device.id for device in stockham.devices() if device.backend != "cpu"]


def test_devices_are_listed():
    found = stockham.devices()
    assert found[-1].id == "cpu" and found[-1].has_f64 and found[-1].memory_bytes > 0
    stockham.set_device("cpu")
    assert stockham.get_device() == "cpu"
    if "cuda:0" not in OTHERS:
        with pytest.warns(RuntimeWarning):
            stockham.devices(explain=True)


@pytest.mark.parametrize("device", OTHERS)
def test_other_devices_take_copies(device):
    rng = np.random.default_rng(1)
    x = (rng.standard_normal((6, 8)) + 1j * rng.standard_normal((6, 8))).astype(np.complex64)
    strided = np.zeros((12, 24), np.complex64)[::2, ::3]
    strided[...] = x
    expected = scipy.fft.fftn(x)
    for array in [x, strided, np.asfortranarray(x)]:
        assert_near(stockham.fft.fftn(array, device=device), expected, 48)
    stockham.set_device(device)
    assert_near(stockham.fft.fftn(x), expected, 48)
    assert_near(stockham.fft.fft(x.real), scipy.fft.fft(x.real), 8)
    assert_near(stockham.fft.irfft(x, n=12), scipy.fft.irfft(x, n=12), 12, np.linalg.norm(x))
    assert_near(stockham.fft.dct(x.real), scipy.fft.dct(x.real), 8)
    out = np.zeros((6, 16), np.complex64)[:, ::2]
    assert stockham.fft.fft(x, out=out) is out
    assert_near(np.array(out), scipy.fft.fft(x), 8)
    assert not out.base[:, 1::2].any()
    assert stockham.fft.fft(x, overwrite_x=True) is not None
    plan = stockham.plan(x.shape, x.dtype, device=device)
    assert plan.device == device and "(" in plan.source()
    assert_near(plan(scipy.fft.ifft(expected, axis=1)), expected, 48)
    stockham.set_device(None)
    assert stockham.get_device() == "cpu"
    assert stockham.ntt.fft([1, 2, 3, 4], device=device).tolist() == stockham.ntt.fft([1, 2, 3, 4]).tolist()
    assert stockham.integer.multiply(3**5000, 7**4000, device=device) == 3**5000 * 7**4000


def test_scipys_backend():
    x = np.random.default_rng(1).standard_normal(40)
    expected = scipy.fft.rfft(x)
    with scipy.fft.set_backend(stockham.scipy_backend, only=True):
        stockham.cache.clear()
        assert_near(scipy.fft.rfft(x), expected, 40)
        assert stockham.cache.info().misses == 1
        with scipy.fft.set_workers(2):
            assert_near(scipy.fft.dctn(x, 2), scipy.fft.dctn(x, type=2), 40)
        np.testing.assert_allclose(scipy.signal.fftconvolve(x, x), np.convolve(x, x), atol=1e-12)
        np.testing.assert_allclose(scipy.fft.fht(x, 0.1, 0.5), stockham.fft.fht(x, 0.1, 0.5))
        assert scipy.fft.fft(x.astype(np.longdouble)).dtype == np.clongdouble
    assert stockham.scipy_backend.__ua_function__(lambda: None, (), {}) is NotImplemented


@pytest.mark.parametrize("only", [False, True])
def test_scipy_is_taken_over(only):
    script = f"""
import numpy as np, scipy.fft, scipy.signal, stockham
stockham.use_for_scipy(only={only})
scipy.fft.fft(np.ones(8))
assert stockham.cache.info().misses == 1
scipy.signal.fftconvolve(np.ones(100), np.ones(100))
assert stockham.cache.info().misses == 3
assert scipy.fft.fft(np.ones(8, np.longdouble)).dtype == np.clongdouble
scipy.fft.fht(np.ones(8), 0.1, 0.5)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    a = np.random.default_rng(1).standard_normal((3, 8)).astype(np.float32)
    x = jax.numpy.asarray(a)
    for name in ["fft", "rfft", "dct", "fftshift"]:
        found = getattr(stockham.fft, name)(x)
        assert isinstance(found, jax.Array)
        assert_near(np.asarray(found), getattr(scipy.fft, name)(a), 8)
    assert isinstance(stockham.plan(a.shape, a.dtype, kind="r2c")(x), jax.Array)
    with pytest.raises(TypeError, match="never written"):
        stockham.fft.fft(x, out=x)
    with pytest.raises(TypeError):
        jax.jit(stockham.fft.fft)(x)
