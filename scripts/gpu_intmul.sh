#!/usr/bin/env bash
# Multiplies huge integers on every device and by the CPU libraries that are there, checks the products, and compares
# the times. No cargo is needed: the command `stockham` lies beside this script, or STOCKHAM_BIN names it.
#
#     gpu_intmul.sh OUT
#
# Makes its random numbers itself. OUT gets log.txt, intmul-DEVICE-DIGITS.json, peer.json and table.md. The exit status
# is 1 if a product was wrong or a step failed. Environment: DEVICES ("cuda:0 opencl:0"), SIZES (decimal digits, each
# multiplied on every device), HUGE (digits for the first device alone; 0 for none), REPEAT (runs to time; 20),
# FLINT_LIBRARY (see intmul_peer.py).
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
stockham=$(realpath "${STOCKHAM_BIN:-$here/stockham}")
read -ra devices <<<"${DEVICES:-cuda:0 opencl:0}"
read -ra sizes <<<"${SIZES:-1000000 10000000 100000000}"
huge=${HUGE-500000000}
repeat=${REPEAT:-20}
[ -z "${FLINT_LIBRARY:-}" ] || FLINT_LIBRARY=$(realpath "$FLINT_LIBRARY")
export FLINT_LIBRARY

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export STOCKHAM_CACHE_DIR=$scratch/kernels
peer() { python3 "$here/intmul_peer.py" "$@"; }

failed=0
# step NAME COMMAND ...: a line on standard output, the rest into the log. Bash does not heed `set -e` in the command.
step() {
    local name=$1 started=$SECONDS verdict=PASS
    shift
    printf '\n==== %s\n' "$name" >>"$out/log.txt"
    "$@" >"$scratch/log" 2>&1 || { verdict=FAIL && failed=$((failed + 1)); }
    cat "$scratch/log" >>"$out/log.txt"
    printf '%-44s %5d s  %s\n' "$name" $((SECONDS - started)) "$verdict"
    [ $verdict = PASS ] || tail -n 15 "$scratch/log" | sed 's/^/    /'
}

# DEVICE DIGITS NAME: with a record of that name
multiply() {
    rm -f c.txt
    "$stockham" intmul a.txt b.txt c.txt --device "$1" --verify --repeat "$repeat" \
        --json "$out/intmul-${1//:/}-$3.json"
}

# (10^n − 1)² = 99…9800…01, n − 1 nines and as many zeros.
nines() {
    rm -f c.txt
    peer make "$2" a.txt --nines || return
    "$stockham" intmul a.txt a.txt c.txt --device "$1" || return
    python3 - "$2" c.txt <<'PYTHON'
import sys
n, text = int(sys.argv[1]), open(sys.argv[2]).read()
sys.exit(text != "9" * (n - 1) + "8" + "0" * (n - 1) + "1\n")
PYTHON
}

# 0x f…f² likewise, in base 16.
hexadecimal() {
    python3 -c 'import sys; print("-0x" + "f" * int(sys.argv[1]))' "$2" >a.txt || return
    python3 -c 'import sys; print("0x" + "f" * int(sys.argv[1]))' "$2" >b.txt || return
    "$stockham" intmul a.txt b.txt c.txt --device "$1" --verify || return
    python3 - "$2" c.txt <<'PYTHON'
import sys
n, text = int(sys.argv[1]), open(sys.argv[2]).read()
sys.exit(text != "-0x" + "f" * (n - 1) + "e" + "0" * (n - 1) + "1\n")
PYTHON
}

# TOOL: of compute-sanitizer, over products that take several work-groups, a carry through all of them, and a twist.
sanitized() {
    peer make 200000 a.txt --nines || return
    peer make 150000 b.txt || return
    seq 4096 >polynomial.txt
    local product
    for product in "intmul a.txt a.txt c.txt" "intmul a.txt b.txt c.txt --verify" \
        "polymul --field goldilocks --negacyclic polynomial.txt polynomial.txt c.txt"; do
        # shellcheck disable=SC2086 # words
        compute-sanitizer --tool "$1" --error-exitcode 9 --print-limit 20 \
            "$stockham" $product --device cuda:0 | tee sanitizer || return
        # A sanitizer that watched nothing must not look like one that found nothing.
        grep -qE 'SUMMARY: 0 (errors|hazards)' sanitizer || return
    done
}

for device in "${devices[@]}"; do
    for n in 1 1000 $((sizes[0] / 2 + 1)); do
        step "nines:$device:$n" nines "$device" "$n"
        step "hexadecimal:$device:$n" hexadecimal "$device" "$n"
    done
done
if [[ " ${devices[*]} " == *" cuda:0 "* ]]; then
    PATH=$PATH:/usr/local/cuda/bin
    for tool in memcheck racecheck; do
        if command -v compute-sanitizer >/dev/null; then step "$tool" sanitized "$tool"; fi
    done
fi
for n in "${sizes[@]}"; do
    step "numbers:$n" peer make "$n" a.txt
    step "numbers:$n" peer make "$n" b.txt
    for device in "${devices[@]}"; do
        step "multiply:$device:$n" multiply "$device" "$n" "$n"
        # Digit by digit where that does not take long.
        [ "$n" -gt 10000000 ] || step "check:$device:$n" peer check a.txt b.txt c.txt
        mv c.txt "c-${device//:/}.txt" || continue
        step "agree:$device:$n" cmp "c-${devices[0]//:/}.txt" "c-${device//:/}.txt"
    done
    rm -f c-*.txt
done
step "peer" peer time "${sizes[@]}" --json "$out/peer.json"
if [ "$huge" -gt 0 ]; then
    step "numbers:$huge" peer make "$huge" a.txt
    step "numbers:$huge" peer make "$huge" b.txt
    repeat=5
    step "multiply:${devices[0]}:$huge" multiply "${devices[0]}" "$huge" "$huge"
fi

step "table" python3 - "$out" "${devices[@]}" <<'PYTHON'
import glob, json, os, sys

out, devices = sys.argv[1], sys.argv[2:]
peers = json.load(open(f"{out}/peer.json")) if os.path.exists(f"{out}/peer.json") else {"rows": []}
records = [json.load(open(path)) for path in glob.glob(f"{out}/intmul-*.json")]
records.sort(key=lambda r: (r["digits"][0], r["device"]["id"]))
lines = ["| digits | device | points | unpack | forward | product | inverse | carry | all, ms | best CPU library, ms | times as fast |",
         "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |"]
for record in records:
    digits, m = record["digits"][0], record["multiplication"]
    parts = [f"{m[part + '_ms']:.3f}" for part in ("unpack", "forward", "product", "inverse", "carry", "total")]
    rows = [row for row in peers["rows"] if row["digits"] == digits]
    best = min(rows, key=lambda row: row["median_ms"], default=None)
    told = f"{best['median_ms']:.3f} ({best['library']}, {best['threads']} threads)" if best else "–"
    ratio = f"{best['median_ms'] / m['total_ms']:.1f}" if best else "–"
    points = f"2^{m['points'].bit_length() - 1}"
    lines.append(f"| {digits} | {record['device']['name']} ({record['device']['id']}) | {points} | " + " | ".join(parts) + f" | {told} | {ratio} |")
with open(f"{out}/table.md", "w") as file:
    file.write("\n".join(lines) + "\n")
print("\n".join(lines))
PYTHON
cat "$out/table.md"
echo "$failed steps failed; $SECONDS s; logs in $out"
[ "$failed" -eq 0 ]
