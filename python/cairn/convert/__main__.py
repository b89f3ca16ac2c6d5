"""python -m cairn.convert ROBOT SCENE.json"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import pathlib
import sys

from .._whole_files import Draft

BAD_INPUT, NOT_WRITTEN = 2, 4  # exit codes of docs/cli.md


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0, 2 for bad input, 4 where the scene can't be written."""
    parser = argparse.ArgumentParser(
        prog="python -m cairn.convert",
        description="Makes a scene file of MJCF, URDF or USD, and prints what was approximated or dropped.",
    )
    parser.add_argument("robot", help="an .xml, .urdf, .usd, .usda, .usdc or .usdz file")
    parser.add_argument("scene", help="the scene file to write, a .json file; - for stdout")
    parser.add_argument("--keyframe", help='where MJCF starts; without it "home", if the file has it')
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # as scene files are, whatever a terminal can show
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if options.scene != "-" and not options.scene.endswith(".json"):
        return _fail(f"{options.scene}: the name of a scene file must end in .json", BAD_INPUT)
    folder = os.path.dirname(os.path.realpath(options.scene))
    if options.scene != "-" and not os.path.isdir(folder):
        return _fail(f"{options.scene}: there is no folder {folder}", BAD_INPUT)
    try:
        from . import load

        scene, report = load(options.robot, options.keyframe)
    except (ValueError, ImportError) as error:
        return _fail(str(error), BAD_INPUT)
    if options.scene == "-":
        if not _print(scene.to_json(), end=""):
            return NOT_WRITTEN
        print(report, file=sys.stderr)
        return 0
    try:
        _write(scene.to_json(), options.scene)
    except OSError as error:
        return _fail(f"{options.scene}: {error.strerror}", NOT_WRITTEN)
    return 0 if _print(str(report)) else NOT_WRITTEN


def _fail(message: str, code: int) -> int:
    print("error: " + " ".join(message.splitlines()), file=sys.stderr)
    return code


def _print(text: str, end: str = "\n") -> bool:
    """To stdout, whether that can take it or not: it may be full, closed, or a pipe that nobody reads any more."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        print(text, end=end, flush=True)
    except OSError as error:
        _fail(f"stdout: {error.strerror}", NOT_WRITTEN)
        # what is left of it would fail once more when Python ends
        with contextlib.suppress(OSError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def _write(text: str, file: str) -> None:
    """Whole or not at all."""
    draft = Draft(pathlib.Path(file))
    try:
        draft.path.write_text(text, encoding="utf-8")
        draft.keep()
    finally:
        draft.discard()


if __name__ == "__main__":
    sys.exit(main())
