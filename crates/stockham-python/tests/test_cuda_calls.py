"""What Python does with arrays on CUDA devices, with a library and a device that are made up: the library's arrays are in host
memory, and plans for it run on the CPU by pointers. (`scripts/python_gpu.py` tests real ones.)"""

import ctypes
import sys
from typing import ClassVar

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, TRIGS, assert_near, random_array
from made_up import STREAM, Array, Tensor, cupy, torch
from stockham import _cuda_arrays, _cuda_libraries, _producers, _stockham, expr


class CorePlan:
    """A plan that takes pointers of the host for those of a device."""

    entered: ClassVar[list] = []
    made = 0

    def __init__(self, kind, inverse, axes, lengths, norm, orthogonalize, source, target, in_place, workers, device):
        assert device == "cuda:0" and workers is None
        self.real = REAL(kind, inverse, axes, lengths, norm, orthogonalize, source, target, in_place, workers, "cpu")
        self.source, self.target = source, target
        self.device = device
        CorePlan.made += 1
        self.workspace_bytes = 48

    def enqueue(self, x, out, workspace, stream):
        assert workspace and stream == STREAM
        CorePlan.entered.append((x, out))
        if 0 not in self.target[1]:
            self.real.run(at(x, *self.source), at(out, *self.target))


REAL = _stockham.CorePlan


def at(pointer, dtype, shape, strides):
    """The array there."""
    dtype = np.dtype(dtype)
    count = 1 + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
    data = (ctypes.c_byte * (count * dtype.itemsize)).from_address(pointer)
    flat = np.frombuffer(data, dtype)
    return np.lib.stride_tricks.as_strided(flat, shape, [stride * dtype.itemsize for stride in strides])


@pytest.fixture(autouse=True)
def made_up_libraries(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", cupy())
    monkeypatch.setitem(sys.modules, "torch", torch())
    monkeypatch.setattr(_stockham, "CorePlan", CorePlan)
    monkeypatch.setattr(_producers, "CALLERS", {})
    monkeypatch.setattr(_producers, "TENSOR_TYPE", [None, None])
    CorePlan.entered, CorePlan.made = [], 0
    yield
    stockham.cache.clear()


@pytest.mark.parametrize("kind", [Array, Tensor])
@pytest.mark.parametrize("name", KINDS + TRIGS)
@pytest.mark.parametrize("seed", range(40))
def test_random_calls(name, seed, kind):
    rng = np.random.default_rng([seed, *name.encode()])
    shape = rng.integers(2, 9, rng.integers(1, 4)).tolist()
    dtypes = ["f4", "f8", "f2", "i4"] + ([] if name in ("rfft", "ihfft") else ["c8", "c16"])
    x = random_array(rng, shape, rng.choice(dtypes))
    # The library has arrays in the machine's byte order only, aligned.
    x = x if x.dtype.isnative and x.flags.aligned else np.array(x, x.dtype.newbyteorder("="))
    several = rng.random() < 0.5
    kwargs = {"norm": [None, "ortho", "forward"][rng.integers(3)]}
    axes = (
        rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1)].tolist() if several else [int(rng.integers(len(shape)))]
    )
    kwargs |= {"axes": axes} if several else {"axis": axes[0]}
    if rng.random() < 0.5:
        lengths = [max(2, shape[axis] + int(rng.integers(-2, 3))) for axis in axes]
        kwargs |= {"s": lengths} if several else {"n": lengths[0]}
    if name in TRIGS:
        kwargs |= {"type": int(rng.integers(1, 5))}
    name += "n" if several else ""
    expected = getattr(scipy.fft, name)(x, **kwargs)
    scale = (
        8 * np.linalg.norm(x.astype(complex).ravel()) * np.sqrt(expected.size) if name.strip("n") in ("irfft", "hfft") else 0.0
    )
    for _ in range(2):
        found = getattr(stockham.fft, name)(kind(x), **kwargs)
        assert isinstance(found, kind)
        assert_near(found.a, expected, x.size, scale)
    out = kind(np.zeros((*expected.shape, 2), expected.dtype)[..., 0])
    assert getattr(stockham.fft, name)(kind(x), out=out, **kwargs) is out
    assert_near(np.array(out.a), expected, x.size, scale)
    assert len(CorePlan.entered) >= 2


def test_nothing_is_copied():
    x = np.ones((4, 12), complex)[:, ::3]
    out = np.empty((4, 4), complex)
    stockham.fft.fft(Array(x), out=Array(out))
    assert CorePlan.entered == [(x.ctypes.data, out.ctypes.data)]
    stockham.fft.fft(Array(x), out=Array(x))
    assert CorePlan.entered[-1] == (x.ctypes.data, x.ctypes.data)
    assert x[0, 0] == 4


def test_a_call_is_known_the_second_time():
    x = Array(np.random.default_rng(1).standard_normal((3, 8)) + 0j)
    for axis in [0, 1, 1, 0]:
        assert_near(stockham.fft.fft(x, axis=axis).a, scipy.fft.fft(x.a, axis=axis), 8)
    assert_near(stockham.fft.fft(Array(x.a[:, ::2])).a, scipy.fft.fft(x.a[:, ::2]), 4)
    assert CorePlan.made == 3
    stockham.cache.clear()
    stockham.fft.fft(x)
    assert CorePlan.made == 4
    for n in range(1, 200):
        stockham.fft.fft(Array(np.ones(n, complex)))
    assert len(_cuda_arrays.KNOWN) <= _cuda_arrays.MOST_KNOWN


def test_captured_workspaces_are_kept():
    x = Array(np.ones(8, complex))
    before = len(_cuda_libraries.CAPTURED)
    stockham.fft.fft(x)
    assert len(_cuda_libraries.CAPTURED) == before
    sys.modules["cupy"].captures = True
    stockham.fft.fft(x)
    assert len(_cuda_libraries.CAPTURED) == before + 1


def test_outputs_that_overlap():
    data = np.random.default_rng(1).standard_normal(40) + 0j
    expected = scipy.fft.fft(data[:32])
    stockham.fft.fft(Array(data[:32]), out=Array(data[8:]))
    assert_near(data[8:], expected, 32)


def test_tensors_with_bits():
    x = np.random.default_rng(1).standard_normal(8) * (1 + 2j)
    assert_near(stockham.fft.fft(Tensor(x, conjugated=True)).a, scipy.fft.fft(x.conj()), 8)
    with pytest.raises(TypeError, match="tensor"):
        stockham.fft.fft(Tensor(x), out=x)


def test_what_is_refused():
    x = Array(np.ones((4, 6), complex))
    for kwargs, error in [
        ({"device": "cpu"}, ValueError),
        ({"device": "cuda:1"}, ValueError),
        ({"n": 0}, ValueError),
        ({"axis": 2}, IndexError),
        ({"norm": "no"}, ValueError),
        ({"plan": 1}, NotImplementedError),
        ({"out": Array(np.ones((4, 6)))}, TypeError),
        ({"out": Array(np.ones((4, 5), complex))}, ValueError),
        ({"out": Array(np.ones((4, 6), complex), 1)}, ValueError),
    ]:
        with pytest.raises(error):
            stockham.fft.fft(x, **kwargs)
    with pytest.raises(TypeError):
        stockham.fft.rfft(x)
    with pytest.raises(TypeError):
        stockham.fft.fft(Array(np.ones(4, "M8[s]")))
    with pytest.raises(ValueError):
        stockham.fft.dct(Array(np.ones(4)), type=7)
    with pytest.raises(ValueError):
        stockham.fft.rfftn(Array(np.ones(())))
    assert stockham.fft.fft(x, device="cuda").shape == (4, 6)


def test_plans():
    x = np.random.default_rng(1).standard_normal((4, 6))
    source, target = ((4, 6), "float64", [6, 1]), ((4, 4), "complex128", [4, 1])
    described = ("float64", [4, 6], [6, 1]), ("complex128", [4, 4], [4, 1])
    core = CorePlan(("real", 0), False, [1], [6], "backward", False, *described, False, None, "cuda:0")
    caller = _cuda_arrays.Caller(_cuda_libraries.CuPy())
    assert_near(caller.run_plan(core, source, target, False, Array(x), None).a, scipy.fft.rfft(x), 6)
    for wrong in [Array(x[:3]), Array(x.astype("f4")), Array(np.asfortranarray(x)), Array(x, 1)]:
        with pytest.raises(ValueError):
            caller.run_plan(core, source, target, False, wrong, None)
    for wrong in [Array(np.ones((4, 5), complex)), Array(np.ones((4, 8), complex)[:, ::2])]:
        with pytest.raises(ValueError):
            caller.run_plan(core, source, target, False, Array(x), wrong)


def test_plans_with_expressions():
    x = np.random.default_rng(1).integers(-9, 10, (4, 6)).astype(np.int16)
    described = {"kind": "r2c", "store": expr.power(), "out_dtype": "float16", "accumulate": True}
    plan = stockham.plan(x.shape, x.dtype, **described, device="cpu")
    (shape, name, strides), (out_shape, out_name, out_strides) = plan._input, plan._output

    class Core:
        device, workspace_bytes = "cuda:0", 0

        def enqueue(self, source, target, workspace, stream):
            assert not workspace and stream == STREAM
            plan._core.run(at(source, name, shape, strides), at(target, out_name, out_shape, out_strides))

    caller = _cuda_arrays.Caller(_cuda_libraries.CuPy())
    out = Array(np.ones(out_shape, np.float16))
    assert caller.run_plan(Core(), plan._input, plan._output, False, Array(x), out) is out
    np.testing.assert_allclose(out.a, 1 + np.abs(scipy.fft.rfft(x)) ** 2, rtol=1e-3)
    with pytest.raises(ValueError, match="int16"):
        caller.run_plan(Core(), plan._input, plan._output, False, Array(x.astype(np.int32)), out)
    with pytest.raises(ValueError, match="float16"):
        caller.run_plan(Core(), plan._input, plan._output, False, Array(x), Array(np.ones(out_shape)))


def test_other_libraries_are_seen_through_cupy():
    class Other:
        def __init__(self, a):
            self.a = a
            self.__cuda_array_interface__ = {}

        def __array__(self, dtype=None, copy=None):
            return self.a

    x = np.arange(6.0)
    found = stockham.fft.rfft(Other(x))
    assert isinstance(found, Array)
    assert_near(found.a, scipy.fft.rfft(x), 6)
    sys.modules["cupy"] = None
    _producers.CALLERS.clear()
    Other.__dlpack__ = None
    found = stockham.fft.rfft(Other(x))
    assert isinstance(found, Tensor)
    assert_near(found.a, scipy.fft.rfft(x), 6)
    sys.modules["torch"] = None
    _producers.CALLERS.clear()
    with pytest.raises(TypeError, match="CuPy or PyTorch"):
        stockham.fft.rfft(Other(x))


@pytest.mark.parametrize("has_short_ways", [True, False])
def test_tensors_of_another_than_the_current_device(monkeypatch, has_short_ways):
    module = torch(has_short_ways)
    monkeypatch.setitem(sys.modules, "torch", module)
    streams = []
    monkeypatch.setattr(_stockham, "CorePlan", lambda *words: OnSecond(words, streams))
    x = np.random.default_rng(1).standard_normal((4, 6)) + 0j
    for _ in range(3):
        found = stockham.fft.fft(Tensor(x, 1), axis=0)
        assert found.get_device() == 1
        assert_near(found.a, scipy.fft.fft(x, axis=0), 4)
        assert module.current == 0
    assert streams == [(STREAM + 1, 1)] * 3


class OnSecond(CorePlan):
    """A plan for the second device."""

    def __init__(self, words, streams):
        *words, device = words
        assert device == "cuda:1"
        super().__init__(*words, "cuda:0")
        self.streams = streams

    def enqueue(self, x, out, workspace, stream):
        self.streams.append((stream, sys.modules["torch"].current))
        super().enqueue(x, out, workspace, STREAM)
