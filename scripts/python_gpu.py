#!/usr/bin/env python3
"""Tests the Python package on an NVIDIA GPU with CuPy's and PyTorch's arrays, and times it beside cupy.fft and torch.fft.

    python_gpu.py [--only test|time|host] [--seeds 200] [--json FILE]

Needs a GPU, NVRTC, the installed package, numpy and scipy; CuPy, PyTorch and JAX as far as they are there. The tests hold
random calls (functions, dtypes, axes, lengths, strides, outputs) to scipy.fft on the host, capture calls in CUDA graphs, call
from many threads on streams of their own, watch the device's memory, and see that nothing waits and nothing is copied. Ends
with 1 if anything is wrong.
"""

import argparse
import contextlib
import functools
import json
import math
import sys
import threading
import time
import traceback

import numpy as np
import scipy.fft
import stockham
import stockham.fft
from stockham import expr

try:
    import cupy
except ImportError:
    cupy = None
try:
    import torch
except ImportError:
    torch = None

KINDS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "idct", "dst", "idst"]
TRIGS = KINDS[6:]
LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 20, 31, 37, 64, 100]
LIMIT = 12.0


class CuPy:
    """CuPy's arrays."""

    name = "cupy"

    def put(self, a, rng=None):
        """An array of that kind, now and then with strides."""
        x = cupy.asarray(a)
        arrangement = 0 if rng is None else rng.integers(4)
        if arrangement == 1 and a.ndim > 1:
            return cupy.asfortranarray(x)
        if arrangement == 2 and a.ndim:
            wide = cupy.zeros((*a.shape[:-1], 2 * a.shape[-1] + 1), x.dtype)
            wide[..., 1::2] = x
            return wide[..., 1::2]
        if arrangement == 3 and a.ndim:
            return x[::-1].copy()[::-1]
        return x

    def get(self, x):
        return cupy.asnumpy(x)

    def is_own(self, x):
        return isinstance(x, cupy.ndarray)

    def pointer(self, x):
        return x.data.ptr

    def empty(self, shape, dtype):
        return cupy.empty(shape, dtype)

    def wait(self):
        cupy.cuda.Device().synchronize()

    @contextlib.contextmanager
    def own_stream(self):
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            yield
        stream.synchronize()

    def used(self):
        free, total = cupy.cuda.runtime.memGetInfo()
        return total - free

    def graph(self, work):
        """The work, captured; returns what runs it again."""
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            work()
            stream.synchronize()
            stream.begin_capture()
            work()
            graph = stream.end_capture()
        return lambda: (graph.launch(stream), stream.synchronize())

    def peer(self, name, x):
        return getattr(cupy.fft, name)(x)


class Torch:
    """PyTorch's tensors."""

    name = "torch"

    def put(self, a, rng=None):
        x = torch.from_numpy(np.array(a, order="C")).cuda()
        arrangement = 0 if rng is None else rng.integers(5)
        if arrangement == 1 and a.ndim > 1:
            return x.transpose(0, -1).contiguous().transpose(0, -1)
        if arrangement == 2 and a.ndim:
            wide = torch.zeros((*a.shape[:-1], 2 * a.shape[-1] + 1), dtype=x.dtype, device=x.device)
            wide[..., 1::2] = x
            return wide[..., 1::2]
        if arrangement == 3 and x.is_complex():
            return x.conj().resolve_conj().conj()
        return x

    def get(self, x):
        return x.resolve_conj().cpu().numpy()

    def is_own(self, x):
        return isinstance(x, torch.Tensor) and x.is_cuda

    def pointer(self, x):
        return x.data_ptr()

    def empty(self, shape, dtype):
        return torch.empty(tuple(shape), dtype=getattr(torch, np.dtype(dtype).name), device="cuda")

    def wait(self):
        torch.cuda.synchronize()

    @contextlib.contextmanager
    def own_stream(self):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            yield
        stream.synchronize()

    def used(self):
        free, total = torch.cuda.mem_get_info()
        return total - free

    def graph(self, work):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            work()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return lambda: (graph.replay(), torch.cuda.synchronize())

    def peer(self, name, x):
        return getattr(torch.fft, name)(x)


def length(a):
    return float(np.sqrt(np.sum(np.abs(a).astype(np.float64) ** 2)))


def assert_near(found, expected, points, scale=0.0):
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    unit = 2.0**-24 if expected.dtype in (np.float32, np.complex64) else 2.0**-53
    error = length(found - expected)
    size = max(length(expected), scale)
    assert error <= LIMIT * unit * max(1.0, math.log2(max(points, 2))) ** 0.5 * size, (error, size)


def random_calls(library, seeds):
    """Random functions, dtypes, axes, lengths, norms, strides and outputs, against SciPy."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        name = KINDS[seed % len(KINDS)]
        shape = rng.choice(LENGTHS, rng.integers(1, 4)).tolist()
        dtypes = ["f2", "f4", "f8", "i4", "?"] + ([] if name in ("rfft", "ihfft") else 3 * ["c8", "c16"])
        a = 9 * rng.standard_normal(shape)
        dtype = np.dtype(rng.choice(dtypes))
        a = (a + 1j * rng.standard_normal(shape) if dtype.kind == "c" else a).astype(dtype)
        several = bool(rng.random() < 0.5)
        axes = rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1) if several else 1].tolist()
        kwargs = {"norm": [None, "ortho", "forward"][rng.integers(3)]}
        kwargs |= {"axes": axes} if several else {"axis": axes[0]}
        if rng.random() < 0.5:
            lengths = [max(2, shape[axis] + int(rng.integers(-2, 4))) for axis in axes]
            kwargs |= {"s": lengths} if several else {"n": lengths[0]}
        if name in TRIGS:
            kwargs |= {"type": int(rng.integers(1, 5))}
        name += "n" if several else ""
        what = f"seed {seed}: {library.name} {name} of {dtype} {shape}, {kwargs}"
        try:
            expected = getattr(scipy.fft, name)(a, **kwargs)
        except (ValueError, RuntimeError) as error:
            try:
                getattr(stockham.fft, name)(library.put(a), **kwargs)
            except type(error):
                continue
            raise AssertionError(f"{what} is not refused") from error
        try:
            scale = length(a) * math.sqrt(expected.size) * 8 if name.rstrip("n") in ("irfft", "hfft") else 0.0
            x = library.put(a, rng)
            found = getattr(stockham.fft, name)(x, **kwargs)
            assert library.is_own(found)
            assert_near(library.get(found), expected, expected.size, scale)
            np.testing.assert_array_equal(library.get(x), a)
            out = library.empty((*expected.shape, 2), expected.dtype)[..., 0]
            assert getattr(stockham.fft, name)(x, out=out, **kwargs) is out
            assert_near(library.get(out), expected, expected.size, scale)
        except Exception:
            print(what, file=sys.stderr)
            raise


def not_hermitian(library, _):
    """Half spectra of no real numbers, of the lengths where others are known to differ."""
    rng = np.random.default_rng(1)
    for shape in [(4097,), (8193,), (64, 65), (5, 6, 7), (3, 4, 5, 6)]:
        a = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
        expected = scipy.fft.irfftn(a)
        assert_near(library.get(stockham.fft.irfftn(library.put(a))), expected, a.size, length(scipy.fft.irfftn(abs(a))))


def in_place(library, _):
    """An output that is the input is transformed where it lies."""
    a = np.random.default_rng(1).standard_normal((64, 128)) + 0j
    x = library.put(a)
    assert stockham.fft.fftn(x, out=x) is x
    assert_near(library.get(x), scipy.fft.fftn(a), a.size)


def order(library, _):
    """Calls follow the work before them on a stream of their own, and work after follows them."""
    a = np.random.default_rng(1).standard_normal((512, 1024)) + 0j
    expected = scipy.fft.fft(16 * a) + 1
    for _ in range(20):
        with library.own_stream():
            x = library.put(a)
            for _ in range(4):
                x = x + x
            y = stockham.fft.fft(x) + 1
            del x
        assert_near(library.get(y), expected, 1024)


def graphs(library, _):
    """A captured call computes again what is in its input by then."""
    a = np.random.default_rng(1).standard_normal((16, 1024)) + 0j
    x, y = library.put(a), library.empty(a.shape, a.dtype)
    for function in (stockham.fft.fft, stockham.fft.fftn):
        x[...] = library.put(a)
        replay = library.graph(lambda function=function: function(x, out=y))
        for factor in (2, 3):
            x[...] = library.put(factor * a)
            library.wait()
            replay()
            assert_near(library.get(y), getattr(scipy.fft, function.__name__)(factor * a), a.size)


def threads(library, _):
    """Sixteen threads of different shapes, each on its own stream."""
    faults = []

    def work(number):
        try:
            rng = np.random.default_rng(number)
            for _ in range(20):
                a = rng.standard_normal((1 + number % 5, [64, 100, 1024, 4096, 31][number % 5])) + 0j
                with library.own_stream():
                    found = stockham.fft.fft(library.put(a))
                assert_near(library.get(found), scipy.fft.fft(a), a.shape[1])
        except BaseException:
            faults.append(traceback.format_exc())

    all_threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    assert not faults, faults[0]


def memory(library, _):
    """Many calls of many shapes take a bounded amount of the device's memory."""
    stockham.cache.limit(max_entries=16)
    rng = np.random.default_rng(1)
    x = library.put(rng.standard_normal(1 << 16) + 0j)
    sizes = []
    try:
        for call in range(300):
            n = int(2 ** rng.integers(4, 16))
            stockham.fft.fft(x[:n])
            for _ in range(20):
                stockham.fft.fft(x)
            if call % 50 == 49:
                library.wait()
                sizes.append(library.used())
    finally:
        stockham.cache.limit(max_entries=1024)
    assert sizes[-1] - sizes[1] < 64 << 20, sizes


def plans(library, _):
    """Plans of one shape."""
    a = np.random.default_rng(1).standard_normal((8, 1000))
    plan = stockham.plan(a.shape, a.dtype, kind="r2c", device="cuda:0")
    assert_near(library.get(plan(library.put(a))), scipy.fft.rfft(a), 1000)
    back = stockham.plan(plan.out_shape, plan.out_dtype, kind="c2r", device="cuda:0")
    assert_near(library.get(back(plan(library.put(a)))), a, 1000)
    print(f"    {plan!r}: workspace {plan.workspace_bytes} bytes, kernels of {len(plan.source())} characters")


def expressions(library, _):
    """Plans with expressions, of numbers that are none to be computed with."""
    rng = np.random.default_rng(1)
    window = np.hanning(1000)
    for name in ["int8", "int16", "int32", "uint8", "float16", "float32", "float64"]:
        x = np.rint(rng.uniform(0, 100, (64, 1000))).astype(name)
        powers = np.abs(scipy.fft.rfft(x * window, 1024)[:, :200]) ** 2
        described = {"kind": "r2c", "n": 1024, "keep": 200, "load": expr.window(window), "store": expr.power()}
        plan = stockham.plan(x.shape, name, **described, device="cuda:0")
        found = library.get(plan(library.put(x)))
        assert np.max(np.abs(found - powers)) <= 1e-5 * np.max(powers), name
        out = library.put(np.ones(plan.out_shape, plan.out_dtype))
        assert stockham.plan(x.shape, name, **described, accumulate=True, device="cuda:0")(library.put(x), out) is out
        assert np.max(np.abs(library.get(out) - 1 - powers)) <= 1e-5 * np.max(powers), name
    x = rng.standard_normal((6, 8, 3000)).astype(np.float32)
    gates, kernels = rng.standard_normal(x.shape), rng.standard_normal((8, 3000))
    by = scipy.fft.rfft(kernels, 6000)
    described = {"kind": "r2c", "n": 6000, "keep": 3000, "load": expr.multiply(gates), "filtered": expr.multiply(by)}
    found = library.get(stockham.plan(x.shape, "float32", **described, device="cuda:0")(library.put(x)))
    expected = scipy.fft.irfft(scipy.fft.rfft(x * gates, 6000) * by)[..., :3000]
    assert_near(found, expected.astype(np.float32), 6000)


def refusals(library, _):
    """What is wrong is told before anything is done."""
    x = library.put(np.ones((4, 6)) + 0j)
    for kwargs, kind in [
        ({"device": "cpu"}, ValueError),
        ({"n": 0}, ValueError),
        ({"axis": 5}, IndexError),
        ({"out": library.empty((4, 5), "c16")}, ValueError),
        ({"out": library.empty((4, 6), "c8")}, TypeError),
        ({"plan": 1}, NotImplementedError),
    ]:
        try:
            stockham.fft.fft(x, **kwargs)
        except kind:
            continue
        raise AssertionError(kwargs)


def host_arrays():
    """NumPy's arrays on the device, with a copy each way."""
    rng = np.random.default_rng(1)
    for shape in [(1000,), (64, 100), (3, 1 << 14)]:
        a = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
        for name in ("fft", "fftn", "ifft"):
            assert_near(getattr(stockham.fft, name)(a, device="cuda:0"), getattr(scipy.fft, name)(a), a.size)
        assert_near(stockham.fft.rfft(a.real, device="cuda"), scipy.fft.rfft(a.real), a.size)


def gradients():
    """Gradients of PyTorch's tensors are those of torch.fft, and so are second ones."""
    torch.manual_seed(1)
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "rfftn", "irfftn"):
        for shape in [(64,), (5, 100), (3, 16, 31)]:
            is_real = name in ("rfft", "ihfft", "rfftn")
            x = torch.randn(shape, dtype=torch.float64 if is_real else torch.complex128, device="cuda", requires_grad=True)
            firsts, seconds = [], []
            for module in (stockham.fft, torch.fft):
                y = getattr(module, name)(x)
                [first] = torch.autograd.grad(y.abs().pow(3).sum(), x, create_graph=True)
                [second] = torch.autograd.grad(first.abs().pow(2).sum(), x)
                firsts.append(first.detach()), seconds.append(second)
            torch.testing.assert_close(*firsts)
            torch.testing.assert_close(*seconds)
    for type in (1, 2, 3, 4):
        x = torch.randn(2, 7, dtype=torch.float64, device="cuda", requires_grad=True)
        assert torch.autograd.gradcheck(lambda x, type=type: stockham.fft.dct(x, type), (x,))
        assert torch.autograd.gradcheck(lambda x, type=type: stockham.fft.dstn(x, type, norm="ortho"), (x,))


def jax_arrays():
    """JAX's arrays come and go."""
    import jax

    jax.config.update("jax_enable_x64", True)
    a = np.random.default_rng(1).standard_normal((8, 100))
    found = stockham.fft.rfft(jax.numpy.asarray(a))
    assert isinstance(found, jax.Array)
    assert_near(np.asarray(found), scipy.fft.rfft(a), 100)


TESTS = [random_calls, not_hermitian, in_place, order, graphs, threads, memory, plans, expressions, refusals]

# (words, function, shape, single precision)
TIMES = [
    ("2^10", "fft", (1 << 10,), True),
    ("2^16", "fft", (1 << 16,), True),
    ("2^20", "fft", (1 << 20,), True),
    ("2^24", "fft", (1 << 24,), True),
    ("10^6", "fft", (10**6,), True),
    ("10^6, f64", "fft", (10**6,), False),
    ("16384 of 2^10", "fft", (16384, 1024), True),
    ("16384 of 1000", "fft", (16384, 1000), True),
    ("16384 of 1009 (prime)", "fft", (16384, 1009), True),
    ("1024 of 10007 (prime)", "fft", (1024, 10007), True),
    ("16 images of 1024^2", "fft2", (16, 1024, 1024), True),
    ("16 images of 1024^2, f64", "fft2", (16, 1024, 1024), False),
    ("16 real images of 1024^2", "rfft2", (16, 1024, 1024), True),
    ("256^3", "fftn", (256, 256, 256), True),
    ("real 2^20", "rfft", (1 << 20,), True),
]


def host_cost(function, library):
    """Seconds that a cached call takes of the host, with the device idle enough."""
    function()
    library.wait()
    best = math.inf
    for _ in range(20):
        library.wait()
        begin = time.perf_counter()
        for _ in range(20):
            function()
        best = min(best, (time.perf_counter() - begin) / 20)
    library.wait()
    return best


def device_time(function, library):
    """Seconds of a call, of many in a row."""
    function()
    library.wait()
    begin = time.perf_counter()
    function()
    library.wait()
    count = max(3, int(0.1 / max(time.perf_counter() - begin, 1e-5)))
    best = math.inf
    for _ in range(3):
        library.wait()
        begin = time.perf_counter()
        for _ in range(count):
            function()
        library.wait()
        best = min(best, (time.perf_counter() - begin) / count)
    return best


def times(library, rows):
    rng = np.random.default_rng(1)
    a = rng.standard_normal(64).astype(np.complex64)
    x = library.put(a)
    ours = host_cost(lambda: stockham.fft.fft(x), library)
    theirs = host_cost(lambda: library.peer("fft", x), library)
    print(f"\n{library.name}: host cost of a cached call of 64 points: {theirs * 1e6:.1f} us, stockham {ours * 1e6:.1f} us")
    rows.append({"library": library.name, "what": "host cost", "theirs": theirs, "ours": ours})
    print(f"{'what':>26} {library.name + ' us':>12} {'stockham us':>12} {'ratio':>6}")
    ratios = []
    for what, name, shape, single in TIMES:
        a = rng.standard_normal(shape, np.float32 if single else np.float64)
        if name not in ("rfft", "rfft2"):
            a = a + 1j * rng.standard_normal(shape, a.dtype)
        x = library.put(a)
        try:
            error = length(library.get(stockham.fft.__dict__[name](x) - library.peer(name, x)))
        except Exception as fault:
            print(f"{what:>26} {fault}")
            continue
        assert error <= 1e-5 * length(library.get(library.peer(name, x))), what
        theirs = device_time(lambda name=name, x=x: library.peer(name, x), library)
        ours = device_time(lambda name=name, x=x: getattr(stockham.fft, name)(x), library)
        print(f"{what:>26} {theirs * 1e6:12.1f} {ours * 1e6:12.1f} {theirs / ours:6.2f}", flush=True)
        ratios.append(theirs / ours)
        rows.append({"library": library.name, "what": what, "theirs": theirs, "ours": ours})
    if ratios:
        print(f"{'geometric mean':>52} {math.exp(sum(map(math.log, ratios)) / len(ratios)):6.2f}")


# Batches of NumPy's arrays, complex f32.
HOST_SHAPES = [(1 << 10,), (1 << 14,), (16, 1 << 14), (64, 1 << 14), (256, 1 << 14), (1024, 1 << 14), (8192, 1 << 14)]


def call_time(function):
    """The median seconds of a call that waits."""
    times, begin = [], time.perf_counter()
    while len(times) < 7 or time.perf_counter() - begin < 0.3:
        before = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - before)
        del result
    return sorted(times[2:])[len(times[2:]) // 2]


def by_copies(library, a):
    """A library's transform of NumPy's array, as NumPy's."""
    return library.get(library.peer("fft", library.put(a)))


def host_times(libraries, rows):
    """NumPy's arrays on the device, with a copy each way, which all of them wait for."""
    rng = np.random.default_rng(1)
    print("\nNumPy's arrays, a copy each way, milliseconds")
    names = "".join(f"{library.name:>12}" for library in libraries)
    print(f"{'complex f32':>16}{names} {'stockham':>12} {'with out=':>12}")
    for shape in HOST_SHAPES:
        a = rng.standard_normal((*shape, 2), np.float32).view(np.complex64)[..., 0]
        out = np.zeros_like(a)
        call = functools.partial(stockham.fft.fft, a, device="cuda:0")
        found = call()
        theirs = []
        for library in libraries:
            peer = functools.partial(by_copies, library, a)
            assert length(found - peer()) <= 1e-5 * length(found), (library.name, shape)
            theirs.append(call_time(peer))
        own = [call_time(call), call_time(functools.partial(call, out=out))]
        assert np.array_equal(out, found)
        what = " x ".join(map(str, shape))
        print(f"{what:>16}" + "".join(f"{seconds * 1e3:12.3f}" for seconds in theirs + own), flush=True)
        rows.append({"library": "host", "what": what, "theirs": theirs, "ours": own})


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=["test", "time", "host"])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    for device in stockham.devices(explain=True):
        print(device)
    libraries = [library() for module, library in ((cupy, CuPy), (torch, Torch)) if module is not None]
    print("libraries:", ", ".join(library.name for library in libraries) or "none")
    failed = 0
    if arguments.only in (None, "test"):
        tests = [(f"{test.__name__} with {library.name}", lambda test=test, library=library: test(library, arguments.seeds))
                 for library in libraries for test in TESTS]  # fmt: skip
        tests.append(("host_arrays", host_arrays))
        if torch is not None:
            tests.append(("gradients with torch", gradients))
        if "jax" in sys.modules or _has("jax"):
            tests.append(("jax_arrays", jax_arrays))
        for name, test in tests:
            begin = time.perf_counter()
            try:
                test()
                print(f"passed {name} ({time.perf_counter() - begin:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED {name}", flush=True)
                traceback.print_exc()
    rows = []
    if arguments.only in (None, "time"):
        for library in libraries:
            times(library, rows)
    if arguments.only in (None, "host"):
        host_times(libraries, rows)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    sys.exit(1 if failed else 0)


def _has(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


if __name__ == "__main__":
    main()
