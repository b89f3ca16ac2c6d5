"""Sweeps: many worlds, in shards, in this process or on workers of Ray, into a folder of Parquet files (docs/sweeps.md)."""

from __future__ import annotations

import collections
import contextlib
import copy
import os
import pathlib
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._core import DeviceError, Error, InvalidArgument
from ._structs import Device, WorldOptions
from ._sweep_study import MOST_IN_A_BATCH, Batch, Columns, Study, fingerprint, run_shard, span, tabulated, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Batch", "Study", "SweepReport", "rank_worlds", "read_sweep", "sweep"]


class SweepReport(NamedTuple):
    """What a call of cairn.sweep did."""

    out: pathlib.Path
    """the folder"""
    worlds: range
    """of the study, that are there now"""
    found: int
    """of these were there before"""
    shards: int
    """run by this call"""
    lost: int
    """workers that died at a shard, which others have run again"""
    seconds: float
    """[s] wall time, without the start of Ray"""
    started: float
    """[s] wall time that the start of Ray took; 0 without"""


def sweep(
    study: Study,
    *,
    out: str | os.PathLike[str],
    workers: int = 0,
    worlds: range | None = None,
    shard: int = 64,
    device: Device | str | None = None,
    retries: int = 3,
    address: str | None = None,
    progress: bool | None = None,
) -> SweepReport:
    """Runs the worlds of a study that aren't in the folder `out` yet, and writes a row each into Parquet files there.

    A row has: world (int64), the parameters, what `reduce` gave, status (StatusBit; 0 unless the world was frozen) and hash
    (uint64, World.state_hashes). It is the same for any workers, shards, devices and interruptions.

    out: made where it isn't there; files appear whole. It goes on where a call for the same study was ended.
    workers: shards at a time, each a task of Ray. 0: one after the other in this process, without Ray.
    worlds: of the study, those to run; None: all. rank_worlds gives those of one process of several.
    shard: worlds in a batch, 1 to 65535.
    device: of each worker; None: "cpu", with one thread a worker, or with all threads where workers is 0. For "cuda" Ray
        gives each task a GPU of its own.
    retries: how often a shard is run again whose worker died.
    address: of a Ray cluster, as ray.init takes it; None: that of RAY_ADDRESS, the one that this process is connected to, or
        one of this machine for the time of the call.
    progress: a line on stderr; None: where that is a terminal.

    Raises InvalidArgument or TypeError for arguments, and where the folder holds another study; OSError where it can't be
    written; ModuleNotFoundError without pyarrow, or without ray for workers; cairn.Error where a shard's workers died too often.
    What the study's functions raise comes with a note that names the worlds. What was written before stays.
    """
    from ._sweep_files import Folder, key_of

    if not isinstance(study, Study):
        raise TypeError(f"study: must be a cairn.Study, is {study!r}")
    workers = whole("workers", workers, 0)
    shard = whole("shard", shard, 1, MOST_IN_A_BATCH)
    retries = whole("retries", retries, 0)
    wanted = range(study.worlds) if worlds is None else worlds
    if not isinstance(wanted, range) or wanted.step != 1:
        raise TypeError(f"worlds: must be a range of step 1, is {worlds!r}")
    if wanted.start < 0 or wanted.stop > study.worlds:
        raise InvalidArgument(f"worlds: must lie within those of the study, 0 to {study.worlds - 1}, is {worlds!r}")
    on = WorldOptions(device="cpu" if device is None else device).device
    if workers and on.kind == "cpu" and not on.threads:
        on = on.replace(threads=1)

    folder = Folder(pathlib.Path(out))
    table = tabulated(study)
    identity = fingerprint(study, table)
    key = key_of(identity)
    folder.claim(identity)
    gaps = folder.missing(wanted, key)
    shards = [gap[i : i + shard] for gap in gaps for i in range(0, len(gap), shard)]
    missing = sum(map(len, gaps))
    line = _Progress(study.name, len(wanted), len(wanted) - missing, workers, progress)
    jobs = (_Job(part, {name: values[part.start : part.stop] for name, values in table.items()}) for part in shards)
    lost, started = 0, 0.0
    begin = time.perf_counter()
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(line.end)
        if workers and shards:
            ray = _Ray(min(workers, len(shards)), on, address)
            at_the_end.callback(ray.close)
            started = time.perf_counter() - begin
            results = ray.run(study, jobs, identity["numerics"], retries)
        else:
            results = _here(study, jobs, identity["numerics"], on)
        for result in at_the_end.enter_context(contextlib.closing(results)):
            if result.columns is None:
                lost += 1
                line.say(f"a worker died; {span(result.worlds)} run again")
            else:
                folder.write(result.worlds, result.columns, key)
                line.advance(len(result.worlds))
    seconds = time.perf_counter() - begin - started
    return SweepReport(folder.path, wanted, len(wanted) - missing, len(shards), lost, seconds, started)


def read_sweep(*folders: str | os.PathLike[str]) -> Any:
    """The pyarrow.Table of what is in one or more folders of one study: a row a world, ascending, each once.

    Worlds that weren't run yet are missing. Raises InvalidArgument where a folder holds no sweep, another study or a damaged
    file, where a world is there twice with other bits, and where no world is there yet.
    """
    from ._sweep_files import read

    if not folders:
        raise InvalidArgument("folders: at least one is needed")
    return read(pathlib.Path(folder) for folder in folders)


def rank_worlds(worlds: int, environ: Mapping[str, str] = os.environ) -> range:
    """The worlds of a study that this process of several has to run: `rank * n + k`, with n = worlds / processes, rounded up.

    The rank is that of torchrun (RANK of WORLD_SIZE), else that of Slurm (SLURM_PROCID of SLURM_NTASKS), else 0 of 1. The
    last processes may have fewer, or none. Raises InvalidArgument for what is no rank.
    """
    worlds = whole("worlds", worlds, 0)
    for rank_name, size_name in (("RANK", "WORLD_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")):
        if rank_name in environ:
            try:
                rank, size = int(environ[rank_name]), int(environ[size_name])
            except KeyError:
                raise InvalidArgument(f"{rank_name} is set, and {size_name} isn't") from None
            except ValueError:
                raise InvalidArgument(
                    f"{rank_name} and {size_name} must be whole numbers, are {environ[rank_name]!r} and {environ[size_name]!r}"
                ) from None
            if not 0 <= rank < size:
                raise InvalidArgument(f"{rank_name} must be 0 to {size_name} - 1, is {rank} of {size}")
            each = -(-worlds // size)
            return range(min(rank * each, worlds), min((rank + 1) * each, worlds))
    return range(worlds)


class _Job(NamedTuple):
    worlds: range
    parameters: dict[str, NDArray[Any]]


class _Result(NamedTuple):
    worlds: range
    columns: Columns | None
    """None: the worker died"""


def _here(study: Study, jobs: Iterator[_Job], numerics: int, device: Device) -> Generator[_Result, None, None]:
    for job in jobs:
        try:
            columns = run_shard(study, job.worlds, job.parameters, numerics, device)
        except Exception as error:
            error.add_note(f"in {span(job.worlds)} of the study {study.name!r}")
            raise
        yield _Result(job.worlds, columns)


class _Ray:
    """Workers of Ray: as many tasks in flight as there are to be workers."""

    def __init__(self, workers: int, device: Device, address: str | None) -> None:
        from ._sweep_files import package

        self.ray = package("ray")
        self.workers = workers
        self.needs = {"num_gpus": 1, "num_cpus": 1} if device.kind == "cuda" else {"num_cpus": device.threads}
        # Ray shows a task that GPU alone which it gave it
        self.device = device.replace(index=0) if device.kind == "cuda" else device
        self.ours = not self.ray.is_initialized()
        if self.ours:
            quiet = {"log_to_driver": False, "logging_level": "error"}
            if address is not None or "RAY_ADDRESS" in os.environ:
                self.ray.init(address=address, **quiet)
            else:
                cpus = workers * self.needs["num_cpus"]
                # workers find the modules that this process finds
                path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
                with _environment(PYTHONPATH=path, RAY_USAGE_STATS_ENABLED="0"):
                    self.ray.init(address="local", num_cpus=cpus, include_dashboard=False, **quiet)
                if "num_gpus" in self.needs and not self.ray.cluster_resources().get("GPU"):
                    self.close()
                    raise DeviceError("device: is cuda, and Ray finds no GPU here")

    def run(self, study: Study, jobs: Iterator[_Job], numerics: int, retries: int) -> Generator[_Result, None, None]:
        ray, errors = self.ray, self.ray.exceptions
        shared = copy.copy(study)
        shared.parameters = {}  # a shard has its own
        everywhere = ray.put(shared)  # once a machine, not once a shard
        # Ray's own retries would tell nobody
        task = ray.remote(run_shard).options(max_retries=0, scheduling_strategy="SPREAD", **self.needs)
        again: collections.deque[_Job] = collections.deque()
        died: collections.Counter[int] = collections.Counter()
        running: dict[Any, _Job] = {}
        try:
            while True:
                while len(running) < self.workers:
                    job = again.popleft() if again else next(jobs, None)
                    if job is None:
                        break
                    running[task.remote(everywhere, job.worlds, job.parameters, numerics, self.device)] = job
                if not running:
                    return
                ray.wait(list(running), num_returns=1)
                # all that have ended meanwhile: with thousands of workers each look at them takes its time
                ended, _ = ray.wait(list(running), num_returns=len(running), timeout=0)
                for task_ended in ended:
                    job = running.pop(task_ended)
                    try:
                        columns = ray.get(task_ended)
                    except errors.RayTaskError as error:  # the study's own
                        error.add_note(f"in {span(job.worlds)} of the study {study.name!r}")
                        raise
                    except errors.RayError as error:
                        died[job.worlds.start] += 1
                        if died[job.worlds.start] > retries:
                            times = f"{died[job.worlds.start]} times, the last one so: {error}"
                            raise Error(f"the workers of {span(job.worlds)} died {times}") from error
                        again.append(job)
                        yield _Result(job.worlds, None)
                    else:
                        yield _Result(job.worlds, columns)
        finally:
            for task_running in running:
                ray.cancel(task_running)

    def close(self) -> None:
        if self.ours:
            self.ray.shutdown()


@contextlib.contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """What processes that are started meanwhile inherit."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class _Progress:
    """A line that changes on a terminal, and nothing elsewhere."""

    def __init__(self, name: str, total: int, done: int, workers: int, shown: bool | None) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty() if shown is None else shown
        self.name, self.total, self.done, self.workers = name, total, done, workers
        self.before, self.begin = done, time.perf_counter()

    def advance(self, worlds: int) -> None:
        self.done += worlds
        if self.shown:
            speed = (self.done - self.before) / max(time.perf_counter() - self.begin, 1e-9)
            where = f"{self.workers} workers" if self.workers else "this process"
            left = (self.total - self.done) / speed
            text = f"{self.name}: {self.done:,} of {self.total:,} worlds, {speed:.1f} a second on {where}, {left:.0f} s left"
            self._write(f"\r{text}\x1b[K")

    def say(self, text: str) -> None:
        if self.shown:
            self._write(f"\r{self.name}: {text}\x1b[K\n")

    def end(self) -> None:
        if self.shown and self.done > self.before:
            self._write("\n")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
