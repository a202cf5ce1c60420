#!/usr/bin/env python3
"""Compiles CUDA kernels with NVRTC for sm_90, without a GPU, and holds them to their resources.

    nvrtc_check.py FOLDER [BYTES]

Every .cu file of FOLDER must compile without spilling more than BYTES (none by default), and with no more registers than
its work-group leaves a thread (65536 registers a multiprocessor). Where a kernel has a variant for rare operands,
NAME_any, that one and the functions it calls may spill: they hardly ever run. Needs the Python package
nvidia-cuda-nvrtc, or libnvrtc on the library path.
"""

import concurrent.futures
import ctypes
import glob
import os
import re
import site
import sys


def library():
    places = site.getsitepackages() + [site.getusersitepackages()]
    found = [p for s in places for p in glob.glob(f"{s}/nvidia/**/libnvrtc.so.*[0-9]", recursive=True)]
    if found:
        # The compiler opens its builtins by bare name: have them loaded already.
        for builtins in glob.glob(os.path.join(os.path.dirname(found[0]), "libnvrtc-builtins.so*")):
            ctypes.CDLL(builtins, mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(sorted(found)[0] if found else "libnvrtc.so.13")


def compile_one(nvrtc, path):
    """(registers, spilled bytes, threads of a work-group) or a RuntimeError with the compiler's log."""
    source = open(path, "rb").read()
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, os.path.basename(path).encode(), 0, None, None)
    options = [b"--gpu-architecture=sm_90", b"--std=c++17", b"--ptxas-options=-v"]
    status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    log = log.value.decode()
    if status != 0:
        raise RuntimeError(f"{path}: {log}")
    registers = int(re.search(r"Used (\d+) registers", log).group(1))
    functions = re.findall(r"properties for (\S+)\n.*?(\d+) bytes spill stores, (\d+) bytes spill loads", log)
    kernel = re.search(r"Compiling entry function '(\w+)'", log).group(1)
    has_variant = f"{kernel}_any(".encode() in source
    counted = [spills for name, *spills in functions if name == kernel or not has_variant]
    if not counted:
        raise RuntimeError(f"{path}: the compiler told nothing of the kernel: {log}")
    spilled = sum(int(b) for spills in counted for b in spills)
    group = int(re.search(rb"__launch_bounds__\((\d+)", source).group(1))
    return registers, spilled, group


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    allowed = int(sys.argv[2]) if len(sys.argv) == 3 else 0
    nvrtc, faults = library(), []
    paths = sorted(glob.glob(f"{sys.argv[1]}/*.cu"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: compile_one(nvrtc, path), paths))
    for path, (registers, spilled, group) in zip(paths, results):
        ceiling = min(255, 65536 // max(group, 256))
        print(f"{os.path.basename(path):48} {group:5} threads {registers:4} registers (at most {ceiling}), {spilled} bytes spilled")
        if spilled > allowed or registers > ceiling:
            faults.append(path)
    spilling = sum(1 for _, spilled, _ in results if spilled)
    print(f"{len(paths)} kernels, {spilling} spill, {len(faults)} over their ceiling")
    if faults or not paths:
        sys.exit(1)


if __name__ == "__main__":
    main()
