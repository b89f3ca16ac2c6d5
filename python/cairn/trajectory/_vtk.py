"""VTKHDF files for ParaView: PolyData over time, written as frames come.

The format is that of VTK's documentation (VTKHDF, temporal PolyData). A part holds the topology, which frames share
until bodies come or go; points are each frame's own.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

import numpy

from .. import __version__
from .._core import NUMERICS_VERSION
from .._meshes import Mesh, body_key, body_mesh, rotation
from ._cast import Frame, Track
from ._hdf5 import Hdf5File
from ._scenery import drawn_body

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from ._writer import About

_CELLS = ("Vertices", "Lines", "Polygons", "Strips")
"""in the order of VTK, which has all of them in each PolyData"""
_CHUNK = 1024  # rows of each array


class Vtk(Hdf5File):
    """Bodies as triangles in world coordinates; particles as points, lines or triangles."""

    def __init__(self, path: pathlib.Path, about: About) -> None:
        super().__init__(path)
        self.about = about
        self.meshes: dict[Hashable, Mesh] = {}
        self.names = 0
        self.has_topology = False
        root = self.file.create_group("VTKHDF", track_order=True)
        root.attrs["Version"] = numpy.array([2, 3], numpy.int64)
        root.attrs.create("Type", numpy.bytes_("PolyData"), dtype=self.h5py.string_dtype("ascii", 8))
        self._make("NumberOfPoints", (), numpy.int64)
        self._make("Points", (3,), numpy.float64)
        for kind in _CELLS:
            for name in ("NumberOfCells", "NumberOfConnectivityIds", "Offsets", "Connectivity"):
                self._make(f"{kind}/{name}", (), numpy.int64)
        self._make("PointData/body", (), numpy.int32)
        self._make("PointData/velocity", (3,), numpy.float32)
        self._make("Steps/Values", (), numpy.float64)
        for name in (
            "PartOffsets",
            "NumberOfParts",
            "PointOffsets",
            "PointDataOffsets/body",
            "PointDataOffsets/velocity",
        ):
            self._make(f"Steps/{name}", (), numpy.int64)
        self._make("Steps/CellOffsets", (4,), numpy.int64)
        self._make("Steps/ConnectivityIdOffsets", (4,), numpy.int64)
        root["Steps"].attrs["NSteps"] = 0
        more = self.file.create_group("cairn")  # VTK passes over it
        more.attrs.update({"cairn_version": __version__, "numerics_version": NUMERICS_VERSION, "every": about.every})
        more.create_dataset("scene", data=about.scene)
        more.create_dataset("names", (0,), self.h5py.string_dtype(), maxshape=(None,))

    def _make(self, name: str, width: tuple[int, ...], of: type[Any]) -> None:
        self.file.create_dataset(f"VTKHDF/{name}", (0, *width), of, maxshape=(None, *width), chunks=(_CHUNK, *width))

    def _append(self, name: str, rows: Any) -> None:
        array = self.file[f"VTKHDF/{name}"]
        first = len(array)
        array.resize(first + len(rows), axis=0)
        array[first:] = rows

    def _size(self, name: str) -> int:
        return len(self.file[f"VTKHDF/{name}"])

    def frame(self, frame: Frame) -> None:
        with self.writing():
            self._write(frame)

    def _write(self, frame: Frame) -> None:
        if frame.has_changed or not self.has_topology:
            self._new_part(frame)
        points, velocity = self._points(frame)
        steps = {
            "Values": [frame.time],
            "PartOffsets": [self._size("NumberOfPoints") - 1],
            "NumberOfParts": [1],
            "PointOffsets": [self._size("Points")],
            "CellOffsets": [self.cell_offsets],
            "ConnectivityIdOffsets": [self.id_offsets],
            "PointDataOffsets/body": [self._size("PointData/body") - len(self.body_of)],
            "PointDataOffsets/velocity": [self._size("PointData/velocity")],
        }
        self._append("Points", points)
        self._append("PointData/velocity", velocity)
        for name, row in steps.items():
            self._append(f"Steps/{name}", row)
        self.file["VTKHDF/Steps"].attrs["NSteps"] += 1

    def _new_part(self, frame: Frame) -> None:
        """Lays out points and cells of those that are there now."""
        row_of = numpy.full(len(frame.tracks), -1)
        row_of[frame.rows] = numpy.arange(len(frame.rows))
        local, row_of_point, polygons = [numpy.empty((0, 3))], [numpy.empty(0, int)], [numpy.empty((0, 3), int)]
        count = 0
        for row, track in enumerate(frame.rows.tolist()):
            of = frame.tracks[track]
            if of.is_particle:
                continue
            mesh = self._mesh(of)
            local.append(mesh.vertices.astype(float))
            row_of_point.append(numpy.full(len(mesh.vertices), row))
            polygons.append(mesh.triangles.astype(int) + count)
            count += len(mesh.vertices)
        vertices, lines = [numpy.empty((0, 1), int)], [numpy.empty((0, 2), int)]
        for group in frame.sets:
            rows = numpy.where(group.tracks >= 0, row_of[group.tracks], -1)
            place = numpy.where(rows >= 0, numpy.cumsum(rows >= 0) - 1 + count, -1)  # of the particles that are left
            row_of_point.append(rows[rows >= 0])
            local.append(numpy.zeros((int((rows >= 0).sum()), 3)))
            count += len(local[-1])
            if len(group.triangles):
                polygons.append(_left(place[group.triangles]))
            elif len(group.edges):
                lines.append(_left(place[group.edges]))
            else:
                vertices.append(place[place >= 0, None])
        self.local = numpy.concatenate(local)
        self.row_of_point = numpy.concatenate(row_of_point)
        self.body_of = frame.rows[self.row_of_point]
        self._append("NumberOfPoints", [count])
        self._append("PointData/body", self.body_of)
        self.cell_offsets, self.id_offsets = [], []
        cells = (*map(numpy.concatenate, (vertices, lines, polygons)), numpy.empty((0, 3), int))
        for kind, of_kind in zip(_CELLS, cells, strict=True):
            # each part has an offset more than cells, which VTK counts by itself
            self.cell_offsets.append(int(self.file[f"VTKHDF/{kind}/NumberOfCells"][:].sum()))
            self.id_offsets.append(self._size(f"{kind}/Connectivity"))
            self._append(f"{kind}/NumberOfCells", [len(of_kind)])
            self._append(f"{kind}/NumberOfConnectivityIds", [of_kind.size])
            self._append(f"{kind}/Offsets", numpy.arange(len(of_kind) + 1) * of_kind.shape[1])
            self._append(f"{kind}/Connectivity", of_kind.ravel())
        names = self.file["cairn/names"]
        names.resize(len(frame.tracks), axis=0)
        names[self.names :] = [track.name for track in frame.tracks[self.names :]]
        self.names = len(frame.tracks)
        self.has_topology = True

    def _mesh(self, track: Track) -> Mesh:
        body = drawn_body(track.body, self.about.plane_extent)
        key = body_key(body)
        if key not in self.meshes:
            self.meshes[key] = body_mesh(body, plane_extent=self.about.plane_extent or 1)
        return self.meshes[key]

    def _points(self, frame: Frame) -> tuple[NDArray[numpy.float64], NDArray[numpy.float32]]:
        states, rows = frame.states, self.row_of_point
        origins = numpy.array(self.about.origins)[[frame.tracks[track].world for track in frame.rows.tolist()]]
        turns = rotation(states.orientation)
        turned = numpy.einsum("pij,pj->pi", turns[rows], self.local)
        return turned + (states.position + origins.reshape(-1, 3))[rows], states.linear_velocity[rows]

    def finish(self) -> None:
        self.close()


def _left(cells: NDArray[Any]) -> NDArray[Any]:
    """Those whose particles are all there."""
    return cells[(cells >= 0).all(1)]
