"""Who is in a trajectory: a track for each body that was there in any frame, and what sets of particles look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from .._core import BodyHandle, ParticlesHandle, World, particles_of
from .._structs import Body, ParticleSet
from .._values import States

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Track(NamedTuple):
    """A body, from when it was first seen."""

    name: str
    """unique and not empty"""
    world: int
    slot: int
    """World.index_of: its slot in its world"""
    body: Body
    """with the scales that it had then"""
    is_particle: bool
    """of a set"""


class SetTrack(NamedTuple):
    """A set of particles."""

    name: str
    """unique"""
    world: int
    radius: float
    """[m]"""
    is_fluid: bool
    tracks: NDArray[numpy.int32]
    """(particles) -1 of one that was gone when the set was first seen"""
    triangles: NDArray[numpy.uint32]
    """(m, 3) of cloth and of the surface of tetrahedra: places in the set"""
    edges: NDArray[numpy.uint32]
    """(k, 2) of stretch constraints, where there are no triangles"""
    color: tuple[float, float, float] | None
    """[1] sRGB; None: as a body's"""


class Frame(NamedTuple):
    """A World at a moment."""

    time: float
    """[s] simulated, of its first world"""
    states: States
    """(rows)"""
    rows: NDArray[numpy.int64]
    """(rows) the track of each"""
    tracks: list[Track]
    """all so far"""
    sets: list[SetTrack]
    """all so far"""
    has_changed: bool
    """bodies came or went since the frame before"""

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """(tracks, ...) of (rows, ...): NaN for tracks whose body isn't there."""
        if numpy.array_equal(self.rows, numpy.arange(len(self.tracks))):
            return values
        out = numpy.full((len(self.tracks), *values.shape[1:]), numpy.nan, values.dtype)
        out[self.rows] = values
        return out

    def present(self) -> NDArray[numpy.bool_]:
        """(tracks)"""
        there = numpy.zeros(len(self.tracks), bool)
        there[self.rows] = True
        return there


class Cast:
    """Follows the bodies of a World."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tracks: list[Track] = []
        self.sets: list[SetTrack] = []
        self._names: set[str] = set()
        self._track_of: dict[BodyHandle, int] = {}
        self._set_names: set[str] = set()
        self._seen_sets: set[tuple[int, ParticlesHandle]] = set()
        self._bodies: list[BodyHandle] = []
        self._rows = numpy.empty(0, numpy.int64)

    def frame(self) -> Frame:
        """The World as it is now."""
        bodies = self.world.bodies()
        has_changed = bodies != self._bodies
        if has_changed:
            self._look(bodies)
        return Frame(
            self.world.report(0).time, self.world.read_states(), self._rows, self.tracks, self.sets, has_changed
        )

    def _look(self, bodies: list[BodyHandle]) -> None:
        world = self.world
        new_sets = []
        particles: set[BodyHandle] = set()
        for k in range(world.world_count()):
            for handle in world.particles.list(k):
                if (k, handle) not in self._seen_sets:
                    self._seen_sets.add((k, handle))
                    members = world.bodies(handle)
                    particles.update(members)
                    new_sets.append((k, world.description(handle), members))
        for body in bodies:
            if body not in self._track_of:
                self._track_of[body] = len(self.tracks)
                self.tracks.append(self._track(body, body in particles))
        for k, description, members in new_sets:
            tracks = numpy.array([self._track_of.get(body, -1) for body in members], numpy.int32)
            name = _unique(_in_world(description.name, k, world), self._set_names)
            triangles = surface_of(description)
            edges = numpy.empty((0, 2), numpy.uint32) if len(triangles) else _groups(description, "stretch")
            radius = description.fluid.spacing / 2 if description.fluid else description.radius
            fluid, color = description.fluid is not None, description.color
            self.sets.append(SetTrack(name, k, radius, fluid, tracks, triangles, edges, color))
        self._bodies = bodies
        self._rows = numpy.array([self._track_of[body] for body in bodies], numpy.int64)

    def _track(self, handle: BodyHandle, is_particle: bool) -> Track:
        world = self.world
        k, slot = world.world_of(handle), world.index_of(handle)
        body = world.scales.description(handle)
        name = _unique(_in_world(body.name or f"body_{slot}", k, world), self._names)
        return Track(name, k, slot, body, is_particle)


def _in_world(name: str, k: int, world: World) -> str:
    return name if world.world_count() == 1 else f"world_{k}/{name}"


def _unique(name: str, taken: set[str]) -> str:
    """The name, or with the first number from 2 on that makes it new."""
    new, count = name, 1
    while new in taken:
        count += 1
        new = f"{name}_{count}"
    taken.add(new)
    return new


def _groups(of: ParticleSet, kind: str) -> NDArray[numpy.uint32]:
    """(constraints, particles of each) All of a kind."""
    lists = [
        numpy.array(group.particles, numpy.uint32).reshape(-1, particles_of(group))
        for group in of.constraints
        if group.kind == kind
    ]
    return numpy.concatenate(lists) if lists else numpy.empty((0, 2), numpy.uint32)


def surface_of(of: ParticleSet) -> NDArray[numpy.uint32]:
    """(m, 3) The triangles of a set: those on both sides of its bends, each once, and the faces that one of its
    tetrahedra (volume, elastic) has alone. Empty of ropes, fluids and loose particles.
    """
    bends = _groups(of, "bend")
    sides = []
    if len(bends):
        sides.append(_once(numpy.concatenate([bends[:, [0, 1, 2]], bends[:, [0, 3, 1]]]), alone=False))
    tetrahedra = [t for t in (_groups(of, "volume"), _groups(of, "elastic")) if len(t)]
    if tetrahedra:
        # outwards of those whose volume is over 0
        faces = [t[:, corners] for t in tetrahedra for corners in ([0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2])]
        sides.append(_once(numpy.concatenate(faces), alone=True))
    return numpy.concatenate(sides) if sides else numpy.empty((0, 3), numpy.uint32)


def _once(triangles: NDArray[numpy.uint32], alone: bool) -> NDArray[numpy.uint32]:
    """Each triangle once, where it first stands; or those alone that stand there once."""
    _, first, count = numpy.unique(numpy.sort(triangles, axis=1), axis=0, return_index=True, return_counts=True)
    chosen: NDArray[numpy.uint32] = triangles[numpy.sort(first[count == 1] if alone else first)]
    return chosen
