"""The scene in the browser: what there is of a World, and where it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
import viser

from .._core import BodyHandle, ParticlesHandle, World
from .._structs import Body
from ._instances import Instances, color_of, instances_of, planes_of
from ._particles import topology_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float32]

PLANE_EXTENT = 50.0
"""[m] from the middle of a plane's square to its sides, of a world alone"""
_DISABLED = 1 << 12  # of `body_flags` (docs/interop.md)


class _Set(NamedTuple):
    handle: ParticlesHandle
    rows: NDArray[numpy.intp]
    nodes: list[tuple[Any, str, NDArray[Any]]]
    """handle of viser, its member that has the positions, and the rows that these are of"""


class Drawing:
    """Nodes of viser's scene for all bodies of a World. It looks at the World only where a call says so."""

    def __init__(self, server: viser.ViserServer, world: World, spacing: float | None) -> None:
        self._scene = server.scene
        self._world = world
        self._spacing = spacing
        self._nodes: list[tuple[Instances, Any]] = []
        self._sets: list[_Set] = []
        self._broken = 0
        self._hidden: NDArray[numpy.bool_] = numpy.zeros(0, bool)
        self._looks: list[tuple[Any, ...]] = []
        self.bodies: list[BodyHandle] = []
        self.worlds: NDArray[numpy.intp] = numpy.zeros(0, numpy.intp)
        """(bodies) the world of each"""
        self.offsets: NDArray[numpy.float64] = numpy.zeros((0, 3))
        """[m] (worlds, 3) where each is drawn"""
        self.centre = numpy.zeros(3)
        """[m] of what moves, or of all"""
        self.extent = numpy.ones(3)
        """[m] of it along the axes"""
        self.radius = 1.0
        """[m] of it"""
        self.size = 1.0
        """[m] of a body of middle size, from its origin to its end"""
        self.rebuild()

    def rebuild(self) -> None:
        """All nodes again, from the World."""
        world = self._world
        self.bodies, described = self._described()
        counts = [world.body_count(k) for k in range(world.world_count())]
        self.worlds = numpy.repeat(numpy.arange(len(counts)), counts)
        sets = self._rows_of_sets()
        particles = {row for _, rows in sets for row in rows.tolist()}
        shown = [(row, body) for row, body in enumerate(described) if row not in particles]
        groups = instances_of(shown)
        self._measure(groups, described, particles)
        extent = PLANE_EXTENT if len(counts) == 1 else max(self._width / 2, 1e-3)
        self.clear()
        for k, group in enumerate(groups + planes_of(shown, extent)):
            self._nodes.append((group, self._batch(f"/bodies/{k}", group)))
        here = self.read()[0]
        self._sets = [self._set(k, handle, rows, here) for k, (handle, rows) in enumerate(sets)]
        self._broken = world.report().broken_constraints
        self._looks = [_looks(body) for body in described]
        self._hide(_disabled(described))

    def holds(self) -> bool:
        """Whether the bodies are those that are drawn, and look so. Those that were switched off or on are shown so."""
        bodies, described = self._described()
        if bodies != self.bodies or [_looks(body) for body in described] != self._looks:
            return False
        self._hide(_disabled(described))
        return True

    def clear(self) -> None:
        """Removes all nodes."""
        for _, node in self._nodes:
            node.remove()
        for each in self._sets:
            _remove(each)
        self._nodes, self._sets = [], []

    def read(self) -> tuple[Floats, Floats]:
        """[m] (bodies, 3) and [1] (bodies, 4) x, y, z, w of the World as it is now, where it is drawn."""
        states = self._world.read_states()
        return (states.position + self.offsets[self.worlds]).astype(numpy.float32), states.orientation

    def look(self) -> None:
        """What changed of the World beside poses: bodies that were switched off or on, and constraints that broke."""
        arrays = self._world.arrays
        flags = arrays["body_flags"]
        if flags.device == "cpu":
            hidden = (flags[...][arrays["row_slot"][...]] & _DISABLED) != 0
            if not numpy.array_equal(hidden, self._hidden):
                self._hide(hidden)
        broken = self._world.report().broken_constraints
        if broken != self._broken:
            self._broken = broken
            here = self.read()[0]
            for k, each in enumerate(self._sets):
                _remove(each)
                self._sets[k] = self._set(k, each.handle, each.rows, here)

    def show(self, positions: Floats, orientations: Floats, static: bool = False) -> None:
        """Poses as `read` gives them. static: of bodies that don't move, too."""
        for group, node in self._nodes:
            if group.moves or static:
                node.batched_positions, node.batched_wxyzs = group.poses(positions, orientations)
        for each in self._sets:
            for node, member, rows in each.nodes:
                setattr(node, member, positions[rows])

    def body_of(self, node: Any, instance: int | None) -> BodyHandle | None:
        """What an instance of a node shows."""
        for group, mine in self._nodes:
            if mine is node and instance is not None and instance < len(group.rows):
                return self.bodies[int(group.rows[instance])]
        return None

    def moving_nodes(self) -> list[Any]:
        """Those of bodies that move."""
        return [node for group, node in self._nodes if group.moves]

    def _batch(self, name: str, group: Instances) -> Any:
        count = len(group.rows)
        return self._scene.add_batched_meshes_simple(
            name,
            group.mesh.vertices,
            group.mesh.triangles,
            numpy.tile(numpy.array([1, 0, 0, 0], numpy.float32), (count, 1)),
            numpy.zeros((count, 3), numpy.float32),
            batched_scales=group.scales,
            batched_colors=group.colors,
            lod="off",
            flat_shading=group.flat,
            cast_shadow=group.moves,
        )

    def _described(self) -> tuple[list[BodyHandle], list[Body]]:
        bodies = self._world.bodies()
        return bodies, [self._world.scales.description(body) for body in bodies]

    def _hide(self, hidden: NDArray[numpy.bool_]) -> None:
        """hidden: (bodies)"""
        self._hidden = hidden
        for group, node in self._nodes:
            node.batched_scales = numpy.where(self._hidden[group.rows, None], numpy.float32(0), group.scales)

    def _rows_of_sets(self) -> list[tuple[ParticlesHandle, NDArray[numpy.intp]]]:
        """Rows of particles, -1 of those that were removed."""
        world = self._world
        row_of = {body: row for row, body in enumerate(self.bodies)}
        return [
            (handle, numpy.array([row_of.get(body, -1) for body in world.bodies(handle)], numpy.intp))
            for k in range(world.world_count())
            for handle in world.particles.list(k)
        ]

    def _set(self, k: int, handle: ParticlesHandle, rows: NDArray[numpy.intp], here: Floats) -> _Set:
        world, name = self._world, f"/particles/{k}"
        description = world.description(handle)
        gone = numpy.flatnonzero(rows < 0).tolist()
        triangles, lines, points = topology_of(description, world.particles.broken_constraints(handle), gone)
        nodes: list[tuple[Any, str, NDArray[Any]]] = []
        color = color_of(int(rows.max(initial=0)), Body(color=description.color))
        if len(triangles):
            used, corners = numpy.unique(triangles, return_inverse=True)
            node: Any = self._scene.add_mesh_simple(
                f"{name}/surface", here[rows[used]], corners.reshape(-1, 3), color=color, side="double"
            )
            nodes.append((node, "vertices", rows[used]))
        if len(lines):
            node = self._scene.add_line_segments(f"{name}/lines", here[rows[lines]], color)
            nodes.append((node, "points", rows[lines]))
        if len(points):
            fluid = description.fluid
            node = self._scene.add_point_cloud(
                f"{name}/points",
                here[rows[points]],
                color,
                point_size=fluid.spacing if fluid is not None else 2 * description.radius,
                point_shape="circle",
                precision="float32",
            )
            nodes.append((node, "points", rows[points]))
        return _Set(handle, rows, nodes)

    def _measure(self, groups: list[Instances], described: list[Body], particles: set[int]) -> None:
        """Where worlds are drawn, and what a camera has to see."""
        world = self._world
        positions = world.read_states().position
        reach = numpy.zeros(len(described))
        moves = numpy.zeros(len(described), bool)
        moves[list(particles)] = True
        there = moves.copy()
        for group in groups:
            numpy.maximum.at(reach, group.rows, group.reach())
            there[group.rows] = True
            moves[group.rows] |= group.moves
        local = _bounds(positions[there], reach[there])
        width = float((local[1] - local[0])[:2].max())
        self._width = self._spacing if self._spacing else 1.25 * width
        count = world.world_count()
        origins = numpy.array([world.origin(k) for k in range(count)])
        if count > 1 and (self._spacing is not None or not origins.any()):
            side = math.ceil(math.sqrt(count))
            k = numpy.arange(count)
            origins = self._width * numpy.stack([k % side, k // side, 0 * k], 1).astype(float)
        self.offsets = origins
        seen = moves if moves.any() else there
        low, high = _bounds(positions[seen] + origins[self.worlds[seen]], reach[seen])
        self.centre, self.extent = (low + high) / 2, high - low
        self.radius = float(numpy.linalg.norm(high - low)) / 2 or 1.0
        self.size = float(numpy.median(reach[seen])) or self.radius


def _bounds(positions: NDArray[Any], reach: NDArray[Any]) -> NDArray[Any]:
    """[m] (2, 3) Lower and upper corner of balls; of none, those of a cube of 2 m."""
    if not len(positions):
        return numpy.array([[-1.0] * 3, [1.0] * 3])
    return numpy.array([(positions - reach[:, None]).min(0), (positions + reach[:, None]).max(0)])


def _looks(body: Body) -> tuple[Any, ...]:
    """What its instances are made of."""
    return body.type, body.color, body.shapes


def _disabled(bodies: list[Body]) -> NDArray[numpy.bool_]:
    return numpy.array([not body.enabled for body in bodies], bool)


def _remove(each: _Set) -> None:
    for node, _, _ in each.nodes:
        node.remove()
