#!/usr/bin/env bash
# Builds the Python package into a virtual environment and tests it: its own tests, on all devices of the machine, and
# doctests; its types and form; scipy.fft's tests, with this package as scipy's only backend; a sample of scipy.signal's.
#
#     [PROFILE=dev] python_tests.sh [VENV]
#
# PROFILE is cargo's; by default the package is built as it is installed, for release, which takes three times as long.
# VENV is a folder for the environment, which is made if it is not there; by default one that is removed in the end. If PyTorch
# is installed in it, tensors are tested, too.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
profile=${PROFILE:-release}
venv=$(realpath -m "${1:-$scratch/venv}")
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/python" PYTHONDONTWRITEBYTECODE=1
# Transforms are short here; the threads of NumPy's linear algebra would only be in the way.
export OPENBLAS_NUM_THREADS=1

step() { printf '\n== %s (%ss)\n' "$*" "$SECONDS"; }

step "the package"
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
python="$venv/bin/python"
MATURIN_PEP517_ARGS="--profile $profile" "$venv/bin/pip" install -q --force-reinstall --no-deps ./crates/stockham-python
"$venv/bin/pip" install -q 'numpy>=2' 'scipy>=1.14' pytest 'mypy==2.4.*' 'ruff==0.17.*' matplotlib 'jax[cpu]' array-api-strict

step "Rust's part: formatting and lints"
cargo fmt --manifest-path crates/stockham-python/Cargo.toml --check
cargo clippy --profile "$profile" --quiet --manifest-path crates/stockham-python/Cargo.toml -- -D warnings

step "Python's part: form and types"
"$venv/bin/ruff" check -q --config crates/stockham-python/pyproject.toml crates/stockham-python scripts/python_*.py
"$venv/bin/ruff" format -q --check --config crates/stockham-python/pyproject.toml crates/stockham-python scripts/python_*.py
# Not in the checkout, whose package has no extension module.
here=$PWD
cd "$scratch"
"$python" -m mypy --config-file "$here/crates/stockham-python/pyproject.toml" -p stockham
"$python" -m mypy.stubtest stockham --mypy-config-file "$here/crates/stockham-python/pyproject.toml"

run() { "$python" -m pytest -q -p no:cacheprovider -W ignore "$@"; }

step "its own tests"
run "$here/crates/stockham-python/tests"

step "the examples in its documentation"
run --doctest-modules --ignore-glob='*scipy_only.py' "$("$python" -c 'import stockham; print(stockham.__path__[0])')"

step "scipy.fft's tests, computed here"
run --pyargs scipy.fft.tests -p stockham.scipy_only

step "those of scipy.signal's that transform, computed here"
# Left out are one that holds a sum that is 0 to the last bit only by chance, as its tolerance is relative, to 0; and one that
# convolves without transforms, for longer than all the others take.
run --pyargs scipy.signal.tests.test_signaltools scipy.signal.tests.test_spectral scipy.signal.tests.test_short_time_fft \
    scipy.signal.tests.test_czt -p stockham.scipy_only \
    -k "(conv or fft or correl or resample or hilbert or test_spectral or czt) and not test_roundtrip_scaling and not test_large_array"

step "stockham.signal against scipy.signal"
"$python" "$here/scripts/python_signal.py" --calls 100 --seed 1000

step "times beside scipy's"
"$python" "$here/scripts/python_peers.py" --quick --workers 1
