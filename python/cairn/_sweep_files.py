"""The folder of a sweep: a Parquet file a shard, written whole or not at all, and the study that they belong to."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from . import _packages
from ._core import InvalidArgument
from ._sweep_study import Columns, span
from ._whole_files import explained, write_whole

MANIFEST = "_study.json"  # readers of Parquet folders pass over names with _ or . in front
KEY = b"cairn.study"
NAME = re.compile(r"worlds-(\d{10})-(\d{10})\.parquet")



def package(name: str) -> Any:
    """One that sweeps need."""
    return _packages.package(name, "a sweep needs", install="pyarrow ray")


class Folder:
    """The results of a study, as far as there are any."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.parquet = package("pyarrow.parquet")
        self.arrow = package("pyarrow")
        self.schema: Any = None
        """of all files; None before the first"""

    def study(self) -> dict[str, Any]:
        """The fingerprint. Raises InvalidArgument where the folder has none."""
        path = self.path / MANIFEST
        try:
            content = json.loads(path.read_text())
        except FileNotFoundError:
            raise InvalidArgument(f"{self.path}: holds no sweep: there is no {MANIFEST}") from None
        except ValueError as error:
            raise InvalidArgument(f"{path}: is damaged: {error}") from None
        if not isinstance(content, dict):
            raise InvalidArgument(f"{path}: is damaged: must be an object")
        return content

    def claim(self, fingerprint: dict[str, Any]) -> None:
        """Makes the folder that of a study. Raises InvalidArgument where it is another's, OSError where it can't."""
        path = self.path / MANIFEST
        with explained("the folder of a sweep can't be made", self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            if next(self.files(), None) is not None:
                raise InvalidArgument(f"{self.path}: has files of a sweep and no {MANIFEST} that says of which")
            with explained("the study of a sweep can't be written", path):
                write_whole(path, (json.dumps(fingerprint, indent=1) + "\n").encode(), replace=False)
        there = self.study()
        other = [key for key in {**fingerprint, **there} if there.get(key) != fingerprint.get(key)]
        if other:
            said = ", ".join(
                f"{key} ({there.get(key)} there, {fingerprint.get(key)} here)"
                if isinstance(fingerprint.get(key), int) or key == "name"
                else key
                for key in other
            )
            raise InvalidArgument(f"{self.path}: holds another study, which differs in {said}; take another folder")

    def files(self) -> Iterator[tuple[range, pathlib.Path]]:
        for path in sorted(self.path.iterdir()):
            match = NAME.fullmatch(path.name)
            if match:
                yield range(int(match[1]), int(match[2]) + 1), path

    def schema_of(self, worlds: range, path: pathlib.Path, study: bytes) -> Any:
        """Raises InvalidArgument unless it is a whole file of the study."""
        try:
            footer = self.parquet.read_metadata(path)
        except (OSError, self.arrow.ArrowException) as error:
            raise InvalidArgument(f"{path}: is no whole file of a sweep: {error}; delete it to run it again") from None
        schema = footer.schema.to_arrow_schema()
        if (schema.metadata or {}).get(KEY) != study:
            raise InvalidArgument(f"{path}: belongs to another study")
        if footer.num_rows != len(worlds):
            raise InvalidArgument(f"{path}: has {footer.num_rows} rows where its name says {len(worlds)}")
        self.agree(worlds, schema)
        return schema

    def agree(self, worlds: range, schema: Any) -> None:
        if self.schema is None:
            self.schema = schema
        if not self.schema.equals(schema):
            first = {field.name: field.type for field in self.schema}
            now = {field.name: field.type for field in schema}
            for name in {**first, **now}:
                if first.get(name) != now.get(name):
                    raise InvalidArgument(
                        f"reduce: {name!r} of {span(worlds)} is {now.get(name, 'missing')} and was "
                        f"{first.get(name, 'missing')} in other worlds"
                    )
            raise InvalidArgument(f"reduce: columns of {span(worlds)} have another order than those of other worlds")

    def missing(self, wanted: range, study: bytes) -> list[range]:
        """Worlds that no file has, in runs."""
        gaps, at = [], wanted.start
        for worlds, path in self.files():
            self.schema_of(worlds, path, study)
            if worlds.start > at:
                gaps.append(range(at, min(worlds.start, wanted.stop)))
            at = max(at, worlds.stop)
        gaps.append(range(at, wanted.stop))
        return [gap for gap in gaps if len(gap)]

    def write(self, worlds: range, columns: Columns, study: bytes) -> None:
        """Raises OSError, and leaves no file, where the disk is full or the folder can't be written."""
        arrow, arrays = self.arrow, {}
        for name, values in columns.items():
            if values.ndim == 1:
                arrays[name] = arrow.array(values)
            else:
                arrays[name] = arrow.FixedSizeListArray.from_arrays(arrow.array(values.ravel()), values.shape[1])
        table = arrow.table(arrays).replace_schema_metadata({KEY: study})
        self.agree(worlds, table.schema)
        content = arrow.BufferOutputStream()
        self.parquet.write_table(table, content)
        path = self.path / f"worlds-{worlds[0]:010}-{worlds[-1]:010}.parquet"
        with explained(f"{span(worlds)} of the sweep can't be written", path):
            write_whole(path, content.getvalue(), replace=True)


def key_of(fingerprint: dict[str, Any]) -> bytes:
    """What each file of a study has in its metadata."""
    return json.dumps(fingerprint, sort_keys=True).encode()


def read(folders: Iterable[pathlib.Path]) -> Any:
    """A table of all worlds in them, ascending, each once."""
    arrow = package("pyarrow")
    tables, study = [], None
    for path in folders:
        folder = Folder(path)
        if study is None:
            study, first = folder.study(), path
        elif folder.study() != study:
            raise InvalidArgument(f"{path}: holds another study than {first}")
        for worlds, file in folder.files():
            folder.schema_of(worlds, file, key_of(study))
            tables.append(folder.parquet.ParquetFile(file).read())
    if not tables:
        raise InvalidArgument("no worlds are there yet")
    table = arrow.concat_tables(tables).sort_by("world").replace_schema_metadata(None)
    # two that ran the same worlds, in other shards, have written the same rows
    index = table.column("world").to_numpy()
    again = index[1:] == index[:-1]
    if again.any():
        hashes = table.column("hash").to_numpy()
        if (hashes[1:][again] != hashes[:-1][again]).any():
            where = int(index[1:][again & (hashes[1:] != hashes[:-1])][0])
            raise InvalidArgument(f"world {where} is there twice, with other bits")
        table = table.filter(arrow.array([True, *(~again).tolist()]))
    return table
