#!/usr/bin/env python3
"""Holds `stockham.signal` to scipy.signal on random calls: modes, axes, lengths, windows, real and complex numbers.

    python_signal.py [--calls 1000] [--seed 0] [--arrays numpy|torch|cupy|torch-cuda] [FUNCTION ...]

Calls are of each function, with seeds from the one given on. What differs is told with its seed, and ends it with 1. The last
two kinds of arrays need a GPU.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "crates/stockham-python/tests"))

import numpy as np
import signal_cases


def ways(arrays):
    """How arrays are made of NumPy's, and NumPy's of them."""
    if arrays == "numpy":
        return None, None
    if arrays == "cupy":
        import cupy

        return cupy.asarray, cupy.asnumpy
    import torch

    place = "cuda" if arrays == "torch-cuda" else "cpu"
    return (lambda a: torch.from_numpy(np.array(a, order="C")).to(place)), (lambda x: x.cpu().numpy())


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--arrays", default="numpy", choices=["numpy", "torch", "cupy", "torch-cuda"])
    parser.add_argument("functions", nargs="*", default=signal_cases.FUNCTIONS)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.calls)
    put, get = ways(arguments.arrays)
    failed = 0
    for name in arguments.functions:
        if name == "get_window" and put:
            continue
        worst, refused = 0.0, 0
        for seed in seeds:
            try:
                units = signal_cases.check(name, seed, put, get)
            except AssertionError as difference:
                print(difference)
                failed += 1
                continue
            refused += units is None
            worst = max(worst, units or 0.0)
        print(
            f"{name}, seeds {seeds[0]} to {seeds[-1]}: {refused} refused by both, at most {worst:.1f} units apart", flush=True
        )
    sys.exit(f"{failed} calls differ" if failed else 0)


if __name__ == "__main__":
    main()
