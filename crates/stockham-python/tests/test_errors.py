"""What SciPy refuses is refused in the same way, and nothing that is given ends the process."""

import inspect

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, TRIGS

ONE, SEVERAL = KINDS + TRIGS, [name + "n" for name in KINDS + TRIGS]
X = np.arange(24.0).reshape(4, 6)

BAD = [
    {"norm": "no"},
    {"norm": 3},
    {"norm": []},
    {"workers": 0},
    {"workers": -(10**6)},
    {"workers": "2"},
    {"workers": 1.5},
]
BAD_ONE = [{"n": 0}, {"n": -1}, {"n": -2}, {"n": 2.5}, {"n": "4"}, {"axis": 2}, {"axis": -3}, {"axis": 1.0}, {"axis": (0,)}]
BAD_SEVERAL = [
    {"s": 0},
    {"s": (4, 0)},
    {"s": (4, -2)},
    {"s": (4.5, 6)},
    {"s": (4, 6, 2)},
    {"s": (4,), "axes": (0, 1)},
    {"axes": (0, 0)},
    {"axes": (0, -2)},
    {"axes": 2},
    {"axes": (0, 5)},
    {"axes": 1.5},
    {"axes": ("a",)},
]


def both(name, *args, **kwargs):
    """What SciPy raises, and what is raised here."""
    raised = []
    for module in (scipy.fft, stockham.fft):
        try:
            getattr(module, name)(*args, **kwargs)
            raised.append(None)
        except Exception as error:
            raised.append(type(error))
    return raised


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("bad", BAD + BAD_ONE, ids=str)
def test_bad_arguments(name, bad):
    expected, found = both(name, X, **bad)
    # SciPy gives no numbers for no points of half a spectrum.
    assert expected is not None or (bad == {"n": 0} and name in ("irfft", "hfft"))
    assert found is not None
    # Words that cannot be hashed, or are no integers, are a TypeError, where SciPy may have another.
    assert found is expected or {found, expected} <= {TypeError, ValueError, IndexError, None}


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("bad", BAD + BAD_SEVERAL, ids=str)
def test_bad_arguments_of_several(name, bad):
    expected, found = both(name, X, **bad)
    assert expected is not None
    assert found is expected or {found, expected} <= {TypeError, ValueError, IndexError}


@pytest.mark.parametrize(
    "x",
    [
        [],
        np.zeros(0),
        np.zeros((3, 0)),
        np.zeros((0, 3)),
        np.zeros((0, 0)),
        np.float64(3),
        np.array(2 + 1j),
        5,
        None,
        "text",
        ["a", "b"],
        [1, "b"],
        [[1, 2], [3]],
        np.array([1, 2, None]),
        np.array([1, 2, 3], object),
        np.array(["2020"], "M8[D]"),
        np.array([1, 2], "m8[s]"),
        np.zeros(3, [("a", "f8")]),
        np.zeros(3, "S4"),
        {1: 2},
        object(),
        iter([1, 2]),
    ],
    ids=lambda x: f"{type(x).__name__}-{str(x)[:20]}",
)
@pytest.mark.parametrize("name", ["fft", "ifftn", "rfft", "irfft", "hfftn", "dct", "dstn"])
def test_odd_input(name, x):
    expected, found = both(name, x)
    assert (expected is None) == (found is None)
    assert found is expected or {found, expected} <= {TypeError, ValueError, IndexError}


@pytest.mark.parametrize("name", ["rfft", "rfftn", "rfft2", "ihfft", "ihfftn", "ihfft2"])
def test_complex_input_of_real_transforms(name):
    with pytest.raises(TypeError, match="real"):
        getattr(stockham.fft, name)(X + 0j)


@pytest.mark.parametrize("name", TRIGS)
@pytest.mark.parametrize("bad", [0, 5, -1, 2.5, "2", None])
def test_bad_types(name, bad):
    expected, found = both(name, X, type=bad)
    assert found is not None
    assert {found, expected} <= {TypeError, ValueError}


def test_a_cosine_of_one_point_of_type_one():
    assert both("dct", [1.0], type=1) == [RuntimeError, RuntimeError]
    assert both("dctn", np.ones((3, 1)), type=1) == [RuntimeError, RuntimeError]
    assert both("dst", [1.0], type=1) == [None, None]


@pytest.mark.parametrize("name", KINDS)
def test_plans_are_refused(name):
    for suffix in ["", "2", "n"]:
        with pytest.raises(NotImplementedError, match="precomputed plan"):
            getattr(stockham.fft, name + suffix)(X, plan="any")


@pytest.mark.parametrize("n", [2**40, 2**62, 2**63, 2**64, 10**30])
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "dct", "hfft", "ihfft"])
def test_huge_lengths(name, n):
    with pytest.raises((MemoryError, ValueError, OverflowError)):
        getattr(stockham.fft, name)(X, n=n)


def test_bad_outputs():
    good = np.empty((4, 6), complex)
    assert stockham.fft.fft(X, out=good) is good
    readonly = np.empty((4, 6), complex)
    readonly.flags.writeable = False
    for out, error in [
        (np.empty((4, 5), complex), ValueError),
        (np.empty((6, 4), complex), ValueError),
        (np.empty((4, 6), np.complex64), TypeError),
        (np.empty((4, 6)), TypeError),
        ([0] * 4, TypeError),
        (readonly, ValueError),
    ]:
        with pytest.raises(error):
            stockham.fft.fft(X, out=out)
        with pytest.raises(error):
            stockham.fft.fft(X + 0j, out=out)
    with pytest.raises(TypeError):
        stockham.fft.dct(X, out=np.empty((4, 6), np.float32))


def test_bad_devices():
    for device in ["nowhere", "cuda:99", "opencl:99", ""]:
        with pytest.raises(ValueError, match="device"):
            stockham.fft.fft(X, device=device)
        with pytest.raises(ValueError, match="device"):
            stockham.set_device(device)
    with pytest.raises(TypeError):
        stockham.fft.fft(X, device=3)


def test_what_is_not_finite_spreads():
    x = np.array([1.0, np.nan, 2.0, 3.0])
    assert np.isnan(stockham.fft.fft(x)).all()
    assert np.isnan(stockham.fft.rfft(np.array([np.inf, 1.0]))).any() or np.isinf(stockham.fft.rfft([np.inf, 1.0])).any()


@pytest.mark.parametrize("name", [*ONE, *SEVERAL, *(kind + "2" for kind in KINDS), "fht", "ifht", "fhtoffset", "set_workers"])
def test_signatures_are_scipys(name):
    theirs = inspect.signature(getattr(scipy.fft, name)).parameters
    ours = inspect.signature(getattr(stockham.fft, name)).parameters
    assert list(ours)[: len(theirs)] == list(theirs) or set(theirs) <= set(ours)
    for word, parameter in theirs.items():
        assert ours[word].default == parameter.default
        if parameter.kind is not parameter.KEYWORD_ONLY:
            assert list(ours).index(word) == list(theirs).index(word)


def test_nothing_is_missing():
    assert set(scipy.fft.__all__) - set(stockham.fft.__all__) <= {
        "register_backend",
        "set_backend",
        "set_global_backend",
        "skip_backend",
    }
