"""What the tests share: random arrays in random arrangements, and the error that a result may have."""

import numpy as np
import pytest

KINDS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
TRIGS = ["dct", "idct", "dst", "idst"]
LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 17, 20, 37, 64]
LIMIT = 6.0


def random_array(rng, shape, dtype):
    """Random numbers, in C or Fortran order, strided, reversed, transposed, byte-swapped, or at an odd place."""
    a = 50 * rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 50j * rng.standard_normal(shape)
    if np.dtype(dtype).kind in "u?":
        a = abs(a)
    a = a.astype(dtype)
    arrangement = rng.integers(8)
    if arrangement == 1:
        a = np.asfortranarray(a)
    elif arrangement == 2 and a.ndim:
        wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1] + 1), a.dtype)
        wide[..., 1::2] = a
        a = wide[..., 1::2]
    elif arrangement == 3 and a.ndim:
        a = a[::-1].copy()[::-1]
    elif arrangement == 4:
        a = a.astype(a.dtype.newbyteorder(">"))
    elif arrangement == 5:
        data = np.zeros(a.nbytes + 1, np.uint8)
        odd = data[1:].view(a.dtype).reshape(a.shape)
        odd[...] = a
        a = odd
    elif arrangement == 6 and a.ndim > 1:
        a = np.moveaxis(np.moveaxis(a, 0, -1).copy(), -1, 0)
    elif arrangement == 7:
        a.flags.writeable = False
    return a


def assert_near(found, expected, points, scale=None):
    """Within a few units of the precision, relative to the whole; of the same shape and dtype."""
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    if found.size == 0:
        return
    single = expected.dtype in (np.float32, np.complex64)
    unit = (2.0**-24 if single else 2.0**-53) * max(1.0, np.log2(max(points, 2))) ** 0.5
    # SciPy's own error counts, too.
    size = max(length(expected), scale or 0.0)
    assert length(found - expected) <= 2 * LIMIT * unit * size


def length(a):
    """The L2 norm. (NumPy's would take the threads of its linear algebra.)"""
    return float(np.sqrt(np.sum(np.abs(a).astype(np.float64) ** 2)))


@pytest.fixture(autouse=True)
def no_device_is_left():
    """Whatever a test sets ends with it."""
    import stockham

    yield
    stockham.set_device(None)
