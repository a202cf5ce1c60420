#!/usr/bin/env python3
"""Products of huge integers by the CPU libraries: their time, random numbers to multiply, and a check digit by digit.

    intmul_peer.py time DIGITS [DIGITS ...] [--threads T] [--json FILE]
    intmul_peer.py make DIGITS FILE [--nines]
    intmul_peer.py check A B PRODUCT

`time` multiplies random numbers of so many decimal digits, with all cores unless told otherwise, by every library that
it finds: FLINT through the shared library that FLINT_LIBRARY names (scripts/build_flint.sh makes one that has the module
fft_small, which wheels for plain x86-64 lack), the Python packages python-flint and gmpy2 (GMP, which uses one core).
Only the multiplication is timed: the numbers are made in binary. Each product is checked modulo a prime.
"""

import argparse
import ctypes
import decimal
import json
import math
import os
import statistics
import sys
import time

PRIME = (1 << 61) - 1


class Flint:
    """FLINT through ctypes: an fmpz_t is an array of one machine word."""

    def __init__(self, threads):
        path = os.environ.get("FLINT_LIBRARY")
        if not path:
            raise ImportError("FLINT_LIBRARY names no library")
        self.library = ctypes.CDLL(os.path.abspath(path), mode=os.RTLD_LAZY)
        self.library.fmpz_fdiv_ui.restype = ctypes.c_ulong
        self.library.flint_set_num_threads(threads)
        self.threads = threads
        self.name = "FLINT (fft_small)" if hasattr(self.library, "mpn_ctx_init") else "FLINT"

    def number(self, data):
        x = (ctypes.c_long * 1)()
        self.library.fmpz_init(x)
        if self.library.fmpz_set_str(x, data.hex().encode(), 16):
            raise ValueError("fmpz_set_str")
        return x

    def multiply(self, x, y, z):
        z = z or self.number(b"\0")
        self.library.fmpz_mul(z, x, y)
        return z

    def residue(self, x):
        return self.library.fmpz_fdiv_ui(x, ctypes.c_ulong(PRIME))

    def drop(self, x):
        self.library.fmpz_clear(x)


class PythonFlint:
    def __init__(self, threads):
        import flint

        flint.ctx.threads = self.threads = threads
        self.make, self.name = flint.fmpz, f"python-flint {flint.__version__} (FLINT {flint.__FLINT_VERSION__})"

    def number(self, data):
        return self.make(int.from_bytes(data, "big"))

    def multiply(self, x, y, _):
        return x * y

    def residue(self, x):
        return int(x % PRIME)

    def drop(self, x):
        pass


class Gmp(PythonFlint):
    def __init__(self, _):
        import gmpy2

        self.threads = 1
        self.make, self.name = gmpy2.mpz, f"gmpy2 ({gmpy2.mp_version()})"


def time_library(library, digits, most_seconds=20.0):
    """Milliseconds of up to nine products: the first warms up, and is the only one if it takes too long."""
    count = math.ceil(digits * math.log2(10) / 8)
    x, y = library.number(b"\x7f" + os.urandom(count - 1)), library.number(b"\x7f" + os.urandom(count - 1))
    z, times, total = None, [], 0.0
    while len(times) < 9 and total < most_seconds / 2:
        start = time.perf_counter()
        z = library.multiply(x, y, z)
        times.append(1e3 * (time.perf_counter() - start))
        total += times[-1] / 1e3
    right = library.residue(z) == library.residue(x) * library.residue(y) % PRIME
    for number in (x, y, z):
        library.drop(number)
    kept = times[1:] or times
    return {"digits": digits, "library": library.name, "threads": library.threads, "runs": len(kept),
            "median_ms": statistics.median(kept), "least_ms": min(kept), "right": right}


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown"


def run_time(arguments):
    threads = arguments.threads or os.cpu_count()
    rows = []
    for kind in (Flint, PythonFlint, Gmp):
        try:
            library = kind(threads)
        except (ImportError, OSError) as error:
            print(f"{kind.__name__}: not here ({error})", file=sys.stderr)
            continue
        for digits in arguments.digits:
            row = time_library(library, digits)
            verdict = "" if row["right"] else "  WRONG"
            print(f"{row['library']:36} {digits:>12} digits  {row['median_ms']:>10.3f} ms  "
                  f"(least {row['least_ms']:.3f} of {row['runs']}){verdict}", file=sys.stderr)
            rows.append(row)
    document = {"processor": processor(), "cores": os.cpu_count(), "rows": rows}
    text = json.dumps(document, indent=2) + "\n"
    if arguments.json:
        with open(arguments.json, "w") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    if not all(row["right"] for row in rows):
        sys.exit("a product is wrong")


def run_make(arguments):
    digits = b"9" * arguments.digits
    if not arguments.nines:
        # Bytes below 250 are digits without bias.
        table, rest = bytes(ord("0") + i % 10 for i in range(256)), bytes(range(250, 256))
        parts, have = [b"7"], 1
        while have < arguments.digits:
            parts.append(os.urandom(min(1 << 24, 2 * (arguments.digits - have) + 64)).translate(table, rest))
            have += len(parts[-1])
        digits = b"".join(parts)[: arguments.digits]
    with open(arguments.file, "wb") as file:
        file.write(digits + b"\n")


def run_check(arguments):
    # Python's decimal numbers, libmpdec, are kept in base 10^19: no conversion.
    texts = [open(path).read().strip() for path in (arguments.a, arguments.b, arguments.product)]
    context = decimal.Context(prec=len(texts[0]) + len(texts[1]), Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    a, b = (context.create_decimal(text) for text in texts[:2])
    if format(context.multiply(a, b), "f") != texts[2]:
        sys.exit(f"{arguments.product} is not the product")
    print(f"{len(texts[2])} digits are right")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("time")
    command.add_argument("digits", type=int, nargs="+")
    command.add_argument("--threads", type=int)
    command.add_argument("--json")
    command.set_defaults(run=run_time)
    command = commands.add_parser("make")
    command.add_argument("digits", type=int)
    command.add_argument("file")
    command.add_argument("--nines", action="store_true")
    command.set_defaults(run=run_make)
    command = commands.add_parser("check")
    for name in ("a", "b", "product"):
        command.add_argument(name)
    command.set_defaults(run=run_check)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
