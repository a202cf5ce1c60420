"""Long work tells how far it is, and can be interrupted."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import stockham

BITS = 3_000_000


def reports(work):
    """What a callback is told."""
    told = []
    result = work(lambda *words: told.append(words))
    return result, told


def assert_in_order(told):
    count = told[0][1]
    assert [done for done, _, _ in told] == list(range(count + 1))
    assert all(of == count and bool(what) == (done < count) for done, of, what in told)


@pytest.mark.parametrize("bits", [100, BITS])
def test_integers(bits):
    rng = np.random.default_rng(bits)
    a, b = (int.from_bytes(rng.bytes(bits // 8), "little") | 1 << bits for _ in range(2))
    for x, y in [(a, b), (-a, b), (a, a), (-a, a), (-a, -a)]:
        product, told = reports(lambda progress, x=x, y=y: stockham.integer.multiply(x, y, progress=progress))
        assert product == x * y
        assert_in_order(told)


@pytest.mark.parametrize("field", [None, "goldilocks", "P3"])
def test_polynomials(field):
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 100, (2, 300)).astype(object if field else float)
    product, told = reports(lambda progress: stockham.polynomial.multiply(a, b, field=field, progress=progress))
    assert_in_order(told)
    expected = np.convolve(a.astype(float), b.astype(float))
    np.testing.assert_allclose(product.astype(float), expected, atol=1e-6)


def test_callbacks_that_raise():
    def raises(done, count, what):
        if done == 2:
            raise KeyError(what)

    with pytest.raises(KeyError):
        stockham.integer.multiply(1 << BITS, 3 << BITS, progress=raises)
    for wrong in (3, "text"):
        with pytest.raises(TypeError):
            stockham.polynomial.multiply([1.0], [2.0], progress=wrong)
        with pytest.raises(TypeError):
            stockham.integer.multiply(1 << BITS, 1 << BITS, progress=wrong)
    # The next one is not disturbed by what was given up.
    assert stockham.integer.multiply(3 << BITS, 1 << BITS) == 3 << 2 * BITS


def test_errors_of_the_work():
    n = 1 << 17
    with pytest.raises(ValueError):
        stockham.polynomial.multiply(np.ones(n), np.ones(n - 1), product="cyclic")


def test_work_in_another_thread():
    results = []
    a = (1 << BITS) - 1
    thread = threading.Thread(target=lambda: results.append(stockham.integer.multiply(a, a)))
    thread.start()
    thread.join()
    assert results == [a * a]


INTERRUPTED = """
import os
import stockham

a, reached = (1 << 100_000_000) - 1, []

def progress(done, count, what):
    reached.append(done)
    if what == "multiplying":
        print("ready", flush=True)

try:
    stockham.integer.multiply(a, a + 2, progress=progress)
except KeyboardInterrupt:
    print("interrupted after", reached[-1], flush=True)
    # The work that was given up is not waited for.
    os._exit(0)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_an_interrupt_ends_a_product_before_its_last_stage():
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted after 3\n"
