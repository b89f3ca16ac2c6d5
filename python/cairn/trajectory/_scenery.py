"""What formats that draw have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from .._structs import Body, Plane

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._cast import SetTrack
    from ._writer import About


def drawn_body(body: Body, plane_extent: float) -> Body:
    """Without planes, where these aren't drawn."""
    if plane_extent > 0 or not any(isinstance(shape.geometry, Plane) for shape in body.shapes):
        return body
    return body.replace(shapes=[shape for shape in body.shapes if not isinstance(shape.geometry, Plane)])


def up_of(about: About) -> tuple[float, float, float]:
    """[1] Against the gravity of the first world; z where there is none."""
    gravity = numpy.array(about.world.gravity(0))
    size = float(numpy.linalg.norm(gravity))
    if not size > 0:
        return 0.0, 0.0, 1.0
    x, y, z = (-gravity / size).tolist()
    return x, y, z


class Followed:
    """Where a set's particles are, and were last."""

    def __init__(self, of: SetTrack) -> None:
        self.of = of
        self.last = numpy.zeros((len(of.tracks), 3))

    def now(self, positions: NDArray[numpy.float64]) -> tuple[NDArray[numpy.float64], NDArray[numpy.bool_]]:
        """[m] (particles, 3) of the positions of all tracks, and (particles) which are there. What has gone stays where
        it was last.
        """
        at = positions[self.of.tracks]
        there = (self.of.tracks >= 0) & numpy.isfinite(at).all(1)
        self.last = numpy.where(there[:, None], at, self.last)
        return self.last, there
