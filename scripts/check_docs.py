#!/usr/bin/env python3
"""Checks that the data members of include/ and kernels/ say what they hold.

Every array of numbers (a pointer member) and every number or vector needs a trailing `///<` that begins with a unit in
brackets: [m], [kg m^2], [1] for a number without one. It may be left out where another line has said it already:
  - an array that goes by the name of one in kernels/common/ or src/step_context.h,
  - a member of a struct that is described (include/cairn/attributes.h): its list has the unit,
  - `name_b` right below `name_a`, and other members on the line of a documented one.
Structs document their own members, quaternions are [1] always, and vectors and matrices in general have no unit.
Prints what lacks one and exits with 1, or exits with 0.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# types whose numbers mean nothing without a unit
MEASURED = r"(?:float|double|Vec3d?|Vec3T<\w+>|T)"
NUMBER = rf"(?:{MEASURED}|(?:std::)?u?int\d+_t|int|bool)"
# arithmetic on any quantity
GENERAL = {"Vec3T", "QuatT", "Mat3", "Sym3", "SinCos", "Pack", "Mask"}
TABLES = sorted((ROOT / "kernels" / "common").glob("*.h")) + [ROOT / "src" / "step_context.h"]
NAME = r"\w+(?:\[\w+\])*"
VALUE = r"(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\s*=\s*[^;]+)?"
MEMBER = re.compile(
    r"^\s*(?:const\s+|alignas\(\w+\)\s+)*(?P<type>[\w:]+(?:<[^;()]*>)?)(?P<pointer>(?:\s*\*(?:\s*const)?)+)?\s+"
    rf"(?P<names>{NAME}{VALUE}(?:\s*,\s*{NAME}{VALUE})*)\s*;"
    r"\s*(?P<comment>///<.*)?$")
UNIT = re.compile(r"^///<\s*\[[^\]]+\]")
STRUCT = re.compile(
    r"^\s*(?:template\s*<[^>]*>\s*)?(?:struct|class|union)\b\s*(?:alignas\(\w+\)\s*)?(?P<name>\w*)[^;(]*\{\s*$")
SKIPPED_TYPES = {"using", "return", "typedef", "friend", "static", "constexpr", "inline", "delete", "goto", "namespace",
                 "struct", "class", "enum", "explicit", "virtual", "else"}


def bare(line):
    """The line without its comments and texts, for counting braces."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    line = re.sub(r"'(?:\\.|[^'\\])'", "' '", line)
    return re.sub(r"//.*$", "", line)


def members(path):
    """Yields (line number, text, type, is it an array, names, comment or None) of the data members of structs."""
    scopes = []  # of each open brace, the struct's name or None
    lines = path.read_text(encoding="utf-8").splitlines()
    for index, line in enumerate(lines):
        code = bare(line)
        struct = STRUCT.match(code)
        member = MEMBER.match(line) if scopes and scopes[-1] is not None and not struct else None
        if member and member["type"] not in SKIPPED_TYPES and scopes[-1] not in GENERAL:
            comment = member["comment"]
            if comment is None and index + 1 < len(lines) and lines[index + 1].lstrip().startswith("///<"):
                comment = lines[index + 1].strip()
            names = re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"\{[^{}]*\}", "", member["names"]))
            yield index + 1, line.strip(), member["type"], bool(member["pointer"]), names, comment
        for character in code:
            if character == "{":
                scopes.append(struct["name"] if struct else None)
                struct = None
            elif character == "}" and scopes:
                scopes.pop()


def check(path, tables):
    """Yields (line number, text, reason) for each member that lacks its unit; `tables` names the documented arrays."""
    above = ([], None)
    listed = set(re.findall(r"attribute<&S::(\w+)>", path.read_text(encoding="utf-8")))
    for line, text, kind, array, names, comment in members(path):
        wanted = re.fullmatch(NUMBER if array else MEASURED, kind) is not None
        said = UNIT.match(comment) is not None if comment else False
        pair = above[1] and [n[:-2] + "_a" for n in names if n.endswith("_b")] == above[0]
        private_or_padding = all(re.fullmatch(r"\w+_|pad\d*", n) for n in names)
        in_tables = array and set(names) <= tables and path not in TABLES
        if wanted and not (said or private_or_padding or set(names) <= listed or (comment is None and (pair or in_tables))):
            yield line, text, "no unit in brackets after ///<" if comment else "no ///< with a unit"
        above = (names, said)


def main():
    """Checks the headers named, or all of include/ and kernels/."""
    paths = [pathlib.Path(name) for name in sys.argv[1:]]
    if not paths:
        paths = sorted(p for folder in ("include", "kernels") for p in (ROOT / folder).rglob("*.h"))
    tables = {name for table in TABLES for _, _, _, array, names, comment in members(table) if array and comment
              for name in names}
    count = 0
    for path in paths:
        for line, text, reason in check(path, tables):
            print(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{line}: {reason}: {text}")
            count += 1
    print(f"{len(paths)} headers, {count} members without a unit" if count else f"{len(paths)} headers: good")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
