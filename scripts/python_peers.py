#!/usr/bin/env python3
"""Times the Python package beside scipy.fft on NumPy's arrays, in one process, in turns.

    python_peers.py [--quick] [--only dct,fft2] [--workers 1,2] [--precisions float64,float32] [--json FILE]

Random data; every result is checked against SciPy's. A time is the least of several rounds, each of calls that take some
milliseconds together. The ratio is SciPy's time over Stockham's: above 1, Stockham is faster. Outputs are new arrays in
both, as most programs have it.
"""

import argparse
import json
import math
import time

import numpy as np
import scipy
import scipy.fft
import stockham
import stockham.fft

# (function, shape, axes or None for all that the function takes)
CASES = [
    ("fft", (16,)),
    ("fft", (64,)),
    ("fft", (256,)),
    ("fft", (1024,)),
    ("fft", (4096,)),
    ("fft", (1000,)),
    ("fft", (1009,)),
    ("fft", (65536,)),
    ("fft", (100000,)),
    ("fft", (1 << 20,)),
    ("fft", (1 << 22,)),
    ("fft", (1000000,)),
    ("fft", (1000003,)),
    ("fft", (10000, 64)),
    ("fft", (1000, 1024)),
    ("fft0", (1024, 1000)),
    ("rfft", (64,)),
    ("rfft", (1024,)),
    ("rfft", (65536,)),
    ("rfft", (1 << 20,)),
    ("rfft", (1000, 1024)),
    ("irfft", (1025,)),
    ("irfft", ((1 << 19) + 1,)),
    ("fft-real", (1024,)),
    ("fft-real", (1 << 20,)),
    ("fft2", (64, 64)),
    ("fft2", (512, 512)),
    ("fft2", (1024, 1024)),
    ("fft2", (2048, 2048)),
    ("fft2", (1000, 1500)),
    ("rfft2", (1024, 1024)),
    ("irfft2", (1024, 513)),
    ("fftn", (32, 32, 32)),
    ("fftn", (128, 128, 128)),
    ("fftn", (100, 100, 100)),
    ("rfftn", (128, 128, 128)),
    ("dct", (1024,)),
    ("dct", (1000, 1024)),
    ("dctn", (512, 512)),
]
QUICK = {
    ("fft", (64,)),
    ("fft", (1024,)),
    ("rfft", (65536,)),
    ("fft2", (512, 512)),
    ("fftn", (32, 32, 32)),
    ("dctn", (512, 512)),
}


def call(module, name, x, workers):
    if name == "fft0":
        return module.fft(x, axis=0, workers=workers)
    return getattr(module, name.removesuffix("-real"))(x, workers=workers)


def data(name, shape, single):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape)
    if name in ("fft", "fft0", "fft2", "fftn", "irfft", "irfft2"):
        x = x + 1j * rng.standard_normal(shape)
    return x.astype({"f": np.float32, "c": np.complex64}[x.dtype.kind]) if single else x


def seconds(function, rounds):
    """The least time of a call, of so many rounds."""
    function()
    begin = time.perf_counter()
    function()
    once = time.perf_counter() - begin
    count = max(1, int(5e-3 / max(once, 1e-9)))
    best = math.inf
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - begin) / count)
    return best


def measure(name, shape, single, workers, rounds):
    x = data(name, shape, single)
    expected, found = (call(module, name, x, workers) for module in (scipy.fft, stockham.fft))
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert found.dtype == expected.dtype and error < (1e-5 if single else 1e-13), (name, shape, error)
    del expected, found
    times = {}
    # In turns, so that what else the machine does meets both.
    for _ in range(2):
        for module in (scipy.fft, stockham.fft):
            took = seconds(lambda module=module: call(module, name, x, workers), rounds)
            times[module.__name__] = min(took, times.get(module.__name__, math.inf))
    return times["scipy.fft"], times["stockham.fft"]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few cases")
    parser.add_argument("--only", help="these calls, with commas")
    parser.add_argument("--workers", default="1,2", help="numbers of workers, with commas")
    parser.add_argument("--precisions", default="float64,float32", help="dtypes of real numbers, with commas")
    parser.add_argument("--json", help="a file for the figures")
    arguments = parser.parse_args()
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, stockham {stockham.__version__}"
    print(f"{stockham.devices()[-1].name}, {versions}")
    rows = []
    for workers in map(int, arguments.workers.split(",")):
        for precision in arguments.precisions.split(","):
            single = precision == "float32"
            print(f"\nworkers={workers}, {precision}")
            print(f"{'call':>10} {'shape':>16} {'scipy us':>12} {'stockham us':>12} {'ratio':>6}")
            ratios = []
            for name, shape in CASES:
                is_left_out = arguments.only is not None and name not in arguments.only.split(",")
                if is_left_out or (arguments.quick and (name, shape) not in QUICK):
                    continue
                theirs, ours = measure(name, shape, single, workers, 3)
                ratios.append(theirs / ours)
                words = f"{name:>10} {'x'.join(map(str, shape)):>16}"
                print(f"{words} {theirs * 1e6:12.2f} {ours * 1e6:12.2f} {theirs / ours:6.2f}", flush=True)
                row = {"call": name, "shape": shape, "single": single, "workers": workers}
                rows.append(row | {"scipy": theirs, "stockham": ours})
            print(f"{'geometric mean':>53} {mean(ratios):6.2f}")
    print(f"\ngeometric mean of all {len(rows)}: {mean([row['scipy'] / row['stockham'] for row in rows]):.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
