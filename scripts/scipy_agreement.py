#!/usr/bin/env python3
"""Holds the transforms of arrays, by the stockham command or by the Python package, to scipy.fft.

    scipy_agreement.py STOCKHAM DEVICE CASES SEED
    scipy_agreement.py --package DEVICE CASES SEED

Random arrays of several dtypes, shapes, memory and byte orders go through `stockham fft`: DFTs, real transforms, cosine and
sine transforms, both directions, every norm, any axes in any order, and lengths that crop and pad. Through the package,
arrays have strides and gaps, too, and results go to new arrays, into `out` with strides of its own, or in place. It takes
thousands of cases a minute. What goes in for half a spectrum is random, and has none of its symmetry. The result must have
scipy's shape and dtype, and its values in the next wider precision within a relative L2 error of 4.0 u sqrt(log2 n). What
scipy refuses must be refused. Case number i has the seed SEED + i: one case with that seed repeats it.
"""

import concurrent.futures
import functools
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.fft

LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 17, 20, 37]
MOST = 5000  # elements of an array
REAL_TYPES = ["f2", "f4", "f8", "i2", "i4", "u1", "?"]
COMPLEX_TYPES = ["c8", "c16"]
KINDS = ["fftn", "ifftn", "rfftn", "irfftn", "dctn", "idctn", "dstn", "idstn"]
LIMIT = 4.0  # of prime lengths in double precision on the CPU; powers of two stay below 1


class Difference(Exception):
    pass


class Case:
    """What scipy is asked, and in what words the command is."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.seed = seed
        # Every kind comes in turn.
        self.kind = KINDS[seed % len(KINDS)]
        self.is_trig = self.kind[-3:] in ["ctn", "stn"]
        takes_complex = self.kind in ["fftn", "ifftn", "irfftn"]
        self.options = ["--inverse"] if self.kind.startswith("i") else []

        rank = rng.integers(1, 5)
        shape = rng.choice(LENGTHS, rank).tolist()
        while np.prod(shape) > MOST:
            shape[rng.integers(rank)] = 1
        self.x = array(rng, shape, rng.choice(REAL_TYPES + takes_complex * 3 * COMPLEX_TYPES))

        # The last axes are those of the lengths, or the very last one.
        count = int(rng.integers(1, rank + 1))
        named, resized = rng.random() < 0.8, rng.random() < 0.5
        axes = rng.permutation(rank)[:count].tolist() if named else list(range(rank))[-count if resized else -1 :]
        # scipy has no rule for what comes out of one point.
        resized = resized or self.kind == "irfftn" and shape[axes[-1]] == 1
        lengths = [max(1, shape[axis] + int(rng.integers(-3, 5))) for axis in axes] if resized else None
        if named:
            self.options += ["--axes=" + ",".join(str(axis - rank * int(rng.integers(2))) for axis in axes)]
        if resized:
            self.options += ["--shape", ",".join(map(str, lengths))]

        norm = str(rng.choice(["backward", "ortho", "forward"]))
        self.options += ["--norm", norm]
        self.arguments = {"s": lengths, "axes": axes, "norm": norm}
        if self.kind in ["rfftn", "irfftn"]:
            self.options += ["--real"]
        if self.is_trig:
            self.arguments["type"] = int(rng.integers(1, 5))
            self.options += ["--" + self.kind[-4:-1], str(self.arguments["type"])]
            # None is as the norm has it.
            orthogonalize = [None, True, False][rng.integers(3)]
            self.arguments["orthogonalize"] = orthogonalize
            self.options += [] if orthogonalize is None else ["--orthogonalize", str(orthogonalize).lower()]

        # Of the package only: how the array lies, and where the result goes.
        self.steps, self.order = rng.choice([1, 1, 1, 2, 3, -1, -2], rank), rng.permutation(rank)
        self.place = str(rng.choice(["new", "new", "overwrite_x", "out", "x"]))
        self.rng = rng

    def __str__(self):
        order = "F" if self.x.flags.f_contiguous and not self.x.flags.c_contiguous else "C"
        array = f"{self.x.dtype.str} {self.x.shape} in {order} order"
        layout = f"in the package with steps {self.steps} of axes in the order {self.order}, to {self.place}"
        return f"seed {self.seed}: {self.kind} of {array}, fft {' '.join(self.options)}, {layout}"

    def scipy(self, x):
        return getattr(scipy.fft, self.kind)(x, **self.arguments)


def array(rng, shape, dtype):
    x = 50 * rng.standard_normal(shape)
    if dtype in COMPLEX_TYPES:
        x = x + 50j * rng.standard_normal(shape)
    if dtype == "u1":
        x = abs(x)
    x = x.astype(dtype)
    if rng.random() < 0.3:
        x = np.asfortranarray(x)
    return x.astype(x.dtype.newbyteorder(">")) if rng.random() < 0.2 else x


def laid_out(x, order, steps):
    """The same numbers, so many places apart, the axes in that order in memory, and what is around them."""
    lengths = [n * abs(step) for n, step in zip(x.shape, steps)]
    around = np.full([lengths[axis] for axis in order], 77, x.dtype)
    view = around.transpose(np.argsort(order))[tuple(slice(None, None, step) for step in steps)]
    view[...] = x
    return view, around


def by_command(stockham, device, case, like):
    """The result, or nothing where it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
        np.save(source, case.x)
        command = [stockham, "fft", source, target, "--device", device, *case.options]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode == 2:
            return None
        if done.returncode != 0:
            raise Difference(f"{case}: exit code {done.returncode}\n{done.stderr}")
        return np.load(target)


def by_package(device, case, like):
    """The same. Nothing but the result may change."""
    import stockham

    x, around = laid_out(case.x, case.order, case.steps)
    before = around.copy()
    function, arguments = getattr(stockham.fft, case.kind), {**case.arguments, "device": device}
    place = case.place if like is not None else "new"
    if place == "x" and (like.dtype, like.shape) != (x.dtype, x.shape):
        place = "out"
    if place == "overwrite_x":
        arguments["overwrite_x"] = True
    if place == "x":
        arguments["out"] = x
    if place == "out":
        order = case.rng.permutation(like.ndim)
        out, around_out = laid_out(np.zeros(like.shape, like.dtype), order, case.rng.integers(1, 4, like.ndim))
        arguments["out"], beside = out, around_out.copy()
    try:
        y = function(x, **arguments)
    except (ValueError, RuntimeError):
        return None
    if place == "out":
        if y is not out:
            raise Difference(f"{case}: the result is another array than out")
        written, out[...] = out.copy(), 0
        if not np.array_equal(around_out, beside):
            raise Difference(f"{case}: numbers beside out have changed")
        y = written
    if place == "x":
        written, x[...] = x.copy(), case.x
        y = written
    if place != "overwrite_x" and around.tobytes() != before.tobytes():
        raise Difference(f"{case}: the input, or what is beside it, has changed")
    return y


def error(transform, case):
    """In units of u sqrt(log2 n); nothing where scipy and stockham refuse."""
    x = case.x.astype(case.x.dtype.newbyteorder("="))
    try:
        like = case.scipy(x)
    except (ValueError, RuntimeError):
        like = None
    y = transform(case, like)
    if (y is None) != (like is None):
        raise Difference(f"{case}: {'refused' if y is None else 'not refused'}, unlike scipy's")
    if y is None:
        return None
    if (y.shape, y.dtype) != (like.shape, like.dtype):
        raise Difference(f"{case}: {y.dtype} {y.shape}, scipy has {like.dtype} {like.shape}")
    is_single = y.dtype in [np.float32, np.complex64]
    wide = x.astype([np.longdouble, np.clongdouble, np.double, np.cdouble][2 * is_single + np.iscomplexobj(x)])
    reference = case.scipy(wide)
    assert reference.dtype.itemsize > y.dtype.itemsize, "this check needs a scipy that transforms long double"
    # Relative to what would come out if nothing cancelled: irfftn leaves imaginary parts out, which may be nearly all.
    size = np.linalg.norm(case.scipy(abs(wide)).ravel())
    points = np.prod([reference.shape[axis] for axis in case.arguments["axes"]])
    unit = (2.0**-24 if is_single else 2.0**-53) * max(1.0, np.log2(points)) ** 0.5
    units = float(np.linalg.norm((y - reference).ravel()) / unit / size) if size > 0 else float(abs(y).max())
    if not units <= LIMIT:
        raise Difference(f"{case}: {units} u sqrt(log2 n)")
    return units


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    stockham, device = sys.argv[1:3]
    cases, seed = map(int, sys.argv[3:])
    is_package = stockham == "--package"
    transform = functools.partial(by_package, device) if is_package else functools.partial(by_command, stockham, device)
    # Most of the command's time goes into starting it: several at a time.
    with concurrent.futures.ThreadPoolExecutor(1 if is_package else min(8, os.cpu_count())) as pool:
        try:
            found = list(pool.map(lambda i: error(transform, Case(seed + i)), range(cases)))
        except Difference as difference:
            pool.shutdown(cancel_futures=True)
            sys.exit(f"{device}: {difference}")
    units = [error for error in found if error is not None]
    print(
        f"{device}, seeds {seed} to {seed + cases - 1}: {len(units)} transforms of arrays agree with scipy; "
        f"refused: {cases - len(units)}; worst L2 error {max(units, default=0.0):.3f} u sqrt(log2 n)"
    )


if __name__ == "__main__":
    main()
