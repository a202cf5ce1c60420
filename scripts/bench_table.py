#!/usr/bin/env python3
"""Turns records of `stockham bench --json` into one Markdown table, with the commands, devices and dates that made them.

    bench_table.py [--every K] [--only NAME[,NAME ...]] FILE.json ...

One row a length, one group of columns a record: the time divided by that of a copy of the same bytes, then the peer's,
then how many times faster than the peer. With --every K only every K-th row, from the first. Of a suite, whose file has
several sweeps, --only takes those of these names: complex-f32, "single complex-f32".
"""

import json
import sys


def power(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def shape(row):
    """What orders the rows of all records: points, then lengths if there are several."""
    return row["n"], tuple(row.get("shape", []))


def command(words):
    """The command without the options that only name files it wrote."""
    kept, words = [], iter(words.split())
    for word in words:
        if word in ("--json", "--plot"):
            next(words, None)
        elif not word.startswith(("--json=", "--plot=")):
            kept.append(word)
    return " ".join(kept)


def algebra(record):
    """The name, and whether the input is real; of a big prime's digits also the layout, if it is not the plain one."""
    name, layout = record["algebra"], record.get("layout") or "plain"
    name = name if isinstance(name, str) else next(iter(name.values()))
    name = f"real {name}" if record.get("real") else name
    name = f"single {name}" if record.get("single") and "suite" in record else name
    return name if layout == "plain" else f"{name} {layout}"


def columns(record):
    """Headings, and the cells by shape."""
    heads, peer = [f"{algebra(record)} ÷copy"], record["peer"]
    if peer:
        name = peer.split()[0]
        heads += [f"{name} ÷copy", f"speed ÷{name}"]
    cells = {}
    for row in record["rows"]:
        mark = "" if row["right"] else " WRONG"
        cells[shape(row)] = [f"{row['ms'] / row['copy_ms']:.2f}{mark}"]
        if peer:
            theirs = row["peer_ms"]
            cells[shape(row)] += [f"{theirs / row['copy_ms']:.2f}", f"{theirs / row['ms']:.2f}"] if theirs else ["–", "–"]
    return heads, cells


def origin(record):
    device, machine, batch = record["device"], record["machine"], max(r["bytes"] for r in record["rows"])
    where = f"{device['name']} ({device['driver']}) in a machine with {machine['threads']} threads of {machine['processor']}"
    what = f", compared with {record['peer']}" if record["peer"] else ""
    return f"- `{command(record['command'])}`: {where}{what}, up to {batch / 2**20:.0f} MiB each way, {record['date'][:10]}"


def main():
    arguments, every, only = sys.argv[1:], 1, None
    if arguments[:1] == ["--every"]:
        every, arguments = int(arguments[1]), arguments[2:]
    if arguments[:1] == ["--only"]:
        only, arguments = arguments[1].split(","), arguments[2:]
    if not arguments:
        sys.exit(__doc__)
    records = []
    for path in arguments:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        # A suite has several in one file.
        records += [{**record, **sweep} for sweep in record.get("sweeps", [{}])]
    records = [record for record in records if only is None or algebra(record) in only]
    groups = [columns(record) for record in records]
    heads = ["n"] + [head for names, _ in groups for head in names]
    print("| " + " | ".join(heads) + " |")
    print("|" + " ---: |" * len(heads))
    for n, lengths in sorted({of for _, cells in groups for of in cells})[::every]:
        row = [cell for names, cells in groups for cell in cells.get((n, lengths), ["–"] * len(names))]
        print(f"| {'x'.join(map(str, lengths)) or power(n)} | " + " | ".join(row) + " |")
    print()
    # Sweeps of a suite have one origin.
    for line in dict.fromkeys(map(origin, records)):
        print(line)


if __name__ == "__main__":
    main()
