"""Faces of convex hulls, of which Python has the vertices alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray


def hull_triangles(points: NDArray[numpy.float32]) -> NDArray[numpy.uint32]:
    """(m, 3) Triangles of the convex hull of (n, 3) points [m] that span a volume, counter-clockwise seen from outside.

    By adding one point after the other, with signs of volumes that are exact: no rounding opens the surface or folds
    it. A point within a face of others is no corner of a triangle.
    """
    hull = _Hull(points)
    for i in range(len(points)):
        hull.add(i)
    return hull.triangles.astype(numpy.uint32)


class _Hull:
    def __init__(self, points: NDArray[numpy.float32]) -> None:
        self.points = points.astype(numpy.float64)
        fractions = [[value.as_integer_ratio() for value in point] for point in self.points.tolist()]
        scale = max(below for point in fractions for _, below in point)
        self.whole = [[above * (scale // below) for above, below in point] for point in fractions]
        """the points times a power of two that makes them whole numbers"""
        self.triangles = self._tetrahedron()

    def _tetrahedron(self) -> NDArray[numpy.int64]:
        """Of four points that are far apart, turned outwards."""
        x = self.points
        a = int(numpy.lexsort(x.T)[0])
        b = int(numpy.argmax(((x - x[a]) ** 2).sum(1)))
        c = int(numpy.argmax((numpy.cross(x - x[a], x[b] - x[a]) ** 2).sum(1)))
        d = int(numpy.argmax(abs((x - x[a]) @ numpy.cross(x[b] - x[a], x[c] - x[a]))))
        if self._volume(a, b, c, d) > 0:
            b, c = c, b
        return numpy.array([(a, b, c), (a, d, b), (b, d, c), (c, d, a)])

    def _volume(self, a: int, b: int, c: int, d: int) -> int:
        """Over 0 where d is on the outer side of triangle (a, b, c)."""
        ax, ay, az = self.whole[a]
        ux, uy, uz = (p - q for p, q in zip(self.whole[b], (ax, ay, az), strict=True))
        vx, vy, vz = (p - q for p, q in zip(self.whole[c], (ax, ay, az), strict=True))
        wx, wy, wz = (p - q for p, q in zip(self.whole[d], (ax, ay, az), strict=True))
        return (uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz

    def _seen_from(self, i: int) -> NDArray[Any]:
        """(triangles) Whether a point is on their outer side."""
        a, b, c = (self.points[corner] for corner in self.triangles.T)
        u, v, w = b - a, c - a, self.points[i] - a
        volume = (numpy.cross(u, v) * w).sum(1)
        # well over what rounding can do: each of 6 products has at most 8 roundings
        doubt = 32 * numpy.finfo(float).eps * (abs(u).max(1) * abs(v).max(1) * abs(w).max(1))
        seen = volume > doubt
        for t in numpy.flatnonzero(abs(volume) <= doubt):
            seen[t] = self._volume(*map(int, self.triangles[t]), i) > 0
        return seen

    def add(self, i: int) -> None:
        seen = self._seen_from(i)
        if not seen.any():
            return
        edges = [(t[k], t[k - 2]) for t in self.triangles[seen].tolist() for k in range(3)]
        both = set(edges)
        rim = [(a, b, i) for a, b in edges if (b, a) not in both]
        self.triangles = numpy.concatenate([self.triangles[~seen], numpy.array(rim)])
