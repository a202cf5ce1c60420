#!/usr/bin/env python3
"""Runs SciPy's own tests with the Python package as SciPy's only backend, on a device, by several processes.

    python_scipy.py [--device cuda:0] [--jobs 8] [--seconds 600] [--record FILE] [--tests scipy.fft.tests] [-k WORDS]

On a GPU most tests compile kernels of their own, which is what takes the time: it is shared out among the processes, and
kernels stay in the cache for the next run (STOCKHAM_CACHE). Tests that did not end after so many seconds are counted; with a
record of the names of those that passed, the next run goes on with the others. Ends with 1 if some failed or did not end. One
test takes as long as all others: test_identity_extensive goes through 511 lengths, four kernels each, one after the other. And
one fails on GPUs: test_multiprocess[irfft] compares a forked process, which has no GPU and computes on the CPU, with this one,
and allows no other rounding where zeros are due.
"""

import argparse
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest


class Part:
    """A plugin of pytest: the tests that have not passed yet and that no other process has begun, one after the other. What is
    begun, and its outcome, goes to a file, a line each."""

    def __init__(self, begun, passed, file):
        self.begun, self.passed, self.file = begun, passed, file
        self.last = time.monotonic()

    def write(self, *words):
        print(*words, file=self.file, flush=True)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid not in self.passed]
        self.write(len(items))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        while (number := self.next_number()) < len(session.items):
            item = session.items[number]
            self.last = time.monotonic()
            self.write("begun", 0, item.nodeid)
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return True

    def next_number(self):
        """How many tests the processes have begun before; a file, as long as that, says so to all."""
        with self.begun.open("ab", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # Where the file ended when it was opened says nothing: others may have written since.
            file.write(b".")
            return os.fstat(file.fileno()).st_size - 1

    def pytest_runtest_logreport(self, report):
        # Fixtures tell of themselves only where they fail, or skip the test before it.
        expected = {"setup": "passed", "call": None, "teardown": "passed"}[report.when]
        if report.outcome != expected:
            self.write(report.outcome, f"{time.monotonic() - self.last:.2f}", report.nodeid)


def passed_before(record):
    """The names in a record."""
    there = record is not None and record.exists()
    return set(record.read_text(encoding="utf-8").splitlines()) if there else set()


def work(arguments):
    """The tests of one process."""
    import stockham

    if arguments.device != "cpu":
        stockham.set_device(arguments.device)
    words = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "stockham.scipy_only", "--pyargs", *arguments.tests]
    with open(arguments.outcomes, "w", encoding="utf-8") as file:
        part = Part(Path(arguments.begun), passed_before(arguments.record), file)
        return pytest.main(words + (["-k", arguments.k] if arguments.k else []), plugins=[part])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--record", type=Path, help="a file for the names of tests that passed")
    parser.add_argument("--tests", nargs="+", default=["scipy.fft.tests"], help="packages and modules of tests")
    parser.add_argument("-k", help="pytest's selection by words")
    parser.add_argument("--begun", help=argparse.SUPPRESS)
    parser.add_argument("--outcomes", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.outcomes is not None:
        sys.exit(work(arguments))
    before = len(passed_before(arguments.record))
    with tempfile.TemporaryDirectory() as folder:
        processes = []
        for number in range(arguments.jobs):
            files = [Path(folder, f"{number}.{ending}") for ending in ("txt", "log")]
            command = [sys.executable, __file__, *sys.argv[1:]]
            command += ["--begun", str(Path(folder, "begun")), "--outcomes", str(files[0])]
            with files[1].open("w") as log:
                processes.append((subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT), *files))
        end = time.monotonic() + arguments.seconds
        counts, longest, passed, stopped, tests, ended = Counter(), [], [], [], 0, set()
        for process, outcomes, log in processes:
            try:
                process.wait(max(0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            lines = outcomes.read_text(encoding="utf-8").splitlines() if outcomes.exists() else []
            # pytest's words for: all passed, some failed, none are left; and what ended it here.
            if not lines or process.returncode not in (0, 1, 5, -9):
                print(f"a process ended with {process.returncode}:\n{log.read_text()[-2000:]}")
                counts["broken processes"] += 1
                continue
            tests = int(lines[0])
            rows = [line.split(" ", 2) for line in lines[1:]]
            stopped += [name for word, _, name in rows[-1:] if word == "begun"]
            rows = [row for row in rows if row[0] != "begun"]
            counts.update(outcome for outcome, *_ in rows)
            ended.update(name for *_, name in rows)
            longest += [(float(seconds), name) for _, seconds, name in rows]
            passed += [name for outcome, _, name in rows if outcome == "passed"]
            failed = [name for outcome, _, name in rows if outcome == "failed"]
            if failed:
                print("\n".join(f"failed: {name}" for name in failed))
                print(log.read_text()[-4000:])
        if arguments.record is not None:
            with arguments.record.open("a", encoding="utf-8") as file:
                file.writelines(f"{name}\n" for name in passed)
        missing = tests - len(ended)
        said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        earlier = f", {before} passed before" if before else ""
        print(f"{arguments.device}: {tests} tests{earlier}: {said}; {missing} did not end")
        for seconds, name in sorted(longest, reverse=True)[:3]:
            print(f"  {seconds:.1f} s {name}")
        for name in stopped:
            print(f"  stopped: {name}")
        sys.exit(int(missing != 0 or counts["failed"] > 0 or counts["broken processes"] > 0))


if __name__ == "__main__":
    main()
