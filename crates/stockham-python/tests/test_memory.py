"""What calls leave behind."""

import os

import numpy as np
import stockham
import stockham.fft


def resident():
    """Bytes of memory that the process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_ten_thousand_calls_of_many_shapes():
    rng = np.random.default_rng(1)
    stockham.cache.clear()
    stockham.cache.limit(max_entries=64)
    try:
        data = rng.standard_normal(1 << 14)
        sizes = []
        for call in range(10_000):
            n = int(rng.integers(1, 2000))
            rows = int(rng.integers(1, 5))
            name = ["fft", "rfft", "irfft", "dct", "ifftn"][call % 5]
            getattr(stockham.fft, name)(data[: n * rows].reshape(rows, n), n=None if name == "ifftn" or n > 1 else 2) if (
                name != "ifftn"
            ) else stockham.fft.ifftn(data[: n * rows].reshape(rows, n))
            if call % 1000 == 999:
                sizes.append(resident())
        info = stockham.cache.info()
        assert info.entries <= 64
        assert info.misses > 9000
        # The first calls fill the cache and the allocator's pools.
        assert sizes[-1] - sizes[1] < 32 << 20, sizes
    finally:
        stockham.cache.limit(max_entries=1024)


def test_a_cache_bounded_by_bytes():
    stockham.cache.clear()
    before = stockham.cache.info()
    # The tables of a prime length take some millions.
    most = 1 << 23
    stockham.cache.limit(max_bytes=most)
    try:
        for n in range(4000, 4100):
            stockham.fft.fft(np.ones(n, complex))
        info = stockham.cache.info()
        assert info.bytes <= most
        assert 1 <= info.entries < 100
        # The latest is kept, however long it is.
        for _ in range(2):
            stockham.fft.fft(np.ones(1 << 20, complex))
        assert stockham.cache.info().hits == info.hits + 1
    finally:
        stockham.cache.limit(max_bytes=before.max_bytes)
        stockham.cache.clear()
    assert stockham.cache.info()._replace(max_entries=0, max_bytes=0) == (0, 0, 0, 0, 0, 0)


def test_results_do_not_hold_their_input():
    import weakref

    class Array(np.ndarray):
        pass

    x = np.ones(64).view(Array)
    held = weakref.ref(x)
    result = stockham.fft.fft(x)
    assert type(result) is np.ndarray
    del x
    assert held() is None


def test_repeated_calls_hold_nothing():
    x = np.random.default_rng(1).standard_normal((300, 300))
    out = np.empty((300, 300), complex)
    for _ in range(20):
        stockham.fft.fftn(x, out=out)
    before = resident()
    for _ in range(300):
        stockham.fft.fftn(x, out=out)
        stockham.fft.fftn(x)
    assert resident() - before < 16 << 20
