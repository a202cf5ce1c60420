"""The package's types and its weight."""

import subprocess
import sys

import pytest

USE = """
import stockham
import stockham.fft

y = stockham.fft.fft([1.0, 2.0], n=4, norm="ortho")
plan: stockham.Plan = stockham.plan((4, 8), "float32", kind="r2c")
entries: int = stockham.cache.info().entries
product: int = stockham.integer.multiply(3, 4)
name: str = stockham.devices()[0].id
power: stockham.Plan = stockham.plan(4, "int16", kind="r2c", n=8, keep=3, store=stockham.expr.power(2 * stockham.expr.value()))
"""


@pytest.mark.parametrize(
    "wrong",
    ["", "stockham.fft.fft([1.0], plan=3)", "stockham.plan(4, kind=2)", "stockham.nothing", "stockham.plan(4, load=1.0)"],
)
def test_types_are_known_to_users(tmp_path, wrong):
    pytest.importorskip("mypy")
    program = tmp_path / "use.py"
    program.write_text(USE + wrong + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode != 0) == bool(wrong), done.stdout


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
