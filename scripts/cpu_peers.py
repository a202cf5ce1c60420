#!/usr/bin/env python3
"""Times the CPU's transforms beside scipy.fft and, where pyfftw is there, FFTW (measured plans).

usage: cpu_peers.py CPU_TIMES [--threads 1,2] [--rounds 2] [--quick]

CPU_TIMES is the example `cpu_times` of the library. All libraries get the same lengths and as many threads, in turns,
and the least time of all rounds counts. Ratios are the others' times over ours: above 1 we are faster.
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


def least(run, patience):
    best, start = float("inf"), time.perf_counter()
    runs = 0
    while runs < 3 or time.perf_counter() - start < patience:
        before = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - before)
        runs += 1
    return best * 1e3


def data(precision, shape):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return x.astype(np.complex64 if precision == "f32" else np.complex128)


def scipy_time(precision, shape, threads, patience):
    x = data(precision, shape)
    return least(lambda: scipy.fft.fft(x, axis=0, workers=threads), patience)


def fftw_time(precision, shape, threads, patience):
    x = data(precision, shape)
    a = pyfftw.empty_aligned(x.shape, x.dtype)
    b = pyfftw.empty_aligned(x.shape, x.dtype)
    flags = ("FFTW_MEASURE",)
    plan = pyfftw.FFTW(a, b, axes=(0,), threads=threads, flags=flags, planning_timelimit=20.0)
    a[:] = x
    return least(plan.execute, patience)


def ours(binary, case, threads):
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    out = subprocess.run([binary, case], env=environment, check=True, capture_output=True, text=True)
    return float(out.stdout.split()[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="less patience, no FFTW beyond 2^20")
    parser.add_argument("--only", help="cases to take, such as f32:1024,f64:1024x1024")
    arguments = parser.parse_args()
    patience = 0.15 if arguments.quick else 0.5
    cases = [(p, (n,)) for p in ("f32", "f64") for n in LENGTHS] + [(p, m) for p in ("f32", "f64") for m in MATRICES]
    if arguments.only:
        cases = [(c.split(":")[0], tuple(map(int, c.split(":")[1].split("x")))) for c in arguments.only.split(",")]
    print(f"numpy {np.__version__}, scipy {scipy.__version__}, pyfftw {pyfftw.__version__ if pyfftw else 'not there'}")
    print("| case | threads | ours ms | scipy ms | FFTW ms | scipy/ours | FFTW/ours |")
    print("| :--- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for precision, shape in cases:
        case = f"{precision}:{'x'.join(map(str, shape))}"
        for threads in map(int, arguments.threads.split(",")):
            best = [float("inf")] * 3
            for round in range(arguments.rounds):
                best[0] = min(best[0], ours(arguments.binary, case, threads))
                best[1] = min(best[1], scipy_time(precision, shape, threads, patience))
                long = arguments.quick and np.prod(shape) > 1 << 20
                if pyfftw and not long:
                    best[2] = min(best[2], fftw_time(precision, shape, threads, patience))
            o, s, f = best
            fftw = (f"{f:.5f}", f"{f / o:.2f}") if f < float("inf") else ("–", "–")
            print(f"| {case} | {threads} | {o:.5f} | {s:.5f} | {fftw[0]} | {s / o:.2f} | {fftw[1]} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
