"""python -m cairn.plot FILE.json [-o OUT.svg|OUT.png]"""

from __future__ import annotations

import argparse
import pathlib
import sys

from . import draw, read, save

BAD_INPUT, NOT_WRITTEN = 2, 4  # exit codes of docs/cli.md


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0, 2 for bad input, 4 where the plot can't be written."""
    parser = argparse.ArgumentParser(
        prog="python -m cairn.plot",
        description="Draws the figures that cairn bench, cairn lab and benchmarks/peers/compare.py write as JSON.",
    )
    parser.add_argument("figures", metavar="FILE.json", help="what --json has written")
    parser.add_argument("-o", "--out", metavar="OUT", help="the .svg or .png file to write; without it FILE.svg")
    options = parser.parse_args(arguments)
    figures = pathlib.Path(options.figures)
    out = pathlib.Path(options.out) if options.out else figures.with_suffix(".svg")
    if out.suffix not in (".svg", ".png"):
        return fail(f"{out}: must end in .svg or .png", BAD_INPUT)
    if not out.parent.is_dir():
        return fail(f"{out}: there is no folder {out.parent}", BAD_INPUT)
    try:
        drawn = draw(read(figures))
    except OSError as error:
        return fail(f"{figures}: {error.strerror or error}", BAD_INPUT)
    except (ValueError, ImportError) as error:
        return fail(str(error), BAD_INPUT)
    try:
        save(drawn, out)
    except OSError as error:
        return fail(f"{out}: {error.strerror or error}", NOT_WRITTEN)
    return 0


def fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
