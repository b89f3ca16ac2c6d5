"""Writes structs.h: the types of the public structs that have lists of their members, and of the enums that have words.

python structs.py TO FROM...: the file to write, and the headers in which they stand.
"""

import pathlib
import re
import sys

HEAD = """#pragma once
// Made by python/structs.py from the lists beside the structs in include/cairn.

#include <tuple>

namespace cairn::python {

"""


def listed(before: str, texts: list[str]) -> list[str]:
    return sorted(name for text in texts for name in re.findall(rf"^{before}<([\w:]+)>", text, re.M))


def main() -> None:
    to, *headers = map(pathlib.Path, sys.argv[1:])
    texts = [header.read_text() for header in headers]
    lists = {"Structs": listed("template <Same", texts), "Enums": listed("struct EnumWords", texts)}
    lines = [f"using {name} = std::tuple<{', '.join(types)}>;" for name, types in lists.items()]
    to.write_text(HEAD + "\n".join(lines) + "\n\n}  // namespace cairn::python\n")


main()
