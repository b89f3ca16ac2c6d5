"""What a sweep costs on workers of Ray, and that its results are the same: python python/benchmarks/sweep.py [--worlds N]

Runs the study of python/examples/masonry_sweep.py on several numbers of workers, kills some on the way, and compares the
tables; then takes shards apart that do next to nothing. docs/sweeps.md has the figures.
"""

import argparse
import hashlib
import os
import pathlib
import signal
import statistics
import sys
import tempfile
import threading
import time

import pyarrow
import ray

import cairn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))
import masonry_sweep  # noqa: E402


def workers() -> list[int]:
    """Processes below this one that run a shard."""
    parents, named = {}, []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            stat, command = (path / "stat").read_text(), (path / "cmdline").read_text()
        except OSError:
            continue
        parents[int(path.name)] = int(stat.rpartition(")")[2].split()[1])
        if command.startswith("ray::run_shard"):
            named.append(int(path.name))

    def below(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [pid for pid in named if below(pid)]


class Watch(threading.Thread):
    """CPU time of the workers, by looking each second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.used: dict[int, float] = {}
        self.over = threading.Event()
        self.start()

    def run(self) -> None:
        while not self.over.wait(1):
            for pid in workers():
                try:
                    stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                self.used[pid] = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def seconds(self) -> float:
        self.over.set()
        self.join()
        return sum(self.used.values())


def kill_one(out: pathlib.Path, files: int, times: int) -> None:
    """Kills a worker each time that so many files more are there."""
    for k in range(1, times + 1):
        while len(list(out.glob("*.parquet"))) < k * files:
            time.sleep(0.05)
        time.sleep(0.5)
        while not (running := workers()):
            time.sleep(0.01)
        os.kill(running[0], signal.SIGKILL)
        print(f"  killed worker {running[0]} at {len(list(out.glob('*.parquet')))} files", flush=True)


def digest(out: pathlib.Path) -> str:
    """Of the bytes of a table."""
    sink = pyarrow.BufferOutputStream()
    table = cairn.read_sweep(out).combine_chunks()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return f"{table.num_rows} rows {hashlib.sha256(sink.getvalue()).hexdigest()[:16]}"


def files(out: pathlib.Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(out.glob("*.parquet")):
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def nothing(batch: cairn.Batch) -> dict[str, object]:
    return {f"column{i}": batch.indices * float(i) for i in range(8)}


def masonry(folder: pathlib.Path, worlds: int, shard: int) -> None:
    device = cairn.Device(threads=1)
    for count, kills in ((1, 0), (2, 0), (4, 0), (2, 2), (0, 0)):
        out = folder / f"{count}-{kills}"
        if kills:
            threading.Thread(target=kill_one, args=(out, worlds // shard // 4, kills), daemon=True).start()
        load, watch, begin = os.getloadavg()[0], Watch(), time.process_time()
        did = cairn.sweep(masonry_sweep.study(worlds), out=out, workers=count, shard=shard, device=device, progress=False)
        print(
            f"{count or 'no'} workers, {kills} kills: {did.seconds:.1f} s ({did.started:.1f} s to start), "
            f"{worlds / did.seconds:.1f} worlds/s, CPU {watch.seconds():.0f} s of workers and {time.process_time() - begin:.1f} s here, "
            f"lost {did.lost}, load {load:.1f} to {os.getloadavg()[0]:.1f}, "
            f"{digest(out)}, files {files(out)}",
            flush=True,
        )


def parts(folder: pathlib.Path) -> None:
    """The same shards in this process and on a worker, of so few steps that what remains is the sweep's."""
    device = cairn.Device(threads=1)
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    empty = ray.remote(lambda: None)
    ray.get(empty.remote())

    def trips() -> float:
        begin = time.perf_counter()
        for _ in range(200):
            ray.get(empty.remote())
        return (time.perf_counter() - begin) / 200 * 1e3

    print(f"an empty task of Ray, there and back: {statistics.median(trips() for _ in range(5)):.2f} ms", flush=True)
    for worlds in (1, 64, 1024):
        study = cairn.Study("nothing", cairn.Scene(), 100 * worlds, 1, reduce=nothing)
        times: dict[int, list[float]] = {0: [], 1: []}
        for k in range(5):
            for count in times:
                out = folder / f"parts-{worlds}-{count}-{k}"
                did = cairn.sweep(study, out=out, workers=count, shard=worlds, device=device, progress=False)
                times[count].append(did.seconds / did.shards * 1e3)
        begin = time.perf_counter()
        cairn.sweep(study, out=out, workers=0, shard=worlds)
        found = (time.perf_counter() - begin) / did.shards * 1e3
        size = statistics.mean(path.stat().st_size for path in out.glob("*.parquet"))
        here, there = (statistics.median(runs) for runs in times.values())
        print(
            f"shards of {worlds}: {here:.2f} ms each in this process, {there:.2f} on a worker; "
            f"{size / 1024:.1f} KiB a file; {found:.2f} ms to find one",
            flush=True,
        )
    ray.shutdown()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--worlds", type=int, default=4096)
    arguments.add_argument("--shard", type=int, default=64)
    given = arguments.parse_args()
    os.environ.setdefault("RAY_worker_niceness", "0")  # 15 by itself: behind all else that runs here
    with tempfile.TemporaryDirectory() as name:
        parts(pathlib.Path(name))
        masonry(pathlib.Path(name), given.worlds, given.shard)
