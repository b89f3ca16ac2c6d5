"""Writes cairn/_structs.py: Python classes of cairn's structs and enums, from what the compiled module says of them.

python generate.py PACKAGE HEADERS: the folder of the package, where _core lies, and the public headers, from whose
comments the classes have their docstrings.
"""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap

HEAD = '''"""Structs and enums. Made by python/generate.py from the lists of members in include/cairn."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag, StrEnum
from math import inf
from typing import Union

from ._core import (
    ArticulationHandle,
    BodyHandle,
    ConvexHull,
    HeightField,
    JointHandle,
    ParticlesHandle,
    TriangleMesh,
)
from ._values import ArrayLike, ManyLike, Quat, QuatLike, Struct, Vec3, Vec3Like, number_list, quat, vec3, vec3_list
'''

WIDTH = 116


def comments(folder: pathlib.Path) -> dict[str, str]:
    """The comment before each struct, by its name."""
    found = {}
    for header in sorted(folder.glob("*.h")):
        text = header.read_text()
        for match in re.finditer(r"((?:^ *///.*\n)+) *(?:struct|enum class|enum) (\w+)\b", text, re.M):
            lines = [line.strip()[3:].strip() for line in match[1].strip().splitlines()]
            found.setdefault(match[2], " ".join(lines))
    return found


def value_comments(folder: pathlib.Path) -> dict[str, list[str]]:
    """The comments behind the values of each enum, by its name; empty where a value has none."""
    found = {}
    for header in sorted(folder.glob("*.h")):
        for match in re.finditer(r"enum (?:class )?(\w+)[^{;]*{(.*?)};", header.read_text(), re.S):
            values: list[str] = []
            # "kA, kB" in a line, or one a line with "///< comment", which may go on in lines of its own
            for line in match[2].splitlines():
                code, _, text = line.partition("///<")
                names = re.findall(r"\bk[A-Z]\w*(?=[ ,=]|$)", code.partition("//")[0])
                values += ["" for _ in names]
                if text.strip() and values:
                    values[-1] = f"{values[-1]} {text.strip()}".strip()
            found.setdefault(match[1], values)
    return found


def docstring(text: str, indent: str) -> str:
    text = text.replace("\\", "\\\\").replace('"""', "'''").rstrip('"')
    wrapped = textwrap.wrap(text, WIDTH - len(indent))
    if len(wrapped) <= 1 and len(text) + len(indent) + 6 <= WIDTH:
        return f'{indent}"""{text}"""'
    return f'{indent}"""' + f"\n{indent}".join(wrapped) + f'\n{indent}"""'


def of_member(member: dict[str, str]) -> str:
    unit = f"[{member['unit']}]"
    meaning = member["meaning"]
    rule = member["range"]
    return " ".join(part for part in (unit, meaning, f"({rule})" if rule else "") if part)


def immutable(member: dict[str, str]) -> bool:
    return not re.search(r"[\[]|\w\(", member["default"])


def struct(described: dict, comment: str) -> str:
    members = described["members"]
    lines = [f"class {described['name']}(Struct):"]
    if comment:
        lines += [docstring(comment, "    "), ""]
    names = ", ".join(f'"{m["name"]}"' for m in members) + ("," if len(members) == 1 else "")
    lines += textwrap.wrap(f"__slots__ = ({names})", WIDTH, initial_indent="    ", subsequent_indent="        ")
    lines.append("")
    for m in members:
        lines += [f"    {m['name']}: {m['type']}", docstring(of_member(m), "    ")]
    if members:
        lines += ["", "    def __init__(", "        self,"]
        for i, m in enumerate(members):
            # the first by place, and all where they are few
            if i == 1 and len(members) > 3:
                lines.append("        *,")
            given = m["given"]
            if immutable(m):
                lines.append(f"        {m['name']}: {given} = {m['default']},")
            else:
                lines.append(f"        {m['name']}: {given + ('' if given.endswith('None') else ' | None')} = None,")
        lines.append("    ) -> None:")
        for m in members:
            name, convert = m["name"], m["convert"]
            value = f"{convert}({name})" if convert else name
            if immutable(m) and m["optional"] and convert:
                value = f"None if {name} is None else {value}"
            elif not immutable(m):
                value = f"{m['default']} if {name} is None else {value}"
            if m["given"] == "Device | str":
                value = f"{m['default']} if {name} is None else {name} if isinstance({name}, Device) else parse_device({name})"
            lines.append(f"        self.{name} = {value}")
    else:
        lines += ["    def __init__(self) -> None:", "        pass"]
    return "\n".join(lines)


def enum(described: dict, base: str, comment: str, meanings: list[str]) -> str:
    lines = [f"class {described['name']}({base}):"]
    if comment:
        lines += [docstring(comment, "    "), ""]
    words = described["words"]
    for (name, value), meaning in zip(words, meanings if len(meanings) == len(words) else [""] * len(words)):
        lines.append(f"    {name} = " + (f'"{value}"' if isinstance(value, str) else str(value)))
        if meaning:
            lines.append(docstring(meaning, "    "))
    return "\n".join(lines)


def variant(described: dict) -> str:
    return f"{described['name']} = Union[\n" + "".join(f"    {t},\n" for t in described["types"]) + "]"


def main() -> None:
    package, headers = map(pathlib.Path, sys.argv[1:])
    sys.path.insert(0, str(package))
    import _core

    described = _core._describe()
    docs = comments(headers)

    def comment(of: dict) -> str:
        return docs.get(of["cpp"].split("::")[-1], "")

    values = value_comments(headers)

    def meanings(of: dict) -> list[str]:
        return values.get(of["cpp"].split("::")[-1], [])

    parts = [enum(e, "StrEnum", comment(e), meanings(e)) for e in described["enums"]]
    parts += [enum(e, "IntFlag", comment(e), meanings(e)) for e in described["flags"]]
    parts += [struct(s, comment(s)) for s in described["structs"]]
    parts += [variant(v) for v in described["variants"]]
    names = sorted(d["name"] for kind in described.values() for d in kind)
    parts.append("__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]")
    head = HEAD.replace("    TriangleMesh,\n", "    TriangleMesh,\n    parse_device,\n")
    (package / "_structs.py").write_text(head + "\n\n" + "\n\n\n".join(parts) + "\n")


main()
