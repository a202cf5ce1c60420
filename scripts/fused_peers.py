#!/usr/bin/env python3
"""Times what is fused into transforms beside cuFFT and kernels of their own, on one GPU.

usage: fused_peers.py FUSED_TIMES [DEVICE]

FUSED_TIMES is the example `fused_times` of the library, which is run first. The peers are cuFFT's plans by CuPy, between
elementwise kernels that CuPy compiles: the least that somebody without fusion launches. Ratios are theirs over ours.
"""

import statistics
import subprocess
import sys

import cupy
from cupy.cuda import cufft
from cupyx.scipy.fft import get_fft_plan


def milliseconds(run, rounds=15):
    for _ in range(3):
        run()
    times = []
    for _ in range(rounds):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end))
    return statistics.median(times)


WINDOWED = cupy.ElementwiseKernel("int16 x, raw float32 w, int64 n", "float32 y", "y = (float)x * w[i % n]", "windowed")
POWER = cupy.ElementwiseKernel("complex64 z", "float32 p", "p = z.real() * z.real() + z.imag() * z.imag()", "power")
PRODUCT = cupy.ElementwiseKernel("raw complex64 k, int64 n", "complex64 z", "z = z * k[i % n]", "product")


def window_power(n, batch):
    x = cupy.random.randint(-30000, 30000, (batch, n), dtype=cupy.int16)
    window = cupy.hanning(n).astype(cupy.float32)
    y, z = cupy.empty((batch, n), cupy.float32), cupy.empty((batch, n // 2 + 1), cupy.complex64)
    p = cupy.empty(z.shape, cupy.float32)
    plan = cufft.Plan1d(n, cufft.CUFFT_R2C, batch)

    def run():
        WINDOWED(x, window, n, y)
        plan.fft(y, z, cufft.CUFFT_FORWARD)
        POWER(z, p)

    ms = milliseconds(run)
    expected = abs(cupy.fft.rfft(x[:2].astype(cupy.float64) * cupy.hanning(n))) ** 2
    assert float(abs(p[:2] - expected).max() / expected.max()) < 1e-5
    return ms


def convolution(n, batch):
    x = (cupy.random.rand(batch, n, dtype=cupy.float32) - 0.5).astype(cupy.complex64)
    kernel = cupy.exp(1j * cupy.arange(n)).astype(cupy.complex64) / n
    y = cupy.empty_like(x)
    plan = cufft.Plan1d(n, cufft.CUFFT_C2C, batch)

    def run():
        plan.fft(x, y, cufft.CUFFT_FORWARD)
        PRODUCT(kernel, n, y)
        plan.fft(y, y, cufft.CUFFT_INVERSE)

    ms = milliseconds(run)
    expected = cupy.fft.ifft(cupy.fft.fft(x[:2].astype(cupy.complex128)) * kernel * n)
    assert float(abs(y[:2] - expected).max() / abs(expected).max()) < 1e-5
    return ms


def real_convolution(n, batch):
    x = cupy.random.rand(batch, n, dtype=cupy.float32) - 0.5
    half = n // 2 + 1
    kernel = cupy.exp(1j * cupy.arange(half)).astype(cupy.complex64) / n
    # Zero frequency and the last one are real.
    kernel[0] = kernel[-1] = 1 / n
    y, z = cupy.empty((batch, half), cupy.complex64), cupy.empty_like(x)
    there, back = cufft.Plan1d(n, cufft.CUFFT_R2C, batch), cufft.Plan1d(n, cufft.CUFFT_C2R, batch)

    def run():
        there.fft(x, y, cufft.CUFFT_FORWARD)
        PRODUCT(kernel, half, y)
        back.fft(y, z, cufft.CUFFT_INVERSE)

    ms = milliseconds(run)
    expected = cupy.fft.irfft(cupy.fft.rfft(x[:2].astype(cupy.float64)) * kernel * n, n)
    assert float(abs(z[:2] - expected).max() / abs(expected).max()) < 1e-5
    return ms


def padded_volume(n, batch, is_real=False):
    """Padded with zeros to n points, filtered, and cropped."""
    side = round(n ** (1 / 3))
    half, axes = (slice(None),) + (slice(side // 2),) * 3, (1, 2, 3)
    dtype, ways = (cupy.float32, ("R2C", "C2R")) if is_real else (cupy.complex64, ("C2C", "C2C"))
    transform, inverse = (cupy.fft.rfftn, cupy.fft.irfftn) if is_real else (cupy.fft.fftn, cupy.fft.ifftn)
    kernel = transform(cupy.random.rand(side, side, side, dtype=cupy.float32) - 0.5).astype(cupy.complex64) / n
    x = (cupy.random.rand(batch, *[side // 2] * 3, dtype=cupy.float32) - 0.5).astype(dtype)
    whole, y = cupy.empty((batch,) + (side,) * 3, dtype), cupy.empty_like(x)
    spectrum = cupy.empty((batch,) + kernel.shape, cupy.complex64)
    there = get_fft_plan(whole, axes=axes, value_type=ways[0])
    back = get_fft_plan(spectrum, shape=whole.shape[1:], axes=axes, value_type=ways[1])

    def run():
        whole.fill(0)
        whole[half] = x
        there.fft(whole, spectrum, cufft.CUFFT_FORWARD)
        PRODUCT(kernel, kernel.size, spectrum)
        back.fft(spectrum, whole, cufft.CUFFT_INVERSE)
        y[...] = whole[half]

    ms = milliseconds(run)
    wide = cupy.zeros(whole.shape[1:], cupy.float64 if is_real else cupy.complex128)
    wide[half[1:]] = x[0]
    expected = (inverse(transform(wide) * kernel) * n)[half[1:]]
    assert float(abs(y[0] - expected).max() / abs(expected).max()) < 1e-5
    return ms


def padded_real_volume(n, batch):
    return padded_volume(n, batch, is_real=True)


PEERS = {
    "int16 window power": window_power,
    "convolution": convolution,
    "real convolution": real_convolution,
    "padded volume": padded_volume,
    "padded real volume": padded_real_volume,
}


def main():
    # All of ours before all of theirs, as both need the whole GPU; rows are told as they come.
    lines = []
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True) as ours:
        for line in ours.stdout:
            print(line, end="", file=sys.stderr, flush=True)
            lines.append(line)
    print("| case | n | batch | ms | ÷ copy | ÷ bare | error | cuFFT and kernels, ms | theirs ÷ ours |")
    print("| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    bare = {}
    for line in map(str.rstrip, lines):
        if line.startswith("#"):
            continue
        case, n, batch, ms, copies, error = line.split("\t")
        n, batch, ms, copies = int(n), int(batch), float(ms), float(copies)
        if case in ("bare", "f32", "real bare"):
            bare[n] = copies
        peer = PEERS[case](n, batch) if case in PEERS else None
        cupy.get_default_memory_pool().free_all_blocks()
        theirs = (f"{peer:.3f}", f"{peer / ms:.2f}") if peer else ("", "")
        print(f"| {case} | {n} | {batch} | {ms:.3f} | {copies:.3f} | {copies / bare[n]:.3f} | {error} | {theirs[0]} | {theirs[1]} |" if n in bare
              else f"| {case} | {n} | {batch} | {ms:.3f} | {copies:.3f} | | {error} | {theirs[0]} | {theirs[1]} |", flush=True)
    return ours.returncode


if __name__ == "__main__":
    sys.exit(main())
