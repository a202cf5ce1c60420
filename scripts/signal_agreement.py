#!/usr/bin/env python3
"""Compares `stockham convolve` and `stockham filter` with scipy.signal on random cases.

    cargo build --release -p stockham-cli
    python scripts/signal_agreement.py target/release/stockham --cases 2000

Convolutions are held to 4 units of u·√log2 n of the largest output, against sums by the definition in twice the precision
where NumPy has it; filters of recordings of floats to those of firwin and oaconvolve, recordings of integers to one step.
Needs NumPy and SciPy.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import signal
from scipy.io import wavfile

UNIT = {np.dtype("f4"): 2.0**-24, np.dtype("f8"): 2.0**-53, np.dtype("c8"): 2.0**-24, np.dtype("c16"): 2.0**-53}
LIMIT = 4.0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stockham", help="the command")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--filters", type=int, default=200, help="recordings that are filtered")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--device", default="cpu")
    return parser.parse_args()


def numbers(rng, shape, dtype):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if dtype.kind == "c" else x).astype(dtype)


def circular(a, b, correlates):
    """Sums over the indices of a periodic array, by rolling it."""
    y = np.zeros(a.shape, np.result_type(a, b))
    for index in np.ndindex(b.shape):
        shift = tuple(-i for i in index) if correlates else index
        y = y + np.roll(a, shift, range(a.ndim)) * (np.conj(b[index]) if correlates else b[index])
    return y


def wide(x):
    return x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)


def definition(a, b, mode, correlates):
    a, b = wide(a), wide(b)
    if mode == "circular":
        return circular(a, b, correlates)
    if a.dtype != b.dtype:
        a, b = a.astype(np.clongdouble), b.astype(np.clongdouble)
    return signal.correlate(a, b, mode, "direct") if correlates else signal.convolve(a, b, mode, "direct")


class Command:
    def __init__(self, args, folder):
        self.args, self.folder = args, Path(folder)

    def run(self, *words):
        done = subprocess.run([self.args.stockham, "--quiet", *map(str, words), "--device", self.args.device], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")

    def convolve(self, a, b, mode, correlates):
        paths = [self.folder / name for name in ("a.npy", "b.npy", "y.npy")]
        np.save(paths[0], a)
        np.save(paths[1], b)
        self.run("convolve", *paths, "--mode", mode, *(["--correlate"] if correlates else []))
        return np.load(paths[2])

    def filter(self, rate, samples, *words):
        paths = [self.folder / name for name in ("x.wav", "y.wav")]
        wavfile.write(paths[0], rate, samples)
        self.run("filter", *paths, *words)
        found_rate, found = wavfile.read(paths[1])
        assert found_rate == rate and found.dtype == samples.dtype and found.shape == samples.shape
        return found


def convolutions(rng, command, cases):
    worst = {}
    for case in range(cases):
        rank = int(rng.integers(1, 4))
        most = (1, 400, 40, 12)[rank]
        shape, kernel = (tuple(int(n) for n in rng.integers(1, most, rank)) for _ in range(2))
        mode = ("full", "same", "valid", "circular")[case % 4]
        if mode == "valid":
            shape, kernel = np.maximum(shape, kernel), np.minimum(shape, kernel)
            if rng.random() < 0.3:
                shape, kernel = kernel, shape
        types = [np.dtype(name) for name in rng.choice(["f4", "f8", "c8", "c16"], 2)]
        a, b = numbers(rng, shape, types[0]), numbers(rng, kernel, types[1])
        correlates = bool(rng.random() < 0.5)
        found = command.convolve(a, b, mode, correlates)
        expected = definition(a, b, mode, correlates)
        assert found.shape == expected.shape and found.dtype == np.result_type(a, b), (shape, kernel, mode, types)
        points = np.prod(np.add(shape, kernel) - 1)
        # All outputs may happen to cancel.
        mean = np.linalg.norm(a) * np.linalg.norm(b) / np.sqrt(points)
        unit = UNIT[found.dtype] * np.sqrt(max(1.0, np.log2(points))) * max(mean, np.abs(expected).max())
        error = float(np.abs(found - expected).max() / unit) if unit else 0.0
        assert error <= LIMIT, f"case {case}: {error} units, {shape} by {kernel}, {mode}, {types}, {correlates=}"
        worst[found.dtype.name] = max(worst.get(found.dtype.name, 0.0), error)
    print(f"{cases} convolutions and correlations; largest errors in units of the largest output:")
    print("  " + ", ".join(f"{name} {error:.2f}" for name, error in sorted(worst.items())))


def taps_of(rate, edges, kind, attenuation, width):
    count, beta = signal.kaiserord(attenuation, width / (rate / 2))
    passes = {"lowpass": "lowpass", "highpass": "highpass", "bandpass": "bandpass", "bandstop": "bandstop"}[kind]
    return signal.firwin(count | 1, edges, window=("kaiser", beta), pass_zero=passes, fs=rate)


def filters(rng, command, cases):
    worst, steps = 0.0, 0
    for case in range(cases):
        rate = int(rng.choice([8000, 22050, 44100, 48000]))
        kind = ("lowpass", "highpass", "bandpass", "bandstop")[case % 4]
        edges = sorted(float(f) for f in np.round(rng.uniform(0.05, 0.45, 2) * rate))
        edges = edges[:1] if kind in ("lowpass", "highpass") else [edges[0], edges[1] + 1]
        attenuation, width = float(rng.uniform(20, 110)), float(rng.uniform(0.002, 0.05) * rate)
        taps = taps_of(rate, edges, kind, attenuation, width)
        words = [f"--{kind}", "..".join(map(str, edges)), "--attenuation", attenuation, "--width", width]
        channels, frames = int(rng.integers(1, 4)), int(rng.integers(1, 100_000))
        x = rng.uniform(-1, 1, (frames, channels))
        x = (x if channels > 1 else x[:, 0]).astype("f4")
        middle = lambda x: signal.oaconvolve(x, taps.reshape(-1, *[1] * (x.ndim - 1)), "full", axes=0)[len(taps) // 2 :][:frames]
        if case % 2:
            found = command.filter(rate, x, *words)
            expected = middle(x.astype("f8"))
            worst = max(worst, float(np.abs(found - expected).max()))
            assert worst < 2e-6, (case, words, worst)
        else:
            x = np.round(x * 30000).astype("i2")
            found = command.filter(rate, x, *words)
            expected = np.clip(np.round(middle(x.astype("f8"))), -32768, 32767)
            steps = max(steps, int(np.abs(found - expected).max()))
            assert steps <= 1, (case, words, steps)
    print(f"{cases} filters; largest difference {worst:.1e} of floats, {steps} step of 16 bits")


def main():
    args = arguments()
    seed = args.seed if args.seed is not None else int(np.random.SeedSequence().entropy % 2**32)
    print(f"--seed {seed}")
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        command = Command(args, folder)
        convolutions(rng, command, args.cases)
        filters(rng, command, args.filters)


if __name__ == "__main__":
    sys.exit(main())
