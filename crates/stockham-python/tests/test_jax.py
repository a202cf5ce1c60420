"""JAX's arrays in host memory, and those of whoever else lends memory by DLPack."""

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, TRIGS, assert_near

jax = pytest.importorskip("jax")


@pytest.fixture(autouse=True)
def double_precision():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.mark.parametrize("name", [*KINDS, *TRIGS, *(kind + "n" for kind in KINDS)])
@pytest.mark.parametrize("seed", range(8))
def test_random_arrays(name, seed):
    rng = np.random.default_rng([seed, *name.encode()])
    shape = rng.integers(2, 9, rng.integers(1, 4)).tolist()
    a = 9 * rng.standard_normal(shape)
    dtype = np.dtype(rng.choice(["f4", "f8", "f2", "i4"] + ([] if name.strip("n") in ("rfft", "ihfft") else 2 * ["c8", "c16"])))
    a = (a + 1j * rng.standard_normal(shape) if dtype.kind == "c" else a).astype(dtype)
    expected = getattr(scipy.fft, name)(a)
    x = jax.numpy.asarray(a)
    found = getattr(stockham.fft, name)(x)
    assert isinstance(found, jax.Array)
    scale = 30 * expected.size if "irfft" in name or name.startswith("hfft") else 0.0
    assert_near(np.asarray(found), expected, a.size, scale)
    np.testing.assert_array_equal(np.asarray(x), a)


def test_single_precision_stays():
    jax.config.update("jax_enable_x64", False)
    assert stockham.fft.fft(jax.numpy.ones(4)).dtype == np.complex64
    assert stockham.fft.dct(jax.numpy.ones(4, jax.numpy.bfloat16)).dtype == np.float32
    assert stockham.fft.dct(jax.numpy.ones(4, jax.numpy.float8_e4m3fn)).dtype == np.float32


def test_what_is_computed_is_waited_for():
    x = jax.numpy.ones((300, 300))
    for _ in range(5):
        x = x @ x / 300
    assert_near(np.asarray(stockham.fft.fft2(x)), scipy.fft.fft2(np.asarray(x)), x.size)


def test_results_are_nobody_elses():
    x = np.random.default_rng(1).standard_normal(1 << 16)
    first = stockham.fft.rfft(jax.numpy.asarray(x))
    before = np.array(first)
    for _ in range(20):
        stockham.fft.rfft(jax.numpy.asarray(x + 1))
    np.testing.assert_array_equal(np.asarray(first), before)


@pytest.mark.parametrize("trace", ["jit", "grad", "vmap"])
@pytest.mark.parametrize("name", ["rfft", "dct"])
def test_traced_arrays_are_refused(trace, name):
    with pytest.raises(TypeError, match=r"traced by JAX"):
        getattr(jax, trace)(lambda x: jax.numpy.abs(getattr(stockham.fft, name)(x)).sum())(jax.numpy.ones((4, 4)))
    with pytest.raises(TypeError, match=r"traced by JAX"):
        jax.jit(stockham.plan((4, 4), "float64", kind="r2c"))(jax.numpy.ones((4, 4)))


def test_a_call_within_a_callback():
    x = jax.numpy.asarray(np.random.default_rng(1).standard_normal(16))

    @jax.jit
    def spectrum(x):
        # JAX's own arrays may wait for each other there.
        return jax.pure_callback(lambda x: stockham.fft.rfft(np.asarray(x)), jax.ShapeDtypeStruct((9,), np.complex128), x)

    assert_near(np.asarray(spectrum(x)), scipy.fft.rfft(np.asarray(x)), 16)


def test_outputs_are_refused():
    x = jax.numpy.ones(4)
    for name in ("fft", "dct"):
        with pytest.raises(TypeError, match="never written"):
            getattr(stockham.fft, name)(x, out=np.ones(4, complex))
    with pytest.raises(TypeError, match="never written"):
        stockham.plan(4, "float64", kind="dct2", in_place=True)(x)
    with pytest.raises(ValueError, match="read-only"):
        stockham.fft.fft(np.ones(4), out=np.asarray(x + 0j))


def test_plans():
    x = jax.numpy.asarray(np.random.default_rng(1).standard_normal((4, 6)))
    found = stockham.plan((4, 6), "float64", kind="r2c")(x)
    assert isinstance(found, jax.Array)
    assert_near(np.asarray(found), scipy.fft.rfft(np.asarray(x)), 6)
