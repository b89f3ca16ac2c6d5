"""Springs and actuators -> drives of joints, and their targets."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy

import cairn

from ._names import Model, column, disabled, mujoco, name_of, quoted
from ._report import Actuator, JointPlace, Report

SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
BALL = int(mujoco.mjtJoint.mjJNT_BALL)


class Pull(NamedTuple):
    """What an actuator or a spring does along a joint: stiffness (target - q) + damping (rate - v) + force."""

    stiffness: float
    target: float
    damping: float
    rate: float
    max_force: float


class Drives:
    """Gives joints their drives."""

    def __init__(self, model: Model, control: Any, report: Report) -> None:
        """`control`: of the actuators at the start, (nu)."""
        self._model, self._control, self._report = model, control, report
        self._of_joint: dict[int, list[int]] = {}
        for a in range(model.nactuator if hasattr(model, "nactuator") else model.nu):
            j = self._joint_of(a)
            if j is not None:
                self._of_joint.setdefault(j, []).append(a)

    def act(
        self,
        j: int,
        joint: cairn.ArticulationJoint,
        at: JointPlace,
        start: cairn.ArticulationState,
        target: cairn.ArticulationState,
    ) -> None:
        """Sets the drive of a joint, and adds its target; `start` has its coordinates already."""
        model = self._model
        target.q += start.q[at.coordinate :]
        target.v += [0.0] * (len(start.v) - at.dof)
        stiffness = 0.0 if disabled(model, "spring") else float(numpy.max(model.jnt_stiffness[j]))
        if numpy.any(column(model, "jnt_stiffnesspoly", j)) or column(model, "jnt_springyield", j) > 0:
            self._report.drop("springs beyond linear", quoted(model, "joint", j))
        rest = int(model.jnt_qposadr[j])
        if int(model.jnt_type[j]) == BALL and stiffness > 0:
            joint.drive_stiffness = stiffness
            w, x, y, z = (float(c) for c in model.qpos_spring[rest : rest + 4])
            target.q[-4:] = [x, y, z, w]
        if int(model.jnt_type[j]) not in SINGLE:
            return
        pulls = []
        if stiffness > 0:
            pulls.append(Pull(stiffness, float(model.qpos_spring[rest]), 0.0, 0.0, inf))
        pulls += [pull for a in self._of_joint.get(j, []) if (pull := self._pull_of(a, j, joint, at)) is not None]
        joint.drive_stiffness = sum(p.stiffness for p in pulls)
        joint.drive_damping = sum(p.damping for p in pulls)
        if not joint.drive_stiffness and not joint.drive_damping:
            return
        joint.drive_max_force = sum(p.max_force for p in pulls)
        if len(pulls) > 1:
            self._report.approximate("several springs and actuators of a joint are one drive", quoted(model, "joint", j))
        if len(pulls) > 1 and any(p.max_force < inf for p in pulls):
            self._report.approximate("limits of force of some of a joint's actuators are left off", quoted(model, "joint", j))
        if bool(column(model, "jnt_actfrclimited", j)):
            joint.drive_max_force = min(
                joint.drive_max_force, _most(self._report, model.jnt_actfrcrange[j], quoted(model, "joint", j))
            )
        if joint.drive_stiffness:
            target.q[-1] = sum(p.stiffness * p.target for p in pulls) / joint.drive_stiffness
        if joint.drive_damping:
            target.v[-1] = sum(p.damping * p.rate for p in pulls) / joint.drive_damping

    # ---- actuators ----

    def _joint_of(self, a: int) -> int | None:
        """The hinge or slide that an actuator acts on alone."""
        model = self._model
        kind, j = mujoco.mjtTrn(int(model.actuator_trntype[a])), int(model.actuator_trnid[a][0])
        if kind not in (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT):
            self._drop(a, f"acts through {kind.name[6:].lower()}")
        elif int(model.jnt_type[j]) not in SINGLE:
            self._drop(a, "acts on a ball or free joint")
        else:
            return j
        return None

    def _drop(self, a: int, why: str) -> None:
        self._report.drop(why, quoted(self._model, "actuator", a))

    def _pull_of(self, a: int, j: int, joint: cairn.ArticulationJoint, at: JointPlace) -> Pull | None:
        """Force gain control + bias[0] + bias[1] length + bias[2] velocity, over the gear."""
        model, report = self._model, self._report
        named = quoted(model, "actuator", a)
        gear = float(model.actuator_gear[a][0])
        joint.armature += float(column(model, "actuator_armature", a)) * gear * gear
        joint.damping += float(numpy.max(column(model, "actuator_damping", a))) * gear * gear
        gain, bias = numpy.array(model.actuator_gainprm[a], float), numpy.array(model.actuator_biasprm[a], float)
        affine = int(model.actuator_biastype[a]) == int(mujoco.mjtBias.mjBIAS_AFFINE)
        if not affine:
            bias = numpy.zeros(3)
        if int(model.actuator_gaintype[a]) != int(mujoco.mjtGain.mjGAIN_FIXED):
            self._drop(a, f"its gain is {mujoco.mjtGain(int(model.actuator_gaintype[a])).name[7:].lower()}")
            return None
        if not affine and int(model.actuator_biastype[a]) != int(mujoco.mjtBias.mjBIAS_NONE):
            self._drop(a, f"its bias is {mujoco.mjtBias(int(model.actuator_biastype[a])).name[7:].lower()}")
            return None
        if gear == 0 or disabled(model, "actuation"):
            self._drop(a, "gives no force")
            return None
        if int(model.actuator_dyntype[a]) != int(mujoco.mjtDyn.mjDYN_NONE):
            name = mujoco.mjtDyn(int(model.actuator_dyntype[a])).name[6:].lower()
            report.approximate(f"actuators act at once, without their dynamics: {name}", named)
        scale, stiffness, damping = gain[0] * gear, -bias[1] * gear * gear, -bias[2] * gear * gear
        offset = bias[0] * gear
        if stiffness < 0 or damping < 0:
            self._drop(a, "pushes away from its target or along its velocity")
            return None
        most = _most(report, model.actuator_forcerange[a], named) * abs(gear) if model.actuator_forcelimited[a] else inf
        first = int(column(model, "actuator_ctrladr", a, a))
        control = float(self._control[first])
        limits = model.actuator_ctrlrange[a] if model.actuator_ctrllimited[a] else (-inf, inf)
        bounds = (float(limits[0]), float(limits[1]))
        control = min(max(control, bounds[0]), bounds[1])
        kind, over = "force", 1.0
        if stiffness > 0:
            kind, over = "position", stiffness
        elif damping > 0:
            kind, over = "velocity", damping
        report.actuators[name_of(model, "actuator", a)] = Actuator(
            name_of(model, "joint", j), kind, at, scale / over, offset / over, bounds
        )
        if kind == "force":
            if scale * control + offset != 0:
                report.drop("its force at the start is for World.set_forces", named)
            return None
        goal = (scale * control + offset) / over
        return Pull(stiffness, goal if kind == "position" else 0.0, damping, goal if kind == "velocity" else 0.0, most)


def _most(report: Report, limits: Any, named: str) -> float:
    low, high = float(limits[0]), float(limits[1])
    if low != -high:
        report.approximate("limits of force that differ by sign are the larger both ways", named)
    return max(abs(low), abs(high))
