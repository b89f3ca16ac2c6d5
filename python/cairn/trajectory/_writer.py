"""Writer: frames of a World into a file of the format that its ending names."""

from __future__ import annotations

import contextlib
import errno
import importlib
import math
import os
import pathlib
from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple, Protocol, Self

import numpy

from .._core import Error, InvalidArgument, Scene, World, scene_to_json
from .._meshes import PLANE_EXTENT
from .._whole_files import Draft
from ._cast import Cast, Frame

ENDINGS = {
    ".h5": ("_numbers", "Hdf5"),
    ".npz": ("_numbers", "Npz"),
    ".vtkhdf": ("_vtk", "Vtk"),
    ".usda": ("_usd_file", "Usd"),
    ".usdc": ("_usd_file", "Usd"),
    ".usd": ("_usd_file", "Usd"),
    ".glb": ("_gltf", "Gltf"),
    ".rrd": ("_rerun", "Rerun"),
}
"""of files, and where their formats are written"""
REWINDS = (".h5", ".npz")
"""formats whose time may go back, as it does at a reset"""


class About(NamedTuple):
    """What a file says of all of its frames."""

    world: World
    scene: str
    """a scene file, or empty"""
    described: Scene | None
    """the same"""
    every: int
    interval: float
    """[s] between frames, if each call of record comes a step after the one before"""
    plane_extent: float
    """[m] 0: planes aren't drawn"""

    @property
    def origins(self) -> list[tuple[float, float, float]]:
        """[m] of the worlds, where they are drawn"""
        return [self.world.origin(k) for k in range(self.world.world_count())]


class Format(Protocol):
    """A file in the making."""

    def __init__(self, path: pathlib.Path, about: About) -> None: ...

    def frame(self, frame: Frame) -> None: ...

    def finish(self) -> None:
        """Writes what is left, and closes the file."""

    def abandon(self) -> None:
        """Closes the file, whatever is in it. Doesn't raise."""


class Writer:
    """A file of a World's frames, which has its name once it is whole.

    As a context manager it is closed at the end, and nothing is left of it where an exception ends it before.

    world: of any number of worlds. They are drawn at their origins; states are as World.read_states has them.
    path: its ending names the format. A file that is there is replaced at the end.
    every: one of so many calls of record writes a frame, the first one too; 1 or more.
    scene: kept in the file, as the text of a scene file; None: none is.
    plane_extent: [m] planes are drawn as squares, whose sides are so far from the middle; 0: not drawn.

    Raises InvalidArgument for these; OSError where no file can be written there; ModuleNotFoundError where the format
    needs a package that isn't there, which it names.
    """

    def __init__(
        self,
        world: World,
        path: str | os.PathLike[str],
        *,
        every: int = 1,
        scene: Scene | None = None,
        plane_extent: float = PLANE_EXTENT,
    ) -> None:
        self.path = pathlib.Path(path)
        """as it was given"""
        ending = self.path.suffix.lower()
        if ending not in ENDINGS:
            raise InvalidArgument(f"{self.path}: must end in one of {', '.join(ENDINGS)}")
        if not isinstance(world, World):
            raise TypeError(f"world: must be a cairn.World, is {world!r}")
        if isinstance(every, bool) or not isinstance(every, int) or every < 1:
            raise InvalidArgument(f"every: must be a whole number of at least 1, is {every!r}")
        if not 0 <= plane_extent < math.inf:
            raise InvalidArgument(f"plane_extent: must be at least 0, is {plane_extent!r}")
        text = "" if scene is None else scene_to_json(scene)
        about = About(world, text, scene, every, every * float(numpy.float32(world.params().dt)), plane_extent)
        module, name = ENDINGS[ending]
        made = getattr(importlib.import_module(f".{module}", __package__), name)
        self._every, self._calls, self._frames, self._last = every, 0, 0, -math.inf
        self._cast = Cast(world)
        self._draft: Draft | None = Draft(self.path)
        try:
            self._format: Format = made(self._draft.path, about)
        except BaseException:
            self._draft.discard()
            raise

    @property
    def frames(self) -> int:
        """[1] recorded so far"""
        return self._frames

    def record(self) -> bool:
        """Writes a frame of the World as it is now, or passes over it, by `every`. True: it wrote one.

        Bodies that came since the last frame get tracks of their own, and those that went keep theirs.

        Raises OSError where it can't be written (a full disk); InvalidArgument where time hasn't gone on since the last
        frame in a format that needs that, or where a body isn't at a finite place; CapacityError where the format has
        no room for more. The Writer is closed then, and no file is left.
        """
        if self._draft is None:
            raise Error(f"{self.path}: is closed")
        self._calls += 1
        if (self._calls - 1) % self._every:
            return False
        with self._or_nothing():
            frame = self._cast.frame()
            if self.path.suffix.lower() not in REWINDS:
                if frame.time <= self._last:
                    raise InvalidArgument(
                        f"record: the World is at {frame.time} s and the last frame was at {self._last} s; "
                        f"time must go on in {self.path.suffix} files, and need not in {' and '.join(REWINDS)}"
                    )
                finite = numpy.isfinite(frame.states.position).all(1) & numpy.isfinite(frame.states.orientation).all(1)
                if not finite.all():
                    lost = frame.tracks[frame.rows[int(numpy.argmin(finite))]].name
                    raise InvalidArgument(f"record: the body {lost!r} isn't at a finite place")
            self._format.frame(frame)
            self._last = frame.time
            self._frames += 1
        return True

    def close(self) -> None:
        """Gives the file its name. Raises OSError where it can't be written, InvalidArgument where no frame was
        recorded: nothing is left then. Does nothing where it was closed before.
        """
        if self._draft is None:
            return
        with self._or_nothing():
            if not self._frames:
                raise InvalidArgument("no frame was recorded")
            self._format.finish()
            self._draft.keep()
        self._draft = None

    def discard(self) -> None:
        """Ends it without a file."""
        if self._draft is not None:
            self._format.abandon()
            self._draft.discard()
            self._draft = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            self.close()
        elif self._draft is not None:
            self.discard()
            error.add_note(f"{self.path} was not written")

    @contextlib.contextmanager
    def _or_nothing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.discard()
            raise OSError(
                error.errno or errno.EIO, f"can't be written: {error.strerror or error}", str(self.path)
            ) from error
        except BaseException as error:
            self.discard()
            error.add_note(f"{self.path} was not written")
            raise
