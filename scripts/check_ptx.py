#!/usr/bin/env python3
"""Refuses device code whose floats could come out otherwise on another device or assembler.

    scripts/check_ptx.py PROGRAM...     programs or libraries of the preset ptx, which hold their PTX as text

Told are flushes of subnormals (.ftz), approximate operations, rounded divisions and roots that are not to the nearest, and
sums and products without a rounding, which the assembler may fuse. Exit codes: 0 none, 1 some, 2 no PTX or no file.
"""

import mmap
import re
import sys

FAULTS = {
    "flushes subnormals": rb"\.ftz\b",
    "is approximate": rb"\.(?:approx|full)\b|\b(?:sin|cos|ex2|lg2|tanh|rsqrt)\.",
    "is not rounded to the nearest": rb"\b(?:div|sqrt|rcp)\.(?!rn\.)(?=[\w.]*f(?:32|64)\b)",
    "may be fused": rb"\b(?:add|sub|mul|mad)\.f(?:32|64)\b",
}
PTX = re.compile(rb"\.version \d[^\0]*")
ENTRY = re.compile(rb"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")


def main(paths):
    if not paths:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    instructions = found = texts = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            print(f"check_ptx: {path}: {error}", file=sys.stderr)
            return 2
        for text in PTX.finditer(data):
            ptx = text.group()
            if b".target" not in ptx[:400]:
                continue
            texts += 1
            instructions += ptx.count(b";\n")
            for what, pattern in FAULTS.items():
                for place in re.finditer(pattern, ptx):
                    begin = ptx.rfind(b"\n", 0, place.start()) + 1
                    line = ptx[begin:ptx.find(b"\n", begin)].strip()
                    # a comment, a name or a directive is no instruction
                    if line.startswith((b"//", b".")):
                        continue
                    found += 1
                    if found <= 20:
                        entries = ENTRY.findall(ptx, 0, begin)
                        function = entries[-1].decode() if entries else "?"
                        print(f"check_ptx: {path}: {line.decode()} {what}, in {function}")
    if texts == 0:
        print("check_ptx: no PTX as text in " + ", ".join(paths), file=sys.stderr)
        return 2
    print(f"{texts} modules of {instructions} instructions: {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
