#!/usr/bin/env python3
"""What a step on a CUDA device asks for, counted by the emulated device, as tables for docs/cuda.md.

  scripts/cuda_counts.py CAIRN [--out FOLDER] [--registers LOG...] [--steps N]

CAIRN is the command line of a build for the emulated device (preset ptx, without CAIRN_CUDA_QUICK). For each of ten
scenes the folder gets two JSON files, by kernel and stage: of N steps (10), and of twice as many, the difference of
which counts. LOG is what ptxas -v said of sm_90 (see scripts/registers.py); with it the table of kernels has registers
and occupancy. Counts are of PTX, and the same on every machine. None is a time.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

import registers

SCENES = ["tower:height=20", "wall:base=16", "pile:count=200", "lattice:n=6", "rain:count=200", "ragdolls:count=8",
          "quadrupeds:count=4", "cloth", "dam_break", "grains:count=500"]
KERNELS = 16   # rows of the second table
SECTOR = 32    # [B]


def run(cairn, scene, steps, out):
    """What a step does on average, without what comes before the first: the difference of a long and a short run."""
    counts, bodies, names = [], 0, {}
    for n in (steps, 2 * steps):
        path = os.path.join(out, re.sub(r"\W", "_", scene) + f"_{n}.json")
        said = subprocess.run([cairn, "run", scene, "--device", "cuda:0", "--steps", str(n), "--json"], check=True,
                              capture_output=True, text=True, env=dict(os.environ, PTX_DEVICE_PROFILE=path)).stdout
        report = json.loads(said)
        bodies = report["bodies"]  # particles included
        with open(path, encoding="utf-8") as file:
            counts.append(json.load(file)["kernels"])
    rows = collections.defaultdict(collections.Counter)
    for sign, kernels in zip((-1, 1), counts):
        for k in kernels:
            row = rows[(k["range"], k["symbol"])]
            names[k["symbol"]] = k["name"]
            for key, value in k.items():
                if isinstance(value, int) and key not in ("block", "shared_bytes"):
                    row[key] += sign * value
            row["warps"] += sign * sum(k["instructions"].values())
            row["block"] = k["block"]
    return {key: {k: v if k == "block" else v / steps for k, v in row.items()} for key, row in rows.items()}, bodies, names


def total(rows):
    sums = collections.Counter()
    for row in rows:
        sums.update(row)
    return sums


def ratio(a, b, digits=1):
    return f"{a / b:.{digits}f}" if b else "-"


def cells(sums):
    """Sectors over the fewest that the bytes fit in, and lanes of 32 that take part."""
    return (ratio(sums["sectors"] * SECTOR, sums["bytes"]), ratio(sums["lanes"], sums["warps"], 0))


def occupancy(regs, threads):
    """Of 2,048 threads a multiprocessor of sm_90, as registers allow: they are given in units of 256 to a warp."""
    warps = (threads + 31) // 32
    blocks = min(32, 2048 // threads, 65536 // (warps * ((regs * 32 + 255) // 256 * 256)))
    return f"{100 * blocks * threads // 2048} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cairn")
    parser.add_argument("--out", default="build/counts")
    parser.add_argument("--registers", nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    known = registers.read(options.registers) if options.registers else {}

    by_stage, by_kernel = collections.defaultdict(list), collections.defaultdict(list)
    print("| scene | bodies | launches | blocks | warp instructions a body | bytes a body | sectors | lanes |")
    print("|---|---|---|---|---|---|---|---|")
    for scene in SCENES:
        rows, bodies, _ = run(options.cairn, scene, options.steps, options.out)
        sums = total(rows.values())
        sectors, lanes = cells(sums)
        print(f"| `{scene}` | {bodies} | {sums['launches']:.0f} | {sums['blocks']:.0f} | {sums['warps'] / bodies:.0f} | "
              f"{sums['bytes'] / bodies:.0f} | {sectors} | {lanes} |", flush=True)
        for (stage, symbol), row in rows.items():
            by_stage[stage or "between steps"].append(row)
            by_kernel[symbol].append(row)

    print("\n| stage | launches | warp instructions | bytes | sectors | lanes | atomics |")
    print("|---|---|---|---|---|---|---|")
    everything = total(row for rows in by_stage.values() for row in rows)
    share = lambda sums, key: f"{100 * sums[key] / everything[key]:.1f} %"
    for stage, rows in sorted(by_stage.items(), key=lambda item: -total(item[1])["warps"]):
        sums = total(rows)
        sectors, lanes = cells(sums)
        print(f"| {stage} | {share(sums, 'launches')} | {share(sums, 'warps')} | {share(sums, 'bytes')} | {sectors} | {lanes} | "
              f"{share(sums, 'atomics')} |")

    print("\n| kernel | launches | warp instructions | sectors | lanes | threads a block |" +
          (" registers | occupancy |" if known else ""))
    print("|---|---|---|---|---|---|" + ("---|---|" if known else ""))
    names = registers.short_names(by_kernel)
    hardest = sorted(by_kernel, key=lambda symbol: -total(by_kernel[symbol])["warps"])[:KERNELS]
    for symbol in hardest:
        sums, block = total(by_kernel[symbol]), by_kernel[symbol][0]["block"]
        sectors, lanes = cells(sums)
        regs = known.get((90, symbol), (0,))[0]
        needs = f" {regs} | {occupancy(regs, block)} |" if regs else " - | - |" if known else ""
        name = re.sub(r".*::(\w+Kernel).*", r"CUB \1", names[symbol])
        print(f"| `{name}` | {share(sums, 'launches')} | {share(sums, 'warps')} | {sectors} | {lanes} | {block} |{needs}")


if __name__ == "__main__":
    sys.exit(main())
