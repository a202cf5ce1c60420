"""The package's types and its weight."""

import subprocess
import sys

import pytest


def test_mypy_accepts_the_package():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-p", "stockham"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_import_is_light():
    script = (
        "import sys, time, numpy; t = time.perf_counter(); import stockham; took = time.perf_counter() - t;"
        "print(took, 'scipy' in sys.modules)"
    )
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.split() for _ in range(3)]
    assert min(float(took) for took, _ in runs) < 0.060
    assert all(scipy == "False" for _, scipy in runs)


def test_numpy_is_imported_with_the_first_array():
    script = "import sys, stockham; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.strip() == "False"
