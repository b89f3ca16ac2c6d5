#!/usr/bin/env python3
"""Runs the same scenes in Cairn and in other engines, and prints time and quality side by side. run.sh calls it.

Times: engines alternate within a round, rounds repeat, and the table has the median over the rounds of the mean step in
the timing window, so that a machine that is busy for a while slows every engine alike. Runs are pinned.
Quality: one more run per engine and seed, whose poses one program judges for all engines.
"""

import argparse
import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WINDOW = (120, 240)  # steps
FRAME_EVERY = 6  # steps between recorded poses


def processor_name():
    try:
        return re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))[1].strip()
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


class Engine:
    """A row of the table: a program, its arguments, and the thread counts that it can use."""

    def __init__(self, name, command, threads):
        self.name, self.command, self.threads = name, command, threads


def engines(build, python, wanted, threads):
    program = build / "bin"
    rows = [Engine("cairn", {t: [str(program / "peer_cairn")] for t in threads}, threads)]
    bullet = {1: [str(program / "peer_bullet")]} if (program / "peer_bullet").exists() else {}
    if (program / "peer_bullet_threads").exists():
        # locks cost time, so that the build without them runs the single thread
        bullet |= {t: [str(program / "peer_bullet_threads")] for t in threads if t > 1}
    if bullet:
        rows.append(Engine("bullet", bullet, [t for t in threads if t in bullet]))
    for name in ("box3d", "jolt", "ode"):
        if (program / f"peer_{name}").exists():
            rows.append(Engine(name, {t: [str(program / f"peer_{name}")] for t in threads}, threads))
    has_mujoco = subprocess.run([python, "-c", "import mujoco"], capture_output=True, check=False).returncode == 0
    if has_mujoco:
        driver = [python, str(HERE / "mujoco_driver.py")]
        rows.append(Engine("mujoco", {1: driver}, [1]))
        rows.append(Engine("mujoco-cg", {1: driver + ["--solver", "CG"]}, [1]))
    rows = [row for row in rows if not wanted or row.name in wanted]
    for missing in set(wanted) - {row.name for row in rows}:
        print(f"note: no {missing} here; it is left out", file=sys.stderr)
    return rows


def run(command, cpus, folder):
    """One run pinned to `cpus`, in `folder` (MuJoCo leaves a log): its line of JSON, or None with the error shown."""
    pinned = ["taskset", "-c", ",".join(map(str, cpus)), *command]
    done = subprocess.run(pinned, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"note: {' '.join(command)}: {done.stderr.strip() or done.returncode}", file=sys.stderr)
        return None
    # an engine may write lines of its own besides
    return json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))


def say(text):
    """Progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def copies_of(scene):
    """("tower:height=10", "1024") of "tower:height=10@1024"."""
    spec, _, copies = scene.partition("@")
    return spec, copies or "1"


def time_scene(scene_file, copies, rows, options):
    """{engine: {threads: {"cpu_ms": [a round each], "wall_ms": [the same], "steps", "complete", "version"}}}"""
    times = {row.name: {} for row in rows}
    for round_index in range(options.rounds):
        shift = round_index % len(rows)
        for row in rows[shift:] + rows[:shift]:
            for threads in row.threads:
                entry = times[row.name].setdefault(threads, {"cpu_ms": [], "wall_ms": [], "complete": True})
                if not entry["complete"]:
                    continue  # it didn't reach the window's end within the limit: once is enough
                say(f"{scene_file.stem}: round {round_index + 1} of {options.rounds}, {row.name}, {threads} threads")
                command = [*row.command[threads], str(scene_file), "--threads", str(threads), "--steps", str(WINDOW[1])]
                command += ["--first", str(WINDOW[0]), "--last", str(WINDOW[1]), "--limit", str(options.limit)]
                command += ["--copies", copies] if copies != "1" else []
                result = run(command, options.cpus[:threads], options.build)
                if result is None:
                    entry["complete"] = False
                    continue
                for key in ("cpu_ms", "wall_ms"):
                    entry[key].append(result[key])
                entry.update({key: result[key] for key in ("steps", "complete", "version", "bodies")})
    return times


def judge_scene(scene, copies, scene_file, seed, rows, options):
    """{engine: {"4s": figures, "end": figures}}"""
    out = {}
    quality = str(options.build / "bin" / "peer_quality")
    for row in rows:
        threads = row.threads[0]
        say(f"{scene}: quality of {row.name}, seed {seed}")
        poses = scene_file.with_suffix(".poses")
        command = [*row.command[threads], str(scene_file), "--threads", str(threads), "--steps", str(options.steps)]
        command += ["--poses", str(poses), "--every", str(FRAME_EVERY), "--limit", str(options.limit)]
        command += ["--copies", copies] if copies != "1" else []
        result = run(command, options.cpus[:threads], options.build)
        if result is None or result["steps"] < FRAME_EVERY:
            continue
        for warning in result["warnings"]:
            print(f"note: {scene}, seed {seed}: {row.name} warns: {warning}", file=sys.stderr)
        judged = run(
            [quality, scene, str(poses), "--seed", str(seed), "--at", str(WINDOW[1])], options.cpus[:1], options.build
        )
        poses.unlink()
        if judged is None:
            continue
        by_step = {frame["step"]: frame for frame in judged["frames"]}
        out[row.name] = {
            "middle": by_step.get(WINDOW[1]),
            "end": judged["frames"][-1],
            "complete": result["complete"],
            "warnings": result["warnings"],
        }
    return out


def median(values):
    return statistics.median(values) if values else None


def milliseconds(entry, threads, fell):
    """One thread is billed by processor time, which a busy machine spoils least; more threads by the clock."""
    value = median(entry["cpu_ms" if threads == 1 else "wall_ms"]) if entry else None
    return "-" if value is None else f"{value:.3g}" + ("" if entry["complete"] else "*") + fell


def ratio(mine, own):
    """How many times Cairn's processor time on one thread: the median over the rounds, in each of which both ran."""
    both = [a / b for a, b in zip(mine.get(1, {}).get("cpu_ms", []), own.get(1, {}).get("cpu_ms", []))]
    return median(both)


def millimetres(figures, key):
    return f"{1e3 * figures[key]:.3g}" if figures and figures["finite"] else "-"


def table(scene, record, threads):
    head = [
        "engine",
        *(f"{t}T ms/step" for t in threads),
        "x cairn",
        "seed",
        "mean pen mm at 4 s",
        "fallen at end",
        "max pen mm",
        "mean pen mm",
        "top loss mm",
        "rms mm/s",
        "excursion m",
        "at step",
    ]
    lines = []
    times = record["times"]
    for name, by_threads in times.items():
        judged = [(seed, q[name]) for seed, q in record["quality"].items() if name in q]
        # what lies about in the timing window is cheaper than the scene that was asked for
        fell = "+" if any(q["middle"] and q["middle"].get("fallen") for _, q in judged) else ""
        times_cairn = ratio(by_threads, times.get("cairn", {}))
        start = [
            name,
            *(milliseconds(by_threads.get(t), t, fell) for t in threads),
            f"{times_cairn:.2f}" if times_cairn else "-",
        ]
        if not judged:
            lines.append([*start, *["-"] * (len(head) - len(start))])
        for k, (seed, q) in enumerate(judged):
            row = start if k == 0 else [""] * len(start)
            end = q["end"]
            lengths = [
                millimetres(end, key) for key in ("max_penetration", "mean_penetration", "height_loss", "rms_speed")
            ]
            fallen, excursion = (end["fallen"], f"{end['max_excursion']:.3g}") if end["finite"] else ("not finite", "-")
            lines.append(
                [*row, seed, millimetres(q["middle"], "mean_penetration"), fallen, *lengths, excursion, end["step"]]
            )
    widths = [max(len(str(line[i])) for line in [head, *lines]) for i in range(len(head))]
    print(f"\n{scene}: {record['bodies']} bodies")
    for line in [head, *lines]:
        print(
            "  ".join(
                str(cell).ljust(w) if i == 0 else str(cell).rjust(w) for i, (cell, w) in enumerate(zip(line, widths))
            )
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="build folder of benchmarks/peers")
    parser.add_argument("--results", type=Path, required=True, help="folder for the JSON")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has mujoco")
    parser.add_argument(
        "--scenes",
        nargs="+",
        help="built-in scenes; SCENE@N takes N copies of it, as worlds of a batch, or side by side in one world of engines "
        "that hold one (no MuJoCo), and judges the first",
        default=["tower:height=10", "tower:height=20", "wall:base=40", "lattice:n=16", "heavy:height=10,ratio=100"],
    )
    parser.add_argument(
        "--engines", nargs="*", default=[], help="some of cairn bullet box3d jolt ode mujoco mujoco-cg; all if absent"
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of each engine, scene and thread count")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument(
        "--cpus", nargs="+", type=int, default=sorted(os.sched_getaffinity(0)), help="processors to pin to"
    )
    parser.add_argument("--steps", type=int, default=600, help="steps of the run that is judged")
    parser.add_argument("--limit", type=float, default=120, help="processor seconds after which a run is cut short")
    options = parser.parse_args()
    options.threads = [t for t in options.threads if t <= len(options.cpus)]
    options.build = options.build.resolve()
    options.results.mkdir(parents=True, exist_ok=True)

    rows = engines(options.build, options.python, options.engines, options.threads)
    results = {
        "date": datetime.date.today().isoformat(),
        "processor": processor_name(),
        "processors": len(options.cpus),
        "window": WINDOW,
        "rounds": options.rounds,
        "scenes": {},
    }
    for scene in options.scenes:
        record = {"times": {}, "quality": {}, "bodies": 0}
        spec, copies = copies_of(scene)
        for seed in options.seeds:
            scene_file = options.build / (re.sub(r"[^a-z0-9]+", "-", scene) + f"-{seed}.json")
            subprocess.run([options.build / "bin" / "peer_scene", spec, scene_file, "--seed", str(seed)], check=True)
            if not record["times"]:
                record["times"] = time_scene(scene_file, copies, rows, options)
            record["quality"][seed] = judge_scene(spec, copies, scene_file, seed, rows, options)
        record["bodies"] = max((e.get("bodies", 0) for by in record["times"].values() for e in by.values()), default=0)
        results["scenes"][scene] = record
        say("")
        table(scene, record, options.threads)

    versions = {
        name: sorted({e["version"] for e in by.values() if "version" in e})
        for record in results["scenes"].values()
        for name, by in record["times"].items()
    }
    results["versions"] = versions
    print(
        f"\n{results['processor']}, {len(options.cpus)} processors; steps {WINDOW[0]} to {WINDOW[1]}, "
        f"median of {options.rounds} rounds; 1T is processor time, more threads the clock's; "
        f"* cut short after {options.limit:g} processor seconds, + bodies had fallen by then"
    )
    for scene, record in results["scenes"].items():
        for name in ("bullet", "box3d", "jolt"):
            against = ratio(record["times"].get(name, {}), record["times"].get("cairn", {}))
            if against:
                print(f"{scene}: Cairn takes {1 / against:.2f} of the time of {name} on one thread")
    for name, version in versions.items():
        print(f"{name}: {'; '.join(version)}")
    machine = re.sub(r"[^a-z0-9]+", "-", results["processor"].lower()).strip("-")
    base = options.results / f"peers-{machine}-{results['date']}"
    base.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {base}.json; python -m cairn.plot {base}.json draws it")


if __name__ == "__main__":
    main()
