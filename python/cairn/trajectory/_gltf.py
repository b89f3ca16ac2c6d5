"""Binary glTF 2.0 (.glb) with an animation, by json and struct.

A file is a text of JSON and one block of numbers, both padded to 4 bytes: a package for it would save no line here.
"""

from __future__ import annotations

import json
import pathlib
import struct
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy

from .. import __version__
from .._core import NUMERICS_VERSION, CapacityError, picture_color
from .._meshes import SEGMENTS, body_key, body_mesh, drawn_shapes
from .._structs import Body
from ._cast import Frame, Track
from ._scenery import Followed, drawn_body, up_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._writer import About

KEPT_BYTES = 2**30
"""[B] of frames that are kept until the end"""
_FLOAT, _UINT = 5126, 5125
_VERTICES, _INDICES = 34962, 34963
_PARTICLE_SEGMENTS = 8  # of the balls that particles are


class Gltf:
    """A node for each body, and one for each set with triangles, whose frames are morph targets."""

    def __init__(self, path: pathlib.Path, about: About) -> None:
        self.path, self.about = path, about
        self.times: list[float] = []
        self.frames: list[tuple[Any, Any]] = []
        """of each: (tracks, 3) places and (tracks, 4) orientations, NaN where a body isn't there"""
        self.kept = 0
        self.tracks: list[Track] = []
        self.sets: list[tuple[Followed, int, list[Any]]] = []
        """those with triangles, the frame that they came in, and (particles, 3) places of each frame since"""

    def frame(self, frame: Frame) -> None:
        self.tracks = frame.tracks
        origins = numpy.array(self.about.origins)
        places = frame.states.position + origins[[frame.tracks[t].world for t in frame.rows.tolist()]].reshape(-1, 3)
        spread = frame.spread(places)
        seen = len(self.sets)
        for of in [of for of in frame.sets if len(of.triangles)][seen:]:
            self.sets.append((Followed(of), len(self.times), []))
        for followed, _, kept in self.sets:
            kept.append(followed.now(spread)[0].astype(numpy.float32))
            self.kept += kept[-1].nbytes
        self.frames.append((spread.astype(numpy.float32), frame.spread(frame.states.orientation)))
        self.times.append(frame.time)
        self.kept += sum(array.nbytes for array in self.frames[-1])
        if self.kept > KEPT_BYTES:
            raise CapacityError(
                f"record: .glb files keep at most {KEPT_BYTES >> 20} MiB until the end; .usdc has no such bound"
            )

    def finish(self) -> None:
        _Document(self).write(self.path)

    def abandon(self) -> None:
        self.frames, self.sets = [], []


class _Document:
    def __init__(self, of: Gltf) -> None:
        self.of = of
        self.blocks: list[bytes] = []
        self.size = 0
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []
        self._attributes: dict[Hashable, tuple[int, int]] = {}
        self._meshes: dict[Hashable, int] = {}
        self._materials: dict[tuple[Any, bool], int] = {}
        times = numpy.array(of.times) - of.times[0]
        self.times = -1 if len(times) == 1 else self._numbers(times.astype(numpy.float32), "SCALAR", bounds=True)

    def _numbers(self, array: NDArray[Any], kind: str, *, bounds: bool = False, target: int | None = None) -> int:
        """An accessor of an array, whose bytes begin at a multiple of 4."""
        content = numpy.ascontiguousarray(array).tobytes()
        view = {"buffer": 0, "byteOffset": self.size, "byteLength": len(content)}
        self.views.append({**view, "target": target} if target else view)
        self.blocks.append(content)
        self.size += len(content)
        component = _UINT if array.dtype == numpy.uint32 else _FLOAT
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(array), "type": kind}
        if bounds:
            rows = array.reshape(len(array), -1)
            accessor |= {"min": rows.min(0).tolist(), "max": rows.max(0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def _material(self, color: tuple[float, float, float], is_double: bool = False) -> int:
        key = color, is_double
        if key not in self._materials:
            self._materials[key] = len(self.materials)
            rough = {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8}
            self.materials.append({"pbrMetallicRoughness": rough, **({"doubleSided": True} if is_double else {})})
        return self._materials[key]

    def _mesh(self, track: Track) -> int | None:
        """That of a body, whose numbers are shared by all of its shape; None of one that isn't drawn."""
        body = drawn_body(track.body, self.of.about.plane_extent)
        if not drawn_shapes(body):
            return None
        shape = body_key(body)
        if shape not in self._attributes:
            extent = self.of.about.plane_extent or 1
            mesh = body_mesh(body, segments=_PARTICLE_SEGMENTS if track.is_particle else SEGMENTS, plane_extent=extent)
            vertices = self._numbers(mesh.vertices, "VEC3", bounds=True, target=_VERTICES)
            self._attributes[shape] = vertices, self._numbers(mesh.triangles.ravel(), "SCALAR", target=_INDICES)
        vertices, indices = self._attributes[shape]
        material = self._material(picture_color(track.body, 0 if track.is_particle else track.slot))
        key = shape, material
        if key not in self._meshes:
            self._meshes[key] = len(self.meshes)
            primitive = {"attributes": {"POSITION": vertices}, "indices": indices, "material": material}
            self.meshes.append({"primitives": [primitive]})
        return self._meshes[key]

    def _animate(self, path: str, values: NDArray[Any], kind: str, steps: bool = False) -> None:
        """Of the node that was made last."""
        sampler = {"input": self.times, "output": self._numbers(values, kind)}
        self.samplers.append({**sampler, "interpolation": "STEP"} if steps else sampler)
        target = {"node": len(self.nodes) - 1, "path": path}
        self.channels.append({"sampler": len(self.samplers) - 1, "target": target})

    def _add_body(self, track: Track, places: NDArray[Any], turns: NDArray[Any]) -> None:
        """(frames, 3) and (frames, 4); NaN where it isn't there, which is shown by a scale of 0."""
        there = numpy.isfinite(places).all(1)
        # what isn't there waits where it is next, or was last
        index = numpy.arange(len(there))
        last = numpy.maximum.accumulate(numpy.where(there, index, -1))
        row = numpy.where(last >= 0, last, int(numpy.argmax(there)))
        places, turns = places[row], turns[row]
        node: dict[str, Any] = {"name": track.name, "translation": places[0].tolist(), "rotation": turns[0].tolist()}
        mesh = self._mesh(track)
        if mesh is not None:
            node["mesh"] = mesh
        self.nodes.append(node)
        if (places != places[0]).any():
            self._animate("translation", places, "VEC3")
        if (turns != turns[0]).any():
            self._animate("rotation", turns, "VEC4")
        if not there.all():
            node["scale"] = [float(there[0])] * 3
            self._animate("scale", numpy.repeat(there[:, None], 3, 1).astype(numpy.float32), "VEC3", steps=True)

    def _add_set(self, followed: Followed, first: int, kept: list[NDArray[Any]]) -> None:
        """Its first frame is the mesh, and each later one a target that is added to it."""
        of = followed.of
        primitive: dict[str, Any] = {
            "attributes": {"POSITION": self._numbers(kept[0], "VEC3", bounds=True, target=_VERTICES)},
            "indices": self._numbers(of.triangles.ravel(), "SCALAR", target=_INDICES),
            "material": self._material(picture_color(Body(color=of.color), 0), is_double=True),
        }
        mesh: dict[str, Any] = {"primitives": [primitive]}
        node: dict[str, Any] = {"name": of.name, "mesh": len(self.meshes)}
        self.meshes.append(mesh)
        self.nodes.append(node)
        targets = len(kept) - 1
        if targets:
            moved = [self._numbers(at - kept[0], "VEC3", bounds=True, target=_VERTICES) for at in kept[1:]]
            primitive["targets"] = [{"POSITION": accessor} for accessor in moved]
            mesh["weights"] = [0.0] * targets
            weights = numpy.zeros((first + len(kept), targets), numpy.float32)
            weights[first + 1 :] = numpy.eye(targets, dtype=numpy.float32)
            self._animate("weights", weights.ravel(), "SCALAR")
        if first:
            node["scale"] = [0.0] * 3
            there = numpy.repeat(numpy.arange(first + len(kept)) >= first, 3).reshape(-1, 3)
            self._animate("scale", there.astype(numpy.float32), "VEC3", steps=True)

    def _fill(self) -> dict[str, Any]:
        of = self.of
        surfaces = {int(t) for followed, _, _ in of.sets for t in followed.of.tracks}
        shape = len(of.frames), len(of.tracks)
        places, turns = (numpy.full((*shape, width), numpy.nan, numpy.float32) for width in (3, 4))
        for k, (at, turned) in enumerate(of.frames):
            places[k, : len(at)], turns[k, : len(at)] = at, turned
        for k, track in enumerate(of.tracks):
            if k not in surfaces:
                self._add_body(track, places[:, k], turns[:, k])
        for followed, first, kept in of.sets:
            self._add_set(followed, first, kept)
        ux, uy, uz = up_of(of.about)
        # the shortest turn that takes `up` to y, where glTF has it
        turn = [-uz, 0.0, ux, 1 + uy] if uy > -1 else [1.0, 0.0, 0.0, 0.0]
        turn = (numpy.array(turn) / numpy.linalg.norm(turn)).tolist()
        children = list(range(len(self.nodes)))
        self.nodes.append({"name": "World", "rotation": turn, **({"children": children} if children else {})})
        document: dict[str, Any] = {
            "asset": {
                "version": "2.0",
                "generator": f"Cairn {__version__}",
                "extras": {"numerics_version": NUMERICS_VERSION, "every": of.about.every, "scene": of.about.scene},
            },
            "scene": 0,
            "scenes": [{"nodes": [len(self.nodes) - 1]}],
            "nodes": self.nodes,
        }
        lists = {"meshes": self.meshes, "materials": self.materials}
        lists |= {"accessors": self.accessors, "bufferViews": self.views}
        document |= {name: entries for name, entries in lists.items() if entries}
        if self.size:
            document["buffers"] = [{"byteLength": self.size}]
        if self.channels:
            document["animations"] = [{"name": "World", "samplers": self.samplers, "channels": self.channels}]
        return document

    def write(self, path: pathlib.Path) -> None:
        text = json.dumps(self._fill(), separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + (8 + self.size if self.size else 0)
        if size >= 2**32:
            raise CapacityError(
                f"a .glb file has at most 4 GiB, and this one would have {size} bytes; .usdc has no such bound"
            )
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, size))
            file.write(struct.pack("<I4s", len(text), b"JSON"))
            file.write(text)
            if self.size:
                file.write(struct.pack("<I4s", self.size, b"BIN\0"))
                file.writelines(self.blocks)
