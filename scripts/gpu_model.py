#!/usr/bin/env python3
"""What steps should take on a large CUDA device, from what the emulated device counts: MODELLED, by kernel.

  scripts/gpu_model.py CAIRN [--out FOLDER] [--scenes SCENE...] [--measured FILE...] [--steps N]

CAIRN is the command line of a build for the emulated device (preset ptx, without CAIRN_CUDA_QUICK). A launch takes

  t = LAUNCH + max(longest * CYCLES / CLOCK, instructions / (SCHEDULERS * CLOCK), bytes / BANDWIDTH)

of warps, `longest` being the instructions of the warp that has most: most kernels wait for what one warp does, one
instruction after the other. With FILE, a table of ncu (--csv --page raw), kernels stand beside what they took on a
device. The floor is what the bytes alone would take.
"""
import argparse
import collections
import csv
import os
import re
import sys

import cuda_counts

SCENES = ["tower:height=20", "wall:base=70", "pile:count=1000", "lattice:n=10", "ragdolls:count=8",
          "quadrupeds:count=4", "grains:count=1000"]
# of an H200, 132 multiprocessors: measured on 2026-11-26 and 27 (docs/benchmarks.md)
LAUNCH = 1.3e-6     # [s] of a node in a graph
CLOCK = 1.7e9       # [Hz]
SCHEDULERS = 132 * 4
BANDWIDTH = 4.3e12  # [B/s]
CYCLES = 8.0        # [1] of an instruction of a warp that waits for the last one
KERNELS = 12


def profile(cairn, scene, steps, out):
    """What the launches of a step do, by kernel, as scripts/cuda_counts.py has it."""
    os.environ["PTX_DEVICE_SMS"] = "132"
    counts, _, names = cuda_counts.run(cairn, scene, steps, out)
    rows = collections.defaultdict(collections.Counter)
    for (_, symbol), row in counts.items():
        rows[names[symbol]].update(row)
    return {name: row for name, row in rows.items() if row["launches"] > 0}


def bytes_of(row):
    return row["sectors"] * cuda_counts.SECTOR


def seconds(row):
    n = row["launches"]
    wait, issue = row["longest"] * CYCLES / CLOCK, row["warps"] / (SCHEDULERS * CLOCK)
    return n * LAUNCH + max(wait, issue, bytes_of(row) / BANDWIDTH)


def short(name):
    """A kernel's name without what doesn't tell it apart."""
    name = re.sub(r"\b(cairn|kernels|exec|cub|detail|CUB_\w+)::|\(anonymous namespace\)::|<unnamed>::|^void ", "", name)
    name = re.sub(r"radix_sort::policy_hub<.*", "", re.sub(r"\((?:unsigned|int|const|char).*", "", name))
    name = re.sub(r"\((?:int|bool|\w*(?:Pass|SweepKind))\)", "", name)
    return re.sub(r"\s+|\bfalse\b", lambda m: "0" if m.group() == "false" else "", name.replace("true", "1"))[:64]


def measured(paths):
    """[s] of a launch on a device, by kernel."""
    times = collections.defaultdict(list)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            table = [row for row in csv.reader(file) if len(row) > 10]
        name, time = table[0].index("Kernel Name"), table[0].index("gpu__time_duration.sum")
        unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}[table[1][time]]
        for row in table[2:]:
            times[short(row[name])].append(float(row[time].replace(",", "")) * unit)
    return {name: sum(of) / len(of) for name, of in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cairn")
    parser.add_argument("--out", default="build/model")
    parser.add_argument("--scenes", nargs="+", default=SCENES)
    parser.add_argument("--measured", nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    known = measured(options.measured)

    for scene in options.scenes:
        rows = profile(options.cairn, scene, options.steps, options.out)
        whole, floor = sum(map(seconds, rows.values())), sum(map(bytes_of, rows.values())) / BANDWIDTH
        launches = sum(row["launches"] for row in rows.values())
        print(f"\n`{scene}`: modelled {1e3 * whole:.3f} ms a step, {launches:.0f} launches; "
              f"bytes alone {1e3 * floor:.4f} ms\n")
        print("| kernel | launches | modelled us | share | longest warp |" +
              (" us a launch: modelled | measured |" if known else ""))
        print("|---|---|---|---|---|" + ("---|---|" if known else ""))
        for name, row in sorted(rows.items(), key=lambda item: -seconds(item[1]))[:KERNELS]:
            n, time = row["launches"], seconds(row)
            there = known.get(short(name))
            beside = f" {1e6 * time / n:.1f} | {1e6 * there:.1f} |" if there else " - | - |" if known else ""
            print(f"| `{short(name)}` | {n:.1f} | {1e6 * time:.1f} | {100 * time / whole:.0f} % | "
                  f"{row['longest'] / n:.0f} |{beside}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
