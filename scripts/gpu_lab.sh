#!/usr/bin/env bash
# Runs `stockham lab` on a machine with NVIDIA GPUs, on CUDA and on NVIDIA's OpenCL; no cargo is needed.
#
#     gpu_lab.sh OUT
#
# OUT gets lab-DEVICE.json and lab-DEVICE.log. Takes the command beside this script, or target/release/stockham. The
# whole is limited to LAB_SECONDS (300 by default), the first device to half of what is left; what a device measured until
# its time was up is in its JSON. DEVICES names the devices ("cuda:0 opencl:0"), LAB_SIZE the long transform (2^24),
# LAB_PARTS the parts of the study (all; see `stockham lab --help`), LAB_GROUPS the work-group sizes ("32,64,128,256": of
# larger ones none was ever the best by more than the noise), LAB_GROUPS_OPENCL those on OpenCL, whose driver compiles more
# slowly ("64,256").
set -euo pipefail
if [ $# -ne 1 ]; then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
command=$here/stockham
[ -x "$command" ] || command=$here/../target/release/stockham
mkdir -p "$1"
out=$(cd "$1" && pwd)
read -ra devices <<<"${DEVICES:-cuda:0 opencl:0}"
end=$((SECONDS + ${LAB_SECONDS:-300}))

# cuFFT lies here where its toolkit is not on the library path.
cuda_libraries=/usr/local/cuda/targets/x86_64-linux/lib
if [ -d "$cuda_libraries" ]; then
    export LD_LIBRARY_PATH="$cuda_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# Many chains have launches in common: those are compiled once. Nothing is left over from earlier runs, or for later ones.
STOCKHAM_CACHE_DIR=$(mktemp -d)
export STOCKHAM_CACHE_DIR
trap 'rm -rf "$STOCKHAM_CACHE_DIR"' EXIT
only=()
[ -z "${LAB_PARTS:-}" ] || only=(--only "$LAB_PARTS")
cd "$out"

failed=0
for i in "${!devices[@]}"; do
    device=${devices[i]}
    name=lab-${device/:/}
    case $device in
    opencl*) groups=${LAB_GROUPS_OPENCL:-64,256} ;;
    *) groups=${LAB_GROUPS:-32,64,128,256} ;;
    esac
    limit=$(((end - SECONDS) / (${#devices[@]} - i)))
    started=$SECONDS
    status=0
    timeout -k 5 "$limit" "$command" lab --device "$device" --size "${LAB_SIZE:-2^24}" --groups "$groups" \
        "${only[@]}" --json "$name.json" >"$name.log" 2>&1 || status=$?
    echo "$device: status $status after $((SECONDS - started)) s (at most $limit s)"
    [ $status -eq 0 ] || { failed=1 && tail -n 3 "$name.log" | sed 's/^/    /'; }
done
exit $failed
