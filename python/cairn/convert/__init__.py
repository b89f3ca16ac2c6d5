"""Robots from MJCF and URDF files, read by the package mujoco, and scenes from USD files with UsdPhysics, by usd-core.

    from cairn import convert

    scene, report = convert.load("robot.xml")  # or robot.urdf, or stage.usda
    print(report)  # what was approximated or left out
    world = cairn.World(scene)
    report.start(world)  # what drives pull to

`python -m cairn.convert robot.xml robot.json` writes a scene file. docs/robots.md has the rules and the models tried.
Without the package that it takes (pip install mujoco, pip install usd-core), a call raises ModuleNotFoundError.
"""

import importlib
from typing import TYPE_CHECKING

__all__ = ["Actuator", "JointPlace", "Report", "RobotFileError", "Share", "from_model", "from_stage", "load", "read"]

if TYPE_CHECKING:
    from ._files import load as load
    from ._load import from_model as from_model
    from ._load import read as read
    from ._report import Actuator as Actuator
    from ._report import JointPlace as JointPlace
    from ._report import Report as Report
    from ._report import RobotFileError as RobotFileError
    from ._report import Share as Share
    from ._usd import from_stage as from_stage
else:
    # when first asked for, since each takes a package that may be missing
    _MODULES = {"from_model": "_load", "read": "_load", "load": "_files", "from_stage": "_usd"}

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = importlib.import_module(f".{_MODULES.get(name, '_report')}", __name__)
        globals()[name] = getattr(module, name)
        return globals()[name]

    def __dir__():
        return sorted({*globals(), *__all__})
