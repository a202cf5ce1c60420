"""Pictures of spectra: what is drawn where, with which words."""

import subprocess
import sys

import numpy as np
import pytest
import stockham

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


def peak(axes):
    """Where the highest point of a line is."""
    x, y = axes.lines[0].get_data()
    at = int(np.argmax(y))
    return x[at], y[at]


@pytest.mark.parametrize("n", [999, 1000, 1024])
@pytest.mark.parametrize("window", ["hann", "rectangular"])
def test_a_sine_has_its_amplitude(n, window):
    fs = 8000.0
    f = fs * 100 / n
    t = np.arange(n) / fs
    axes = stockham.plot.spectrum(3 * np.sin(2 * np.pi * f * t + 1), fs, window=window, db=False, unit="V")
    assert peak(axes) == pytest.approx((f, 3.0), rel=1e-9)
    assert axes.get_xlabel() == "Frequency in Hz"
    assert axes.get_ylabel() == "Amplitude in V"
    assert axes.lines[0].get_xdata()[-1] == pytest.approx(fs / 2 if n % 2 == 0 else fs / 2 - fs / n / 2)


def test_ends_count_once():
    for signal, at in [(np.full(64, 5.0), 0.0), (5.0 * (-1.0) ** np.arange(64), 0.5)]:
        assert peak(stockham.plot.spectrum(signal, db=False, window="rectangular")) == pytest.approx((at, 5.0))


def test_complex_samples_have_negative_frequencies():
    z = 2 * np.exp(-2j * np.pi * 20 * np.arange(100) / 100)
    axes = stockham.plot.spectrum(z.astype(np.complex64), 100.0)
    assert peak(axes) == pytest.approx((-20.0, 20 * np.log10(2)), abs=1e-4)
    assert np.all(np.diff(axes.lines[0].get_xdata()) > 0)
    assert axes.get_ylabel() == "Amplitude in dB relative to 1"


def test_silence_is_drawn():
    for plot in (stockham.plot.spectrum, lambda x: stockham.plot.spectrogram(x, n=16)):
        axes = plot(np.zeros(64))
        axes.figure.canvas.draw()


def test_axes_are_taken():
    _, (left, right) = plt.subplots(1, 2)
    assert stockham.plot.spectrum([1, 2, 3, 4], ax=left) is left
    assert stockham.plot.spectrogram(np.arange(100), n=10, ax=right, colorbar=False) is right
    assert len(left.figure.axes) == 2
    stockham.plot.spectrogram(np.arange(100), n=10, ax=right, unit="V")
    assert left.figure.axes[-1].get_ylabel() == "Amplitude in dB relative to 1 V"


@pytest.mark.parametrize("complex_samples", [False, True])
def test_a_spectrogram_shows_when_and_what(complex_samples):
    fs, n = 1000.0, 100
    t = np.arange(4000) / fs
    f = np.where(t < 2, 100.0, 300.0)
    x = np.exp(2j * np.pi * f * t)
    axes = stockham.plot.spectrogram(x if complex_samples else x.real, fs, n=n, hop=50)
    image = axes.images[0]
    levels = image.get_array()
    left, right, low, high = image.get_extent()
    assert levels.shape == (n if complex_samples else n // 2 + 1, (4000 - n) // 50 + 1)
    for time, expected in [(1.0, 100.0), (3.0, 300.0)]:
        column = int((time - left) / (right - left) * levels.shape[1])
        row = int(np.argmax(levels[:, column]))
        assert low + (row + 0.5) / levels.shape[0] * (high - low) == pytest.approx(expected)
        assert levels[row, column] == pytest.approx(0.0, abs=1e-9)
    assert levels.max() - levels.min() <= 80 + 1e-9
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Time in s", "Frequency in Hz")
    # The middle of the first and of the last spectrum's samples, half a hop off.
    assert left == pytest.approx((n / 2 - 25) / fs)
    assert right == pytest.approx((3900 + n / 2 + 25) / fs)


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({"x": []}, ValueError),
        ({"x": np.ones((3, 3))}, ValueError),
        ({"x": ["a", "b"]}, TypeError),
        ({"x": np.array([1, None])}, TypeError),
        ({"fs": 0}, ValueError),
        ({"fs": -1.0}, ValueError),
        ({"fs": np.nan}, ValueError),
        ({"window": "hannn"}, ValueError),
        ({"window": np.ones(3)}, ValueError),
        ({"window": np.zeros(64)}, ValueError),
    ],
    ids=str,
)
def test_what_is_refused(kwargs, error):
    kwargs = {"x": np.ones(64), **kwargs}
    with pytest.raises(error):
        stockham.plot.spectrum(**kwargs)
    with pytest.raises(error):
        stockham.plot.spectrogram(**kwargs, n=64)
    assert plt.get_fignums() == []


def test_bad_segments():
    for kwargs in [{"n": 0}, {"n": 65}, {"n": 8, "hop": 0}, {"n": 8, "range_db": 0}, {"n": 8, "range_db": np.nan}]:
        with pytest.raises(ValueError):
            stockham.plot.spectrogram(np.ones(64), **kwargs)
    with pytest.raises(TypeError):
        stockham.plot.spectrogram(np.ones(64), n=8.0)


def test_without_matplotlib_it_is_told_what_to_install():
    script = (
        "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.pyplot'] = None\n"
        "import stockham\n"
        "try: stockham.plot.spectrum([1.0, 2.0])\n"
        "except ImportError as error: print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout
    assert "pip install 'stockham[plot]'" in told


def test_nothing_is_imported_before():
    script = "import sys, stockham; stockham.plot; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.strip() == "False"
