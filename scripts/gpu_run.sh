#!/usr/bin/env bash
# Tests and times this project on a machine with NVIDIA GPUs, from a pack that `gpu_pack.sh` made and tar unpacked; no
# cargo is needed.
#
#     gpu_run.sh OUT [STEP ...]        gpu_run.sh --list
#
# Runs the steps whose names match one of the shell patterns, all by default: `gpu_run.sh out 'test:*' 'verify:*'`.
# Prints a line a step; OUT/log.txt has what they printed, OUT/summary.txt the lines, OUT/bench-*.json the records. Each
# call adds to log and summary. The exit status is 1 if a step failed. A step whose tool is missing is skipped, and says
# so. What is timed runs first, alone; the rest JOBS at a time (one a core), sanitizers last. STEP_SECONDS limits a step
# (570 by default); DEVICES names the devices ("cuda:0 opencl:0"). The laws run one by one on a GPU: NVIDIA's OpenCL
# compiler takes one kernel at a time of a process.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
read -ra devices <<<"${DEVICES:-cuda:0 opencl:0}"
limit=${STEP_SECONDS:-570}
jobs=${JOBS:-$(nproc)}
command=$here/stockham

# cuFFT, which the benchmarks compare with, lies here where its toolkit is not on the library path.
cuda_libraries=/usr/local/cuda/targets/x86_64-linux/lib
if [ -d "$cuda_libraries" ]; then
    export LD_LIBRARY_PATH="$cuda_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
export PATH="$PATH:/usr/local/cuda/bin"
# The tests would look for the command where cargo built it.
export STOCKHAM_BIN=$command

kinds() { # the words that select an algebra
    case $1 in
    f32) echo "--precision f32" ;;
    f64) echo "--precision f64" ;;
    *) echo "--field $1" ;;
    esac
}

# Lengths with larger prime factors, and long ones.
others=17,19,23,29,31,34,289,323,899,961,1001,4807,10000,12000,24576,30030,50000,60060,100000,117649,161051,196608,250047,371293,500000,531441,720720,10^6,1771561,2000000
others=$others,3000000,4782969,5000000,5764801,7200000,9765625,10^7,14348907,20000000,30000000,50000000,60000000,10^8

# Planes, volumes and lines.
shapes=64x64,256x256,1024x1024,1000x729,33x4096,64x64x64,37x41x43,16x16x16x16,1023,4096,123201

# Every step is a name; `run_step` below gives it its meaning.
steps() {
    echo devices
    local test name device kind tool law
    for test in "$here"/tests/*; do
        name=$(basename "$test")
        # On a device at a time. The unit tests look for their devices themselves.
        case $name in
        stockham.lib | stockham.readme | stockham-cli.bin) echo "test:$name" ;;
        stockham.laws)
            echo "test:$name@cpu"
            # Those that are ignored are started by others.
            "$test" --list --format terse 2>/dev/null | sed -n 's/: test$//p' |
                grep -vxFf <("$test" --list --ignored --format terse 2>/dev/null | sed -n 's/: test$//p') | while read -r law; do
                for device in "${devices[@]}"; do echo "test:$name@$device=$law"; done
            done
            ;;
        *) for device in cpu "${devices[@]}"; do echo "test:$name@$device"; done ;;
        esac
    done
    for device in "${devices[@]}"; do echo "numpy:$device"; done
    for device in "${devices[@]}"; do
        for kind in f32 f64 goldilocks; do echo "verify:$device:$kind"; done
        for kind in f32 f64; do printf '%s\n' "verify-smooth:$device:$kind" "verify-arrays:$device:$kind"; done
    done
    for tool in memcheck racecheck; do
        for kind in f32 f64 goldilocks P3 P4 P5 G8 clusters ahead rings slices smooth; do echo "$tool:$kind"; done
    done
    echo bench:hopper
    for kind in f32 f64; do echo "bench-smooth:$kind"; done
    for kind in P3 P4 G32 P3/residues bls12-381; do echo "bench:$kind"; done
    echo bench:opencl
    for device in "${devices[@]}"; do echo "first:$device"; done
}

# Status 77 means: skipped.
skip() {
    echo "skipped: $*"
    return 77
}

# A program under the sanitizer that the step's name begins with.
sanitized() {
    local name=$1 said=$scratch/${1//[^a-zA-Z0-9]/_}
    shift
    command -v compute-sanitizer >/dev/null || skip "compute-sanitizer is not on this machine" || return
    compute-sanitizer --tool "${name%%:*}" --error-exitcode 9 --print-limit 20 "$@" | tee "$said" || return
    # A sanitizer that watched nothing must not look like one that found nothing.
    grep -qE 'SUMMARY: 0 (errors|hazards)' "$said"
}

# A file with the numbers up to this one, a line each.
numbers() {
    local file
    file=$(mktemp "$scratch/numbers.XXXXXX")
    seq "$1" >"$file"
    echo "$file"
}

# shellcheck disable=SC2046 # `kinds` gives two words
run_step() {
    local name=$1 rest=${1#*:}
    case $name in
    devices)
        nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem --format=csv || true
        "$command" devices
        ;;
    test:*@*=*)
        local where=${rest#*@} said=$scratch/${name//[^a-zA-Z0-9]/_}
        STOCKHAM_TEST_DEVICE=${where%%=*} "$here/tests/${rest%%@*}" --exact "${rest#*=}" | tee "$said" || return
        # A name that selects nothing must not look like a law that holds.
        grep -q '1 passed' "$said"
        ;;
    test:*@*)
        STOCKHAM_TEST_DEVICE=${rest#*@} "$here/tests/${rest%@*}"
        ;;
    test:*)
        # One at a time: PoCL, which is often there too, aborts when many threads release programs at once.
        RUST_TEST_THREADS=1 env -u STOCKHAM_TEST_DEVICE "$here/tests/$rest"
        ;;
    numpy:*)
        python3 -c 'import numpy, sys; sys.exit(int(numpy.__version__.split(".")[0]) < 2)' 2>/dev/null ||
            skip "this needs numpy 2" || return
        python3 "$here/numpy_agreement.py" "$command" "$rest"
        ;;
    verify:*)
        "$command" verify --device "${rest%:*}" $(kinds "${rest##*:}") --from 2 --to 2^24
        ;;
    verify-smooth:*)
        "$command" verify --device "${rest%:*}" $(kinds "${rest##*:}") --smooth 2..1024 &&
            "$command" verify --device "${rest%:*}" $(kinds "${rest##*:}") --sizes "$others"
        ;;
    verify-arrays:*)
        local words
        for words in "" --real "--real --inverse" "--dct 1" "--dct 2" "--dct 3" "--dst 4"; do
            "$command" verify --device "${rest%:*}" $(kinds "${rest##*:}") $words --sizes "$shapes" || return
        done
        ;;
    memcheck:* | racecheck:*)
        local range
        case $rest in
        clusters | ahead | rings | slices | smooth)
            local laws
            case $name in
            memcheck:clusters) laws="clusters::" ;;
            # The other laws take many minutes under racecheck, which meets clusters of all sizes in f32 and f64 too.
            racecheck:clusters) laws="clusters::gaps clusters::clusters_take_neighbouring_lines" ;;
            *:ahead) laws=ahead::work_groups ;;
            *:rings) laws=ahead::crews_take ;;
            *:slices) laws=slices:: ;;
            *:smooth) laws=smooth::smooth_lengths ;;
            esac
            # shellcheck disable=SC2086 # words
            STOCKHAM_TEST_DEVICE=cuda:0 sanitized "$name" "$here/tests/stockham.laws" $laws
            ;;
        P[0-9] | G[0-9])
            sanitized "$name" "$command" ntt --device cuda --field "$rest" "$(numbers 512)" "$scratch/${name/:/-}.txt" &&
                sanitized "$name" "$command" ntt --device cuda --field "$rest" "$(numbers 16384)" "$scratch/${name/:/-}.txt"
            ;;
        *)
            for range in "2 2^16" "2^20 2^20"; do
                sanitized "$name" "$command" verify --device cuda $(kinds "$rest") --from "${range% *}" --to "${range#* }" ||
                    return
            done
            ;;
        esac
        ;;
    bench:hopper)
        "$command" bench --device cuda --suite hopper --json "bench-hopper.json"
        ;;
    bench-smooth:*)
        # What lies between the powers of two, in batches that leave the second-level cache.
        "$command" bench --device cuda $(kinds "$rest") --smooth 2..8192 --bytes 2^28 --json "bench-smooth-$rest.json" &&
            "$command" bench --device cuda $(kinds "$rest") --sizes "$others" --json "bench-smooth-long-$rest.json"
        ;;
    bench:opencl)
        "$command" bench --device opencl --from 2 --to 2^24 --json "bench-opencl.json"
        ;;
    bench:*)
        # One transform at a time; the record's name has no slashes.
        "$command" bench --device cuda --field "$rest" --single --from 2^16 --to 2^20 --json "bench-${rest//\//-}.json"
        ;;
    first:*)
        # The driver's own cache is part of the state: empty for a cold start, and filled for a warm one.
        local kind bits start
        for kind in complex-f32 complex-f64 goldilocks; do
            for bits in 10 16 20 24; do
                rm -rf "$scratch/cache" "$scratch/driver"
                for start in cold warm; do
                    echo "$start:"
                    STOCKHAM_CACHE_DIR=$scratch/cache CUDA_CACHE_PATH=$scratch/driver \
                        "$here/first" "$rest" $kind $bits || return
                done
            done
        done
        ;;
    *)
        echo "no step '$name'"
        return 2
        ;;
    esac
}

if [ "${1:-}" = --list ]; then
    steps
    exit
fi
# One step in a process of its own, so that `timeout` can end it with all it started.
if [ "${1:-}" = --one ]; then
    out=$2 scratch=$3
    # A record tells the command that made it, which is to name no folder of this machine.
    case $4 in bench*) cd "$out" ;; esac
    run_step "$4"
    exit
fi
if [ $# -lt 1 ]; then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
fi

mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Kernels are compiled anew, and the user's cache stays as it is.
export STOCKHAM_CACHE_DIR="$scratch/kernels"
# What a program writes beside itself goes with the rest.
cd "$scratch"

chosen() {
    local step pattern
    [ $# -gt 0 ] || set -- '*'
    steps | while read -r step; do
        for pattern in "$@"; do
            # shellcheck disable=SC2254 # it is meant as a pattern
            case $step in
            $pattern)
                echo "$step"
                break
                ;;
            esac
        done
    done
}

mapfile -t list < <(chosen "$@")
if [ ${#list[@]} -eq 0 ]; then
    echo "no step matches; there are:" >&2
    steps >&2
    exit 2
fi
mkdir "$scratch/failed"

# Runs a step, adds what it printed to the log and prints its line; one step at a time does the latter.
report() {
    local step=$1 started status=0 log verdict line
    log=$(mktemp "$scratch/log.XXXXXX")
    started=$(date +%s)
    timeout -k 10 "$limit" "$here/gpu_run.sh" --one "$out" "$scratch" "$step" >"$log" 2>&1 || status=$?
    exec 9>"$scratch/lock"
    flock 9
    case $status in
    0) verdict=PASS ;;
    77) verdict=SKIP ;;
    124 | 137) verdict="FAIL (ran past $limit s)" ;;
    *) verdict=FAIL ;;
    esac
    case $verdict in FAIL*) touch "$scratch/failed/${step//[^a-zA-Z0-9]/_}" ;; esac
    line=$(printf '%-60s %6d s  %s' "$step" $(($(date +%s) - started)) "$verdict")
    echo "$line" | tee -a "$out/summary.txt"
    { printf '\n==== %s\n' "$line" && cat "$log"; } >>"$out/log.txt"
    # What went wrong is worth seeing at once.
    case $verdict in PASS) ;; *) tail -n 15 "$log" | sed 's/^/    /' ;; esac
    rm "$log"
    exec 9>&-
}

# The figures of what is timed are for machines that do nothing else, and under the sanitizers everything beside them
# waits: first the one, then all others together, then the sanitizers.
turn_of() {
    case $1 in
    devices | bench:* | first:*) echo 1 ;;
    memcheck:* | racecheck:*) echo 3 ;;
    *) echo 2 ;;
    esac
}
for turn in 1 2 3; do
    at_a_time=$jobs
    [ $turn -ne 1 ] || at_a_time=1
    for step in "${list[@]}"; do
        [ "$(turn_of "$step")" = $turn ] || continue
        while [ "$(jobs -rp | wc -l)" -ge "$at_a_time" ]; do wait -n || true; done
        report "$step" &
    done
    wait
done
failed=$(find "$scratch/failed" -type f | wc -l)
echo "${#list[@]} steps, $failed failed; logs in $out"
[ "$failed" -eq 0 ]
