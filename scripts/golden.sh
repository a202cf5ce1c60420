#!/usr/bin/env bash
# Prints the golden kernels anew. A change in them is a change of what devices run: look at it with `git diff golden`.
#
#     golden.sh [PRINT_KERNELS]
#
# PRINT_KERNELS is that example, where it is built already.
set -euo pipefail
program=("$(realpath "${1:-.}")")
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || program=(cargo run -q --release --example print_kernels --)
print() { "${program[@]}" "$@"; }
print golden/cuda cuda complex-f32:2 complex-f32:6 complex-f32:6:1x4x4.4.4a complex-f32:8:c4/4x4x4.4/4x4x4.4 complex-f32:9:c4/16x4x4.2/2x4x4.4.4 \
    complex-f64:6:c2/4x8x8/4x8x8 \
    complex-f32:6:r/8x4x4.2a/8x4x4.2a complex-f32:6:n/8x4x4.2a/8x4x4.2a complex-f64:6:n/8x4x4.2a/8x4x4.2ap \
    complex-f64:6:r/8x4x4.2a/8x4x4.2e complex-f64:4 goldilocks:5 babybear:5 product:20 limbs:6
print golden/opencl opencl complex-f32:6 complex-f64:4 goldilocks:5 babybear:5
