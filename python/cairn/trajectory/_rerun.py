"""Recordings of Rerun: an entity for each body and set of particles, and series of figures."""

from __future__ import annotations

import contextlib
import pathlib
import uuid
from typing import TYPE_CHECKING, Any

import numpy

from .. import __version__
from .._core import NUMERICS_VERSION, InvalidArgument, QualityMeter, picture_color
from .._drawn import FIGURES, bytes_of_color
from .._meshes import Mesh, body_mesh, drawn_shapes
from .._packages import package
from .._structs import Body
from ._cast import Frame, SetTrack, Track
from ._scenery import Followed, drawn_body, up_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._writer import About

BLOCK_BYTES = 16 << 20
"""[B] of poses that are handed to Rerun together"""
_CONTACTS = ("manifolds", "points")  # of StepReport


class Rerun:
    """Frames are handed over in blocks, in which each body has its poses in a row. Rerun keeps them until the end: what it
    gives in parts is no file.
    """

    def __init__(self, path: pathlib.Path, about: About) -> None:
        self.rr = package("rerun", f"{path.suffix} files need", "rerun-sdk")
        self.path, self.about = path, about
        # without an id all recordings of a process would be one
        self.stream = self.rr.RecordingStream("cairn", recording_id=uuid.uuid4())
        self.bytes = self.stream.binary_stream()
        for enabled in (self.stream.set_log_time_enabled, self.stream.set_log_tick_enabled):
            enabled(False)  # times of day, which would be another axis of time
        self.meter = None if about.described is None else QualityMeter(about.described)
        self.batch = len(about.origins) > 1
        self.paths: list[str | None] = []
        """of each track; None of a particle, which is drawn with its set"""
        self.sets: list[tuple[Followed, str]] = []
        self.there = numpy.empty(0, bool)
        self.last: NDArray[numpy.float32] = numpy.empty((0, 7), numpy.float32)
        """(tracks, 7) the poses that were written last"""
        self.times: list[float] = []
        self.poses: list[NDArray[numpy.float32]] = []
        """of each frame of the block: (tracks, 7) places and orientations, NaN where a body isn't there"""
        self.figures: dict[str, list[float]] = {}
        self.frames = 0
        up = numpy.array(up_of(about))
        axis = int(numpy.argmax(abs(up)))
        side = f"RIGHT_HAND_{'XYZ'[axis]}_{'UP' if up[axis] > 0 else 'DOWN'}"
        self.stream.log("world", getattr(self.rr.ViewCoordinates, side), static=True)
        told = {"cairn_version": __version__, "numerics_version": NUMERICS_VERSION, "every": about.every}
        self.stream.log("cairn", self.rr.AnyValues(**told, scene=about.scene), static=True)

    def frame(self, frame: Frame) -> None:
        self.stream.set_time("time", duration=frame.time)
        self.stream.set_time("frame", sequence=self.frames)
        for track in frame.tracks[len(self.paths) :]:
            self.paths.append(None if track.is_particle else self._path("bodies", track.name))
        self._come_and_go(frame)
        origins = numpy.array(self.about.origins)
        places = frame.states.position + origins[[frame.tracks[t].world for t in frame.rows.tolist()]].reshape(-1, 3)
        poses = numpy.concatenate([places, frame.states.orientation], 1).astype(numpy.float32)
        self.poses.append(frame.spread(poses))
        self.times.append(frame.time)
        self.frames += 1
        self._look_at_sets(frame, frame.spread(places))
        self._measure()
        if sum(array.nbytes for array in self.poses) > BLOCK_BYTES:
            self._flush()

    def finish(self) -> None:
        self._flush()
        content = self.bytes.read(flush=True)
        self.stream.disconnect()
        if not content:
            raise OSError(None, "Rerun gave nothing to write; is it switched off by the environment variable RERUN?")
        # Rerun's own files say nothing of a full disk
        self.path.write_bytes(content)

    def abandon(self) -> None:
        with contextlib.suppress(Exception):
            self.stream.disconnect()

    def _path(self, kind: str, name: str) -> str:
        # what stands below another entity moves with it: a slash in a name of a body makes no such place
        parts = name.split("/", 1) if self.batch else [name]
        path: str = self.rr.new_entity_path(["world", kind, *parts])
        return path

    def _come_and_go(self, frame: Frame) -> None:
        was = numpy.zeros(len(frame.tracks), bool)
        was[: len(self.there)] = self.there
        self.there = frame.present()
        for track in numpy.flatnonzero(self.there != was).tolist():
            path = self.paths[track]
            if path is None:
                continue
            if was[track]:
                self.stream.log(path, self.rr.Clear(recursive=True))
            else:
                self._show(path, frame.tracks[track])

    def _show(self, path: str, track: Track) -> None:
        body = drawn_body(track.body, self.about.plane_extent)
        if drawn_shapes(body):
            mesh = body_mesh(body, plane_extent=self.about.plane_extent or 1)
            self.stream.log(path, self._mesh(mesh, bytes_of_color(picture_color(track.body, track.slot))))

    def _mesh(self, mesh: Mesh, color: tuple[int, int, int]) -> Any:
        """Each triangle has corners of its own, so that edges are seen."""
        corners = mesh.vertices[mesh.triangles]
        normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= numpy.maximum(numpy.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
        return self.rr.Mesh3D(
            vertex_positions=corners.reshape(-1, 3),
            vertex_normals=numpy.repeat(normals, 3, 0),
            triangle_indices=numpy.arange(3 * len(corners), dtype=numpy.uint32).reshape(-1, 3),
            albedo_factor=color,
        )

    def _look_at_sets(self, frame: Frame, positions: NDArray[numpy.float64]) -> None:
        for of in frame.sets[len(self.sets) :]:
            self.sets.append((Followed(of), self._path("particles", of.name)))
        for followed, path in self.sets:
            at, there = followed.now(positions)
            self.stream.log(path, self._particles(followed.of, at.astype(numpy.float32), there))

    def _particles(self, of: SetTrack, at: NDArray[numpy.float32], there: NDArray[numpy.bool_]) -> Any:
        color = bytes_of_color(picture_color(Body(color=of.color), max(int(of.tracks[0]), 0)))
        if len(of.triangles):
            return self._mesh(Mesh(at, of.triangles), color)
        if len(of.edges):
            return self.rr.LineStrips3D(at[of.edges], radii=of.radius, colors=color)
        return self.rr.Points3D(at[there], radii=of.radius, colors=color)

    def _measure(self) -> None:
        report = self.about.world.report()
        for name in _CONTACTS:
            self.figures.setdefault(f"figures/contacts/{name}", []).append(getattr(report, name))
        if self.meter is None:
            return
        try:
            quality = self.meter.measure(self.about.world.read_states(0))
        except InvalidArgument:  # bodies came or went: it is no more the scene's World
            self.meter = None
            return
        for kind, members in FIGURES.items():
            for name in members:
                self.figures.setdefault(f"figures/{kind}/{name}", []).append(getattr(quality, name))

    def _index(self, chosen: NDArray[Any]) -> list[Any]:
        """Times and numbers of frames of the block."""
        first = self.frames - len(self.times)
        return [
            self.rr.TimeColumn("time", duration=numpy.array(self.times)[chosen]),
            self.rr.TimeColumn("frame", sequence=first + chosen),
        ]

    def _flush(self) -> None:
        self._send_poses()
        self._send_figures()
        self.times.clear()
        self.poses.clear()

    def _send_poses(self) -> None:
        """What didn't move since the pose before is left out."""
        count = len(self.paths)
        poses = numpy.full((len(self.poses), count, 7), numpy.nan, numpy.float32)
        for k, of_frame in enumerate(self.poses):
            poses[k, : len(of_frame)] = of_frame
        before = numpy.full((1, count, 7), numpy.nan, numpy.float32)
        before[0, : len(self.last)] = self.last
        moved = numpy.isfinite(poses).all(2) & (poses != numpy.concatenate([before, poses[:-1]])).any(2)
        for track in numpy.flatnonzero(moved.any(0)).tolist():
            path, chosen = self.paths[track], numpy.flatnonzero(moved[:, track])
            if path is None:
                continue
            columns = self.rr.Transform3D.columns(
                translation=poses[chosen, track, :3], quaternion=poses[chosen, track, 3:]
            )
            self.stream.send_columns(path, self._index(chosen), columns)
        if len(poses):
            self.last = poses[-1]

    def _send_figures(self) -> None:
        for path, values in self.figures.items():
            columns = self.rr.Scalars.columns(scalars=values)
            self.stream.send_columns(path, self._index(numpy.arange(len(values))), columns)
        self.figures.clear()

