"""MJCF and URDF files, and compiled models -> scenes."""

from __future__ import annotations

import contextlib
import os
import pathlib
import warnings
from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy

import cairn

from ._actuation import Drives
from ._constraints import add_joints, held_bodies, ignore_excluded
from ._couplings import Couplings
from ._first_look import look_at
from ._links import Bodies, Start
from ._names import Model, disabled, enabled, mujoco, quoted
from ._report import Report, RobotFileError, of_file

MAX_STEP = 1.0  # [s] of a scene
SUBSTEP = 1 / 360  # [s] the longest: that of a World's defaults, 6 in a step of 1/60 s


def load_robot(path: str, keyframe: str | None) -> tuple[cairn.Scene, Report]:
    """`load` of MJCF and URDF."""
    model, notes = read(path)
    with of_file(path):
        scene, report = from_model(model, keyframe)
    for note in notes:
        report.approximate(note, "model")
    return scene, report


def read(file: str | bytes | os.PathLike[str]) -> tuple[Model, list[str]]:
    """The first half of `load` of MJCF and URDF: the compiled mujoco.MjModel, and what was repaired in it or mujoco warned of.

    Raises RobotFileError.
    """
    path = os.fsdecode(file)
    notes: list[str] = []
    with of_file(path), _warnings_to(notes):
        return _compiled(path, notes), notes


def _compiled(path: str, notes: list[str]) -> Model:
    spec = None
    try:
        spec = _spec(path)
        if not path.lower().endswith(".urdf"):
            return spec.compile()
        _find_packages(spec, path)
        try:
            return spec.compile()
        except ValueError as error:
            if "balanceinertia" not in str(error):
                raise
        # what URDF files of many robots have
        spec.compiler.balanceinertia = True
        notes.append("inertias that no body can have are the mean of their moments")
        return spec.compile()
    except UnicodeDecodeError:
        raise
    except (ValueError, RuntimeError, mujoco.FatalError) as error:
        reason = " ".join(str(error).split())
        raise cairn.InvalidArgument(reason + _user_of(spec, reason)) from None


def _spec(path: str) -> Any:
    if path.endswith(".urdf") or not path.lower().endswith(".urdf"):
        look_at(path, os.path.dirname(path))
        return mujoco.MjSpec.from_file(path)
    # mujoco knows the ending in lower case alone
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(error.strerror) from None
    look_at(path, "")
    spec = mujoco.MjSpec.from_string(text)
    spec.modelfiledir = os.path.dirname(os.path.abspath(path))
    return spec


def _find_packages(spec: Any, path: str) -> None:
    """Files of package://NAME/REST: in a folder above the robot's file, with or without NAME."""
    above = list(pathlib.Path(path).resolve().parents)
    for mesh in spec.meshes:
        scheme, _, rest = mesh.file.partition(":")
        if scheme != "package":
            continue
        rest = rest.lstrip("/")
        places = (folder / part for folder in above for part in (rest, rest.partition("/")[2]))
        mesh.file = next((str(place) for place in places if place.is_file()), mesh.file)


def from_model(model: Model, keyframe: str | None = None) -> tuple[cairn.Scene, Report]:
    """The same of a compiled mujoco.MjModel, which programs may have put together themselves.

    Raises ValueError for a keyframe that isn't there, and for what no scene may have.
    """
    key = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, keyframe or "home")
    if keyframe is not None and key < 0:
        raise RobotFileError(f'there is no keyframe "{keyframe}"')
    name = bytes(model.names).split(b"\0", 1)[0].decode() or "robot"
    report, scene, start = Report(name), cairn.Scene(), Start(model, key)
    scene.name = name
    _set_world(model, scene)
    drives = Drives(model, start.control, start.activation, report)
    couplings = Couplings(model, drives, report)
    bodies = Bodies(model, scene, report, start, drives, couplings, held_bodies(model))
    couplings.drop_the_rest()
    add_joints(model, scene, bodies, report)
    ignore_excluded(model, scene, bodies)
    _note_the_rest(model, report)
    return scene, report


def _set_world(model: Model, scene: cairn.Scene) -> None:
    gravity = numpy.zeros(3) if disabled(model, "gravity") else model.opt.gravity
    scene.set_gravity((float(gravity[0]), float(gravity[1]), float(gravity[2])))
    params, dt = scene.params(), float(model.opt.timestep)
    if not 0 < dt <= MAX_STEP:
        raise cairn.InvalidArgument(f"option: timestep must be over 0 and at most {MAX_STEP:g} s, and is {dt:g}")
    params.dt = dt
    params.substeps = max(1, ceil(dt / SUBSTEP - 1e-6))
    # of two geoms the larger counts
    params.friction_mix = params.rolling_mix = cairn.MixRule.MAX
    scene.set_params(params)


def _note_the_rest(model: Model, report: Report) -> None:
    for kind, count in (
        ("sensor", model.nsensor),
        ("camera", model.ncam),
        ("light", model.nlight),
        ("site", model.nsite),
        ("flex", model.nflex),
        ("skin", model.nskin),
        ("plugin", model.nplugin),
    ):
        for i in range(count):
            report.drop(f"{kind}s", quoted(model, kind, i))
    for i in range(model.npair):
        report.drop("pairs of geoms that touch by themselves", quoted(model, "pair", i))
    for b in range(model.nbody):
        if float(model.body_gravcomp[b]) != 0:
            report.drop("gravity compensation", quoted(model, "body", b))
    if model.opt.density > 0 or model.opt.viscosity > 0 or numpy.any(model.opt.wind):
        report.drop("drag of the medium", "option")
    if enabled(model, "override"):
        report.drop("override of contacts: o_friction, o_margin, o_solref and o_solimp", "option")
    if disabled(model, "filterparent"):
        report.approximate("bodies on a joint with each other don't touch, though filterparent is off", "option")
    for kind, arrays in (
        ("geom", ("geom_solref", "geom_solimp")),
        ("joint", ("jnt_solref", "jnt_solimp")),
        ("equality", ("eq_solref", "eq_solimp")),
        ("tendon", ("tendon_solref_lim", "tendon_solimp_lim")),
    ):
        usual = {"solref": (0.02, 1.0), "solimp": (0.9, 0.95, 0.001, 0.5, 2.0)}
        for i in range(len(getattr(model, arrays[0]))):
            if any(not numpy.array_equal(getattr(model, a)[i], usual[a.split("_")[1]]) for a in arrays):
                report.approximate(
                    "contacts, limits and equalities go by Cairn's solver, whatever solref and solimp say",
                    quoted(model, kind, i),
                )


@contextlib.contextmanager
def _warnings_to(notes: list[str]) -> Iterator[None]:
    """What mujoco would else print, and write to a file of the folder that a program runs in."""

    def note(text: str) -> None:
        notes.append("mujoco warns: " + " ".join(text.split()))

    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(note)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        for warning in caught:
            note(str(warning.message))
    finally:
        mujoco.set_mju_user_warning(before)


def _user_of(spec: Any, reason: str) -> str:
    """Which asset asks for a file that a message is about."""
    if spec is None:
        return ""
    for kind, assets in (("mesh", spec.meshes), ("height field", spec.hfields), ("texture", spec.textures)):
        for asset in assets:
            if asset.file and os.path.basename(asset.file) in reason:
                return f' ({kind} "{asset.name or asset.file}")'
    return ""
