"""Random calls against SciPy's: every function, in every dtype, over any axes, lengths, norms and arrangements in memory."""

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, LENGTHS, TRIGS, assert_near, random_array

REAL = ["f2", "f4", "f8", "i2", "i8", "u1", "?"]
COMPLEX = ["c8", "c16"]
MOST = 6000


def random_case(rng, name):
    """An array and the arguments of a call that SciPy takes, mostly."""
    many = rng.random() < 0.6
    rank = int(rng.integers(1, 5))
    shape = rng.choice(LENGTHS, rank).tolist()
    while np.prod(shape) > MOST:
        shape[rng.integers(rank)] = 1
    real_only = name in ("rfft", "ihfft")
    x = random_array(rng, shape, rng.choice(REAL if real_only else REAL + 3 * COMPLEX))
    count = int(rng.integers(1, rank + 1)) if many else 1
    axes = [int(axis) - rank * int(rng.integers(2)) for axis in rng.permutation(rank)[:count]]
    lengths = [max(1, shape[axis] + int(rng.integers(-3, 5))) for axis in axes]
    if name in ("irfft", "hfft"):
        lengths[-1] = max(1, 2 * (shape[axes[-1]] - 1) + int(rng.integers(-2, 3)))
    kwargs = {"norm": [None, "backward", "ortho", "forward"][rng.integers(4)]}
    if many:
        name += ["n", "2"][int(count == 2 and rng.random() < 0.3 and name not in TRIGS)]
        kwargs["axes"] = tuple(axes)
        if rng.random() < 0.5 or (name[:-1] in ("irfft", "hfft") and shape[axes[-1]] == 1):
            kwargs["s"] = lengths
    else:
        kwargs["axis"] = axes[0]
        if rng.random() < 0.5 or (name in ("irfft", "hfft") and shape[axes[0]] == 1):
            kwargs["n"] = lengths[0]
    if name.rstrip("n2") in TRIGS:
        kwargs["type"] = int(rng.integers(1, 5))
        # SciPy passes over this of complex numbers.
        if x.dtype.kind != "c":
            kwargs["orthogonalize"] = [None, True, False][rng.integers(3)]
    return name, x, kwargs


@pytest.mark.parametrize("name", KINDS + TRIGS)
@pytest.mark.parametrize("seed", range(150))
def test_random_calls(name, seed):
    rng = np.random.default_rng([seed, *name.encode()])
    name, x, kwargs = random_case(rng, name)
    ours, theirs = getattr(stockham.fft, name), getattr(scipy.fft, name)
    native = np.array(x, x.dtype.newbyteorder("="), order="C")
    try:
        expected = theirs(native, **kwargs)
    except (ValueError, RuntimeError) as error:
        with pytest.raises(type(error)):
            ours(x, **kwargs)
        return
    points = int(np.prod([expected.shape[axis] for axis in kwargs.get("axes", (kwargs.get("axis"),))]))
    # What would come out if nothing cancelled: irfft leaves imaginary parts out, which may be nearly all.
    scale = np.linalg.norm(theirs(abs(native), **kwargs).ravel()) if name.rstrip("n2") in ("irfft", "hfft") else 0.0
    before = np.array(x)
    found = ours(x, **kwargs)
    assert_near(found, expected, points, scale)
    np.testing.assert_array_equal(x, before)

    # A device that is named is looked up in Python, and all else with it: copies may lie otherwise, and columns of a matrix are
    # computed in another order than lines.
    assert_near(ours(x, device="cpu", **kwargs), expected, points, scale)

    # With an output, which may be of any arrangement, and more workers.
    out = random_array(rng, expected.shape, expected.dtype)
    if out.flags.writeable and out.dtype == expected.dtype:
        assert ours(x, out=out, workers=2, **kwargs) is out
        assert_near(np.array(out, expected.dtype), expected, points, scale)

    # What may be overwritten gives the same.
    assert_near(ours(np.array(x), overwrite_x=True, **kwargs), expected, points, scale)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("axis", [0, 1])
def test_output_in_place_of_input(dtype, axis):
    rng = np.random.default_rng(1)
    x = random_array(np.random.default_rng(8), (24, 30), dtype).copy()
    expected = scipy.fft.fft(x, axis=axis)
    whole = np.zeros((50, 62), dtype)
    view = whole[1:49:2, 1:61:2]
    view[...] = x
    assert stockham.fft.fft(view, axis=axis, out=view) is view
    assert_near(np.array(view), expected, 30)
    whole[1:49:2, 1:61:2] = 0
    assert not whole.any()
    # An output that overlaps otherwise.
    data = rng.standard_normal(40) + 0j
    expected = scipy.fft.fft(data[:32])
    stockham.fft.fft(data[:32], out=data[8:])
    assert_near(data[8:], expected, 32)


def test_overwritten_input_is_the_output():
    x = np.ones((8, 8), complex)
    assert stockham.fft.fftn(x, overwrite_x=True) is x
    assert x[0, 0] == 64
    y = np.ones(8)
    assert stockham.fft.dct(y, overwrite_x=True) is y
    readonly = np.ones(8, complex)
    readonly.flags.writeable = False
    assert stockham.fft.fft(readonly, overwrite_x=True) is not readonly
    assert readonly[1] == 1
    broadcast = np.lib.stride_tricks.as_strided(np.ones(8, complex), (4, 8), (0, 16))
    assert_near(stockham.fft.fft(broadcast, overwrite_x=True), scipy.fft.fft(np.ones((4, 8)) + 0j), 8)


@pytest.mark.parametrize("n", [1, 2, 97, 1000, 1 << 17, 100_003, 1 << 19])
@pytest.mark.parametrize("workers", [1, 2, -1])
def test_long_lines(n, workers):
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    assert_near(stockham.fft.fft(x, workers=workers), scipy.fft.fft(x), n)
    assert_near(stockham.fft.fft(x.real, workers=workers), scipy.fft.fft(x.real), n)
    assert_near(stockham.fft.ifft(x.real, workers=workers), scipy.fft.ifft(x.real), n)
    assert_near(stockham.fft.rfft(x.real, workers=workers), scipy.fft.rfft(x.real), n)
    assert_near(stockham.fft.dct(x.real, workers=workers), scipy.fft.dct(x.real), n)


@pytest.mark.parametrize("shape", [(257, 129), (3, 64, 65), (2, 3, 5, 7)])
@pytest.mark.parametrize("name", ["fftn", "ifftn"])
@pytest.mark.parametrize("workers", [1, 2])
def test_whole_spectra_of_real_arrays(shape, name, workers):
    x = np.random.default_rng(3).standard_normal(shape)
    for axes in [None, (0,), (1, 0), tuple(range(len(shape)))[::-1]]:
        found = getattr(stockham.fft, name)(x, axes=axes, workers=workers)
        assert_near(found, getattr(scipy.fft, name)(x, axes=axes), x.size)


def test_input_that_is_not_hermitian():
    rng = np.random.default_rng(5)
    for shape in [(9,), (8, 5), (4, 6, 5), (3, 4, 2, 9)]:
        x = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
        for s in [None, [*shape[:-1], 2 * shape[-1] - 1]]:
            expected = scipy.fft.irfftn(x, s)
            assert_near(stockham.fft.irfftn(x, s), expected, x.size, np.linalg.norm(scipy.fft.irfftn(abs(x), s).ravel()))


def test_long_double_is_computed_by_scipy():
    x = np.arange(6, dtype=np.longdouble)
    found = stockham.fft.fft(x)
    assert found.dtype == np.clongdouble
    np.testing.assert_array_equal(found, scipy.fft.fft(x))
    assert stockham.fft.dct(x, type=3).dtype == np.longdouble


def test_other_helpers():
    for n in [1, 2, 5, 8]:
        np.testing.assert_array_equal(stockham.fft.fftfreq(n, 0.5), scipy.fft.fftfreq(n, 0.5))
        np.testing.assert_array_equal(stockham.fft.rfftfreq(n, 0.5), scipy.fft.rfftfreq(n, 0.5))
    assert stockham.fft.fftfreq(5, dtype=np.float32, device="cpu").dtype == np.float32
    with pytest.raises(ValueError, match="device"):
        stockham.fft.fftfreq(5, device="cuda")
    x = np.arange(30).reshape(5, 6)
    np.testing.assert_array_equal(stockham.fft.fftshift(x, axes=1), scipy.fft.fftshift(x, axes=1))
    np.testing.assert_array_equal(stockham.fft.ifftshift(stockham.fft.fftshift(x)), x)
    for n in [*range(1, 300), 10**6 + 3, 2**20 + 1]:
        for real in [False, True]:
            assert stockham.fft.next_fast_len(n, real) == scipy.fft.next_fast_len(n, real)
            assert stockham.fft.prev_fast_len(n, real) == scipy.fft.prev_fast_len(n, real)
    a = np.exp(-np.arange(16.0))
    np.testing.assert_array_equal(stockham.fft.fht(a, 0.1, 0.5), scipy.fft.fht(a, 0.1, 0.5))
    np.testing.assert_array_equal(stockham.fft.ifht(a, 0.1, 0.5), scipy.fft.ifht(a, 0.1, 0.5))
    assert stockham.fft.fhtoffset(0.1, 0.5) == scipy.fft.fhtoffset(0.1, 0.5)
