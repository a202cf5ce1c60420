#!/usr/bin/env python3
"""Times what the planners of two builds choose, in turns.

    compare_builds.py OLD NEW DEVICE [ROUNDS] < CASES

OLD and NEW are builds of the example choice_times; CASES are lines as it takes them (`f32 1009 -`). Prints the copies that each case
takes by either build, the median of ROUNDS (2), and the ratio; then the geometric mean, and where the new one is slower by over 3 %.
Cards differ by some percent, and so do the places that memory happens to have: small differences are for more rounds.
"""

import math
import statistics
import subprocess
import sys


def times(program, device, cases):
    """The copies of each case that ran, and its largest error."""
    output = subprocess.run([program, device], input=cases, capture_output=True, text=True, check=True).stdout
    rows = (line.split("\t") for line in output.splitlines())
    return {row[0]: (float(row[1]), float(row[2])) for row in rows if len(row) == 3}


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    programs, device = sys.argv[1:3], sys.argv[3]
    rounds = int(sys.argv[4]) if len(sys.argv) == 5 else 2
    cases = sys.stdin.read()
    runs = [[times(program, device, cases) for program in programs] for _ in range(rounds)]
    ratios = {}
    print("case\told\tnew\tratio\tlargest error")
    for case in filter(None, cases.splitlines()):
        if not all(case in run for both in runs for run in both):
            print(f"{case}\tdid not run in all rounds of both")
            continue
        old, new = (statistics.median(both[build][case][0] for both in runs) for build in range(2))
        ratios[case] = new / old
        print(f"{case}\t{old:.3f}\t{new:.3f}\t{ratios[case]:.3f}\t{max(both[1][case][1] for both in runs):.1e}")
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        slower = [f"{case} ({ratio:.2f})" for case, ratio in sorted(ratios.items(), key=lambda row: -row[1]) if ratio > 1.03]
        print(f"# {len(ratios)} cases, geometric mean {mean:.3f}; slower by over 3 %: {', '.join(slower) or 'none'}")


if __name__ == "__main__":
    main()
