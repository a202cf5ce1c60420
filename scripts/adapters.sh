#!/usr/bin/env bash
# Tests the crates for Plonky3 and arkworks, which are no members of the workspace: form, lints, documentation, agreement with
# those libraries' own transforms on all devices of the machine, and their examples, on the CPU and on the first device of OpenCL
# if there is one.
#
#     adapters.sh [CASES]
#
# CASES is how many random cases the CPU takes for each field, on top of which they are compiled with all optimisations.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
profile=()
if [ $# -gt 0 ]; then
    export STOCKHAM_CASES=$1
    profile=(--release)
fi

step() { printf '\n== %s (%ss)\n' "$*" "$SECONDS"; }

for adapter in plonky3 arkworks; do
    cargo() { (cd "crates/stockham-$adapter" && command cargo "$@"); }
    step "stockham-$adapter: form, lints, documentation"
    cargo fmt --check
    cargo clippy --quiet --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps
    step "stockham-$adapter: tests, and the examples as such"
    cargo test "${profile[@]}"
done

step "done"
