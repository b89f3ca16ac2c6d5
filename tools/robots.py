"""Rows of the table of docs/robots.md: python tools/robots.py FILE.xml FILE.urdf ...

Each file through cairn.convert, and its articulations against mujoco at 20 random states (python/tests/twin.py). Needs
the packages cairn and mujoco.
"""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python/tests"))

import twin  # noqa: E402

import cairn  # noqa: E402
from cairn import convert  # noqa: E402


def row(file: str) -> str:
    name = "/".join(pathlib.Path(file).parts[-2:])
    try:
        model, _ = convert.read(file)
    except convert.RobotFileError as error:
        return f"| `{name}` | not read: {str(error).removeprefix(file + ': ')[:100]} |"
    try:
        scene, report = convert.from_model(model)
        cairn.World(scene).step()
    except cairn.Error as error:
        return f"| `{name}` | refused: {str(error).removeprefix(file + ': ')[:160]} |"
    if not scene.articulations():
        return f"| `{name}` | loaded, no articulations |"
    d = twin.Twin(model, scene, report).differences()
    dropped = ", ".join(f"{why} ({len(of)})" for why, of in report.dropped.items() if why not in ("cameras", "lights", "sites"))
    massless = sum(link.mass == 0 and link.joint.kind != "fixed" for a in scene.articulations() for link in a.description.links)
    return f"| `{name}` | {model.nv} | {massless} | {d.mass:.0e} | {d.bias:.0e} | {d.position:.0e} | {d.axes:.0e} | {dropped or 'none'} |"


for each in sys.argv[1:]:
    print(row(each), flush=True)
