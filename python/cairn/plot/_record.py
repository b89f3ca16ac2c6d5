"""Values of a JSON file, which say where they stand when they aren't what they should be."""

from __future__ import annotations

import json
import math
import pathlib
from collections.abc import Iterator
from typing import Any

from .._core import InvalidArgument


class Record:
    """A value of a file. `place` is what errors call it: `rows[3].stages`."""

    def __init__(self, file: str, value: Any, place: str = "") -> None:
        self.file, self.value, self.place = file, value, place

    def wrong(self, must: str) -> InvalidArgument:
        return InvalidArgument(f"{self.file}: {self.place + ': ' if self.place else ''}{must}")

    def __contains__(self, key: str) -> bool:
        """Whether an object has the key, with a value that isn't null."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def __getitem__(self, key: str) -> Record:
        if not isinstance(self.value, dict):
            raise self.wrong("must be an object")
        if key not in self.value:
            raise self.wrong(f'lacks the key "{key}"')
        return Record(self.file, self.value[key], f"{self.place}.{key}" if self.place else key)

    def __iter__(self) -> Iterator[Record]:
        """The values of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("must be a list")
        return (Record(self.file, value, f"{self.place}[{i}]") for i, value in enumerate(self.value))

    def items(self) -> Iterator[tuple[str, Record]]:
        """The members of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong("must be an object")
        return ((key, self[key]) for key in self.value)

    def number(self) -> float:
        """Finite, and not below 0: no figure here is."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.wrong("must be a number")
        if not math.isfinite(self.value) or self.value < 0:
            raise self.wrong(f"must be finite and at least 0; is {self.value}")
        return float(self.value)

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("must be a text")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.wrong("must be true or false")
        return self.value


def parse(path: str | pathlib.Path) -> Record:
    """A whole file. Raises OSError where it can't be read, InvalidArgument where it is no JSON."""
    try:
        return Record(str(path), json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    except ValueError as error:  # of the JSON, or of its UTF-8
        raise InvalidArgument(f"{path}: is no JSON: {error}") from None
