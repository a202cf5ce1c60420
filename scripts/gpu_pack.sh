#!/usr/bin/env bash
# Packs what a GPU machine without cargo needs to test and time this project: the command, every test as a program of
# its own, and the scripts, as a folder and as FOLDER.tar.gz, which is what travels and must not be larger than the limit.
# There, `gpu_run.sh` of the folder runs them.
#
#     scripts/gpu_pack.sh [FOLDER]        (target/gpu-pack by default)
set -euo pipefail
cd "$(dirname "$0")/.."
pack=${1:-target/gpu-pack}
pack=${pack%/}
archive=$pack.tar.gz
limit_mib=64

# A folder that holds something else is not ours to empty.
if [ -e "$pack" ] && [ ! -e "$pack/gpu_run.sh" ]; then
    echo "$pack is there and is no pack: remove it first" >&2
    exit 1
fi
rm -rf "$pack" "$archive"
mkdir -p "$pack/tests"

# The programs that a cargo build made, as PACKAGE.TARGET and path: its messages, one JSON object a line, name them.
programs() {
    python3 -c '
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("reason") != "compiler-artifact" or not message.get("executable"):
        continue
    kind, target = message["target"]["kind"][0], message["target"]["name"]
    if kind == "example" and target not in sys.argv[1:]:
        continue
    package = os.path.basename(os.path.dirname(message["manifest_path"]))
    name = target if kind in ("test", "example") else kind
    print("test" if message["profile"]["test"] else "plain", f"{package}.{name}", message["executable"])
' "$@"
}

build() { cargo "$@" --release --message-format=json-render-diagnostics; }

build build -p stockham-cli --bins | programs | while read -r _ _ path; do cp "$path" "$pack/stockham"; done
build build -p stockham --example first | programs first | while read -r _ _ path; do cp "$path" "$pack/first"; done
build test --workspace --no-run --lib --bins --tests | programs | while read -r use name path; do
    if [ "$use" = test ]; then cp "$path" "$pack/tests/$name"; fi
done
strip "$pack/stockham" "$pack/first" "$pack/tests/"*
cp scripts/gpu_run.sh scripts/gpu_lab.sh scripts/numpy_agreement.py scripts/gpu_intmul.sh scripts/intmul_peer.py "$pack/"

tar -C "$(dirname "$pack")" -czf "$archive" "$(basename "$pack")"
bytes=$(stat -c %s "$archive")
printf '%s: %d tests, %d.%d MiB\n' "$archive" "$(find "$pack/tests" -type f | wc -l)" \
    $((bytes >> 20)) $(((bytes % (1 << 20)) * 10 >> 20))
if [ "$bytes" -gt $((limit_mib << 20)) ]; then
    echo "that is more than $limit_mib MiB" >&2
    exit 1
fi
