"""Plans with expressions, and with numbers in memory that are none to be computed with."""

import os

import numpy as np
import pytest
import scipy.fft
import stockham
from expressions import Points, complex_one, interpret, real
from stockham import expr

OTHERS = [device.id for device in stockham.devices() if device.backend != "cpu"]
REALS = ["int8", "uint8", "int16", "uint16", "int32", "float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
CASES = int(os.environ.get("STOCKHAM_TEST_CASES", 1500))
FEW = int(os.environ.get("STOCKHAM_TEST_CASES", 2500)) // 100


def kept(numbers, name):
    """What memory has of real numbers, wide again."""
    if name.startswith(("int", "uint")):
        info = np.iinfo(name)
        return np.clip(np.rint(numbers), info.min, info.max)
    if name == "bfloat16":
        return numbers
    with np.errstate(over="ignore"):
        return numbers.astype(name).astype(numbers.dtype)


def step(name, size):
    """How far apart memory's numbers of a size are, or farther."""
    if name.startswith(("int", "uint")):
        return 1.0
    return {"float16": 2.0**-10, "bfloat16": 2.0**-7}.get(name, 0.0) * size + 1e-7 * (name == "float16")


def dtype_of(name):
    return pytest.importorskip("ml_dtypes").bfloat16 if name == "bfloat16" else np.dtype(name)


def samples(rng, shape, name):
    """Random numbers of a dtype."""
    if name.startswith(("int", "uint")):
        low = -100 if name.startswith("int") else 0
        return rng.integers(low, 101, shape).astype(name)
    x = rng.uniform(-1, 1, shape)
    if name.startswith("complex"):
        x = x + 1j * rng.uniform(-1, 1, shape)
    return x.astype(dtype_of(name))


def transformed(x, kind, axes, lengths, norm, inverse):
    """SciPy's transform of all the numbers."""
    if kind == "c2c":
        return (scipy.fft.ifftn if inverse else scipy.fft.fftn)(x, axes=axes, norm=norm)
    if kind == "r2c":
        return scipy.fft.rfftn(x, axes=axes, norm=norm)
    if kind == "c2r":
        return scipy.fft.irfftn(x, s=lengths, axes=axes, norm=norm)
    name = ("idct" if inverse else "dct") if kind.startswith("dct") else ("idst" if inverse else "dst")
    return getattr(scipy.fft, name + "n")(x, int(kind[3]), axes=axes, norm=norm)


def check(seed, device):
    """A plan of random everything."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 4))
    shape = [int(n) for n in rng.integers(1, 9 if rank > 1 else 40, rank)]
    axes = rng.permutation(rank)[: rng.integers(1, rank + 1)].tolist()
    kind = str(rng.choice(["c2c", "c2c", "r2c", "r2c", "c2r", "dct2", "dct3", "dst2", "dct4"]))
    filters = kind in ("c2c", "r2c") and rng.integers(3) == 0
    inverse = bool(rng.integers(2)) and kind not in ("r2c", "c2r") and not filters
    # The points, and what is in memory of them.
    lengths = [shape[axis] for axis in axes]
    if kind == "c2r" and lengths[-1] == 1:
        lengths[-1] = shape[axes[-1]] = 2
    taken, given = list(shape), list(shape)
    half = lengths[-1] // 2 + 1
    if kind == "c2r":
        taken[axes[-1]] = half
    elif kind == "r2c" and not filters:
        given[axes[-1]] = half
    fits = rng.integers(3)
    memory = list(taken)
    for axis in axes:
        if fits == 1:
            memory[axis] = int(rng.integers(1, taken[axis] + 1))
        elif fits == 2:
            memory[axis] += int(rng.integers(0, 4))
    there = [min(n, m) for n, m in zip(memory, taken, strict=True)]
    wanted = [int(rng.integers(1, given[axis] + 1)) for axis in axes] if rng.integers(3) == 0 else None
    out_shape = list(given)
    for axis, n in zip(axes, wanted or [], strict=False):
        out_shape[axis] = n
    # The numbers.
    natural_in = kind in ("c2c", "c2r")
    natural_out = kind == "c2c" or (kind == "r2c" and not filters)
    name = str(rng.choice(REALS + COMPLEX * 3))
    precision = str(rng.choice(["float32", "float64"]))
    if name in ("float64", "complex128"):
        precision = "float64"
    source, target = Points(taken, there, axes), Points(given, out_shape, axes)
    depth = int(rng.integers(0, 4))
    load = store = None
    if rng.integers(4) or (name in COMPLEX and not natural_in):
        of = complex_one if natural_in and rng.integers(2) else real
        load = of(rng, source, depth) * (0.01 if "int" in name else 1.0)
    spectrum_counts = list(given)
    if kind == "r2c":
        spectrum_counts[axes[-1]] = half
    filtered = complex_one(rng, Points(spectrum_counts, spectrum_counts, axes), 1) if filters else None
    is_real_out = not natural_out
    if rng.integers(4):
        gives_real = is_real_out or bool(rng.integers(2))
        store = (real if gives_real else complex_one)(rng, target, depth)
        is_real_out = gives_real
    out_name = str(rng.choice(REALS)) if is_real_out else str(rng.choice(COMPLEX))
    if out_name in ("float64", "complex128"):
        precision = "float64"
    if store is None and not is_real_out:
        out_name = {"float32": "complex64", "float64": "complex128"}[precision] if rng.integers(2) else out_name
    norm = str(rng.choice(["backward", "ortho", "forward"]))
    if filters:
        norm = "backward"
    x = samples(rng, memory, name)
    accumulate = rng.integers(4) == 0
    before = samples(rng, out_shape, out_name)
    n = lengths if memory != taken or kind == "c2r" or rng.integers(2) else None
    plan = stockham.plan(
        memory,
        name,
        kind=kind,
        axes=axes,
        norm=norm,
        inverse=inverse,
        n=n,
        keep=wanted,
        load=load,
        store=store,
        filtered=filtered,
        out_dtype=out_name,
        precision=precision,
        accumulate=accumulate,
        device=device,
    )
    assert (plan.out_shape, plan.out_dtype) == (tuple(out_shape), out_name)
    given = np.asfortranarray(x) if rng.integers(3) == 0 else x
    found = plan(given, np.array(before, order="F" if rng.integers(2) else "C")) if accumulate else plan(given)
    assert (found.shape, found.dtype) == (tuple(out_shape), dtype_of(out_name))

    # The same by NumPy and SciPy.
    with np.errstate(all="ignore"):
        value = x[tuple(slice(0, m) for m in there)].astype(np.complex128 if name in COMPLEX else np.float64)
        if load is not None:
            value = np.broadcast_to(interpret(load, value, source), value.shape)
        whole = np.zeros(taken, np.complex128 if natural_in else np.float64)
        whole[tuple(slice(0, m) for m in there)] = value
        if filters:
            to, back = (scipy.fft.fftn, scipy.fft.ifftn) if kind == "c2c" else (scipy.fft.rfftn, scipy.fft.irfftn)
            spectrum = to(whole, axes=axes)
            between = np.broadcast_to(
                interpret(filtered, spectrum, Points(spectrum.shape, spectrum.shape, axes)), spectrum.shape
            )
            result = back(between, s=lengths, axes=axes)
            sizes = [spectrum, between]
        else:
            result = transformed(whole, kind, axes, lengths, norm, inverse)
            sizes = []
        kept_part = result[tuple(slice(0, m) for m in out_shape)]
        expected = kept_part
        if store is not None:
            expected = np.broadcast_to(interpret(store, kept_part, target), kept_part.shape)
        if accumulate:
            expected = expected + before.astype(np.complex128 if out_name in COMPLEX else np.float64)
    most = max([1.0, *(np.max(np.abs(each)) for each in (whole, result, expected, *sizes))])
    if not np.isfinite(most) or most > 1e6:
        return False
    unit = 2.0**-24 if precision == "float32" else 2.0**-53
    # Products of several numbers that are each in error, of the largest size there is.
    bound = 2000 * unit * most**2 + 2 * unit
    wide = found.astype(np.complex128 if found.dtype.kind == "c" else np.float64)
    if out_name in COMPLEX:
        allowed = bound + (2.0**-23 * most if out_name == "complex64" else 0.0)
        np.testing.assert_array_less(np.abs(wide - expected), allowed)
        return True
    held = kept(np.real(expected), out_name)
    with np.errstate(invalid="ignore"):
        is_near = np.abs(wide - held) <= bound + step(out_name, np.abs(held)) + 2.0**-23 * np.abs(held)
    assert (is_near | (wide == held)).all(), (wide, held)
    return True


def run(cases, device):
    done = 0
    for seed in cases:
        try:
            done += check(seed, device)
        except BaseException:
            print(f"seed {seed} on {device}")
            raise
    assert done > len(cases) // 2


def test_random_plans_are_what_numpy_computes():
    run(range(CASES), "cpu")


@pytest.mark.parametrize("device", OTHERS)
def test_random_plans_on_other_devices(device):
    run(range(10_000, 10_000 + FEW), device)


def test_expressions_are_shown_as_they_are_written():
    x = expr.value()
    assert repr(2 * x.real - 1) == "(2.0 * real(value())) - 1.0"
    assert repr(expr.where(expr.index(0) < 3, x, 0.0)) == "where(index(0) < 3.0, value(), 0.0)"
    assert repr(expr.db()) == "log2(maximum(value(), 1e-20)) * 3.010299956639812"
    assert repr(-expr.array(np.ones((2, 3)))) == "-array((2, 3), axes=(-2, -1))"
    deep = x
    for _ in range(1000):
        deep = deep * deep
    assert "..." in repr(deep)


def test_operators_take_what_stands_for_numbers():
    x = np.arange(6.0) + 1
    for of, expected in [
        (x * expr.value(), x * x),
        (expr.value() / x, x / x),
        (np.float32(2) - expr.value(), 2 - x),
        (+expr.value() + np.array(3), x + 3),
        (abs(-expr.value()), x),
        (expr.scale(0.5), x / 2),
        (expr.where(expr.value() > 3, 1, expr.value()), np.where(x > 3, 1, x)),
        (expr.window(np.hanning(6)), x * np.hanning(6)),
    ]:
        found = stockham.plan(6, np.float64, kind="dct2", load=of)(x)
        np.testing.assert_allclose(found, scipy.fft.dct(expected), rtol=1e-13, atol=1e-13)


def test_arrays_of_the_batch():
    rng = np.random.default_rng(1)
    x, gates, spectra = rng.standard_normal((3, 4, 16)), rng.standard_normal((3, 4, 16)), rng.standard_normal((4, 9))
    plan = stockham.plan(x.shape, "float64", kind="r2c", load=expr.multiply(gates), filtered=expr.multiply(spectra))
    expected = scipy.fft.irfft(scipy.fft.rfft(x * gates) * spectra)
    np.testing.assert_allclose(plan(x), expected, atol=1e-13)
    gains = stockham.plan(x.shape, "float64", kind="r2c", axes=1, store=expr.array([1.0, 2.0, 3.0], axes=0) * expr.value())
    np.testing.assert_allclose(gains(x), scipy.fft.rfft(x, axis=1) * np.array([1, 2, 3])[:, None, None], atol=1e-13)


def test_a_causal_convolution_takes_no_padding():
    rng = np.random.default_rng(1)
    x, kernel = rng.standard_normal((2, 100)), rng.standard_normal(100)
    spectrum = scipy.fft.rfft(kernel, 200)
    plan = stockham.plan((2, 100), "float64", kind="r2c", n=200, keep=100, filtered=expr.multiply(spectrum))
    expected = np.array([np.convolve(row, kernel)[:100] for row in x])
    np.testing.assert_allclose(plan(x), expected, atol=1e-12)


def test_spectra_are_summed():
    x = np.random.default_rng(1).integers(-100, 100, (5, 16)).astype(np.int8)
    plan = stockham.plan(16, np.int8, kind="r2c", store=expr.power(), accumulate=True)
    total = np.zeros(9, np.float32)
    for row in x:
        assert plan(row, total) is total
    np.testing.assert_allclose(total, (np.abs(scipy.fft.rfft(x)) ** 2).sum(axis=0), rtol=1e-5)
    with pytest.raises(ValueError, match="out"):
        plan(x[0])
    with pytest.raises(ValueError, match="in place"):
        stockham.plan(4, in_place=True, accumulate=True)


def test_in_place():
    x = np.random.default_rng(1).standard_normal((3, 8)) + 0j
    plan = stockham.plan(x.shape, load=expr.value() * 2, store=expr.value().conj(), in_place=True)
    expected = np.conj(scipy.fft.fft(2 * x))
    assert plan(x) is x
    np.testing.assert_allclose(x, expected, atol=1e-12)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="in place"):
        plan(x)
    out = np.empty_like(expected)
    assert plan(x, out) is out


def test_outputs_that_are_given():
    x = np.random.default_rng(1).integers(-100, 100, (3, 8)).astype(np.int16)
    plan = stockham.plan(x.shape, x.dtype, kind="r2c", store=expr.power(), out_dtype="float32")
    expected = plan(x)
    np.testing.assert_allclose(expected, np.abs(scipy.fft.rfft(x)) ** 2, rtol=1e-5)
    wide = np.zeros((6, 5), np.float32)
    assert np.array_equal(plan(x, wide[::2]), expected) and not wide[1::2].any()
    assert np.array_equal(plan(x, np.empty((3, 5), np.float32, order="F")), expected)
    memory = np.zeros(3 * 8 + 3 * 5 * 2, np.int16)
    memory[:24] = x.ravel()
    overlapping = memory[8:38].view(np.float32).reshape(3, 5)
    assert np.array_equal(plan(memory[:24].reshape(3, 8), overlapping), expected)
    with pytest.raises(TypeError):
        plan(x, np.empty((3, 5)))
    with pytest.raises(TypeError):
        plan(x, [[0.0]])
    with pytest.raises(ValueError, match="shape"):
        plan(x, np.empty((3, 6), np.float32))
    with pytest.raises(ValueError, match="int16"):
        plan(x.astype(np.int32))
    with pytest.raises(ValueError, match="shape"):
        plan(x[:2])
    assert np.array_equal(plan(x.astype(">i2")), expected)
    strided = stockham.plan(x.shape, x.dtype, kind="r2c", strides=(32, 4), store=expr.power())
    assert np.array_equal(strided(x), expected)


def test_bfloat16_is_its_bits():
    x = np.array([1.0, -2.0, 0.5, 3.0], np.float32)
    bits = (x.view(np.uint32) >> 16).astype(np.uint16)
    assert np.array_equal(stockham.plan(4, "bfloat16", kind="dct2")(bits), scipy.fft.dct(x))
    out = np.empty(4, np.uint16)
    stockham.plan(4, "bfloat16", kind="dct4", out_dtype="bfloat16", norm="ortho")(bits, out)
    found = (out.astype(np.uint32) << 16).view(np.float32)
    np.testing.assert_allclose(found, scipy.fft.dct(x, 4, norm="ortho"), rtol=2.0**-8)


def test_arrays_without_numbers():
    plan = stockham.plan((0, 4), "int16", kind="r2c", store=expr.power())
    assert plan(np.empty((0, 4), np.int16)).shape == (0, 3)


def test_the_precision_follows_from_the_dtypes():
    for name, out, expected in [
        ("int16", None, "complex64"),
        ("int32", None, "complex128"),
        ("float16", None, "complex64"),
        ("float64", None, "complex128"),
        ("int16", "complex128", "complex128"),
    ]:
        assert stockham.plan(8, name, kind="r2c", n=9, out_dtype=out).out_dtype == expected
    assert stockham.plan(8, "float32", kind="r2c", precision="float64").out_dtype == "complex128"
    assert stockham.plan(8, "complex64", store=expr.power()).out_dtype == "float32"
    assert stockham.plan(8, "float64", n=5).out_dtype == "complex128"


def test_a_plan_tells_of_itself():
    plan = stockham.plan(8, "int16", kind="r2c", store=expr.power())
    assert "points" in plan.explain() and "norm-sqr" in plan.to_json() and plan.device == "cpu" and plan.source() == ""


@pytest.mark.parametrize("device", OTHERS)
def test_kernels_have_the_expression(device):
    plan = stockham.plan(64, "int16", kind="r2c", store=expr.log2(1 + expr.power()), out_dtype="float16", device=device)
    assert "log2" in plan.source() and "short" in plan.source()


VALUE = expr.value()


@pytest.mark.parametrize(
    ("kwargs", "error", "words"),
    [
        ({"load": 3.0}, TypeError, "load must be an expression"),
        ({"store": VALUE.real < 1}, TypeError, "store must be an expression"),
        ({"load": expr.index(2)}, ValueError, "axis 2"),
        ({"load": expr.index(-3)}, ValueError, "axis -3"),
        ({"load": expr.sqrt()}, ValueError, "real numbers were expected"),
        ({"load": VALUE.conj() + expr.log2()}, ValueError, "real numbers were expected"),
        ({"load": expr.from_parts(VALUE, 0.0)}, ValueError, "two real ones"),
        ({"load": expr.multiply(np.ones(7))}, ValueError, "7 numbers along axis 1"),
        ({"load": expr.multiply(np.ones((2, 4, 8)))}, ValueError, "axis -3"),
        ({"load": expr.array(np.ones((4, 4)), axes=(0, -2))}, ValueError, "named twice"),
        ({"out_dtype": "float64"}, ValueError, "real numbers are expected"),
        ({"out_dtype": "int64"}, ValueError, "int64"),
        ({"dtype": "complex64", "precision": "float16"}, ValueError, "precision"),
        ({"dtype": "complex256" if hasattr(np, "complex256") else "int64"}, ValueError, "memory"),
        ({"dtype": "complex128", "precision": "float32"}, ValueError, "f64"),
        ({"kind": "r2c"}, ValueError, "real numbers are expected"),
        ({"kind": "dct2"}, ValueError, "real numbers are expected"),
        ({"keep": 9}, ValueError, "keep"),
        ({"keep": 0}, ValueError, "keep"),
        ({"keep": (1, 2)}, ValueError, "keep"),
        ({"n": (1, 2)}, ValueError, "n has 2"),
        ({"n": 0}, ValueError, "data points"),
        ({"axes": (0, 1), "n": (5, 7)}, ValueError, "slice"),
        ({"n": 9, "strides": (16, 64)}, ValueError, "C order"),
        ({"filtered": VALUE, "inverse": True}, ValueError, "forward"),
        ({"filtered": VALUE, "kind": "dct1", "dtype": "float64"}, ValueError, "forward"),
        ({"in_place": True, "load": VALUE, "out_dtype": "complex64"}, ValueError, "in place"),
        ({"in_place": True, "keep": 4}, ValueError, "in place"),
        ({"load": VALUE, "norm": "no"}, ValueError, "norm"),
        ({"load": VALUE, "device": "cuda:77"}, ValueError, "cuda:77"),
        ({"load": VALUE, "workers": 0}, ValueError, "workers"),
    ],
    ids=str,
)
def test_what_makes_no_sense(kwargs, error, words):
    with pytest.raises(error, match=words):
        stockham.plan((4, 8), **kwargs)


def test_what_is_no_expression():
    for of in [
        lambda: VALUE + "1",
        lambda: VALUE + (VALUE.real < 1),
        lambda: expr.where(VALUE, 1, 2),
        lambda: expr.array(["a"]),
        lambda: expr.index(1.5),
        lambda: bool(VALUE.real < 1),
        lambda: min(VALUE, VALUE),
        lambda: bool(VALUE),
    ]:
        with pytest.raises(TypeError):
            of()
    for of in [
        lambda: expr.array(np.ones(3), axes=(0, 1)),
        lambda: expr.array(np.ones((3, 3)), axes=(0, 0)),
        lambda: expr.shift(()),
    ]:
        with pytest.raises(ValueError):
            of()


def test_large_expressions_are_refused():
    wide = deep = twice = VALUE
    for _ in range(300):
        deep = deep + 1.0
    for _ in range(100_000):
        wide = wide + 1.0
    for _ in range(60):
        twice = twice * twice
    for of, words in [(deep, "deep"), (wide, "parts"), (twice, "count twice")]:
        with pytest.raises(ValueError, match=words):
            stockham.plan(8, load=of)
