"""Many threads and forked processes at a time."""

import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import assert_near


def call(seed):
    """A call of a shape that other threads have, too, or not."""
    rng = np.random.default_rng(seed)
    shape = [(64,), (1000,), (97, 3), (32, 33), (5, 6, 7), (1 << 15,), (200, 200)][seed % 7]
    name = ["fft", "rfft", "ifftn", "dctn", "irfft", "dst"][seed % 6]
    x = rng.standard_normal(shape).astype(["f4", "f8"][seed % 2])
    workers = [None, 1, 2, -1][seed % 4]
    found = getattr(stockham.fft, name)(x, workers=workers)
    assert_near(found, getattr(scipy.fft, name)(x), x.size)
    return True


def test_sixteen_threads():
    stockham.cache.clear()
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(call, range(800)))
    info = stockham.cache.info()
    assert info.hits + info.misses >= 800
    assert info.entries <= 7 * 6 * 2 * 3


def test_threads_while_the_cache_is_cleared():
    over = threading.Event()

    def clear():
        while not over.is_set():
            stockham.cache.clear()
            stockham.cache.limit(max_entries=2)

    clearer = threading.Thread(target=clear)
    clearer.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(call, range(200)))
    finally:
        over.set()
        clearer.join()
        stockham.cache.limit(max_entries=1024)


def test_the_interpreter_goes_on_while_a_call_computes():
    x = np.random.default_rng(1).standard_normal(1 << 22) + 0j
    done = threading.Event()

    def work():
        stockham.fft.fft(x)
        done.set()

    thread = threading.Thread(target=work)
    steps = 0
    thread.start()
    while not done.is_set():
        steps += 1
    thread.join()
    # A held lock would let this loop run for a switch of threads or two.
    assert steps > 10_000


def test_workers_belong_to_a_thread():
    with stockham.fft.set_workers(3):
        assert stockham.fft.get_workers() == 3
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(stockham.fft.get_workers).result() == 1
        with pytest.raises(ValueError), stockham.fft.set_workers(0):
            pass
        assert stockham.fft.get_workers() == 3
        with stockham.fft.set_workers(-1):
            assert stockham.fft.get_workers() == os.cpu_count()
    assert stockham.fft.get_workers() == 1


def test_forked_processes_compute():
    x = np.random.default_rng(2).standard_normal((512, 129))
    expected = stockham.fft.fftn(x, workers=2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map_async(forked, [x] * 4).get(timeout=60)
    for result in results:
        np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(stockham.fft.fftn(x, workers=2), expected)


def forked(x):
    return stockham.fft.fftn(x, workers=2)
