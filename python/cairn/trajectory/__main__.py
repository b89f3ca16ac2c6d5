"""python -m cairn.trajectory SCENE.json FILE... --steps N --every K"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable

from .. import CapacityError, DeviceError, InvalidArgument, StatusBit, World, WorldOptions, load_scene
from .._meshes import PLANE_EXTENT
from ._writer import ENDINGS, Writer

BAD_STATUS, BAD_INPUT, NO_ROOM, NOT_WRITTEN, INTERRUPTED = 1, 2, 3, 4, 130  # exit codes of docs/cli.md


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0; 1 where the simulation raised a status bit, and the file ends there; 2 for bad input;
    3 without the device or memory; 4 where the file can't be written; 130 where it was interrupted.
    """
    parser = argparse.ArgumentParser(
        prog="python -m cairn.trajectory",
        description="Runs a scene and writes its frames into files.",
    )
    parser.add_argument("scene", help="a scene file")
    parser.add_argument("files", metavar="file", nargs="+", help=f"what to write; it ends in {', '.join(ENDINGS)}")
    parser.add_argument("--steps", type=_count(0), default=600, help="to take; 600 without")
    parser.add_argument(
        "--every", type=_count(1), default=1, help="so many steps a frame, the start is one, too; 1 without"
    )
    parser.add_argument("--device", default="best", help="cpu, cuda, cuda:NUMBER or best, which it is without")
    parser.add_argument(
        "--plane-extent",
        type=float,
        default=PLANE_EXTENT,
        help=f"[m] planes are squares, whose sides are so far from the middle; {PLANE_EXTENT:g} without, 0: not drawn",
    )
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except (CapacityError, DeviceError) as error:
        return _fail(error, NO_ROOM)
    except (ValueError, TypeError, ImportError) as error:
        return _fail(error, BAD_INPUT)
    except KeyboardInterrupt:
        files = " and ".join(options.files)
        return _fail(
            f"{files} w{'as' if len(options.files) == 1 else 'ere'} not written: it was interrupted", INTERRUPTED
        )


def _run(options: argparse.Namespace) -> int:
    try:
        if len({os.path.realpath(file) for file in options.files}) < len(options.files):
            raise InvalidArgument(f"{' '.join(options.files)}: one file can't be written twice")
        scene = load_scene(options.scene)
        # the one before the other: what can't be opened for reading is bad input, too
        world = World(scene, WorldOptions(device=options.device))
        outs = [
            Writer(world, file, every=options.every, scene=scene, plane_extent=options.plane_extent)
            for file in options.files
        ]
    except OSError as error:
        return _fail(error, BAD_INPUT)
    line = _Progress(options.steps)
    try:
        with line, contextlib.ExitStack() as stack:
            for out in outs:
                stack.enter_context(out)
            _record(outs)
            for step in range(options.steps):
                world.step()
                # a world that is frozen stands still, and its time does
                if not (step + 1) % options.every and world.report().status:
                    break
                _record(outs)
                line.show(step + 1)
    except OSError as error:
        return _fail(error, NOT_WRITTEN)
    status = world.report().status
    if status:
        files = " and ".join(options.files)
        return _fail(
            f"{files} end{'s' * (len(outs) == 1)} where the simulation raised {StatusBit(status)!r}", BAD_STATUS
        )
    return 0


def _record(outs: list[Writer]) -> None:
    for out in outs:
        out.record()


def _count(least: int) -> Callable[[str], int]:
    def count(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}, is {text}")
        return value

    return count


def _fail(message: object, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


class _Progress:
    """A line that changes on a terminal, and nothing elsewhere."""

    def __init__(self, steps: int) -> None:
        self.steps, self.shown, self.begin = steps, sys.stderr is not None and sys.stderr.isatty(), time.perf_counter()
        self.last = 0.0

    def __enter__(self) -> None:
        pass

    def show(self, step: int) -> None:
        now = time.perf_counter()
        if self.shown and (now - self.last > 0.1 or step == self.steps):
            self.last = now
            left = (self.steps - step) * (now - self.begin) / step
            sys.stderr.write(f"\rstep {step:,} of {self.steps:,}, {left:.0f} s left\x1b[K")
            sys.stderr.flush()

    def __exit__(self, *of: object) -> None:
        if self.last:
            sys.stderr.write("\n")


if __name__ == "__main__":
    sys.exit(main())
