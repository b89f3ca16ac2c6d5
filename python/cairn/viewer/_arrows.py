"""Contact forces as arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

import viser

from .._core import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

NORMAL, FRICTION = (235, 120, 40), (60, 120, 220)
"""colours of arrows, sRGB"""


class Forces(NamedTuple):
    """Contact forces on the second body of each contact, means over the last step."""

    points: NDArray[numpy.float64]
    """[m] (n, 3) where they act, as drawn"""
    vectors: NDArray[numpy.float64]
    """[N] (n, 3) world"""
    colors: NDArray[numpy.uint8]
    """(n, 3) sRGB: NORMAL of each point, FRICTION of each contact, which is in the middle of its points"""


def contact_forces(world: World, offsets: NDArray[numpy.float64]) -> Forces:
    """Of all worlds, drawn at offsets [m] (worlds, 3)."""
    points: list[tuple[float, ...]] = []
    vectors: list[tuple[float, ...]] = []
    colors: list[tuple[int, int, int]] = []
    worlds: list[int] = []
    alone = world.world_count() == 1
    for contact in world.contacts():
        there = [p for p in contact.points[: contact.count] if p.impulse > 0]
        if not there:
            continue
        x, y, z = contact.normal
        for p in there:
            points.append(p.position)
            vectors.append((x * p.impulse, y * p.impulse, z * p.impulse))
            colors.append(NORMAL)
        points.append(tuple(sum(along) / len(there) for along in zip(*(p.position for p in there), strict=True)))
        vectors.append(contact.friction_impulse)
        colors.append(FRICTION)
        worlds += [0 if alone else world.world_of(contact.a)] * (len(there) + 1)
    return Forces(
        numpy.array(points, float).reshape(-1, 3) + offsets[worlds],
        numpy.array(vectors, float).reshape(-1, 3) / world.params().dt,
        numpy.array(colors, numpy.uint8).reshape(-1, 3),
    )


class Arrows:
    """Their node in the scene. The longest of those that are shown first is as long as a body is wide."""

    def __init__(self, server: viser.ViserServer, world: World) -> None:
        self.length = 1.0
        """[1] times that"""
        self._scene = server.scene
        self._world = world
        self._node: Any = None
        self._reference = 0.0

    def show(self, offsets: NDArray[numpy.float64], size: float) -> None:
        """Contact forces as they are now. size: [m] half of a body's width."""
        points, vectors, colors = contact_forces(self._world, offsets)
        if not self._reference:
            self._reference = float(numpy.linalg.norm(vectors, axis=1).max(initial=0))
        if not self._reference:
            return
        ends = points + vectors * (2 * size * self.length / self._reference)
        arrows = numpy.stack([points, ends], 1).astype(numpy.float32)
        if self._node is None:
            self._node = self._scene.add_arrows(
                "/forces", arrows, colors, shaft_radius=0.02 * size, head_radius=0.06 * size, head_length=0.15 * size
            )
        self._node.visible = bool(len(arrows))
        if len(arrows):
            self._node.points, self._node.colors = arrows, colors

    def clear(self) -> None:
        if self._node is not None:
            self._node.remove()
        self._node, self._reference = None, 0.0
