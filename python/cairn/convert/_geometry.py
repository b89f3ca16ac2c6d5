"""What all formats make shapes of: hulls, and marks where there are none."""

from __future__ import annotations

from typing import Any

import numpy

import cairn

from ._report import Report

MAX_VERTICES = 1024  # of a ConvexHull


def mark() -> cairn.Shape:
    """A small ball that touches nothing."""
    return cairn.Shape(cairn.Sphere(0.01), filter=cairn.Filter(category=0, mask=0))


def hull_of(points: Any, mesh: str, report: Report) -> cairn.ConvexHull | None:
    """The convex hull of points [m], (n, 3), of the farthest where it has too many; None where they span no volume."""
    points = numpy.asarray(points, numpy.float32)
    try:
        return cairn.ConvexHull(points)
    except cairn.InvalidArgument as error:
        if "vertices" not in str(error):
            return None
    # the farthest in directions that are spread over the sphere: no more than so many, and all are the mesh's own
    k = numpy.arange(MAX_VERTICES) + 0.5
    z, turn = 1 - 2 * k / MAX_VERTICES, numpy.pi * (1 + 5**0.5) * k
    r = numpy.sqrt(1 - z * z)
    directions = numpy.stack([r * numpy.cos(turn), r * numpy.sin(turn), z], axis=1)
    kept = points[numpy.unique(numpy.argmax(points @ directions.T.astype(numpy.float32), axis=0))]
    report.approximate(f"hulls of more than {MAX_VERTICES} vertices lose the flattest", mesh)
    try:
        return cairn.ConvexHull(kept)
    except cairn.InvalidArgument:
        return None
