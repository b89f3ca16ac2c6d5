"""When something is to be done next."""

from __future__ import annotations

import time
from types import TracebackType

_BEHIND = 0.25  # [s] more than this isn't made up for


class RealTime:
    """Steps no faster than the clock: `wait` before the next."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        """[1] times real time; 0: as fast as it goes"""
        self._due = 0.0

    def wait(self, dt: float) -> None:
        """Returns when a step of dt [s] since the last call is over."""
        now = time.perf_counter()
        self._due = max(self._due + (dt / self.speed if self.speed else 0), now - _BEHIND)
        if self._due > now:
            time.sleep(self._due - now)


class Share:
    """What may take no more than a share of the time: a `with` around it, where `due`."""

    def __init__(self, share: float, interval: float = 0.0) -> None:
        self._share = share
        self._interval = interval
        self._next = self._began = 0.0

    @property
    def due(self) -> bool:
        return time.perf_counter() >= self._next

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        now = time.perf_counter()
        self._next = now + max((now - self._began) / self._share, self._interval)
