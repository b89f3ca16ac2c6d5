"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import pathlib
import weakref
from collections.abc import Iterator
from typing import Any


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


@contextlib.contextmanager
def explained(what: str, path: pathlib.Path) -> Iterator[None]:
    """Says what can't be done where the system only says why."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"{what}: {error.strerror or error}", str(path)) from error


def write_whole(path: pathlib.Path, content: Any, replace: bool) -> None:
    """It is on the disk before it has its name. Not to replace a file of that name leaves that as it is."""
    draft = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.draft")
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(draft, path)
        else:
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                os.replace(draft, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)
