"""Bodies that are dragged in browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from .._core import BodyHandle, Drag, World
from .._structs import BodyType

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Pull(NamedTuple):
    """What a browser said of a pointer that drags."""

    client: int
    """[1] which browser"""
    phase: str
    """start, update or end"""
    body: BodyHandle | None
    """[1] under the pointer at the start"""
    grabbed: tuple[float, float, float]
    """[m] point of the body, as drawn"""
    wanted: tuple[float, float, float]
    """[m] where it shall go, as drawn"""


class Drags:
    """One body of each browser at most."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._held: dict[int, tuple[Drag, NDArray[Any]]] = {}

    def __len__(self) -> int:
        return len(self._held)

    def pull(self, pull: Pull, offsets: NDArray[numpy.float64]) -> bool:
        """Does it, with worlds drawn at offsets [m] (worlds, 3). True: views of the World's arrays have ended."""
        if pull.phase == "start":
            self.let_go(pull.client)
            if pull.body is None or not self._world.alive(pull.body):
                return False
            if self._world.description(pull.body).type is not BodyType.DYNAMIC:
                return False
            offset = offsets[self._world.world_of(pull.body)]
            drag = Drag(self._world, pull.body, tuple(numpy.array(pull.grabbed) - offset))
            self._held[pull.client] = (drag, offset)
            drag.move(tuple(numpy.array(pull.wanted) - offset))
            return True
        if pull.client not in self._held:
            return False
        drag, offset = self._held[pull.client]
        if pull.phase == "update" and not drag.over():
            drag.move(tuple(numpy.array(pull.wanted) - offset))
            return False
        return self.let_go(pull.client)

    def let_go(self, client: int) -> bool:
        """Of what a browser drags, if anything."""
        drag, _ = self._held.pop(client, (None, None))
        if drag is not None:
            drag.close()
        return drag is not None

    def close(self) -> None:
        for client in list(self._held):
            self.let_go(client)
