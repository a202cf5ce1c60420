#!/usr/bin/env python3
"""Calls the Python package often, with many shapes, from one thread and from several, and tells what memory stays.

    python_leaks.py [--calls 100000] [--shapes 1000] [--threads 16] [--most 64]

Ends with 1 if the process has grown by more than so many MiB, plans included, since the package was imported.
"""

import argparse
import gc
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import stockham
import stockham.fft

NAMES = ["fft", "ifft", "rfft", "dct", "fftn", "rfftn", "dstn", "hfft"]


def resident():
    """MiB of memory that the process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def shapes_of(rng, count):
    """Different shapes of up to some thousand points, each with a function and a dtype."""
    found = {}
    while len(found) < count:
        shape = tuple(int(n) for n in rng.integers(2, [4000, 64, 16][rng.integers(3)], rng.integers(1, 4)))
        if np.prod(shape) <= 4096:
            found[shape] = (NAMES[rng.integers(len(NAMES))], [np.float32, np.float64][rng.integers(2)])
    return [(shape, *rest) for shape, rest in found.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--shapes", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--most", type=float, default=64.0)
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    cases = shapes_of(rng, arguments.shapes)
    data = {dtype: rng.standard_normal(4096).astype(dtype) for dtype in (np.float32, np.float64)}

    def call(number):
        shape, name, dtype = cases[number % len(cases)]
        getattr(stockham.fft, name)(data[dtype][: np.prod(shape)].reshape(shape))

    worst = 0.0
    before = resident()
    for threads in (1, arguments.threads):
        begin = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            for step in range(10):
                count = arguments.calls // 10
                for _ in pool.map(call, range(step * count, (step + 1) * count), chunksize=100):
                    pass
        gc.collect()
        grown = resident() - before
        worst = max(worst, grown)
        took = time.perf_counter() - begin
        info = stockham.cache.info()
        print(
            f"{arguments.calls} calls of {len(cases)} shapes, {threads} threads: {took:.1f} s, {grown:.1f} MiB more, "
            f"{info.entries} plans of {info.bytes / 2**20:.1f} MiB by estimate",
            flush=True,
        )
    sys.exit(f"{worst:.1f} MiB stay, more than {arguments.most}" if worst > arguments.most else 0)


if __name__ == "__main__":
    main()
