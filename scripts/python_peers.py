#!/usr/bin/env python3
"""Times the Python package beside scipy.fft on NumPy's arrays, in one process, in turns.

    python_peers.py [--quick] [--only dct,fft2] [--workers 1,2] [--precisions float64,float32] [--part 2/5] [--json FILE]
    python_peers.py --table FILE ...

Random data; every result is checked against SciPy's in the same run. A time is the median of several turns, each of calls
that take some milliseconds together; who begins a turn changes from turn to turn. The ratio is SciPy's time over Stockham's:
above 1, Stockham is faster. Outputs are new arrays in both, as most programs have it. `--part 2/5` takes every fifth case, from
the second on; `--table` makes one table of the figures of several such runs.
"""

import argparse
import json
import math
import statistics
import time

import numpy as np
import scipy
import scipy.fft
import stockham
import stockham.fft

# (function, shape)
CASES = [
    *(("fft", (n,)) for n in (16, 64, 256)),
    *(("fft", (1 << k,)) for k in range(10, 25)),
    *(("fft", (n,)) for n in (1000, 1009, 4807, 100000, 1000000, 1000003)),
    *(("fft", (40000 // n, n)) for n in (8, 12, 36, 64, 100, 127, 256, 400, 1000, 1024)),
    *(("fft", (1000000 // n, n)) for n in (12, 36, 64, 100, 256, 400, 1000, 1024, 4096)),
    *(("fft0", (n, 1000)) for n in (36, 100, 1000, 1024)),
    *(("rfft", (n,)) for n in (64, 1024, 65536, 1 << 20)),
    *(("rfft", (n, 1000000 // n)) for n in (10000, 2500, 1000)),
    ("rfft", (1000, 1024)),
    *(("irfft", (n,)) for n in (1025, (1 << 19) + 1)),
    ("irfft", (1000, 513)),
    *(("fft-real", (n,)) for n in (1024, 1 << 20)),
    *(("fft2", (n, n)) for n in (32, 64, 100, 256, 512, 1024, 2048)),
    ("fft2", (1000, 1500)),
    *(("rfft2", (n, n)) for n in (64, 100, 512, 1024)),
    ("irfft2", (1024, 513)),
    *(("fftn", (n, n, n)) for n in (16, 32, 64, 100, 128)),
    *(("rfftn", (n, n, n)) for n in (32, 100, 128)),
    ("dct", (1024,)),
    ("dct", (1000, 1024)),
    ("idct", (1000, 1024)),
    ("dst", (2500, 400)),
    *(("dctn", (n, n)) for n in (8, 64, 512, 1000)),
    ("idctn", (512, 512)),
    ("dctn", (100, 100, 100)),
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


def batch_size(function):
    """How many calls take some milliseconds."""
    function()
    begin = time.perf_counter()
    function()
    return max(1, int(4e-3 / max(time.perf_counter() - begin, 1e-9)))


def seconds(function, count):
    """The time of a call, of so many."""
    begin = time.perf_counter()
    for _ in range(count):
        function()
    return (time.perf_counter() - begin) / count


def measure(name, shape, single, workers, turns):
    x = data(name, shape, single)
    expected, found = (call(module, name, x, workers) for module in (scipy.fft, stockham.fft))
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert found.dtype == expected.dtype and error < (1e-5 if single else 1e-13), (name, shape, error)
    del expected, found
    functions = [lambda module=module: call(module, name, x, workers) for module in (scipy.fft, stockham.fft)]
    counts = [batch_size(function) for function in functions]
    times = [[], []]
    # In turns, so that what else the machine does meets both.
    for turn in range(min(turns, 3) if x.nbytes > 1 << 26 else turns):
        for i in (turn % 2, 1 - turn % 2):
            times[i].append(seconds(functions[i], counts[i]))
    return [statistics.median(each) for each in times]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def words(row):
    return f"{row['call']} {'x'.join(map(str, row['shape']))}"


def table(rows):
    """Markdown: a line for each case, and SciPy's time over Stockham's for each precision and number of workers."""
    columns = sorted({(row["single"], row["workers"]) for row in rows})
    titles = [f"{'f32' if single else 'f64'}, {workers}" for single, workers in columns]
    print(f"| call | {' | '.join(titles)} |\n| --- |{' ---: |' * len(columns)}")
    ratios = {(words(row), row["single"], row["workers"]): row["scipy"] / row["stockham"] for row in rows}
    for case in dict.fromkeys(words(row) for row in rows):
        cells = (ratios.get((case, *column)) for column in columns)
        print(f"| {case} | {' | '.join('' if cell is None else f'{cell:.2f}' for cell in cells)} |")
    by_column = [[ratio for (_, *of), ratio in ratios.items() if tuple(of) == column] for column in columns]
    print(f"| geometric mean | {' | '.join(f'{mean(each):.2f}' for each in by_column)} |")
    print(f"| least | {' | '.join(f'{min(each):.2f}' for each in by_column)} |")


def wanted(arguments):
    part, parts = map(int, arguments.part.split("/"))
    only = arguments.only and arguments.only.split(",")
    cases = [case for case in CASES if not arguments.quick or case in QUICK]

    def is_named(name, shape):
        return not only or name in only or f"{name}:{'x'.join(map(str, shape))}" in only

    return [case for case in cases if is_named(*case)][part - 1 :: parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few cases")
    parser.add_argument("--only", help="these calls, with commas, such as fft2 or fft:1024")
    parser.add_argument("--part", default="1/1", help="every k-th case, from the i-th on: i/k")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--workers", default="1,2", help="numbers of workers, with commas")
    parser.add_argument("--precisions", default="float64,float32", help="dtypes of real numbers, with commas")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--table", nargs="+", metavar="FILE", help="makes one table of figures in such files")
    arguments = parser.parse_args()
    if arguments.table:
        table([row for name in arguments.table for row in json.load(open(name, encoding="utf-8"))])
        return
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, stockham {stockham.__version__}"
    print(f"{stockham.devices()[-1].name}, {versions}")
    rows = []
    for workers in map(int, arguments.workers.split(",")):
        for precision in arguments.precisions.split(","):
            single = precision == "float32"
            print(f"\nworkers={workers}, {precision}")
            print(f"{'call':>10} {'shape':>16} {'scipy us':>12} {'stockham us':>12} {'ratio':>6}")
            ratios = []
            for name, shape in wanted(arguments):
                theirs, ours = measure(name, shape, single, workers, arguments.turns)
                ratios.append(theirs / ours)
                case = f"{name:>10} {'x'.join(map(str, shape)):>16}"
                print(f"{case} {theirs * 1e6:12.2f} {ours * 1e6:12.2f} {theirs / ours:6.2f}", flush=True)
                row = {"call": name, "shape": shape, "single": single, "workers": workers}
                rows.append(row | {"scipy": theirs, "stockham": ours})
            print(f"{'geometric mean':>53} {mean(ratios):6.2f}")
    print(f"\ngeometric mean of all {len(rows)}: {mean([row['scipy'] / row['stockham'] for row in rows]):.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
