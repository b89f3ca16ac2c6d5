"""Robots from MJCF and URDF files, read by the package mujoco (pip install 'cairn[convert]').

    from cairn import convert

    scene, report = convert.load("robot.xml")
    print(report)  # what was approximated or left out
    world = cairn.World(scene)
    report.start(world)  # what drives and springs pull to

`python -m cairn.convert robot.xml robot.json` writes a scene file. docs/robots.md has the rules and the models tried.
"""

import importlib as _importlib

try:
    _importlib.import_module("mujoco")
except ModuleNotFoundError as _error:
    if _error.name != "mujoco":
        raise
    raise ModuleNotFoundError(
        "cairn.convert reads robots by the package mujoco: pip install 'cairn[convert]'", name="mujoco"
    ) from None

from ._load import RobotFileError as RobotFileError
from ._load import from_model as from_model
from ._load import load as load
from ._report import Actuator as Actuator
from ._report import JointPlace as JointPlace
from ._report import Report as Report

__all__ = ["Actuator", "JointPlace", "Report", "RobotFileError", "from_model", "load"]
