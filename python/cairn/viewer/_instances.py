"""Bodies as instances of few meshes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy

from .. import _meshes
from .._core import picture_color
from .._drawn import bytes_of_color
from .._structs import Body, BodyType, Box, Capsule, Cone, Cylinder, Ellipsoid, Geometry, Plane, Shape, Sphere

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[numpy.float32]
    Bytes = NDArray[numpy.uint8]
    Rows = NDArray[numpy.intp]

# [1] segments of circles: few where there are many instances, since a browser draws all of them
_SEGMENTS = ((500, 32), (5_000, 16), (1 << 62, 8))


class Instances(NamedTuple):
    """Shapes of one mesh, a row each."""

    mesh: _meshes.Mesh
    """[1] of size 1 where `scales` has the sizes"""
    rows: Rows
    """(n) of the body in World.read_states()"""
    positions: Floats
    """[m] (n, 3) of the shape in the body's frame"""
    orientations: Floats
    """[1] (n, 4) x, y, z, w, shape to body"""
    scales: Floats
    """[1] (n, 3) along the mesh's axes"""
    colors: Bytes
    """[1] (n, 3) sRGB"""
    moves: bool
    """[1] not of static bodies"""
    flat: bool
    """[1] it has edges"""

    def poses(self, positions: Floats, orientations: Floats) -> tuple[Floats, Floats]:
        """[m] (n, 3) and [1] (n, 4) w, x, y, z of the shapes.

        positions, orientations: [m] (bodies, 3) and [1] (bodies, 4) x, y, z, w of all bodies.
        """
        p, q = positions[self.rows], orientations[self.rows]
        if self.positions.any():
            p = p + _rotated(q, self.positions)
        if (self.orientations[:, :3] != 0).any():
            q = _product(q, self.orientations)
        return p, q[:, [3, 0, 1, 2]]

    def reach(self) -> Floats:
        """[m] (n) From the body's origin to where nothing of the shape is any more."""
        size = numpy.linalg.norm(self.mesh.vertices, axis=1).max()
        far: Floats = numpy.linalg.norm(self.positions, axis=1) + size * self.scales.max(axis=1)
        return far


_Member = tuple[tuple[int, Body], Shape, Geometry, tuple[float, float, float]]  # row, body, and what _unit gives


def instances_of(bodies: Iterable[tuple[int, Body]]) -> list[Instances]:
    """Bodies with their rows, by mesh. Static bodies are apart from those that move. No sensors and planes."""
    return _grouped(bodies, lambda geometry: not isinstance(geometry, Plane), _meshes.PLANE_EXTENT)


def planes_of(bodies: Iterable[tuple[int, Body]], extent: float) -> list[Instances]:
    """Their planes, as squares. extent: [m] from the middle to the sides."""
    return _grouped(bodies, lambda geometry: isinstance(geometry, Plane), extent)


def _grouped(
    bodies: Iterable[tuple[int, Body]], drawn: Callable[[Geometry], bool], plane_extent: float
) -> list[Instances]:
    groups: dict[tuple[Hashable, bool], list[_Member]] = {}
    for row, body in bodies:
        moves = body.type is not BodyType.STATIC
        for shape in _meshes.drawn_shapes(body):
            if drawn(shape.geometry):
                unit, sizes = _unit(shape.geometry)
                key = (_meshes.geometry_key(unit), moves)
                groups.setdefault(key, []).append(((row, body), shape, unit, sizes))
    return [_instances(members, moves, plane_extent) for (_, moves), members in groups.items()]


def color_of(row: int, body: Body) -> tuple[int, int, int]:
    """sRGB, 0 to 255, of a body of this row."""
    return bytes_of_color(picture_color(body, row))


def _instances(members: list[_Member], moves: bool, plane_extent: float) -> Instances:
    segments = next(segments for most, segments in _SEGMENTS if len(members) <= most)
    bodies, shapes, units, sizes = zip(*members, strict=True)
    unit = units[0]
    return Instances(
        mesh=_meshes.shape_mesh(unit, segments=segments, plane_extent=plane_extent),
        rows=numpy.array([row for row, _ in bodies], numpy.intp),
        positions=numpy.array([s.position for s in shapes], numpy.float32),
        orientations=numpy.array([s.orientation for s in shapes], numpy.float32),
        scales=numpy.array(sizes, numpy.float32),
        colors=numpy.array([color_of(*which) for which in bodies], numpy.uint8),
        moves=moves,
        flat=not isinstance(unit, (Sphere, Ellipsoid, Capsule)),
    )


def _unit(g: Geometry) -> tuple[Geometry, tuple[float, float, float]]:
    """A shape that others of its kind are multiples of, and how often along each axis."""
    if isinstance(g, Box):
        return Box((1, 1, 1)), g.half_extents
    if isinstance(g, Sphere):
        return Sphere(1), (g.radius, g.radius, g.radius)
    if isinstance(g, Ellipsoid):
        return Sphere(1), g.radii
    if isinstance(g, (Cylinder, Cone)):
        return type(g)(1, 1), (g.radius, g.radius, g.half_height)
    return g, (1, 1, 1)


def _rotated(q: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
    """(n, 3) Vectors turned by quaternions x, y, z, w."""
    u, w = q[:, :3], q[:, 3:]
    twice = 2 * numpy.cross(u, v)
    rotated: NDArray[Any] = v + w * twice + numpy.cross(u, twice)
    return rotated


def _product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """(n, 4) Quaternions x, y, z, w: first b, then a."""
    u, s, v, t = a[:, :3], a[:, 3:], b[:, :3], b[:, 3:]
    product: NDArray[Any] = numpy.concatenate(
        [s * v + t * u + numpy.cross(u, v), s * t - (u * v).sum(1, keepdims=True)], 1
    )
    return product
