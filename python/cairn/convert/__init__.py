"""Robots from MJCF and URDF files, read by the package mujoco (pip install mujoco).

    from cairn import convert

    scene, report = convert.load("robot.xml")
    print(report)  # what was approximated or left out
    world = cairn.World(scene)
    report.start(world)  # what drives and springs pull to

`python -m cairn.convert robot.xml robot.json` writes a scene file. docs/robots.md has the rules and the models tried.
Without the package mujoco, what is used of this one raises ModuleNotFoundError.
"""

from typing import TYPE_CHECKING

__all__ = ["Actuator", "JointPlace", "Report", "RobotFileError", "from_model", "load", "read"]

if TYPE_CHECKING:
    from ._load import RobotFileError as RobotFileError
    from ._load import from_model as from_model
    from ._load import load as load
    from ._load import read as read
    from ._report import Actuator as Actuator
    from ._report import JointPlace as JointPlace
    from ._report import Report as Report
else:
    # when first asked for, so that `python -m cairn.convert` can say what it lacks
    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from . import _load
        except ModuleNotFoundError as error:
            if error.name != "mujoco":
                raise
            raise ModuleNotFoundError(
                "cairn.convert reads robots by the package mujoco: pip install mujoco", name="mujoco"
            ) from None
        from . import _report

        for each in __all__:
            globals()[each] = getattr(_load, each, None) or getattr(_report, each)
        return globals()[name]

    def __dir__():
        return sorted({*globals(), *__all__})
