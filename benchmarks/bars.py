#!/usr/bin/env python3
"""Runs the scenes that Cairn promises to hold, and compares each figure with its bar.

    benchmarks/bars.py [--cairn build/release/bin/cairn] [--device cpu] [--threads 1] [--seeds 1 2 3] [--json FILE] [NAME...]

NAME picks rows by a part of their scene's name. Each run is of 1/60 s steps, 10 s if its row doesn't say more. Exit
code: 0 if all bars are met, else 1.
Lengths in mm, speeds in mm/s.
"""

import argparse
import datetime
import json
import platform
import subprocess
import sys

# scene, substeps, {figure: most allowed}; "goal" rows are shown and don't count; "seconds" is how long, if not 10
BARS = [
    ("tower:height=20", 6, {"fallen": 0, "drop": 25}),
    ("tower:height=40", 6, {"fallen": 0}),
    ("tower:height=40", 24, {"fallen": 0, "drop": 7, "rms": 5}),
    ("tower:height=100", 12, {"fallen": 0, "max_pen": 5}),
    ("tower:height=100", 6, {"goal": True, "fallen": 0}),
    ("tower:height=200", 12, {"goal": True, "fallen": 0}),
    ("wall:base=40", 4, {"fallen": 0}),
    ("wall:base=70", 4, {"fallen": 0}),
    ("heavy:height=10,ratio=100", 6, {"fallen": 0}),
    ("heavy:height=10,ratio=100", 12, {"fallen": 0, "mean_pen": 3, "rms": 20}),
    ("heavy:height=5,ratio=1000", 24, {"fallen": 0}),
    ("slope:height=3,tan=0.3", 6, {"fallen": 0}),
    ("lattice:n=16", 6, {"fallen": 0, "mean_pen": 1}),
    ("lattice:n=20", 6, {"fallen": 0, "mean_pen": 1}),
    ("pile:count=3000", 6, {"fallen": 0, "mean_pen": 2, "rms": 20}),
    ("pile:count=300", 6, {"goal": True, "seconds": 14, "rms": 0.01}),
    ("pile:count=3000", 6, {"goal": True, "seconds": 14, "rms": 0.01}),
]
FIGURES = {  # name: (key in the command line's quality object, factor)
    "fallen": ("fallen", 1),
    "max_pen": ("max_penetration", 1e3),
    "mean_pen": ("mean_penetration", 1e3),
    "drop": ("height_loss", 1e3),
    "rms": ("rms_speed", 1e3),
    "excursion": ("max_excursion", 1e3),
}


def run(options, scene, substeps, seconds, seed):
    command = [options.cairn, "run", scene, "--seconds", str(seconds), "--substeps", str(substeps), "--seed", str(seed), "--device", options.device,
               "--threads", str(options.threads), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cairn", default="build/release/bin/cairn")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--json")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()

    rows, missed = [], 0
    print(f"{'scene':27} sub  s seed {'fallen':>6} {'max_pen':>8} {'mean_pen':>8} {'drop':>8} {'rms':>8} {'excursion':>9} {'ms':>8} verdict")
    for scene, substeps, row in BARS:
        bars = dict(row)
        goal, seconds = bars.pop("goal", False), bars.pop("seconds", 10)
        if options.names and not any(name in scene for name in options.names):
            continue
        for seed in options.seeds:
            out = run(options, scene, substeps, seconds, seed)
            got = {name: out["quality"][key] * factor for name, (key, factor) in FIGURES.items()}
            over = [f"{name} > {most}" for name, most in bars.items() if not got[name] <= most]
            if out["status"]:
                over.append("status " + ",".join(out["status"]))
            missed += bool(over) and not goal
            verdict = ("met" if not over else "; ".join(over)) + (" (goal)" if goal else "")
            ms = out["ms_per_step"]["median"]
            print(f"{scene:27} {substeps:3} {seconds:2} {seed:4} {got['fallen']:6.0f} {got['max_pen']:8.3f} {got['mean_pen']:8.3f} "
                  f"{got['drop']:8.2f} {got['rms']:8.4f} {got['excursion']:9.1f} {ms:8.3f} {verdict}", flush=True)
            rows.append({"scene": scene, "substeps": substeps, "seconds": seconds, "seed": seed, "met": not over, "goal": goal,
                         "hash": out["hash"], "ms": ms, **got})
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"date": datetime.date.today().isoformat(), "device": options.device, "cpu": platform.processor() or platform.machine(),
                       "rows": rows}, file, indent=1)
    print("all bars met" if missed == 0 else f"{missed} bars missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
