#!/usr/bin/env bash
# Changed recipes, as many as wanted: each is refused, or its kernels stay within memory. In the interpreter, and on PoCL
# between pages that nobody may touch. docs/safety.md tells what is promised.
#
#     scripts/mutations.sh [CHANGES [RUNS [SEED]]]        (1000000, 1000 and the time by default)
set -euo pipefail
cd "$(dirname "$0")/.."
export STOCKHAM_MUTATIONS=${1:-1000000} STOCKHAM_GUARDED_RUNS=${2:-1000} STOCKHAM_MUTATIONS_SEED=${3:-$(date +%s)}
echo "$STOCKHAM_MUTATIONS changes, $STOCKHAM_GUARDED_RUNS runs between guard pages, seed $STOCKHAM_MUTATIONS_SEED"
cargo test -p stockham --lib kernel::tests::reach -- --nocapture
cargo test -p stockham --test laws guards:: -- --nocapture
