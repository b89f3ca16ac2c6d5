"""HDF5 files."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator
from typing import Any

from .._packages import package


class Hdf5File:
    """An HDF5 file that bears a full disk, after which the library itself can't close one."""

    def __init__(self, path: pathlib.Path) -> None:
        self.h5py = package("h5py", f"{path.suffix} files need")
        self._sink = _Sink(path)
        self.file = self.h5py.File(self._sink, "w")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Raises OSError where something couldn't be written, whatever the library makes of it."""
        try:
            yield
        except Exception as error:
            raise self._sink.error or error from None
        if self._sink.error is not None:
            raise self._sink.error

    def close(self) -> None:
        """The same."""
        with self.writing():
            self.file.close()
            self._sink.file.close()

    def abandon(self) -> None:
        self._sink.error = self._sink.error or OSError("abandoned")  # the library writes into nothing from now on
        with contextlib.suppress(Exception):
            self.file.close()
        self._sink.file.close()


class _Sink:
    """A file as the library takes one: the first failure is kept, and what follows is dropped."""

    def __init__(self, path: pathlib.Path) -> None:
        self.file = open(path, "rb+", buffering=0)  # noqa: SIM115
        self.error: OSError | None = None

    def write(self, content: Any) -> int:
        left = memoryview(content).cast("B")
        size = len(left)
        try:
            while left and self.error is None:
                left = left[self.file.write(left) :]
        except OSError as error:
            self.error = error
        return size

    def truncate(self, size: int | None = None) -> int:
        try:
            if self.error is None:
                self.file.truncate(size)
        except OSError as error:
            self.error = error
        return self.file.tell() if size is None else size

    def read(self, size: int = -1) -> bytes:
        return self.file.read(size)

    def readinto(self, to: Any) -> int:
        return self.file.readinto(to)

    def seek(self, place: int, whence: int = 0) -> int:
        return self.file.seek(place, whence)

    def tell(self) -> int:
        return self.file.tell()

    def flush(self) -> None:
        pass
