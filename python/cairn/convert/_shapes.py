"""Geoms -> shapes, with their materials and filters."""

from __future__ import annotations

from typing import Any

import numpy

import cairn

from ._filters import CLASSES, filters_of
from ._frames import Place, vector, xyzw
from ._geometry import hull_of
from ._names import Model, disabled, mujoco, quoted
from ._report import Report

MAX_SAMPLES = 1 << 24  # of a height field that gets square cells
NOTHING = (0, 0)  # contype and conaffinity of what touches nothing
DEFAULT = (1, 1)  # those of a geom that says nothing


class Shapes:
    """Makes the shapes of a model's geoms, and adds their materials to the scene."""

    def __init__(self, model: Model, scene: cairn.Scene, report: Report) -> None:
        self._model, self._scene, self._report = model, scene, report
        self._materials: dict[tuple[float, float], int] = {}
        self._filters = _filters(model, report)
        self._hulls: dict[int, cairn.ConvexHull | None] = {}
        # of two geoms the larger condim counts
        touching = (g for g in range(model.ngeom) if _bits(model, g) != NOTHING)
        self._condim = max((int(model.geom_condim[g]) for g in touching), default=1)

    def of_body(self, body: int, place: Place) -> list[cairn.Shape]:
        """All that a body shows: geoms that may touch something, or where there are none, those that are only seen.

        `place`: of the body in the frame that the shapes are for.
        """
        model = self._model
        geoms = range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body])
        touching = [g for g in geoms if _bits(model, g) != NOTHING]
        if touching:
            for g in set(geoms) - set(touching):
                self._report.drop("seen only, on a body with geoms that touch", quoted(model, "geom", g))
        made = [self._shape(g, place) for g in touching or geoms]
        return [shape for shape in made if shape is not None]

    def _shape(self, g: int, place: Place) -> cairn.Shape | None:
        try:
            return self._twin(g, place)
        except cairn.InvalidArgument as error:
            raise cairn.InvalidArgument(f"{quoted(self._model, 'geom', g)}: {error}") from None

    def _twin(self, g: int, place: Place) -> cairn.Shape | None:
        model = self._model
        at = place @ Place(numpy.array(model.geom_pos[g]), numpy.array(model.geom_quat[g]))
        geometry: cairn.Geometry
        size = [float(s) for s in model.geom_size[g]]
        kind = mujoco.mjtGeom(int(model.geom_type[g]))
        if kind == mujoco.mjtGeom.mjGEOM_PLANE:
            geometry = cairn.Plane((0, 0, 1))
        elif kind == mujoco.mjtGeom.mjGEOM_SPHERE:
            geometry = cairn.Sphere(size[0])
        elif kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
            geometry = cairn.Capsule(size[0], size[1])
        elif kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            geometry = cairn.Ellipsoid(size)
        elif kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
            geometry = cairn.Cylinder(size[0], size[1])
        elif kind == mujoco.mjtGeom.mjGEOM_BOX:
            geometry = cairn.Box(size)
        elif kind in (mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_SDF):
            hull = self._hull(g)
            if hull is None:
                return None
            geometry = hull
        elif kind == mujoco.mjtGeom.mjGEOM_HFIELD:
            geometry, corner = self._field(g)
            at = at @ corner
        else:
            self._report.drop(f"of a kind that Cairn lacks: {kind.name}", quoted(model, "geom", g))
            return None
        bits = _bits(model, g)
        return cairn.Shape(
            geometry,
            position=vector(at.position),
            orientation=xyzw(at.turn),
            material=self._material(g),
            filter=self._filters.get(bits, cairn.Filter(category=0, mask=0)),
        )

    def _material(self, g: int) -> int:
        model = self._model
        sliding, turning, rolling = (float(f) for f in model.geom_friction[g])
        condim, touches = int(model.geom_condim[g]), _bits(model, g) != NOTHING
        if self._condim == 1:
            sliding = 0.0
        elif condim == 1 and sliding > 0 and touches:
            self._report.approximate("geoms of condim 1 have friction with each other too", quoted(model, "geom", g))
        if condim >= 4 and turning > 0:
            self._report.drop("friction against turning on the spot (condim 4 and 6)", quoted(model, "geom", g))
        if self._condim < 6:
            rolling = 0.0
        elif condim < 6 and rolling > 0 and touches:
            self._report.approximate(
                "geoms of condim under 6 roll with friction on each other too", quoted(model, "geom", g)
            )
        if float(model.geom_margin[g]) != 0 or float(model.geom_gap[g]) != 0:
            self._report.drop("margin and gap of contacts", quoted(model, "geom", g))
        if int(model.geom_priority[g]) != 0:
            self._report.drop("priority: friction is the larger of two", quoted(model, "geom", g))
        key = (sliding, rolling)
        if key not in self._materials:
            name = f"friction {sliding:g}" + (f" rolling {rolling:g}" if rolling else "")
            taken = {m.name for m in self._scene.materials()}
            while name in taken:
                name += "'"
            self._materials[key] = self._scene.add_material(
                cairn.Material(name=name, friction=sliding, rolling_friction=rolling)
            )
        return self._materials[key]

    def _hull(self, g: int) -> cairn.ConvexHull | None:
        model = self._model
        mesh = int(model.geom_dataid[g])
        if mesh not in self._hulls:
            first = int(model.mesh_vertadr[mesh])
            points = numpy.asarray(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], numpy.float32)
            self._hulls[mesh] = hull_of(points, quoted(model, "mesh", mesh), self._report)
            if self._hulls[mesh] is not None:
                self._report.approximate("meshes are their convex hulls", quoted(model, "mesh", mesh))
        if self._hulls[mesh] is None:
            self._report.drop("its mesh spans no volume", quoted(model, "geom", g))
        return self._hulls[mesh]

    def _field(self, g: int) -> tuple[cairn.HeightField, Place]:
        """And where its first sample is."""
        model = self._model
        h = int(model.geom_dataid[g])
        rows, columns = int(model.hfield_nrow[h]), int(model.hfield_ncol[h])
        x, y, top, _ = (float(s) for s in model.hfield_size[h])
        first = int(model.hfield_adr[h])
        heights = top * numpy.array(model.hfield_data[first : first + rows * columns], float).reshape(rows, columns)
        across, along = 2 * x / (columns - 1), 2 * y / (rows - 1)
        spacing = min(across, along)
        if abs(across - along) > 1e-6 * spacing:
            self._report.approximate(
                "cells of a height field that aren't square are cut into such", quoted(model, "geom", g)
            )
            count = _samples(2 * y, spacing) * _samples(2 * x, spacing)
            if not count <= MAX_SAMPLES:
                raise cairn.InvalidArgument(
                    f"{quoted(model, 'hfield', h)}: cells of {across:g} x {along:g} m must be nearer to square: "
                    f"cut into such they would have {count:.3g} samples, more than {MAX_SAMPLES}"
                )
            heights = _resampled(heights, x, y, spacing)
        field = cairn.HeightField(numpy.ascontiguousarray(heights, numpy.float32), spacing)
        return field, Place(numpy.array([-x, -y, 0.0]), numpy.array([1.0, 0.0, 0.0, 0.0]))


def _samples(length: float, spacing: float) -> float:
    """How many it takes, which may be more than an int of numpy holds."""
    return float(numpy.ceil(length / numpy.float64(spacing) - 1e-6)) + 1


def _resampled(heights: Any, x: float, y: float, spacing: float) -> Any:
    """With square cells, linear between samples; what is past the edge has the edge's height."""
    for axis, length in ((1, 2 * x), (0, 2 * y)):
        cells = heights.shape[axis] - 1
        at = numpy.minimum(numpy.arange(int(_samples(length, spacing))) * spacing * cells / length, cells)
        first = at.astype(int)
        low, high = (heights.take(i, axis) for i in (first, numpy.minimum(first + 1, cells)))
        share = (at - first)[:, None] if axis == 0 else at - first
        heights = low + share * (high - low)
    return heights


def _bits(model: Model, g: int) -> tuple[int, int]:
    if disabled(model, "contact"):
        return NOTHING
    return int(model.geom_contype[g]) & 0xFFFFFFFF, int(model.geom_conaffinity[g]) & 0xFFFFFFFF


def _filters(model: Model, report: Report) -> dict[tuple[int, int], cairn.Filter]:
    """By contype and conaffinity: two geoms may touch where the contype of either has a bit of the other's conaffinity.
    What programs add touches as a default geom would."""
    of_geoms = {_bits(model, g) for g in range(model.ngeom)} - {NOTHING, DEFAULT}

    def touches(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return bool(a[0] & b[1] or b[0] & a[1])

    filters, exact = filters_of([DEFAULT, *sorted(of_geoms)], touches)
    if not exact:
        report.approximate(
            f"over {CLASSES} kinds of contype and conaffinity: the last touch what any of them does", "option"
        )
    return filters
