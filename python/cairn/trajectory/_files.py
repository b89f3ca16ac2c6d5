"""Files that are written whole or not at all, and packages that Cairn doesn't depend on."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import pathlib
import weakref
from collections.abc import Iterator
from typing import Any

NEEDS = {"h5py": "h5py", "pxr": "usd-core"}
"""what pip calls them"""


def package(name: str, ending: str) -> Any:
    """A module that files of an ending need. Raises ModuleNotFoundError, naming the package."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        of = name.partition(".")[0]
        if error.name != of:
            raise
        raise ModuleNotFoundError(
            f"{ending} files need the package {NEEDS[of]}: pip install {NEEDS[of]}", name=of
        ) from None


class Draft:
    """A file beside the target that takes its name when it is whole. One that is left goes with this object."""

    def __init__(self, target: pathlib.Path) -> None:
        """Raises OSError where no file can be made there."""
        # what is linked to is replaced, and the link stays
        self.target = pathlib.Path(os.path.realpath(target))
        if self.target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder", str(target))
        # the ending stays: some libraries go by it
        name = f".{self.target.stem}.{os.getpid()}-{os.urandom(4).hex()}.draft{self.target.suffix}"
        self.path = self.target.with_name(name)
        with open(self.path, "xb"):
            pass
        self.discard = weakref.finalize(self, _remove, self.path)

    def keep(self) -> None:
        """Gives it its name once it is on the disk. Raises OSError, and leaves nothing, where that fails."""
        try:
            with open(self.path, "rb+") as file:
                os.fsync(file.fileno())
            if self.target.exists():
                os.chmod(self.path, self.target.stat().st_mode & 0o777)
            os.replace(self.path, self.target)
        finally:
            self.discard()


def _remove(path: pathlib.Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


class Hdf5File:
    """An HDF5 file that bears a full disk, after which the library itself can't close one."""

    def __init__(self, path: pathlib.Path) -> None:
        self.h5py = package("h5py", path.suffix)
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
