"""Random calls with odd arrays and odd arguments: they give what SciPy gives, or raise an exception that a caller expects."""

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, TRIGS

NAMES = [kind + suffix for kind in KINDS for suffix in ("", "2", "n")] + [
    trig + suffix for trig in TRIGS for suffix in ("", "n")
]
ORDINARY = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError, RuntimeError, MemoryError)


class Own(np.ndarray):
    """An array of a type made from NumPy's."""


class Index:
    """An integer that is none of Python's."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Nameless:
    """What comes from nowhere."""

    __module__ = 3


class Liar:
    """What says that it is an array, and has no memory."""

    __array_interface__ = {"shape": (3,), "typestr": "<f8", "version": 3, "data": None}  # noqa: RUF012
    __cuda_array_interface__ = property(lambda self: {}["no"])


def arrays(rng):
    """Something to transform."""
    shape = rng.integers(0, 5, rng.integers(0, 4)).tolist()
    a = np.asarray(rng.standard_normal(shape))
    choices = [
        *(a.astype(dtype) for dtype in ["f4", "f8", "c8", "c16", "f2", "i4", "?", ">f8", ">c8", "O", "U8"]),
        a.view(Own),
        np.ma.array(a, mask=a > 0),
        a.tolist(),
        np.broadcast_to(a, (3, *shape)),
        a.T,
        np.matrix(np.ones((2, 3))),
        np.lib.stride_tricks.as_strided(np.arange(8.0), (4, 4), (8, 8)),
        np.lib.stride_tricks.as_strided(np.ones(8), (4,), (0,)),
        np.frombuffer(b"\0" * 33, "u1")[1:].view("f8"),
        np.ones((1,) * 32),
        memoryview(np.ones(4)),
        bytearray(b"abcd"),
        np.float32(3),
        3,
        2j,
        True,
        float("nan"),
        range(4),
        [1, [2, 3]],
        None,
        "abc",
        b"abc",
        {1, 2},
        object(),
        np.float64,
        Nameless(),
        Liar(),
    ]
    return choices[rng.integers(len(choices))]


def words(rng):
    """Something for an argument."""
    choices = [
        None,
        0,
        1,
        2,
        3,
        5,
        8,
        -1,
        -2,
        True,
        2.0,
        2.5,
        np.nan,
        np.inf,
        "2",
        b"1",
        1j,
        slice(None),
        np.int64(3),
        np.array(3),
    ]
    choices += [
        (2,),
        [3],
        (2, 3),
        (0,),
        (0, 1),
        (1, 0),
        (0, 0),
        (0, -1),
        (),
        [],
        (1.5,),
        ("a",),
        (None,),
        {0: 1},
        np.array([0, 1]),
    ]
    choices += [Index(3), Index(-1), 2**63, 2**64, -(2**63), 10**30, (2**62, 2), (2**40, 2**40)]
    return choices[rng.integers(len(choices))]


def arguments(rng, name):
    """Arguments of a function."""
    several = name.endswith(("2", "n"))
    chances = {"s" if several else "n": 0.5, "axes" if several else "axis": 0.5, "workers": 0.1, "overwrite_x": 0.1}
    chances |= {"type": 0.4, "orthogonalize": 0.2} if name.rstrip("n") in TRIGS else {}
    found = {word: words(rng) for word, chance in chances.items() if rng.random() < chance}
    norms = [None, "ortho", "forward", "backward", "Ortho", 3, [], b"ortho", np.str_("ortho")]
    return found | ({"norm": norms[rng.integers(len(norms))]} if rng.random() < 0.3 else {})


def outcome(function, seed, name):
    """What comes of a call: a result, or an exception."""
    rng = np.random.default_rng(seed)
    x, kwargs = arrays(rng), arguments(rng, name)
    try:
        return np.asarray(function(x, **kwargs))
    except ORDINARY as error:
        return error


@pytest.mark.parametrize("name", NAMES)
def test_odd_calls(name):
    computed = 0
    for seed in range(200):
        seed = [seed, *name.encode()]
        found, expected = (outcome(getattr(module, name), seed, name) for module in (stockham.fft, scipy.fft))
        if isinstance(found, Exception):
            assert str(found), (seed, type(found))
            continue
        computed += 1
        if (
            isinstance(expected, np.ndarray)
            and {found.dtype.kind, expected.dtype.kind} <= set("fc")
            and np.isfinite(expected).all()
        ):
            assert found.shape == expected.shape, seed
            assert found.dtype == expected.dtype, seed
            unit = 1e-4 if found.dtype.char in "fF" else 1e-12
            # SciPy overwrites arrays whose elements share places, and has `orthogonalize` and odd types for real numbers only.
            kwargs = arguments_of(seed, name)
            if not {"overwrite_x", "orthogonalize", "type"} & set(kwargs):
                np.testing.assert_allclose(found, expected, rtol=unit, atol=unit * max(1.0, abs(expected).max(initial=0.0)))
    assert computed > 5


def arguments_of(seed, name):
    """The arguments of a call."""
    rng = np.random.default_rng(seed)
    arrays(rng)
    return arguments(rng, name)


def test_odd_plans():
    made = 0
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(0, 6, rng.integers(1, 4)).tolist()) if rng.random() < 0.8 else words(rng)
        kinds = ["c2c", "r2c", "c2r", "dct1", "dct2", "dct3", "dst1", "dst4", "", None]
        kwargs = {"kind": kinds[rng.integers(len(kinds))]}
        dtypes = ["float32", "float64", "complex64", "complex128", "int8", object, None]
        for word in ["axes", "norm", "inverse", "n", "orthogonalize", "strides", "out_strides", "in_place", "workers"]:
            if rng.random() < 0.12:
                kwargs[word] = words(rng)
        try:
            plan = stockham.plan(shape, dtypes[rng.integers(len(dtypes))], **kwargs)
            assert plan.explain()
            result = plan(np.ones(plan.shape, plan.dtype))
        except ORDINARY as error:
            assert str(error)
            continue
        made += 1
        assert (result.shape, result.dtype) == (plan.out_shape, plan.out_dtype)
    assert made > 100


@pytest.mark.parametrize("name", ["irfftn", "hfftn", "irfft2", "hfft2"])
def test_half_spectra_of_one_number(name):
    x = np.array([[1 + 2j, 3 - 1j]])
    axes = (1, 0) if name.endswith("2") else [0]
    np.testing.assert_allclose(getattr(stockham.fft, name)(x, axes=axes), getattr(scipy.fft, name)(x, axes=axes), rtol=1e-14)
