"""`stockham.signal`: a sample of random calls against SciPy's, laws, and what is refused."""

import warnings

import numpy as np
import pytest
import scipy.signal
import signal_cases
import stockham.signal
from stockham import signal


@pytest.mark.parametrize("name", signal_cases.FUNCTIONS)
def test_random_calls(name):
    units = [signal_cases.check(name, seed) for seed in range(80)]
    # Most calls are such as both take.
    assert sum(each is not None for each in units) > 55


@pytest.mark.parametrize("name", ["fftconvolve", "oaconvolve", "convolve", "correlate"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_long_convolutions(name, mode):
    rng = np.random.default_rng(2)
    for shape, other in [
        ((10000,), (37,)),
        ((37,), (10000,)),
        ((300, 20), (3, 17)),
        ((3, 500), (200, 4)),
        ((6, 7, 400), (1, 7, 9)),
    ]:
        if mode == "valid" and shape[0] == 3:
            continue
        x, h = rng.standard_normal(shape), rng.standard_normal(other)
        expected = getattr(scipy.signal, name)(x, h, mode)
        np.testing.assert_allclose(getattr(signal, name)(x, h, mode), expected, atol=1e-11)


def test_integers_are_exact():
    rng = np.random.default_rng(3)
    for bits in (8, 20, 40, 62):
        a, b = (rng.integers(-(2**bits), 2**bits, n) for n in (1000, 700))
        np.testing.assert_array_equal(signal.convolve(a, b), np.convolve(a, b))
        np.testing.assert_array_equal(signal.correlate(a, b), np.correlate(a, b, "full"))
    a = rng.integers(-9, 9, (30, 40))
    np.testing.assert_array_equal(signal.convolve(a, a, method="fft"), signal.convolve(a, a, method="direct"))
    bits = rng.random(20) < 0.3
    np.testing.assert_array_equal(signal.convolve(bits, bits), np.convolve(bits, bits))


def test_ways_of_convolution_are_measured():
    x = np.ones(2000)
    method, times = signal.choose_conv_method(x, x, measure=True)
    assert times[method] == min(times.values()) and set(times) == {"fft", "direct"}
    assert signal.choose_conv_method(np.full(9, 2**40), np.full(9, 2**40)) == "direct"


def test_nothing_finite_spreads_with_a_warning():
    x = np.ones(2000)
    x[3] = np.nan
    with pytest.warns(RuntimeWarning, match="direct"):
        signal.convolve(x, x, method="fft")


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_lags(mode):
    for n in range(1, 9):
        for m in range(1, 9):
            expected = scipy.signal.correlation_lags(n, m, mode)
            np.testing.assert_array_equal(signal.correlation_lags(n, m, mode), expected)


@pytest.mark.parametrize("boundary", ["zeros", "even", "odd", "constant"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_spectra_of_segments_make_the_signal_again(boundary, axis):
    rng = np.random.default_rng(4)
    x = np.moveaxis(rng.standard_normal((2, 3, 500)), -1, axis)
    _, _, z = signal.stft(x, nperseg=60, noverlap=45, boundary=boundary, axis=axis)
    t, y = signal.istft(z, nperseg=60, noverlap=45, freq_axis=axis)
    y = np.moveaxis(y, -1, axis)
    np.testing.assert_allclose(np.take(y, range(500), axis), x, atol=1e-13)
    assert t.shape == (y.shape[axis],)


def test_powers_add_up():
    # Parseval's theorem for each segment.
    x = np.random.default_rng(5).standard_normal(4000)
    f, power = signal.periodogram(x, fs=10.0, detrend=False)
    np.testing.assert_allclose(power.sum() * (f[1] - f[0]), (x * x).mean())


def test_phases_without_jumps():
    x = np.random.default_rng(6).standard_normal((2, 600))
    for axis in (-1, 1):
        _, _, found = signal.spectrogram(x, nperseg=64, mode="phase", axis=axis)
        np.testing.assert_allclose(found, scipy.signal.spectrogram(x, nperseg=64, mode="phase", axis=axis)[2], atol=1e-9)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_shifts_are_found(dtype):
    rng = np.random.default_rng(7)
    image = rng.standard_normal((3, 31, 40)).astype(dtype)
    if np.dtype(dtype).kind == "c":
        image = image + 1j * rng.standard_normal(image.shape).astype(dtype)
    found = signal.phase_correlation(np.roll(image, (5, -7), (1, 2)), image, axes=(1, 2))
    expected = np.zeros((3, 31, 40))
    expected[:, 5, -7] = 1
    np.testing.assert_allclose(
        found, expected, atol=1e-4 if image.dtype.itemsize // (2 if dtype[0] == "c" else 1) == 4 else 1e-12
    )
    assert not signal.phase_correlation(np.zeros(8), np.ones(8)).any()


@pytest.mark.parametrize("n", [1, 2, 100, 30000])
@pytest.mark.parametrize("m", [1, 2, 65, 129])
def test_filters(n, m):
    taps = scipy.signal.firwin(m, 0.3)
    x = np.random.default_rng(8).standard_normal((2, n))
    np.testing.assert_allclose(signal.fftfilt(taps, x), scipy.signal.lfilter(taps, 1, x), atol=1e-14)


REFUSED = {
    "fftconvolve": [([1.0], [[1.0]]), ([1.0, 2], [1.0, 2], "all"), (np.ones((2, 3)), np.ones((3, 2)), "valid")],
    "oaconvolve": [(np.ones((2, 3)), np.ones((4, 3)), "full", 1), (np.ones(3), np.ones(3), "full", []), ([1.0], [2.0], "no")],
    "convolve": [([1, 2], [3, 4], "full", "best"), ([1, 2], [[3]]), ([1, 2], [3, 4], 1)],
    "correlate": [([1, 2], [3, 4], "full", "best"), ([1, 2], [[3]]), ([1, 2], [3, 4], "nothing")],
    "correlation_lags": [(3, 4, "no")],
    "welch": [(np.ones(9), 1.0, "hann", 0), (np.ones(9), 1.0, np.ones((3, 3))), (np.ones(9), 1.0, "hann", 4, 4)],
    "csd": [(np.ones((2, 9)), np.ones((3, 9))), (np.ones(9), np.ones(9), 1.0, "hann", 4, 2, 3)],
    "periodogram": [(np.ones(9), 1.0, np.ones(4)), (np.ones(9), 1.0, "hann", None, "steep")],
    "spectrogram": [(np.ones(9), 1.0, "hann", 4, 2, 4, False, True, "density", -1, "power")],
    "stft": [
        (np.ones(9), 1.0, "hann", 4, 2, 4, False, True, "none"),
        (np.ones(9), 1.0, "hann", 4, 2, 4, False, True, None, True, -1, "x"),
    ],
    "istft": [
        (np.ones(4),),
        (np.ones((3, 4)), 1.0, np.ones(3)),
        (np.ones((3, 4)), 1, "hann", 4, 4),
        (np.ones((3, 4)), 1, "hann", 9),
    ],
    "hilbert": [([1j],), ([1.0], 0)],
    "hilbert2": [([1j],), (np.ones((2, 2)), (1, 2, 3)), (np.ones((2, 2)), None, (0, 0)), (np.ones((2, 2)), None, (0,))],
    "resample": [([1.0, 2.0], 3, None, 0, np.ones(3)), ([1.0], 1, None, 0, None, "space")],
    "get_window": [("nothing", 3), ("hann", 0), ("kaiser", 3), (("hann", 1), 3), ("hann", 3, 1), ((1, "hann"), 3), (None, 3)],
}


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, each in REFUSED.items() for args in each])
def test_what_is_refused(name, args):
    with pytest.raises(ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        getattr(scipy.signal, name)(*args)
    with pytest.raises(ValueError):
        getattr(signal, name)(*args)


def test_filters_and_shifts_that_are_refused():
    with pytest.raises(ValueError, match="one dimension"):
        signal.fftfilt(np.ones((2, 2)), np.ones(3))
    with pytest.raises(ValueError, match="shapes"):
        signal.phase_correlation(np.ones(3), np.ones(4))


def test_what_is_warned_of():
    with pytest.warns(UserWarning, match="nperseg"):
        assert signal.welch(np.ones(9))[1].shape == (5,)
    with pytest.warns(UserWarning, match="complex"):
        signal.spectrogram(np.ones(300, complex))
    with pytest.warns(UserWarning, match="NOLA"):
        signal.istft(np.ones((5, 4)), noverlap=0, boundary=False)


@pytest.mark.parametrize("name", ["welch", "periodogram", "stft"])
def test_nothing_gives_nothing(name):
    x = np.ones((2, 0))
    for found, expected in zip(getattr(signal, name)(x), getattr(scipy.signal, name)(x), strict=True):
        assert found.shape == expected.shape


def test_lists_and_half_precision():
    assert signal.stft([1.0] * 300)[2].dtype == np.complex128
    assert signal.welch(np.ones(300, np.float16))[1].dtype == np.float32
    assert signal.hilbert(np.ones(300, np.float32)).dtype == np.complex64
    assert stockham.signal.get_window("hann", 9, xp=np).dtype == np.float64
