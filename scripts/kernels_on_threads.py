#!/usr/bin/env python3
"""Runs CUDA kernels whose work-groups stay, in crews, as threads of the host, without a GPU.

    kernels_on_threads.py PRINT_KERNELS

PRINT_KERNELS is the example of that name, built. A kernel's text is compiled by g++ as it is, but for its PTX, which
becomes calls of kernels_on_threads.h. What it makes of random numbers, with random tables, must be what the same choice
makes whose work-groups neither stay nor fetch, to the bit; and kernels with a fault must be found out.
"""

import itertools
import math
import os
import re
import subprocess
import sys
import tempfile

# Delays of copies at most, in microseconds.
DELAYS = (20, 3000)

# Choices, transforms of a batch, and crews; and at which element of memory input and workspace begin: bulk copies want
# multiples of 16 bytes.
CASES = [
    ("complex-f32", "r/8x4x4.4a/8x4x4.4a", 2, 2, 0),
    ("complex-f32", "r/8x4x4.4a/8x4x4.4a", 7, 3, 0),
    ("complex-f32", "r/8x4x4.4a/4x4x4.4.2a", 11, 2, 1),
    ("complex-f32", "r/16x8x8a/2x8x8.8a", 11, 2, 0),
    ("complex-f32", "r/16x8x8.4a/16x8x8.4a", 9, 2, 1),
    ("complex-f32", "r/2x8x8.8a/16x8x8a", 1, 1, 0),
    ("complex-f32", "r/8x8x8.8a/8x8x8.8a", 3, 2, 0),
    ("complex-f64", "r/8x4x4.4a/4x4x4.4.2a", 7, 2, 0),
    ("complex-f32", "n/8x4x4.4a/8x4x4.4a", 7, 3, 0),
    ("complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 11, 2, 1),
    ("complex-f32", "n/16x8x8a/2x8x8.8a", 11, 2, 0),
    ("complex-f32", "n/2x8x8.8a/16x8x8a", 1, 1, 0),
    ("complex-f32", "n/8x8x8.8a/8x8x8.8a", 5, 2, 0),
    # One of several warps fetches, and some crews have one transform and others several.
    ("complex-f32", "n/16x8x8.8a/16x8x8.8a", 5, 3, 0),
    ("complex-f32", "n/8x4x4.4a/8x4x4.4a", 4, 4, 0),
    ("complex-f64", "n/8x4x4.4a/4x4x4.4.2a", 7, 2, 0),
    # With nothing between the passes of a work-group but what it keeps, and with a crew so large that none keeps anything.
    ("complex-f64", "n/8x8x8a/8x8x8a", 5, 3, 0),
    ("complex-f64", "n/4x8x8.8a/4x8x8.8a", 9, 1, 0),
    ("complex-f64", "n/2x8x8.8a/2x8x8.8a", 3, 1, 0),
    ("complex-f32", "r/8x4x4.4a/4x4x4.4.2e", 11, 2, 1),
    ("complex-f32", "r/16x8x8a/2x8x8.8e", 11, 2, 0),
    ("complex-f64", "n/8x4x4.4a/4x4x4.4.2e", 7, 2, 0),
    # Real numbers, two to a point, and back.
    ("complex-f32:rfft", "r/8x4x4.4a/8x4x4.4a", 7, 3, 0),
    ("complex-f32:rfft", "r/8x4x4.4a/4x4x4.4.2e", 11, 2, 0.5),
    ("complex-f32:rfft", "n/8x4x4.4a/4x4x4.4.2a", 11, 2, 0.5),
    ("complex-f32:rfft", "n/8x8x8.8a/8x8x8.8a", 5, 2, 0),
    ("complex-f64:rfft", "n/8x8x8a/8x8x8a", 5, 3, 0),
    ("complex-f32:irfft", "r/8x4x4.4/4x4x4.4.2a", 11, 2, 1),
    ("complex-f32:irfft", "n/8x4x4.4/8x4x4.4a", 7, 3, 0),
    ("complex-f32:irfft", "n/8x8x8.8/8x8x8.8a", 5, 2, 1),
    ("complex-f64:irfft", "r/8x4x4.4/4x4x4.4.2a", 7, 2, 0),
    ("complex-f64:irfft", "n/8x8x8/8x8x8a", 5, 3, 0),
]

# Runs, of both delays, in one of which a fault must be found: some show only if one thread is late at the right place.
FAULT_RUNS = 30

# A fault, as an edit of the text, in a case.
FAULTS = [
    ("nobody waits for the crew", "complex-f32", "r/8x4x4.4a/4x4x4.4.2a", 15, 2, ("await_crew(count, found, round * CREW, (round - 1) * CREW);", ";")),
    ("nothing is announced", "complex-f32", "r/8x4x4.4a/4x4x4.4.2a", 9, 2, ("    announce_stored(arrivals + 1, round & 1u, count);", ";")),
    ("announced too early", "complex-f32", "r/8x8x8.8a/8x8x8.8a", 2, 2, ("await_count(stored, phase);", ";")),
    ("nobody waits for what others fetch", "complex-f32", "r/8x4x4.4a/4x4x4.4.2a", 15, 2, ("(round - 1) * CREW)", "0)")),
    ("a small crew is told early, too", "complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 15, 2, ("if (round == 0) announce_stored(", "announce_stored(")),
    ("a small crew is not told late", "complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 15, 2, ("if (round < rounds) announce(count);", ";")),
    ("nobody waits for what lands", "complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 15, 2, ("await_count(landed + ", "(void)(landed + ")),
    ("each its own side", "complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 9, 2, ("local[1] = is_left ? 2 : side", "local[1] = side")),
    ("what is not the first comers' is nobody's", "complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 15, 3, ("is_ahead ? cut : batch", "cut")),
    ("always the same row", "complex-f32", "n/8x4x4.4a/4x4x4.4.2a", 9, 2, ("(round & 1u ? 0u : PIECES)", "PIECES")),
    ("one place for what is kept", "complex-f64", "n/8x4x4.4a/4x4x4.4.2a", 9, 2, ("(round & 1u) * BLOCK", "0u")),
    ("one slot for all", "complex-f32", "r/8x4x4.4a/4x4x4.4.2a", 9, 2, ("(u64)(round & 1u)", "0u")),
    ("nobody waits for what is drawn", "complex-f64", "r/8x4x4.4a/4x4x4.4.2a", 15, 2, ("!= round) found = ask_crew(place);", "!= round) break;")),
    ("some are never drawn", "complex-f64", "n/8x4x4.4a/4x4x4.4.2a", 15, 2, ("2 * crews + number", "3 * crews + number")),
    ("nobody waits for an image's part to land", "complex-f32:rfft", "n/8x4x4.4a/4x4x4.4.2a", 15, 2, ("await_count(landed + 3", "(void)(landed + 3")),
    ("nobody waits for the crew on the way back", "complex-f32:irfft", "r/8x4x4.4/4x4x4.4.2a", 15, 2, ("await_crew(count, found, round * CREW, (round - 1) * CREW);", ";")),
    ("all comes early", "complex-f64", "r/8x4x4.4a/4x4x4.4.2e", 15, 2, ("0u, EARLY_ROWS, arrivals", "0u, ROWS, arrivals")),
]

# PTX, by what an instruction has in it, and the calls: the operands come in their order.
PTX = [
    ("mbarrier.init", "count_begin({0}, {arrivals});"),
    ("arrive.expect_tx", "count_expect({0}, {1});"),
    ("expect_tx", "change_count({0}, 0, {1});"),
    ("cp.async.bulk.tensor", "copy_box({0}, {1}, {{{start}}}, {last});"),
    ("cp.async.bulk", "copy_range({0}, {1}, {2}, {3});"),
    ("@keeps st.shared", "*(decltype(value)*)((int)({0}) < 0 ? (u64)({1}) : (u64)({2})) = value;"),
    ("%%smid", "{0} = blockIdx.x / 2;"),
    ("%%clock", "{0} = chance();"),
    ("%%warpid", "{0} = chance() % 2 * WARPS;"),
    ("prefetch", ";"),
    ("atom.relaxed.gpu.global.add.u32 %0, [%1], 0", "{0} = 0;"),
    ("atom.relaxed", "{0} = __atomic_fetch_add((u32*)({1}), 1, __ATOMIC_RELAXED);"),
    ("atom.acq_rel", "{0} = __atomic_fetch_add((u32*)({1}), {2}, __ATOMIC_ACQ_REL);"),
    ("ld.acquire", "{0} = look_at({1});"),
    ("mbarrier.try_wait", "count_wait({0}, {phase});"),
    ("mbarrier.arrive", "count_arrive({0});"),
    ("red.release", "add_one((u32*){0});"),
    ("red.relaxed", "add_one((u32*){0} + 1);"),
    ("st.relaxed", "__atomic_store_n({0}, {1}, __ATOMIC_RELAXED);"),
    ("ld.relaxed", "{0} = look_at({1});"),
    ("fence", ";"),
]


def operands(text):
    """What stands in the parentheses behind constraints."""
    found = []
    for constraint in re.finditer(r'"=?\+?\w"\(', text):
        start = end = constraint.end()
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[start : end - 1])
    return found


def call(statement):
    """The call in place of an instruction."""
    instruction = re.search(r'"((?:[^"\\]|\\.)*)"', statement[0])
    values = operands(statement[0][instruction.end() :])
    name = instruction[1]
    if not name:
        return ";"
    template = next((template for key, template in PTX if key in name), None)
    if template is None:
        sys.exit(f"no host thread knows this instruction: {name}")
    arrivals = re.search(r"\[%0\], (\S+);", name)
    return template.format(
        *values,
        arrivals=values[1] if len(values) > 1 else arrivals and arrivals[1],
        start=", ".join(f"(u32)({value})" for value in values[2:-1]),
        last=values[-1] if values else "",
        phase=values[1] if len(values) > 1 else 0,
    )


class Kernel:
    """A printed kernel, as C++ in a namespace."""

    def __init__(self, path, space, edit=None):
        text = open(path).read()
        if edit:
            if edit[0] not in text:
                sys.exit(f"'{edit[0]}' is not in {path}")
            text = text.replace(*edit)
        text = text[text.index("#endif\n") + len("#endif\n") :]
        self.group = int(re.search(r"__launch_bounds__\((\d+)", text)[1])
        # The host has a function of its own for addresses.
        text = re.sub(r"FUNCTION u32 at\(const void\* place\).*\n", "", text)
        text = re.sub(r"asm volatile\(.*?\);(?=[\s}])", call, text, flags=re.S)
        text = re.sub(r'extern "C" __global__.*?(?=void pass)', "static ", text, flags=re.S)
        text = re.sub(r"extern __shared__ (__align__\(\d+\) )?(\w+) (\w+)\[\];", r"\2* const \3 = (\2*)group->local;", text)
        text = text.replace("LAUNCH_NEXT", "").replace("LAUNCH_WAIT", "")
        counts = re.search(r"arrivals = \(u64\*\)\(\D*(\d+)\);", text)
        # Where it does not say what it needs, there is plenty.
        self.local = int(counts[1]) + 24 if counts else 1 << 18
        at_once = re.search(r"row \+= (\d+)u", text)
        self.rows_at_once = int(at_once[1]) if at_once else 0
        pieces = re.search(r"#define PIECES (\d+)u", text)
        # Beside them what lands in parts, two lists of places, and two blocks that are kept.
        self.local += 4 * 8 + 2 * 4 * int(pieces[1]) if pieces else 0
        block, keeps = (re.search(rf"#define {name} (\d+)u", text) for name in ("BLOCK_BYTES", "KEEPS"))
        self.local += 16 + 2 * int(block[1]) * int(keeps[1]) if keeps else 0
        self.name = f"{space}::" + re.search(r"static void (\w+)\(", text)[1]
        macros = "".join(f"#undef {name}\n" for name in re.findall(r"#define (\w+)", text))
        self.text = f"namespace {space} {{\n{text}}}\n{macros}"

    def launch(self, groups, arguments):
        return f"    launch({groups}, {self.group}, {self.local}, [&] {{ {self.name}({arguments}); }});\n"


def printed(program, folder, job):
    subprocess.run([program, folder, "cuda", job], check=True)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def program(print_kernels, folder, case, edit=None):
    """The program that compares a ring with the same passes, a launch each."""
    algebra, choice, batch, crews, offset = case
    # Half an element is a real number.
    numbers, offset = int(2 * offset), math.ceil(offset)
    algebra, _, kind = algebra.partition(":")
    element = {"complex-f32": "float2", "complex-f64": "double2"}[algebra]
    bytes_ = {"float2": 8, "double2": 16}[element]
    passes = [p.rstrip("ae") for p in choice[2:].split("/")]
    widths = [int(p.split("x")[0]) for p in passes]
    radices = [math.prod(map(int, p.split("x")[2].split("."))) for p in passes]
    n = radices[0] * radices[1]
    jobs = (("plain", "/".join(passes)), ("ring", choice))
    lengths = f"{kind}:{2 * n}" if kind else str(n.bit_length() - 1)
    texts = [printed(print_kernels, f"{folder}/{name}", f"{algebra}:{lengths}:{what}") for name, what in jobs]
    plain, [ring] = [Kernel(path, f"plain{i}") for i, path in enumerate(texts[0])], [Kernel(path, "ring", edit) for path in texts[1]]
    # Columns at a half spectrum are counted without their images.
    halves = {"rfft": (1, 2), "irfft": (2, 1), "": (1, 1)}[kind]
    columns = [f"{n * batch // radix // half}ul" for radix, half in zip(radices, halves)]
    line = n + 1 if kind else n
    source, target = {"rfft": ("(const R*)", "(E*)"), "irfft": ("(const E*)", "(R*)"), "": ("(const E*)", "(E*)")}[kind]
    tiles = [n * batch // radix // width for radix, width in zip(radices, widths)]
    words = bytes_ // 8
    crew = tiles[0] // batch
    # The ring begins at a multiple of 128 bytes, or of a pair of sides; behind it are the counts, and a byte for each pair.
    pairs = -(-n * bytes_ // 4096) * crews
    is_near = choice.startswith("n/")
    slots = (pairs + 1) * 8192 // bytes_ if is_near else crews * 2 * n + 128 // bytes_
    # Some work-groups are left over, and may make up a crew of both sides.
    groups = crews * crew + (crew // 2 if is_near else 0)
    counts = (offset + slots) * bytes_
    text = '#include "kernels_on_threads.h"\n' + "".join(kernel.text for kernel in [*plain, ring])
    text += f"""
typedef {element} E;
typedef {"float" if bytes_ == 8 else "double"} R;
const u64 N = {line * batch};
static E* memory(u64 len) {{ return (E*)aligned_alloc(128, (len * sizeof(E) + 127) / 128 * 128); }}
int main(int, char** words)
{{
    most_delay = atoi(words[1]);
    seed = atoi(words[2]);
    std::thread(run_events).detach();
    std::minstd_rand random(7);
    auto fill = [&](E* to, u64 len) {{ for (u64 i = 0; i < len; i++) to[i] = E{{random() % 2001 / 1000.0f - 1, random() % 2001 / 1000.0f - 1}}; return to; }};
    E* const input = (E*)((R*)memory(N + {offset + 1}) + {numbers});
    fill(input, N);
    E* const table[] = {{fill(memory(1 << 16), 1 << 16), fill(memory(1 << 16), 1 << 16)}};
    E* const expected = fill(memory(N), N);
    E* const found = memory(N);
    memcpy(found, expected, N * sizeof(E));
    E* const workspace = fill(memory(N + {slots} + {crews * 128 + pairs} + 2048), N + {slots});
    array = (const char*)input;
    dimensions = {{{{{radices[1] * words}, 8, {widths[0] * words}}}, {{{radices[0]}, {radices[1] * bytes_}, {ring.rows_at_once}}}, {{{batch}, {n * bytes_}, 1}}}};
"""
    for kernel, count, arguments in zip(plain, tiles, (f"{source}input, 0, workspace", f"workspace, 0, {target}expected")):
        i = plain.index(kernel)
        text += kernel.launch(count, f"{arguments}, 0, table[{i}], {columns[i]}")
    text += f"    memset((char*)workspace + {counts}, 0, {(crews + 1) * 128 + 1024});\n"
    between = f"workspace, {offset}, table[0], {columns[0]}, workspace, {offset}"
    arguments = f"{source}input, 0, {between}, {target}found, 0, table[1], {columns[1]}, (char*)workspace, {counts}ul, {crews}ul"
    arguments += "" if kind == "irfft" else ", ring::Map{}"
    text += ring.launch(groups, arguments)
    return text + """    for (u64 i = 0; i < N; i++)
        if (memcmp(&expected[i], &found[i], sizeof(E)) != 0) fail("another result");
    fflush(stdout);
    _exit(0);
}
"""


def outcomes(print_kernels, case, edit=None, runs=1):
    """What the program says with each delay, in so many runs: nothing if all is right."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = f"{folder}/case.cpp", f"{folder}/case"
        with open(source, "w") as file:
            file.write(program(print_kernels, folder, case, edit))
        here = os.path.dirname(os.path.abspath(__file__))
        options = ["-std=c++20", "-O1", "-w", "-Wno-psabi", "-ffp-contract=off", "-pthread", f"-I{here}"]
        subprocess.run(["g++", *options, "-o", binary, source], check=True)
        for seed, delay in itertools.product(range(runs), DELAYS):
            run = subprocess.run([binary, str(delay), str(seed)], capture_output=True, text=True, timeout=300)
            yield run.stderr.strip() or ("" if run.returncode == 0 else f"exit {run.returncode}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    failed = False
    for case in CASES:
        found = list(outcomes(sys.argv[1], case))
        failed |= any(found)
        print(*case, ":", *(f"{delay} µs: {why or 'the same'};" for delay, why in zip(DELAYS, found)), flush=True)
    for what, algebra, choice, batch, crews, edit in FAULTS:
        found = outcomes(sys.argv[1], (algebra, choice, batch, crews, 0), edit, FAULT_RUNS)
        why = next(filter(None, found), None)
        failed |= why is None
        print(f"{choice}, {what}:", why or "not found", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
