#!/usr/bin/env python3
"""Holds the stockham command to numpy.fft and to exact integers.

    numpy_agreement.py STOCKHAM DEVICE [STEP]

For random arrays of several shapes, dtypes and memory orders, both directions and every norm, `stockham fft` must equal
numpy's transform in double precision (long double where the array is in double precision) within a relative L2 error of
1.0 u sqrt(log2 n). Over the Goldilocks field every output of short transforms, and random outputs of long ones, must
equal the exact sum. With a STEP, every so-manieth case: some devices take seconds to compile each.
"""

import concurrent.futures
import itertools
import os
import subprocess
import sys
import tempfile

import numpy as np

P = 2**64 - 2**32 + 1
COMPLEX_SHAPES = [(1,), (2,), (8,), (3, 16), (5, 7, 32), (1024,), (33, 256), (2, 4096), (65536,), (3, 1 << 17), (1 << 20,)]
FIELD_SHAPES = [(1,), (4,), (3, 64), (2, 5, 256), (4096,), (1 << 16,), (1 << 20,)]
NORMS = ["backward", "ortho", "forward", "none"]


def run(stockham, device, array, *options):
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
        np.save(source, array)
        subprocess.run([stockham, "fft", source, target, "--device", device, *options], check=True, stdout=subprocess.DEVNULL)
        return np.load(target)


def high_precision_dft(x, inverse):
    """Along the last axis: numpy's own in the next wider type, where it has one (numpy 2 computes in long double)."""
    wide = x.astype(np.clongdouble if x.dtype == np.complex128 else np.complex128)
    y = np.fft.ifft(wide, norm="forward") if inverse else np.fft.fft(wide)
    assert y.dtype == wide.dtype, "this check needs numpy 2, which transforms long double"
    return y


def scale(norm, inverse, n):
    if norm == "none":
        return 1.0
    if norm == "ortho":
        return 1 / np.sqrt(np.longdouble(n))
    return 1 / np.longdouble(n) if (norm == "backward") == inverse else 1.0


def complex_cases(rng):
    """(array, the result's type, the transform without a factor, unit roundoff, inverse, norm)"""
    for number, shape in enumerate(COMPLEX_SHAPES):
        for turn, (dtype, unit) in enumerate([(np.complex64, 2.0**-24), (np.complex128, 2.0**-53), (np.float32, 2.0**-24), (np.float64, 2.0**-53)]):
            x = rng.uniform(-1, 1, shape)
            if np.issubdtype(dtype, np.complexfloating):
                x = x + 1j * rng.uniform(-1, 1, shape)
            x = x.astype(dtype)
            if number % 3 == 1:
                x = np.asfortranarray(x)
            if number % 4 == 3:
                x = x.astype(x.dtype.newbyteorder(">"))
            native = np.ascontiguousarray(x).astype(np.complex64 if unit > 1e-10 else np.complex128)
            for inverse in [False, True]:
                expected = high_precision_dft(native, inverse)
                # Every type meets every norm both ways, at one shape or another: norms differ by one factor, and on a GPU
                # it is starting the command that takes time.
                yield x, native.dtype, expected, unit, inverse, NORMS[(number + turn + inverse) % len(NORMS)]


def complex_error(stockham, device, case):
    """In units of u sqrt(log2 n)."""
    x, dtype, expected, unit, inverse, norm = case
    n = x.shape[-1]
    y = run(stockham, device, x, "--norm", norm, *(["--inverse"] if inverse else []))
    assert y.dtype == dtype and y.shape == x.shape, (y.dtype, y.shape)
    reference = expected * scale(norm, inverse, n)
    error = np.linalg.norm((y - reference).ravel()) / np.linalg.norm(reference.ravel())
    units = float(error / unit / max(1.0, np.log2(n)) ** 0.5)
    assert units <= 1.0, f"{x.shape} {x.dtype} inverse={inverse} norm={norm}: {units} u sqrt(log2 n)"
    return units


def field_cases(rng):
    """(array, inverse, norm, the outputs to compare)"""
    for number, shape in enumerate(FIELD_SHAPES):
        x = rng.integers(0, P, shape, dtype=np.uint64)
        x.ravel()[0] = P - 1
        n = shape[-1]
        for inverse in [False, True]:
            norm = ["backward", "forward", "none"][(number + inverse) % 3]
            yield x, inverse, norm, range(n) if n <= 64 else rng.integers(0, n, 4 if n <= 4096 else 2)


def exact_outputs(stockham, device, case):
    """How many were compared."""
    x, inverse, norm, wanted = case
    n, count = x.shape[-1], 0
    y = run(stockham, device, x, "--field", "goldilocks", "--norm", norm, *(["--inverse"] if inverse else []))
    root = pow(7, (P - 1) // n, P)
    root = pow(root, -1, P) if inverse else root
    factor = pow(n, -1, P) if norm != "none" and (norm == "backward") == inverse else 1
    lines, outputs = x.reshape(-1, n), y.reshape(-1, n)
    for row in range(min(len(lines), 3)):
        for k in wanted:
            step, total = pow(root, int(k), P), 0
            for v in reversed(lines[row].tolist()):
                total = (total * step + v) % P
            assert int(outputs[row][k]) == total * factor % P, (x.shape, inverse, norm, row, k)
            count += 1
    return count


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    (stockham, device), step = sys.argv[1:3], int(sys.argv[3]) if len(sys.argv) > 3 else 1

    def taken(cases):
        return itertools.islice(cases, 0, None, step)

    rng = np.random.default_rng(20)
    # Most of the time goes into starting the command: several at a time.
    with concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count())) as pool:
        units = list(pool.map(lambda case: complex_error(stockham, device, case), taken(complex_cases(rng))))
        print(f"{device}: {len(units)} complex transforms agree with numpy; worst L2 error {max(units):.3f} u sqrt(log2 n)")
        counts = list(pool.map(lambda case: exact_outputs(stockham, device, case), taken(field_cases(rng))))
        print(f"{device}: {sum(counts)} Goldilocks outputs equal the exact sums")


if __name__ == "__main__":
    main()
