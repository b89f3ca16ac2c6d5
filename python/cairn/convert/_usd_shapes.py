"""Colliders -> shapes."""

from __future__ import annotations

import importlib
from typing import Any

import numpy

import cairn

from ._frames import HERE, Numbers, Place, about_x, matrix, product, turn_of, vector, xyzw
from ._geometry import hull_of
from ._report import Report
from ._usd_bodies import Collider
from ._usd_materials import Filters, Materials
from ._usd_stage import Prim, Stage, UsdGeom, UsdPhysics, fault, sheared, square

ROUND = 1e-4  # [1] scales that differ by less are equal


def turn_to(axis: int, of: int) -> Numbers:
    """The rotation that takes the axis `of` to another, in circles of x, y, z: a quaternion."""
    return turn_of(numpy.roll(numpy.eye(3), axis - of, axis=0))


class Shapes:
    """Makes them, with their materials and filters."""

    def __init__(self, stage: Stage, materials: Materials, filters: Filters, report: Report) -> None:
        self._stage, self._materials, self._filters, self._report = stage, materials, filters, report

    def of(self, collider: Collider, place: Place, kind: str) -> list[cairn.Shape]:
        """In the frame `place`, of a body of a kind: "static", "kinematic" or "dynamic". Empty without a twin."""
        prim = collider.prim
        axes, origin = self._stage.world(prim)
        back = matrix(place.turn).T
        axes, origin = back @ axes, back @ (origin - place.position)
        square(axes, prim)  # refuses what is flat
        if prim.IsA(UsdGeom.Mesh):
            made = self._mesh(prim, axes, origin, kind)
        else:
            made = self._solid(prim, axes, origin, kind)
        material, filtered = self._materials.of(prim), self._filters.of(collider)
        return [
            cairn.Shape(
                geometry, position=vector(at.position), orientation=xyzw(at.turn), material=material, filter=filtered
            )
            for geometry, at in made
        ]

    # ---- solids ----

    def _solid(self, prim: Prim, axes: Numbers, origin: Numbers, kind: str) -> list[tuple[cairn.Geometry, Place]]:
        path = str(prim.GetPath())
        if prim.IsA(UsdGeom.Cube) and sheared(axes):
            half = self._size(prim, "size") / 2
            corners = half * (numpy.array(list(numpy.ndindex(2, 2, 2))) * 2.0 - 1)
            hull = hull_of(corners @ axes.T, path, self._report)
            return [] if hull is None else [(hull, Place(origin, HERE.turn))]
        if sheared(axes):
            self._report.approximate("what is sheared keeps one axis and is straightened", path)
        scales = numpy.linalg.norm(axes, axis=0)
        at = Place(origin, turn_of(square(axes, prim)))
        if prim.IsA(UsdGeom.Cube):
            return [(cairn.Box(vector(self._size(prim, "size") / 2 * scales)), at)]
        if prim.IsA(UsdGeom.Sphere):
            radius = self._size(prim, "radius")
            if self._even(scales):
                return [(cairn.Sphere(radius * float(scales.mean())), at)]
            self._report.approximate("spheres that are scaled unevenly are ellipsoids", path)
            return [(cairn.Ellipsoid(vector(radius * scales)), at)]
        if prim.IsA(UsdGeom.Plane):
            return self._plane(prim, axes, origin, kind)
        names = ("Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone")
        name = next((n for n in names if hasattr(UsdGeom, n) and prim.IsA(getattr(UsdGeom, n))), None)
        if name is None:
            self._report.drop(f"colliders of a kind that has no twin: {prim.GetTypeName() or 'none'}", path)
            return []
        return [self._turned(prim, name, axes, scales, at)]

    def _turned(self, prim: Prim, name: str, axes: Numbers, scales: Numbers, at: Place) -> tuple[cairn.Geometry, Place]:
        """What is round about an axis."""
        path, axis = str(prim.GetPath()), self._stage.axis(prim, "axis")
        across = numpy.delete(scales, axis)
        if not self._even(across):
            self._report.approximate("what is round is so by its larger scale", path)
        wide, along = float(across.max()), float(scales[axis])
        half = self._size(prim, "height") / 2 * along
        turn = product(at.turn, turn_to(axis, 2))
        # of a mirror all three axes are turned about: the tip of a cone is where the axis goes
        if matrix(turn)[:, 2] @ axes[:, axis] < 0:
            turn = product(turn, about_x(numpy.pi))
        at = Place(at.position, turn)
        if name.endswith("_1"):
            bottom, top = (self._size(prim, f"radius{end}", least=0.0) * wide for end in ("Bottom", "Top"))
        else:
            bottom = top = self._size(prim, "radius") * wide
        if name.startswith("Capsule"):
            if not self._even(numpy.array([wide, along])):
                self._report.approximate("capsules that are scaled unevenly keep their ends round", path)
            if bottom != top:
                self._report.approximate("capsules with unlike ends have the larger at both", path)
            radius = max(bottom, top)
            return (cairn.Capsule(radius, half) if half > 0 else cairn.Sphere(radius)), at
        if name == "Cone" or min(bottom, top) == 0:
            if top > bottom:
                at = Place(at.position, product(at.turn, about_x(numpy.pi)))
            return cairn.Cone(max(bottom, top), half), at
        if bottom != top:
            return cairn.TaperedCylinder(bottom, top, half), at
        return cairn.Cylinder(bottom, half), at

    def _plane(self, prim: Prim, axes: Numbers, origin: Numbers, kind: str) -> list[tuple[cairn.Geometry, Place]]:
        if kind != "static":
            self._report.drop("planes that move", str(prim.GetPath()))
            return []
        axis = self._stage.axis(prim, "axis")
        # normals don't scale as what they stand on
        normal = numpy.linalg.inv(axes).T[:, axis]
        return [(cairn.Plane(vector(normal / numpy.linalg.norm(normal))), Place(origin, HERE.turn))]

    def _size(self, prim: Prim, name: str, least: float | None = None) -> float:
        """[m] before scales."""
        size = self._stage.number(prim, name, 0)
        if size == 0 and least is None and not (name == "height" and "Capsule" in str(prim.GetTypeName())):
            raise fault(prim, f"{name} must be over 0")
        return size * self._stage.metre

    def _even(self, scales: Numbers) -> bool:
        return bool(scales.max() - scales.min() <= ROUND * scales.max())

    # ---- meshes ----

    def _mesh(self, prim: Prim, axes: Numbers, origin: Numbers, kind: str) -> list[tuple[cairn.Geometry, Place]]:
        path, report = str(prim.GetPath()), self._report
        points = self._points(prim)
        corners = self._triangles(prim, len(points))
        way = "none"
        if prim.HasAPI(UsdPhysics.MeshCollisionAPI):
            way = self._stage.token(prim, "physics:approximation")
        if not len(points):
            report.drop("meshes without points", path)
            return []
        placed = points @ axes.T
        if way in ("boundingCube", "boundingSphere"):
            return self._bounds(prim, points, placed, axes, origin, way)
        if way in ("none", "meshSimplification") and kind != "dynamic":
            if way != "none":
                report.approximate("meshes to be simplified are as they are", path)
            if numpy.linalg.det(axes) < 0:
                corners = corners[:, ::-1]
            try:
                mesh = cairn.TriangleMesh(
                    numpy.asarray(placed, numpy.float32), numpy.ascontiguousarray(corners, numpy.uint32)
                )
            except cairn.InvalidArgument as error:
                raise fault(prim, str(error)) from None
            return [(mesh, Place(origin, HERE.turn))]
        parts = [placed]
        if way == "convexDecomposition":
            parts = self._decomposed(path, placed, corners)
        elif way != "convexHull":
            report.approximate("meshes that move are their convex hulls", path)
        hulls = [hull for part in parts if (hull := hull_of(part, path, report)) is not None]
        if not hulls:
            report.drop("meshes that span no volume", path)
        return [(hull, Place(origin, HERE.turn)) for hull in hulls]

    def _points(self, prim: Prim) -> Numbers:
        """(n, 3) [m] in the prim's own axes."""
        points = self._stage.points(prim, "points")
        if not numpy.isfinite(points).all():
            raise fault(prim, f"point {int(numpy.argmin(numpy.isfinite(points).all(axis=1)))} isn't finite")
        return points * self._stage.metre

    def _triangles(self, prim: Prim, points: int) -> Numbers:
        """(n, 3) of so many points, counter-clockwise from outside: faces as fans."""
        stage = self._stage
        counts, indices = stage.integers(prim, "faceVertexCounts"), stage.integers(prim, "faceVertexIndices")
        if (counts < 0).any():
            raise fault(prim, f"faceVertexCounts must be at least 0, and one is {counts.min()}")
        if counts.sum() != len(indices):
            raise fault(
                prim, f"faceVertexCounts add up to {counts.sum()}, and there are {len(indices)} faceVertexIndices"
            )
        if len(indices) and not (0 <= indices.min() and indices.max() < points):
            raise fault(
                prim,
                f"faceVertexIndices go from {indices.min()} to {indices.max()}, and there are {points} points",
            )
        holes = set(stage.integers(prim, "holeIndices").tolist())
        fans, first = [], 0
        for face, count in enumerate(counts.tolist()):
            if face not in holes:
                fans += [(first, first + i, first + i + 1) for i in range(1, count - 1)]
            first += count
        corners = indices[numpy.array(fans, int).reshape(-1, 3)]
        return corners[:, ::-1] if stage.token(prim, "orientation") == "leftHanded" else corners

    def _bounds(
        self, prim: Prim, points: Numbers, placed: Numbers, axes: Numbers, origin: Numbers, way: str
    ) -> list[tuple[cairn.Geometry, Place]]:
        low, high = points.min(axis=0), points.max(axis=0)
        middle = axes @ (low + high) / 2
        if way == "boundingSphere":
            return [
                (
                    cairn.Sphere(float(numpy.linalg.norm(placed - middle, axis=1).max())),
                    Place(origin + middle, HERE.turn),
                )
            ]
        if sheared(axes):
            self._report.approximate("what is sheared keeps one axis and is straightened", str(prim.GetPath()))
        # a flat mesh has a box all the same
        half = numpy.maximum((high - low) / 2 * numpy.linalg.norm(axes, axis=0), 1e-6)
        return [(cairn.Box(vector(half)), Place(origin + middle, turn_of(square(axes, prim))))]

    def _decomposed(self, path: str, points: Numbers, corners: Numbers) -> list[Numbers]:
        """Points of convex parts."""
        try:
            coacd: Any = importlib.import_module("coacd")
        except ImportError:
            self._report.approximate("meshes to be cut into convex parts are one hull: pip install coacd", path)
            return [points]
        coacd.set_log_level("error")
        parts = coacd.run_coacd(coacd.Mesh(points, corners.astype(numpy.int32)))
        self._report.approximate("meshes are convex parts", path)
        return [numpy.asarray(vertices) for vertices, _ in parts]
