"""Files -> scenes, by what their names end in."""

from __future__ import annotations

import os

import cairn

from ._report import Report, RobotFileError

USD = (".usd", ".usda", ".usdc", ".usdz")


def load(file: str | bytes | os.PathLike[str], keyframe: str | None = None) -> tuple[cairn.Scene, Report]:
    """Reads MJCF (.xml) and URDF (.urdf) by the package mujoco, UsdPhysics (.usd, .usda, .usdc, .usdz) by usd-core, and
    makes a scene of it.

    keyframe: of MJCF, the one that the scene starts at; without it "home" where the file has one, or else the
    coordinates at which the model was built.

    Returns the scene and a report of what was approximated or dropped. Units are SI. Raises RobotFileError, a
    ValueError, naming the file, the element and the reason; ModuleNotFoundError without the package.
    """
    path = os.fsdecode(file)
    if path.lower().endswith(USD):
        if keyframe is not None:
            raise RobotFileError(f'{path}: there is no keyframe "{keyframe}": USD has none')
        from ._usd import load_stage

        return load_stage(path)
    from ._load import load_robot

    return load_robot(path, keyframe)
