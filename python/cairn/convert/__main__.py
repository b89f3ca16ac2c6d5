"""python -m cairn.convert ROBOT SCENE.json"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

BAD_INPUT, NOT_WRITTEN = 2, 4  # exit codes of docs/cli.md


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0, 2 for bad input, 4 where the scene can't be written."""
    parser = argparse.ArgumentParser(
        prog="python -m cairn.convert",
        description="Makes a scene file of a robot in MJCF or URDF, and prints what was approximated or dropped.",
    )
    parser.add_argument("robot", help="an .xml or .urdf file")
    parser.add_argument("scene", help="the scene file to write, a .json file; - for stdout")
    parser.add_argument("--keyframe", help='where it starts; without it "home", if the file has it')
    options = parser.parse_args(arguments)
    if options.scene != "-" and not options.scene.endswith(".json"):
        return _fail(f"{options.scene}: the name of a scene file must end in .json", BAD_INPUT)
    folder = os.path.dirname(os.path.abspath(options.scene))
    if options.scene != "-" and not os.path.isdir(folder):
        return _fail(f"{options.scene}: there is no folder {folder}", BAD_INPUT)
    try:
        from . import load

        scene, report = load(options.robot, options.keyframe)
    except (ValueError, ImportError) as error:
        return _fail(str(error), BAD_INPUT)
    try:
        _write(scene.to_json(), options.scene, folder)
    except OSError as error:
        return _fail(f"{options.scene}: {error.strerror}", NOT_WRITTEN)
    print(report, file=sys.stderr if options.scene == "-" else sys.stdout)
    return 0


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


def _write(text: str, file: str, folder: str) -> None:
    """Whole or not at all."""
    if file == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    draft, name = tempfile.mkstemp(prefix=os.path.basename(file) + ".draft", dir=folder)
    try:
        with os.fdopen(draft, "w", encoding="utf-8") as out:
            out.write(text)
        mode = os.stat(file).st_mode if os.path.exists(file) else 0o666 & ~_umask()
        os.chmod(name, mode & 0o777)
        os.replace(name, os.path.realpath(file))
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    sys.exit(main())
