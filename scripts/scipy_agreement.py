#!/usr/bin/env python3
"""Holds the stockham command's transforms of arrays to scipy.fft.

    scipy_agreement.py STOCKHAM DEVICE CASES SEED

Random arrays of several dtypes, shapes, memory and byte orders go through `stockham fft`: DFTs, real transforms, cosine and
sine transforms, both directions, every norm, any axes in any order, and lengths that crop and pad. The result must have
scipy's shape and dtype, and its values in the next wider precision within a relative L2 error of 4.0 u sqrt(log2 n). What
scipy refuses must be refused. Case number i has the seed SEED + i: one case with that seed repeats it.
"""

import concurrent.futures
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

    def __str__(self):
        order = "F" if self.x.flags.f_contiguous and not self.x.flags.c_contiguous else "C"
        array = f"{self.x.dtype.str} {self.x.shape} in {order} order"
        return f"seed {self.seed}: {self.kind} of {array}, fft {' '.join(self.options)}"

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


def error(stockham, device, case):
    """In units of u sqrt(log2 n); nothing where scipy and the command refuse."""
    x = case.x.astype(case.x.dtype.newbyteorder("="))
    try:
        like = case.scipy(x)
    except (ValueError, RuntimeError):
        like = None
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
        np.save(source, case.x)
        command = [stockham, "fft", source, target, "--device", device, *case.options]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode == 2 and like is None:
            return None
        if done.returncode != 0 or like is None:
            scipy_says = "refuses" if like is None else "does not refuse"
            raise Difference(f"{case}: exit code {done.returncode}, and scipy {scipy_says}\n{done.stderr}")
        y = np.load(target)
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
    # Most of the time goes into starting the command: several at a time.
    with concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count())) as pool:
        try:
            found = list(pool.map(lambda i: error(stockham, device, Case(seed + i)), range(cases)))
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
