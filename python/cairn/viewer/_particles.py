"""Sets of particles as surfaces, lines and points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy

from .._core import particles_of
from .._structs import ConstraintKind, ParticleSet

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Indices = NDArray[numpy.int64]

_TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))  # its faces, seen from outside where its volume is over 0


class Topology(NamedTuple):
    """What of a set is drawn as what; each particle is in one of them at least."""

    triangles: Indices
    """[1] (n, 3) of particles: cloth by its bends, and the surfaces of soft bodies"""
    lines: Indices
    """[1] (n, 2) stretch constraints that aren't sides of triangles"""
    points: Indices
    """[1] (n) the rest, and all of a fluid"""


def topology_of(description: ParticleSet, broken: Any, gone: Collection[int] = ()) -> Topology:
    """Of a set as it is now.

    broken: (constraints) not 0 of those that hold nothing any more, as World.particles.broken_constraints gives them.
    gone: particles that were removed.
    """
    surface, edges, torn, first = [], [], set(), 0
    tetrahedra: Counter[tuple[int, ...]] = Counter()
    faces: dict[tuple[int, ...], tuple[int, ...]] = {}
    for group in description.constraints:
        size = particles_of(group)
        rows = numpy.array(group.particles, numpy.int64).reshape(-1, size)
        whole = numpy.asarray(broken[first : first + len(rows)]) == 0
        first += len(rows)
        if group.kind is ConstraintKind.STRETCH:
            edges += [(int(a), int(b)) for a, b in numpy.sort(rows[whole], axis=1)]
            torn |= {(int(a), int(b)) for a, b in numpy.sort(rows[~whole], axis=1)}
        elif group.kind is ConstraintKind.BEND:
            surface += [tuple(map(int, t)) for a, b, c, d in rows for t in ((a, b, c), (a, d, b))]
        elif group.kind in (ConstraintKind.VOLUME, ConstraintKind.ELASTIC):
            for row in rows[whole].tolist():
                for corners in _TETRAHEDRON:
                    face = tuple(row[k] for k in corners)
                    tetrahedra[tuple(sorted(face))] += 1
                    faces[tuple(sorted(face))] = face
    surface += [faces[key] for key, count in tetrahedra.items() if count == 1]
    lost = set(gone)
    triangles = list(
        {tuple(sorted(t)): t for t in surface if lost.isdisjoint(t) and torn.isdisjoint(_sides(t))}.values()
    )
    # inside a soft body there is nothing to see
    within = {corner for face in faces.values() for corner in face}
    sides = {side for t in triangles for side in _sides(t)}
    lines = [e for e in dict.fromkeys(edges) if lost.isdisjoint(e) and e not in sides and not within.issuperset(e)]
    drawn = within.union(*triangles, *lines) | lost
    points = [i for i in range(len(description.positions)) if i not in drawn]
    return Topology(
        numpy.array(triangles, numpy.int64).reshape(-1, 3),
        numpy.array(lines, numpy.int64).reshape(-1, 2),
        numpy.array(points, numpy.int64),
    )


def _sides(triangle: tuple[int, ...]) -> set[tuple[int, int]]:
    a, b, c = sorted(triangle)
    return {(a, b), (b, c), (a, c)}
