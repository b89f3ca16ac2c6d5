#!/usr/bin/env python3
"""Registers, stack and spills of Cairn's CUDA kernels, from what `ptxas -v` says of them, against bounds.

  scripts/registers.py LOG...            tells kernels that are past their bounds; exit code 1 where there are any
  scripts/registers.py LOG... --write    makes the bounds of these architectures what the logs say
  scripts/registers.py LOG... --table    a table for docs/cuda.md: the kernels with bounds of their own

LOG is what a build with -DCMAKE_CUDA_FLAGS=-Xptxas=-v printed. Bounds are in scripts/registers.csv: kernels that spill,
have a stack or more registers than EASY, by architecture. All others must stay below that. CUB's kernels aren't ours.
"""
import argparse
import csv
import os
import re
import subprocess
import sys

BOUNDS = os.path.join(os.path.dirname(__file__), "registers.csv")
EASY = (80, 0, 0)  # registers, bytes of stack, bytes of spill stores and loads


def short_names(symbols):
    """{symbol: outer kernel and functor, without namespaces and parameters}"""
    symbols = sorted(symbols)
    text = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True, check=True).stdout
    names = {}
    for symbol, name in zip(symbols, text.splitlines()):
        name = re.sub(r"^void ", "", name)
        depth = 0
        for end, letter in enumerate(name):  # up to the parameters
            depth += {"<": 1, ">": -1}.get(letter, 0)
            if letter == "(" and depth == 0 and not name[end:].startswith("(anonymous"):
                name = name[:end]
                break
        name = re.sub(r"\(anonymous namespace\)::", "", name)
        name = re.sub(r"\b(cairn|exec|kernels|ode|articulate)::", "", name)
        name = re.sub(r"\(unsigned int\)|\(int\)|\(bool\)", "", name)
        names[symbol] = name.replace(" >", ">").replace("_kernel<", " <", 1)
    return names


def read(logs):
    """{(architecture, symbol): (registers, stack, spills)}, those of functions that a kernel calls included. A kernel
    of which a log doesn't tell all ends the program."""
    found = {}
    for log in logs:
        entry, registers, stack, spills = None, None, 0, 0
        before = len(found)

        def close():
            if entry is None:
                return
            if registers is None:
                sys.exit(f"registers: {log} has no registers of {entry[1]}")
            found[entry] = (registers, stack, spills)

        with open(log, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if re.match(r"\[\d+/\d+\]", line):  # ninja begins a file
                    close()
                    entry = None
                elif m := re.search(r"Compiling entry function '(\S+)' for 'sm_(\d+)\w?'", line):
                    close()
                    entry, registers, stack, spills = (int(m[2]), m[1]), None, 0, 0
                elif m := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill", line):
                    stack, spills = max(stack, int(m[1])), spills + int(m[2]) + int(m[3])
                elif m := re.search(r"Used (\d+) registers", line):
                    registers = int(m[1])
                    if m := re.search(r"(\d+) bytes cumulative stack", line):
                        stack = max(stack, int(m[1]))
        close()
        if len(found) == before:
            sys.exit(f"registers: nothing of ptxas -v in {log}")
    return {key: value for key, value in found.items() if "cub" not in key[1][:12]}


def by_name(found):
    """{(architecture, name): the most of each}, where instances of a name differ in what it leaves out."""
    names = short_names({symbol for _, symbol in found})
    most = {}
    for (architecture, symbol), row in found.items():
        key = (architecture, names[symbol])
        most[key] = tuple(max(a, b) for a, b in zip(row, most.get(key, (0, 0, 0))))
    return most


def read_bounds():
    if not os.path.exists(BOUNDS):
        sys.exit(f"registers: there is no {BOUNDS}: --write makes it")
    with open(BOUNDS, encoding="utf-8") as file:
        return {(int(r["architecture"]), r["kernel"]): (int(r["registers"]), int(r["stack"]), int(r["spills"]))
                for r in csv.DictReader(file)}


def past_easy(row):
    return any(a > b for a, b in zip(row, EASY))


def write_bounds(most):
    told = {architecture for architecture, _ in most}
    others = {key: row for key, row in (read_bounds() if os.path.exists(BOUNDS) else {}).items() if key[0] not in told}
    with open(BOUNDS, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["kernel", "architecture", "registers", "stack", "spills"])
        for (architecture, name), row in sorted({**others, **most}.items(), key=lambda item: (item[0][1], item[0][0])):
            if past_easy(row):
                out.writerow([name, architecture, *row])


def table(most):
    architectures = sorted({architecture for architecture, _ in most})
    hard = sorted({name for (_, name), row in most.items() if past_easy(row)})
    print("| kernel | " + " | ".join(f"sm_{a}" for a in architectures) + " |")
    print("|---|" + "---|" * len(architectures))
    for name in hard:
        cells = []
        for architecture in architectures:
            row = most.get((architecture, name))
            cells.append("-" if row is None else str(row[0]) if row[1] == 0 else f"{row[0]}, {row[1]} B" if row[2] == 0
                         else f"{row[0]}, {row[1]} B, spills {row[2]} B")
        print(f"| `{name}` | " + " | ".join(cells) + " |")
    for architecture in architectures:
        count = sum(1 for a, _ in most if a == architecture)
        easy = sum(1 for (a, _), row in most.items() if a == architecture and not past_easy(row))
        print(f"\nsm_{architecture}: {count} kernels, {easy} of them with at most {EASY[0]} registers and no stack")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    most = by_name(read(options.logs))
    if options.write:
        write_bounds(most)
        return 0
    if options.table:
        table(most)
        return 0
    bounds = read_bounds()
    worse = 0
    for (architecture, name), row in sorted(most.items()):
        bound = bounds.get((architecture, name), EASY)
        if any(a > b for a, b in zip(row, bound)):
            worse += 1
            print(f"sm_{architecture} {name}: registers, stack, spills {row}, bound {bound}")
    gone = [key for key in bounds if key not in most and key[0] in {a for a, _ in most}]
    for architecture, name in gone:
        print(f"sm_{architecture} {name} has a bound, and is no kernel")
    worse += len(gone)
    print(f"registers: {len(most)} kernels of {len({a for a, _ in most})} architectures, {worse} findings")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
