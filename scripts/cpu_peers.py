#!/usr/bin/env python3
"""Times the CPU's transforms beside scipy.fft and, where pyfftw is there, FFTW (measured plans).

usage: cpu_peers.py CPU_TIMES [--threads 1,2] [--rounds 2] [--quick] [--planning 20]

CPU_TIMES is the example `cpu_times` of the library. All libraries get the same lengths and as many threads, in turns,
and the least time and the least median of the rounds count. Ratios are the others' times over ours: above 1 we are faster.
"""

import argparse
import os
import subprocess
import sys
import time

import numpy as np
import scipy.fft

try:
    import pyfftw
except ImportError:
    pyfftw = None

LENGTHS = [2**k for k in range(10, 25, 2)] + [10**6, 1000003]
MATRICES = [(1024, 1024), (1024, 4096)]


def measure(run, patience):
    """The least time and the median, in milliseconds."""
    times, start = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < patience:
        before = time.perf_counter()
        run()
        times.append(time.perf_counter() - before)
    return np.array([min(times), np.median(times)]) * 1e3


def data(precision, shape):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return x.astype(np.complex64 if precision == "f32" else np.complex128)


def scipy_time(precision, shape, threads, patience):
    x = data(precision, shape)
    return measure(lambda: scipy.fft.fft(x, axis=0, workers=threads), patience)


def fftw_time(precision, shape, threads, patience, planning):
    x = data(precision, shape)
    a = pyfftw.empty_aligned(x.shape, x.dtype)
    b = pyfftw.empty_aligned(x.shape, x.dtype)
    flags = ("FFTW_MEASURE",)
    plan = pyfftw.FFTW(a, b, axes=(0,), threads=threads, flags=flags, planning_timelimit=planning)
    a[:] = x
    return measure(plan.execute, patience)


def ours(binary, case, threads):
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    out = subprocess.run([binary, case], env=environment, check=True, capture_output=True, text=True)
    return np.array(out.stdout.split()[1:], float)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="less patience, no FFTW beyond 2^20")
    parser.add_argument("--planning", type=float, default=20.0, help="seconds that FFTW may measure plans of a case")
    parser.add_argument("--only", help="cases to take, such as f32:1024,f64:1024x1024")
    arguments = parser.parse_args()
    patience = 0.15 if arguments.quick else 0.5
    cases = [(p, (n,)) for p in ("f32", "f64") for n in LENGTHS] + [(p, m) for p in ("f32", "f64") for m in MATRICES]
    if arguments.only:
        cases = [(c.split(":")[0], tuple(map(int, c.split(":")[1].split("x")))) for c in arguments.only.split(",")]
    print(f"numpy {np.__version__}, scipy {scipy.__version__}, pyfftw {pyfftw.__version__ if pyfftw else 'not there'}")
    print("| case | threads | ours ms | scipy ms | FFTW ms | scipy/ours | FFTW/ours | scipy/ours, medians | FFTW/ours, medians |")
    print("| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for precision, shape in cases:
        case = f"{precision}:{'x'.join(map(str, shape))}"
        for threads in map(int, arguments.threads.split(",")):
            best = np.full((3, 2), np.inf)
            for round in range(arguments.rounds):
                best[0] = np.minimum(best[0], ours(arguments.binary, case, threads))
                best[1] = np.minimum(best[1], scipy_time(precision, shape, threads, patience))
                long = arguments.quick and np.prod(shape) > 1 << 20
                if pyfftw and not long:
                    best[2] = np.minimum(best[2], fftw_time(precision, shape, threads, patience, arguments.planning))
            (o, s, f), ratios = best[:, 0], best[1:] / best[0]
            known = f < np.inf
            fftw = [f"{x:.{digits}f}" if known else "–" for x, digits in ((f, 5), (ratios[1, 0], 2), (ratios[1, 1], 2))]
            print(f"| {case} | {threads} | {o:.5f} | {s:.5f} | {fftw[0]} | {ratios[0, 0]:.2f} | {fftw[1]} | {ratios[0, 1]:.2f} | {fftw[2]} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
