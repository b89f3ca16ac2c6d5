"""What was shown: poses of the past, as many as fit."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float32]


class Frame(NamedTuple):
    """All bodies at a time."""

    time: float
    """[s] of world 0"""
    positions: Floats
    """[m] (bodies, 3) of the bodies' origins, where they are drawn"""
    orientations: Floats
    """[1] (bodies, 4) x, y, z, w"""

    def bytes(self) -> int:
        return self.positions.nbytes + self.orientations.nbytes


class History:
    """The last frames that take no more than `limit` bytes together, but always the last one."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0
        self._frames: deque[Frame] = deque()

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, index: int) -> Frame:
        return self._frames[index]

    def add(self, frame: Frame) -> None:
        self._frames.append(frame)
        self.bytes += frame.bytes()
        while self.bytes > self.limit and len(self._frames) > 1:
            self.bytes -= self._frames.popleft().bytes()

    def clear(self) -> None:
        self._frames.clear()
        self.bytes = 0
