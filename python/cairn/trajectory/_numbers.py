"""Files of numbers: HDF5, written as frames come, and npz, which is kept until the end."""

from __future__ import annotations

import json
import pathlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from .. import __version__
from .._core import NUMERICS_VERSION, CapacityError, ConvexHull, HeightField, TriangleMesh
from .._structs import Shape
from ._cast import Frame
from ._hdf5 import Hdf5File

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._writer import About

KEPT_BYTES = 2**30
"""[B] of states that an .npz file keeps until the end"""
_CHUNK_BYTES = 2**16
"""[B] about, of a chunk of an HDF5 file, which small frames share"""


class Column(NamedTuple):
    """An array of a file with a row a frame."""

    name: str
    type: type[Any]
    width: int
    """[1] numbers a body; 0: one number a frame"""
    unit: str
    meaning: str


COLUMNS = (
    Column("time", numpy.float64, 0, "s", "(frames) simulated, of the first world"),
    Column("position", numpy.float64, 3, "m", "(frames, bodies, 3) world, of the body's own origin"),
    Column("orientation", numpy.float32, 4, "1", "(frames, bodies, 4) x, y, z, w, body to world"),
    Column("linear_velocity", numpy.float32, 3, "m/s", "(frames, bodies, 3) world, of the centre of mass"),
    Column("angular_velocity", numpy.float32, 3, "rad/s", "(frames, bodies, 3) world"),
)
"""NaN where a body isn't there"""


def _row(column: Column, frame: Frame) -> Any:
    return frame.spread(getattr(frame.states, column.name)) if column.width else numpy.float64(frame.time)


def _shape_text(shape: Shape) -> dict[str, Any]:
    geometry = shape.geometry
    members: dict[str, Any]
    if isinstance(geometry, ConvexHull):
        members = {"vertices": geometry.vertices.tolist()}
    elif isinstance(geometry, TriangleMesh):  # the scene has all of it
        members = {"vertices": len(geometry.vertices), "triangles": len(geometry.triangles)}
    elif isinstance(geometry, HeightField):
        members = {"rows": geometry.rows, "columns": geometry.columns, "spacing": geometry.spacing}
    else:
        members = {name: getattr(geometry, name) for name in geometry.__slots__}
    return {
        "type": type(geometry).__name__,
        **members,
        "position": shape.position,
        "orientation_xyzw": shape.orientation,
        "sensor": shape.sensor,
    }


def _described(about: About, frame: Frame) -> dict[str, Any]:
    """What a file has beside its frames: arrays by name, texts as str."""
    tracks = frame.tracks
    out: dict[str, Any] = {
        "bodies/name": [track.name for track in tracks],
        "bodies/world": numpy.array([track.world for track in tracks], numpy.uint32),
        "bodies/index": numpy.array([track.slot for track in tracks], numpy.uint32),
        "bodies/type": [str(track.body.type) for track in tracks],
        "bodies/shapes": [json.dumps([_shape_text(shape) for shape in track.body.shapes]) for track in tracks],
        "origin": numpy.array(about.origins),
        "gravity": numpy.array([about.world.gravity(k) for k in range(about.world.world_count())], numpy.float32),
        "scene": about.scene,
    }
    for of in frame.sets:
        out[f"particles/{of.name}/body"] = of.tracks
        out[f"particles/{of.name}/radius"] = numpy.float32(of.radius)
        out[f"particles/{of.name}/triangles"] = of.triangles
        out[f"particles/{of.name}/edges"] = of.edges
    return out


def _attributes(about: About) -> dict[str, Any]:
    return {
        "format": "cairn.trajectory",
        "format_version": 1,
        "cairn_version": __version__,
        "numerics_version": NUMERICS_VERSION,
        "every": about.every,
        "up_and_units": "SI; right-handed; gravity says where down is",
    }


class Hdf5(Hdf5File):
    """Each array is extended by a row a frame, and by columns where bodies come."""

    def __init__(self, path: pathlib.Path, about: About) -> None:
        super().__init__(path)
        self.about = about
        self.count = 0
        self.last: Frame | None = None

    def frame(self, frame: Frame) -> None:
        with self.writing():
            if self.count == 0:
                for column in COLUMNS:
                    self._make(column, len(frame.tracks))
            for column in COLUMNS:
                array, size = self.file[column.name], (self.count + 1,)
                array.resize((*size, len(frame.tracks), column.width) if column.width else size)
                array[self.count] = _row(column, frame)
        self.count += 1
        self.last = frame

    def _make(self, column: Column, bodies: int) -> None:
        if column.width:
            across = max(1, min(bodies, 8192))
            frames = max(1, min(_CHUNK_BYTES // (across * column.width * numpy.dtype(column.type).itemsize), 1024))
            shape: tuple[int, ...] = (0, bodies, column.width)
            most: tuple[int | None, ...] = (None, None, column.width)
            chunks: tuple[int, ...] = (frames, across, column.width)
        else:
            shape, most, chunks = (0,), (None,), (1024,)
        array = self.file.create_dataset(
            column.name, shape, column.type, maxshape=most, chunks=chunks, fillvalue=column.type(numpy.nan)
        )
        array.attrs.update({"unit": column.unit, "meaning": column.meaning})

    def finish(self) -> None:
        assert self.last is not None
        with self.writing():
            texts = self.h5py.string_dtype()
            for name, value in _described(self.about, self.last).items():
                self.file.create_dataset(name, data=value, dtype=texts if isinstance(value, (str, list)) else None)
            self.file["origin"].attrs.update(
                {"unit": "m", "meaning": "(worlds, 3) where they are drawn; positions are without"}
            )
            self.file["gravity"].attrs.update({"unit": "m/s^2", "meaning": "(worlds, 3)"})
            self.file.attrs.update(_attributes(self.about))
        self.close()


class Npz:
    """The same arrays under the same names, uncompressed; attributes as the JSON text `attributes`."""

    def __init__(self, path: pathlib.Path, about: About) -> None:
        self.path, self.about = path, about
        self.rows: dict[str, list[NDArray[Any]]] = {column.name: [] for column in COLUMNS}
        self.kept = 0
        self.last: Frame | None = None

    def frame(self, frame: Frame) -> None:
        for column in COLUMNS:
            row = _row(column, frame)
            self.kept += row.nbytes
            self.rows[column.name].append(row)
        if self.kept > KEPT_BYTES:
            raise CapacityError(
                f"record: .npz files keep at most {KEPT_BYTES >> 20} MiB until the end; .h5 files have no bound"
            )
        self.last = frame

    def finish(self) -> None:
        assert self.last is not None
        arrays: dict[str, Any] = {}
        for column in COLUMNS:
            rows = self.rows.pop(column.name)
            shape = (len(rows), len(self.last.tracks), column.width) if column.width else (len(rows),)
            out = numpy.full(shape, numpy.nan, column.type)
            for k, row in enumerate(rows):
                if column.width:  # those before bodies came are shorter
                    out[k, : len(row)] = row
                else:
                    out[k] = row
            arrays[column.name] = out
        arrays |= {name: numpy.array(value) for name, value in _described(self.about, self.last).items()}
        arrays["attributes"] = numpy.array(json.dumps(_attributes(self.about)))
        with open(self.path, "wb") as file:
            numpy.savez(file, **arrays)

    def abandon(self) -> None:
        self.rows = {}
