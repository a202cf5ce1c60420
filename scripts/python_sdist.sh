#!/usr/bin/env bash
# Packs the Python package's sources, builds a wheel from them alone, installs it in an empty environment, and computes.
#
#     python_sdist.sh [FOLDER]
#
# FOLDER gets the sources and the wheel; by default target/python-dist.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-target/python-dist}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/build"
"$scratch/build/bin/pip" install -q 'maturin>=1.9,<2'
mkdir -p "$folder"
rm -f "$folder"/stockham-*
"$scratch/build/bin/maturin" sdist -m crates/stockham-python/Cargo.toml -o "$folder"
python3 -m venv "$scratch/empty"
# pip unpacks the sources elsewhere, so that nothing of this checkout is seen.
"$scratch/empty/bin/pip" wheel -q --no-deps -w "$folder" "$folder"/stockham-*.tar.gz
"$scratch/empty/bin/pip" install -q "$folder"/stockham-*.whl
cd "$scratch"
"$scratch/empty/bin/python" -c '
import numpy as np, stockham
x = np.random.default_rng(1).standard_normal(1000)
assert np.allclose(stockham.fft.rfft(x), np.fft.rfft(x))
print(stockham.__version__, "computes")'
[ "$("$scratch/empty/bin/pip" list --format freeze | grep -vc '^\(pip\|setuptools\|stockham\)\b')" -eq 1 ]
[ "$(stat -c %s "$folder"/stockham-*.whl)" -le 8000000 ]
ls -l "$folder"
