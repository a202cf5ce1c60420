#!/usr/bin/env python3
"""Writes docs/python_examples.md: runs the examples below one after the other, and puts down their text, their code, what they
print and what they draw.

    python_examples.py

Needs the installed package, numpy, matplotlib and PyTorch.
"""

import contextlib
import io
import os
import pathlib
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE, PICTURES = ROOT / "docs/python_examples.md", ROOT / "docs/python_examples"

HEAD = """# The Python package by examples

Written by `scripts/python_examples.py`, which runs them. [The package's README](../crates/stockham-python/README.md) tells how
to install it.
"""

# Title, text, code, and the name of a picture if one is drawn.
EXAMPLES = [
    (
        "The spectrum of a recording",
        "A chord on a guitar. A sine of amplitude A has the height A; levels are relative to full scale.",
        """
        import wave

        import matplotlib.pyplot as plt
        import numpy as np
        import stockham

        with wave.open("examples/data/guitar_chord.wav") as file:
            rate, channels = file.getframerate(), file.getnchannels()
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, channels)
        sound = samples.mean(axis=1) / 32768

        axes = stockham.plot.spectrum(sound, fs=rate)
        axes.set_xlim(50, 2000)
        print(f"{sound.size} samples at {rate} Hz")
        """,
        "spectrum",
    ),
    (
        "The same over time",
        "Each column is a spectrum of 4096 samples.",
        """
        axes = stockham.plot.spectrogram(sound, fs=rate, n=4096)
        axes.set_ylim(0, 4000)
        """,
        "spectrogram",
    ),
    (
        "An image without its high frequencies",
        "Transforms of two dimensions there and back; what is between is NumPy's.",
        """
        y, x = np.mgrid[-1:1:128j, -1:1:128j]
        image = np.sin(25 * np.hypot(x, y)) + np.random.default_rng(1).normal(0, 1, x.shape)

        spectrum = stockham.fft.rfft2(image)
        fy, fx = stockham.fft.fftfreq(128)[:, None], stockham.fft.rfftfreq(128)
        spectrum *= np.exp(-((fy**2 + fx**2) / 0.15**2))
        smooth = stockham.fft.irfft2(spectrum)

        figure, both = plt.subplots(1, 2, figsize=(6.4, 3.2), layout="constrained")
        for axes, picture, title in zip(both, (image, smooth), ("given", "smoothed")):
            axes.imshow(picture, cmap="gray", vmin=-2, vmax=2, interpolation="nearest")
            axes.set_title(title)
            axes.set_axis_off()
        """,
        "image",
    ),
    (
        "One shape, often",
        "A plan has read its arguments already, and tells how it computes.",
        """
        rows = stockham.plan((1000, 1024), "float32", kind="r2c")
        print(rows)
        spectra = rows(np.ones((1000, 1024), "float32"))
        print(spectra.shape, spectra.dtype)
        """,
        None,
    ),
    (
        "SciPy, computed here",
        "What is built on `scipy.fft` goes along.",
        """
        import scipy.fft
        import scipy.signal

        with scipy.fft.set_backend(stockham.scipy_backend, only=True):
            smooth = scipy.signal.fftconvolve(np.ones(1000), np.hanning(50))
        print(smooth.shape, smooth[500].round(6))
        """,
        None,
    ),
    (
        "Exact products",
        "Over finite fields nothing is rounded.",
        """
        a, b = 3**300_000, 7**150_000
        print(stockham.integer.multiply(a, b) == a * b)
        print(stockham.polynomial.multiply([1, 2, 3], [4, 5, 6], field="goldilocks"))
        print(stockham.ntt.ifft(stockham.ntt.fft([1, 2, 3, 4], field="17"), field="17"))
        """,
        None,
    ),
    (
        "A gradient through a transform",
        "A signal is fitted to a spectrum of amplitudes, with PyTorch's gradients.",
        """
        import torch

        torch.manual_seed(1)
        wanted = stockham.fft.rfft(torch.hann_window(64)).abs()
        signal = torch.randn(64, requires_grad=True)
        optimizer = torch.optim.Adam([signal], lr=0.05)
        for step in range(301):
            loss = (stockham.fft.rfft(signal).abs() - wanted).square().mean()
            if step % 100 == 0:
                print(f"step {step}: loss {loss.item():.1e}")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        """,
        None,
    ),
]


def main():
    os.chdir(ROOT)
    PICTURES.mkdir(exist_ok=True)
    plt.rcParams.update({"figure.figsize": (6.4, 3.2), "figure.dpi": 80, "savefig.dpi": 80, "font.size": 9})
    parts, names = [HEAD], {}
    for title, text, code, picture in EXAMPLES:
        code = textwrap.dedent(code).strip()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, title, "exec"), names)
        parts.append(f"## {title}\n\n{text}\n\n```python\n{code}\n```\n")
        if printed.getvalue():
            parts.append(f"```text\n{printed.getvalue()}```\n")
        if picture is not None:
            # Without the date and the version, the same picture is the same file.
            plt.savefig(PICTURES / f"{picture}.png", metadata={"Software": None})
            parts.append(f"![{title}]({PICTURES.name}/{picture}.png)\n")
        plt.close("all")
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
