"""Plans of one shape."""

import json

import numpy as np
import pytest
import scipy.fft
import stockham
from conftest import assert_near

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("kind", ["c2c", "r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"])
@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("axes", [(-1,), (0, 1), (1, 0)])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_kinds(kind, double, axes, norm):
    complex_in = kind in ("c2c", "c2r")
    x = RNG.standard_normal((6, 9)) + 1j * RNG.standard_normal((6, 9)) * complex_in
    dtype = np.dtype({(0, 0): "f4", (0, 1): "f8", (1, 0): "c8", (1, 1): "c16"}[complex_in, double])
    x = (x if complex_in else x.real).astype(dtype)
    plan = stockham.plan(x.shape, dtype, kind=kind, axes=axes, norm=norm)
    if kind[0] == "d":
        expected = getattr(scipy.fft, kind[:3] + "n")(x, int(kind[3]), axes=axes, norm=norm)
    else:
        expected = getattr(scipy.fft, {"c2c": "fftn", "r2c": "rfftn", "c2r": "irfftn"}[kind])(x, axes=axes, norm=norm)
    assert (plan.shape, plan.dtype) == (x.shape, dtype.name)
    assert (plan.out_shape, plan.out_dtype) == (expected.shape, expected.dtype.name)
    found = plan(x)
    scale = np.linalg.norm(scipy.fft.irfftn(abs(x), axes=axes, norm=norm).ravel()) if kind == "c2r" else 0.0
    assert_near(found, expected, x.size, scale)
    out = np.empty_like(found)
    assert plan(np.asfortranarray(x), out) is out
    np.testing.assert_allclose(out, found, rtol=1e-4, atol=1e-4)
    assert json.loads(plan.to_json())["transform"]
    assert "points" in plan.explain()
    assert plan.device == "cpu"
    assert plan.source() == ""
    assert plan.workspace_bytes >= 0
    assert repr(plan).startswith("Plan(")


def test_in_place_and_inverse():
    x = RNG.standard_normal((4, 8)) + 0j
    before = x.copy()
    forward = stockham.plan((4, 8), axes=(0, 1), in_place=True)
    backward = stockham.plan((4, 8), axes=(0, 1), in_place=True, inverse=True)
    assert forward(x) is x
    assert_near(x, scipy.fft.fftn(before), 32)
    assert backward(x) is x
    np.testing.assert_allclose(x, before, atol=1e-14)
    x.flags.writeable = False
    for odd in [x, x.astype(">c16"), x[::-1].copy()[::-1], x.tolist()]:
        with pytest.raises(ValueError, match="in place"):
            forward(odd)


def test_strides():
    wide = np.zeros((6, 20), complex)
    x = wide[:, ::2]
    x[...] = RNG.standard_normal((6, 10))
    plan = stockham.plan(x.shape, strides=x.strides, out_strides=(16, 96))
    out = np.empty((10, 6), complex).T
    assert plan(x, out) is out
    assert_near(np.array(out), scipy.fft.fft(np.array(x)), 10)


def test_no_norm():
    x = RNG.standard_normal(12) + 0j
    np.testing.assert_allclose(stockham.plan(12, norm="none", inverse=True)(x), 12 * scipy.fft.ifft(x))


@pytest.mark.parametrize(
    "kwargs",
    [
        {"shape": 0},
        {"shape": (3, -1)},
        {"shape": 4, "kind": "c2d"},
        {"shape": 4, "dtype": "int64"},
        {"shape": 4, "dtype": "complex64", "kind": "r2c"},
        {"shape": 4, "axes": (0, 0)},
        {"shape": 4, "axes": 1},
        {"shape": 4, "axes": ()},
        {"shape": 4, "norm": "no"},
        {"shape": 4, "strides": (3,)},
        {"shape": 4, "strides": (-16,)},
        {"shape": 4, "strides": (16, 16)},
        {"shape": 4, "out_strides": (0,)},
        {"shape": 1, "dtype": "float64", "kind": "dct1"},
        {"shape": 1, "kind": "c2r"},
        {"shape": 4, "in_place": True, "kind": "r2c", "dtype": "float64"},
        {"shape": 4, "device": "cuda:77"},
        {"shape": 4, "kind": "r2c", "dtype": "float64", "inverse": True},
        {"shape": 4, "workers": 0},
        {"shape": (2**40, 2**40)},
    ],
    ids=str,
)
def test_what_makes_no_sense(kwargs):
    with pytest.raises((ValueError, MemoryError)):
        stockham.plan(**kwargs)


def test_other_arrays_than_planned():
    plan = stockham.plan((4, 8))
    for x in [np.ones((8, 4), complex), np.ones((4, 8)), np.ones((4, 8), np.complex64), 3.0, None]:
        with pytest.raises((ValueError, TypeError)):
            plan(x)
    with pytest.raises(ValueError):
        plan(np.ones((4, 8), complex), np.ones((4, 9), complex))
    readonly = np.ones((4, 8), complex)
    readonly.flags.writeable = False
    with pytest.raises(ValueError):
        plan(np.ones((4, 8), complex), readonly)
    # What lies otherwise is transformed all the same.
    x = RNG.standard_normal((4, 8)) + 0j
    for arranged in [x[::-1].copy()[::-1], np.asfortranarray(x), x.astype(">c16")]:
        assert_near(plan(arranged), scipy.fft.fft(x), 8)
    data = np.concatenate([x, x])
    assert_near(plan(data[:4], data[2:6]), scipy.fft.fft(x), 8)
