"""Triangle meshes of shapes, for what draws a World or writes it into files that others draw."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ._core import ConvexHull, HeightField, InvalidArgument, TriangleMesh
from ._hulls import hull_triangles
from ._structs import (
    Body,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    Plane,
    RoundedBox,
    Shape,
    Sphere,
    TaperedCylinder,
    Tube,
)
from ._values import QuatLike, Vec3Like

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEGMENTS = 32
"""[1] of a circle, unless others are asked for"""
PLANE_EXTENT = 50.0
"""[m] from the middle of a plane's square to its sides, unless another is asked for"""


class Mesh(NamedTuple):
    """A surface of triangles."""

    vertices: NDArray[numpy.float32]
    """[m] (n, 3)"""
    triangles: NDArray[numpy.uint32]
    """[1] (m, 3) counter-clockwise seen from outside"""


def shape_mesh(geometry: Geometry, *, segments: int = SEGMENTS, plane_extent: float = PLANE_EXTENT) -> Mesh:
    """The surface of a shape in its own frame. Equal shapes give equal bits.

    What is round has its vertices on its surface and lies within it. All but planes, meshes and height fields are
    closed; vertices at an edge are shared. A plane is a square about the point that is nearest to the origin.

    segments: of a circle, a multiple of 4, 8 to 1024.
    plane_extent: [m] from the middle of a plane's square to its sides, over 0.

    Raises InvalidArgument for these two, TypeError for what is no shape.
    """
    if segments % 4 or not 8 <= segments <= 1024:
        raise InvalidArgument(f"segments: must be a multiple of 4, 8 to 1024, is {segments}")
    if not 0 < plane_extent < math.inf:
        raise InvalidArgument(f"plane_extent: must be over 0, is {plane_extent}")
    g = geometry
    if isinstance(g, Sphere):
        return _lathe(_half_circle(g.radius, 0.0, segments), segments)
    if isinstance(g, Capsule):
        return _lathe(_half_circle(g.radius, g.half_height, segments), segments)
    if isinstance(g, Ellipsoid):
        ball = _lathe(_half_circle(1.0, 0.0, segments), segments)
        return Mesh(ball.vertices * numpy.array(g.radii, numpy.float32), ball.triangles)
    if isinstance(g, Cylinder):
        return _frustum(g.radius, g.radius, g.half_height, segments)
    if isinstance(g, Cone):
        return _frustum(g.radius, 0.0, g.half_height, segments)
    if isinstance(g, TaperedCylinder):
        return _frustum(g.bottom_radius, g.top_radius, g.half_height, segments)
    if isinstance(g, Tube):
        outer, inner, h = g.outer_radius, g.inner_radius, g.half_height
        return _lathe([(inner, -h), (outer, -h), (outer, h), (inner, h), (inner, -h)], segments)
    if isinstance(g, Box):
        return _box(g.half_extents)
    if isinstance(g, RoundedBox):
        return _rounded_box(g.half_extents, g.radius, segments)
    if isinstance(g, Plane):
        return _plane(g, plane_extent)
    if isinstance(g, ConvexHull):
        points = numpy.array(g.vertices)
        return Mesh(points, hull_triangles(points))
    if isinstance(g, TriangleMesh):
        return Mesh(numpy.array(g.vertices), numpy.array(g.triangles))
    if isinstance(g, HeightField):
        return _height_field(g)
    raise TypeError(f"geometry: must be a shape, is {geometry!r}")


def geometry_key(geometry: Geometry) -> Hashable:
    """Equal for equal shapes, so that they can share a mesh."""
    if isinstance(geometry, (ConvexHull, TriangleMesh, HeightField)):
        return geometry
    return (type(geometry).__name__, *(getattr(geometry, name) for name in geometry.__slots__))


def placed(mesh: Mesh, position: Vec3Like, orientation: QuatLike) -> Mesh:
    """A mesh turned by an orientation (x, y, z, w), then moved by a position [m]."""
    vertices = mesh.vertices.astype(numpy.float64) @ rotation(orientation).T + numpy.asarray(position, numpy.float64)
    return Mesh(vertices.astype(numpy.float32), mesh.triangles)


def joined(meshes: Iterable[Mesh]) -> Mesh:
    """Meshes as one."""
    vertices, triangles, first = [numpy.empty((0, 3), numpy.float32)], [numpy.empty((0, 3), numpy.uint32)], 0
    for mesh in meshes:
        vertices.append(mesh.vertices)
        triangles.append(mesh.triangles + numpy.uint32(first))
        first += len(mesh.vertices)
    return Mesh(numpy.concatenate(vertices), numpy.concatenate(triangles))


def drawn_shapes(body: Body) -> list[Shape]:
    """Those that can be seen: all but sensors."""
    return [shape for shape in body.shapes if not shape.sensor]


def body_mesh(body: Body, *, segments: int = SEGMENTS, plane_extent: float = PLANE_EXTENT) -> Mesh:
    """All shapes of a body but its sensors, in the body's frame; the rest as shape_mesh has it.

    Sizes are those of the description: that of a scaled body is World.scales.description(body).
    """
    return joined(
        placed(shape_mesh(s.geometry, segments=segments, plane_extent=plane_extent), s.position, s.orientation)
        for s in drawn_shapes(body)
    )


def body_key(body: Body) -> Hashable:
    """Equal for bodies that body_mesh gives the same."""
    return tuple((geometry_key(s.geometry), s.position, s.orientation) for s in drawn_shapes(body))


def rotation(orientation: QuatLike) -> NDArray[numpy.float64]:
    """(..., 3, 3) The matrices of quaternions (..., 4) x, y, z, w of any length but 0."""
    q = numpy.asarray(orientation, numpy.float64)
    x, y, z, w = numpy.moveaxis(q / numpy.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return numpy.stack([numpy.stack(row, -1) for row in rows], -2)


def _circle(count: int, quarter_turns: float) -> list[tuple[float, float]]:
    """Cosines and sines of count + 1 angles from 0 on. Ends of quarters are exact."""
    points = []
    for k in range(count + 1):
        turns = quarter_turns * k / count
        quarter, rest = int(turns), turns - int(turns)
        c, s = math.cos(rest * math.pi / 2), math.sin(rest * math.pi / 2)
        points.append(((c, s), (-s, c), (-c, -s), (s, -c))[quarter % 4])
    return points


def _half_circle(radius: float, half_height: float, segments: int) -> list[tuple[float, float]]:
    """Radii and heights from the lower pole to the upper."""
    quarter = [(radius * c, radius * s) for c, s in _circle(segments // 4, 1)]
    upper = [(r, z + half_height) for r, z in quarter]
    lower = [(r, -z - half_height) for r, z in reversed(quarter)]
    return lower + (upper if half_height else upper[1:])


def _frustum(bottom: float, top: float, half_height: float, segments: int) -> Mesh:
    profile = [(0.0, -half_height), (bottom, -half_height), (top, half_height), (0.0, half_height)]
    return _lathe(profile if top else profile[:-1], segments)


def _lathe(profile: Sequence[tuple[float, float]], segments: int) -> Mesh:
    """Turns (radius, height) about z; outside is on the right of the way along it. A radius of 0 is one vertex."""
    around = _circle(segments, 4)[:-1]
    vertices: list[tuple[float, float, float]] = []
    rings = []
    closed = profile[0] == profile[-1]
    for r, z in profile[:-1] if closed else profile:
        ring = [(r * c, r * s, z) for c, s in around] if r else [(0.0, 0.0, z)]
        rings.append(numpy.resize(numpy.arange(len(vertices), len(vertices) + len(ring)), segments))
        vertices += ring
    if closed:
        rings.append(rings[0])
    return _grid(vertices, numpy.array(rings))


def _grid(vertices: Any, rows: NDArray[Any]) -> Mesh:
    """Of rows of indices, each closed in a ring, from below to above. Triangles without area are left out."""
    a, b = rows[:-1], numpy.roll(rows[:-1], -1, axis=1)
    d, c = rows[1:], numpy.roll(rows[1:], -1, axis=1)
    triangles = numpy.stack([numpy.stack([a, b, c], -1), numpy.stack([a, c, d], -1)], 2).reshape(-1, 3)
    i, j, k = triangles.T
    triangles = triangles[(i != j) & (j != k) & (k != i)]
    return Mesh(numpy.array(vertices, numpy.float32), triangles.astype(numpy.uint32))


def _box(half: Vec3Like) -> Mesh:
    corners = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return Mesh(
        numpy.array(corners, numpy.float32) * numpy.array(half, numpy.float32), numpy.array(triangles, numpy.uint32)
    )


def _rounded_box(half: Vec3Like, radius: float, segments: int) -> Mesh:
    """A ball whose eighths are moved into the corners."""
    inner = [h - radius for h in half]
    quarter = _circle(segments // 4, 1)
    # the sides of an eighth stand there twice: once for each of its neighbours
    around = [
        (c, s, (c0 - s0, s0 + c0))
        for c0, s0 in ((1, 0), (0, 1), (-1, 0), (0, -1))
        for c, s in ((c0 * c - s0 * s, s0 * c + c0 * s) for c, s in quarter)
    ]
    rings = [(c, -s, -1) for c, s in reversed(quarter)] + [(c, s, 1) for c, s in quarter]
    vertices: list[tuple[float, float, float]] = []
    places: dict[tuple[float, float, float], int] = {}
    rows = []
    for flat, height, up in rings:
        row = []
        for c, s, (east, north) in around:
            at = (
                east * inner[0] + radius * flat * c,
                north * inner[1] + radius * flat * s,
                up * inner[2] + radius * height,
            )
            row.append(places.setdefault(at, len(places)))
            if len(places) > len(vertices):
                vertices.append(at)
        rows.append(row)
    sides = _grid(vertices, numpy.array(rows))
    caps = []
    for row, order in ((rows[0], (0, 2, 1, 0, 3, 2)), (rows[-1], (0, 1, 2, 0, 2, 3))):
        corner = [row[k * len(quarter)] for k in range(4)]
        caps += [corner[k] for k in order]
    return Mesh(sides.vertices, numpy.concatenate([sides.triangles, numpy.array(caps, numpy.uint32).reshape(-1, 3)]))


def _plane(plane: Plane, extent: float) -> Mesh:
    normal = numpy.array(plane.normal, numpy.float64)
    normal /= numpy.linalg.norm(normal)
    # the axis that it has least of is the one that lies in it best
    side = numpy.cross(numpy.eye(3)[numpy.argmin(abs(normal))], normal)
    side /= numpy.linalg.norm(side)
    other = numpy.cross(normal, side)
    corners = [plane.offset * normal + extent * (i * side + j * other) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return Mesh(numpy.array(corners, numpy.float32), numpy.array([(0, 1, 2), (0, 2, 3)], numpy.uint32))


def _height_field(field: HeightField) -> Mesh:
    heights = numpy.array(field.heights)
    rows, columns = heights.shape
    y, x = numpy.indices(heights.shape) * field.spacing
    index = numpy.arange(rows * columns, dtype=numpy.uint32).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    triangles = numpy.stack([numpy.stack([a, b, c], -1), numpy.stack([a, c, d], -1)], 2).reshape(-1, 3)
    return Mesh(numpy.stack([x, y, heights], -1).reshape(-1, 3).astype(numpy.float32), triangles)
