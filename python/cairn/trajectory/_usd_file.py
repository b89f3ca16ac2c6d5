"""USD stages: a prim for each body with its shapes below it, and poses as time samples."""

from __future__ import annotations

import importlib
import math
import pathlib
from typing import TYPE_CHECKING, Any

import numpy

from .. import __version__
from .._core import NUMERICS_VERSION, picture_color
from .._meshes import Mesh, drawn_shapes, shape_mesh
from .._packages import package
from .._structs import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, Shape, Sphere
from ._cast import Frame, SetTrack, Track
from ._scenery import Followed, drawn_body, up_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._writer import About

_STILL = (0.0, 0.0, 0.0, 1.0)


class Usd:
    """Samples are kept in memory until the end, as USD has it."""

    def __init__(self, path: pathlib.Path, about: About) -> None:
        package("pxr", f"{path.suffix} files need", "usd-core")
        self.pxr = {
            name: importlib.import_module(f"pxr.{name}") for name in ("Gf", "Sdf", "Tf", "Usd", "UsdGeom", "Vt")
        }
        usd, geom = self.pxr["Usd"], self.pxr["UsdGeom"]
        self.path, self.about = path, about
        self.layer = self.pxr["Sdf"].Layer.CreateAnonymous(path.suffix)
        self.stage = usd.Stage.Open(self.layer)
        up = up_of(about)
        geom.SetStageUpAxis(self.stage, geom.Tokens.y if abs(up[1]) > abs(up[2]) else geom.Tokens.z)
        geom.SetStageMetersPerUnit(self.stage, 1.0)
        rate = 1 / about.interval
        # 60 where the float of 1/60 is a little less
        rate = float(round(rate)) if abs(rate - round(rate)) < 1e-6 * rate else rate
        self.stage.SetTimeCodesPerSecond(rate)
        self.stage.SetFramesPerSecond(rate)
        root = geom.Xform.Define(self.stage, "/World")
        self.stage.SetDefaultPrim(root.GetPrim())
        about_file = {"cairn_version": __version__, "numerics_version": NUMERICS_VERSION, "every": about.every}
        self.layer.customLayerData = {"cairn": {**about_file, "scene": about.scene}}
        self.names: set[str] = set()
        self.paths: list[Any] = []
        self.poses: list[tuple[Any, Any] | None] = []
        """of each track: the attributes of translation and orientation; None of a particle"""
        self.last: list[tuple[bytes, bool]] = []
        """of each track: the pose of the frame before, and whether it ever moved"""
        self.there = numpy.empty(0, bool)
        self.sets: list[tuple[Followed, Any, Any]] = []
        self.code = 0.0
        self.first = math.nan

    def frame(self, frame: Frame) -> None:
        before, code = self.code, self._code(frame.time)
        if math.isnan(self.first):
            self.first = before = code
        self.code = code
        for track in frame.tracks[len(self.paths) :]:
            self._add(track)
        states, origins = frame.states, numpy.array(self.about.origins)
        places = states.position + origins[[frame.tracks[t].world for t in frame.rows.tolist()]].reshape(-1, 3)
        self._move(frame, places, before, code)
        self._show(frame, code)
        positions = numpy.full((len(frame.tracks), 3), numpy.nan)
        positions[frame.rows] = places
        for group in frame.sets[len(self.sets) :]:
            self._add_set(group)
        for followed, prim, extent in self.sets:
            self._set_points(followed, prim, extent, positions, code)

    def _code(self, time: float) -> float:
        """One a frame, where frames are as far apart as they should be."""
        code = time / self.about.interval
        return float(round(code)) if abs(code - round(code)) < 1e-3 else code

    def _sample(self, attribute: Any, code: float, value: Any) -> None:
        self.layer.SetTimeSample(attribute.GetPath(), code, value)

    def _move(self, frame: Frame, places: NDArray[numpy.float64], before: float, code: float) -> None:
        gf = self.pxr["Gf"]
        turns = frame.states.orientation
        for row, track in enumerate(frame.rows.tolist()):
            attributes = self.poses[track]
            if attributes is None:
                continue
            pose = places[row].tobytes() + turns[row].tobytes()
            last, moved = self.last[track]
            x, y, z, w = turns[row].tolist()
            values = gf.Vec3d(*places[row].tolist()), gf.Quatf(w, x, y, z)
            for attribute, value in zip(attributes, values, strict=True):
                if not last:
                    attribute.Set(value)
                elif moved or pose != last:
                    if not moved:  # until now it was there
                        self._sample(attribute, before, attribute.Get())
                    self._sample(attribute, code, value)
            self.last[track] = pose, moved or bool(last and pose != last)

    def _show(self, frame: Frame, code: float) -> None:
        """Bodies that aren't there yet, or no more, are invisible."""
        geom, there = self.pxr["UsdGeom"], frame.present()
        was = numpy.zeros(len(there), bool)
        was[: len(self.there)] = self.there
        for track in numpy.flatnonzero(there != was).tolist() if code != self.first else ():
            path = self.paths[track]
            if path is None:
                continue
            visibility = geom.Imageable(self.stage.GetPrimAtPath(path)).CreateVisibilityAttr()
            shown = (geom.Tokens.invisible, geom.Tokens.inherited)
            if not visibility.GetNumTimeSamples():
                self._sample(visibility, self.first, shown[not there[track]])
            self._sample(visibility, code, shown[bool(there[track])])
        self.there = there

    def _path(self, name: str, kind: Any) -> Any:
        """Defines a prim of a name that is an identifier, and shows the name as it is."""
        identifier = self.pxr["Tf"].MakeValidIdentifier(name)
        new, count = identifier, 1
        while new in self.names:
            count += 1
            new = f"{identifier}_{count}"
        self.names.add(new)
        schema = kind.Define(self.stage, f"/World/{new}")
        schema.GetPrim().SetDisplayName(name)
        return schema

    def _add(self, track: Track) -> None:
        geom = self.pxr["UsdGeom"]
        if track.is_particle:
            self.paths.append(None)
            self.poses.append(None)
            self.last.append((b"", False))
            return
        body = self._path(track.name, geom.Xform)
        self.poses.append((body.AddTranslateOp().GetAttr(), body.AddOrientOp().GetAttr()))
        self.last.append((b"", False))
        self.paths.append(body.GetPath())
        color = picture_color(track.body, track.slot)
        for k, shape in enumerate(drawn_shapes(drawn_body(track.body, self.about.plane_extent))):
            self._add_shape(body.GetPath().AppendChild(f"shape_{k}"), shape, color)

    def _add_shape(self, path: Any, shape: Shape, color: tuple[float, float, float]) -> None:
        geom, gf = self.pxr["UsdGeom"], self.pxr["Gf"]
        g, scale = shape.geometry, None
        if isinstance(g, (Sphere, Ellipsoid)):
            prim = geom.Sphere.Define(self.stage, path)
            radius = g.radius if isinstance(g, Sphere) else 1.0
            prim.CreateRadiusAttr(radius)
            half = (radius, radius, radius)
            scale = g.radii if isinstance(g, Ellipsoid) else None
        elif isinstance(g, Box):
            prim = geom.Cube.Define(self.stage, path)
            prim.CreateSizeAttr(2.0)
            half, scale = (1.0, 1.0, 1.0), g.half_extents
        elif isinstance(g, (Capsule, Cylinder, Cone)):
            kind = {Capsule: geom.Capsule, Cylinder: geom.Cylinder, Cone: geom.Cone}[type(g)]
            prim = kind.Define(self.stage, path)
            prim.CreateAxisAttr(geom.Tokens.z)
            prim.CreateRadiusAttr(g.radius)
            prim.CreateHeightAttr(2 * g.half_height)
            half = (g.radius, g.radius, g.half_height + (g.radius if isinstance(g, Capsule) else 0.0))
        else:
            mesh = shape_mesh(g, plane_extent=self.about.plane_extent or 1)
            prim = self._mesh(path, mesh)
            half = None
        if half is not None:
            prim.CreateExtentAttr([tuple(-x for x in half), half])
        prim.CreateDisplayColorAttr([gf.Vec3f(*color)])
        if shape.position != (0, 0, 0) or shape.orientation != _STILL:
            x, y, z, w = shape.orientation
            length = math.sqrt(x * x + y * y + z * z + w * w)
            prim.AddTranslateOp().Set(gf.Vec3d(*shape.position))
            prim.AddOrientOp().Set(gf.Quatf(w / length, x / length, y / length, z / length))
        if scale is not None:
            prim.AddScaleOp().Set(gf.Vec3f(*scale))

    def _mesh(self, path: Any, mesh: Mesh) -> Any:
        geom, vt = self.pxr["UsdGeom"], self.pxr["Vt"]
        prim = geom.Mesh.Define(self.stage, path)
        self._set_faces(prim, mesh.triangles)
        prim.CreatePointsAttr(vt.Vec3fArray.FromNumpy(mesh.vertices))
        prim.CreateExtentAttr([tuple(mesh.vertices.min(0).tolist()), tuple(mesh.vertices.max(0).tolist())])
        return prim

    def _set_faces(self, prim: Any, triangles: NDArray[numpy.uint32]) -> None:
        vt = self.pxr["Vt"]
        prim.CreateSubdivisionSchemeAttr(self.pxr["UsdGeom"].Tokens.none)
        prim.CreateFaceVertexCountsAttr(vt.IntArray.FromNumpy(numpy.full(len(triangles), 3, numpy.int32)))
        prim.CreateFaceVertexIndicesAttr(vt.IntArray.FromNumpy(triangles.astype(numpy.int32).ravel()))

    def _add_set(self, of: SetTrack) -> None:
        geom, gf = self.pxr["UsdGeom"], self.pxr["Gf"]
        width = [2 * of.radius]
        if len(of.triangles):
            prim = self._path(of.name, geom.Mesh)
            self._set_faces(prim, of.triangles)
            prim.CreateDoubleSidedAttr(True)
        elif len(of.edges):
            prim = self._path(of.name, geom.BasisCurves)
            prim.CreateTypeAttr(geom.Tokens.linear)
            prim.CreateCurveVertexCountsAttr([2] * len(of.edges))
            prim.CreateWidthsAttr(width)
            prim.SetWidthsInterpolation(geom.Tokens.constant)
        else:
            prim = self._path(of.name, geom.Points)
            prim.CreateWidthsAttr(width)
            prim.SetWidthsInterpolation(geom.Tokens.constant)
        color = picture_color(Body(color=of.color), max(int(of.tracks[0]), 0))
        prim.CreateDisplayColorAttr([gf.Vec3f(*color)])
        self.sets.append((Followed(of), prim.CreatePointsAttr(), prim.CreateExtentAttr()))

    def _set_points(self, followed: Followed, attribute: Any, extent: Any, positions: Any, code: float) -> None:
        vt = self.pxr["Vt"]
        of = followed.of
        at, there = followed.now(positions)
        if len(of.triangles):
            points = at
        elif len(of.edges):
            points = at[of.edges.ravel()]
        else:
            points = at[there]
        points = points.astype(numpy.float32)
        self._sample(attribute, code, vt.Vec3fArray.FromNumpy(points))
        if len(points):
            box = numpy.stack([points.min(0) - of.radius, points.max(0) + of.radius]).astype(numpy.float32)
            self._sample(extent, code, vt.Vec3fArray.FromNumpy(box))

    def finish(self) -> None:
        self.stage.SetStartTimeCode(self.first)
        self.stage.SetEndTimeCode(self.code)
        if self.path.suffix == ".usda":
            self.path.write_text(self.layer.ExportToString(), encoding="utf-8")
            return
        error = self.pxr["Tf"].ErrorException
        try:
            written = self.layer.Export(str(self.path))
        except error as why:
            # there is an error for each number that has no place; the first one says it
            said = [getattr(fault, "commentary", "") or str(fault) for fault in why.args] or ["no reason"]
            raise OSError(None, f"USD says: {said[0].splitlines()[0]}") from None
        if not written or not self.path.stat().st_size:
            raise OSError(None, "USD could not write it")

    def abandon(self) -> None:
        self.stage = self.layer = None
