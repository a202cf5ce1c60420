#!/usr/bin/env python3
"""Holds `stockham.signal` to scipy.signal on random calls: modes, axes, lengths, windows, real and complex numbers.

    python_signal.py [CALLS [SEED [FUNCTION …]]]

CALLS is how many of each function, 1000 by default; their seeds are SEED (0), SEED + 1, …. What differs is told with its seed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "crates/stockham-python/tests"))

import signal_cases


def main():
    calls, seed = (int(word) for word in (sys.argv[1:3] + ["1000", "0"][len(sys.argv[1:3]) :]))
    failed = 0
    for name in sys.argv[3:] or signal_cases.FUNCTIONS:
        worst, refused = 0.0, 0
        for each in range(seed, seed + calls):
            try:
                units = signal_cases.check(name, each)
            except AssertionError as difference:
                print(difference)
                failed += 1
                continue
            refused += units is None
            worst = max(worst, units or 0.0)
        print(f"{name}, seeds {seed} to {seed + calls - 1}: {refused} refused by both, at most {worst:.1f} units apart")
    sys.exit(f"{failed} calls differ" if failed else 0)


if __name__ == "__main__":
    main()
