#!/usr/bin/env bash
# Builds FLINT's integer multiplication with the module fft_small, for `intmul_peer.py`.
#
#     build_flint.sh SOURCE FOLDER
#
# SOURCE is a checkout of FLINT 3; FOLDER gets libflint.so and the libgmp.so.10 it was linked with. Needs gcc, autoconf,
# libtool, and the headers of GMP and MPFR. x86-64-v3 has AVX2 and FMA, which fft_small needs. Only the modules that
# fmpz_mul uses are compiled: all of FLINT takes an hour on a small machine.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$1"
[ -x configure ] || ./bootstrap.sh
[ -f src/config.h ] || ./configure --build=x86_64-pc-linux-gnu --host=x86_64v3-pc-linux-gnu --enable-avx2 --disable-static
grep -q 'define FLINT_HAVE_FFT_SMALL 1' src/flint-config.h || { echo "this FLINT has no fft_small" >&2; exit 1; }

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
modules=(generic_files ulong_extras thread_pool thread_support nmod nmod_vec mpn_extras fmpz fmpz_extras fmpz_vec fft
    fft_small long_extras)
# A few files need parts that are not compiled here; what multiplication needs of them is found missing when linking.
for module in "${modules[@]}"; do printf '%s\n' "src/$module"/*.c; done |
    xargs -P "$(nproc)" -I{} sh -c 'gcc -std=c11 -O3 -march=x86-64-v3 -funroll-loops -fPIC -pthread -w -Isrc \
        -DHAVE_CONFIG_H -c {} -o "$0/$(echo {} | tr / _).o" 2>/dev/null || echo "left out: {}"' "$objects"
ar rcs "$objects/parts.a" "$objects"/*.o
symbols=(fmpz_init fmpz_clear fmpz_set_str fmpz_mul fmpz_fdiv_ui flint_set_num_threads mpn_ctx_init)
gcc -shared -o "$out/libflint.so" "${symbols[@]/#/-Wl,-u,}" "$objects/parts.a" -Wl,-z,lazy -Wl,-rpath,'$ORIGIN' \
    -lgmp -lpthread -lm
strip "$out/libflint.so"
cp -L "$(ldd "$out/libflint.so" | awk '/libgmp/ {print $3}')" "$out/"
ls -l "$out"
