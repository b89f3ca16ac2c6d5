"""Springs and actuators -> drives of joints, and their targets."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy

import cairn

from ._frames import unit, xyzw
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

    def __init__(self, model: Model, control: Any, activation: Any, report: Report) -> None:
        """At the start: `control` of the actuators, (nu), and `activation` of those that have dynamics, (na)."""
        self._model, self._control, self._activation, self._report = model, control, activation, report
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
            target.q[-4:] = xyzw(unit(model.qpos_spring[rest : rest + 4]))
        if int(model.jnt_type[j]) not in SINGLE:
            return
        springs = [Pull(stiffness, float(model.qpos_spring[rest]), 0.0, 0.0, inf)] if stiffness > 0 else []
        actuators = [pull for a in self._of_joint.get(j, []) if (pull := self._pull_of(a, j, joint, at)) is not None]
        pulls = springs + actuators
        joint.drive_stiffness = sum(p.stiffness for p in pulls)
        joint.drive_damping = sum(p.damping for p in pulls)
        if not joint.drive_stiffness and not joint.drive_damping:
            return
        if len(pulls) > 1:
            self._report.approximate(
                "several springs and actuators of a joint are one drive", quoted(model, "joint", j)
            )
        joint.drive_max_force = self._limit(j, springs, actuators)
        if joint.drive_stiffness:
            target.q[-1] = sum(p.stiffness * p.target for p in pulls) / joint.drive_stiffness
        if joint.drive_damping:
            target.v[-1] = sum(p.damping * p.rate for p in pulls) / joint.drive_damping

    def _limit(self, j: int, springs: list[Pull], actuators: list[Pull]) -> float:
        """Of a drive's force: it limits actuators alone, and so nothing where a spring is a part of the drive."""
        model, named = self._model, quoted(self._model, "joint", j)
        limit = sum(p.max_force for p in actuators) if actuators else inf
        if len(actuators) > 1 and any(p.max_force < inf for p in actuators):
            what = (
                "some of a joint's actuators are left off"
                if limit == inf
                else "a joint's actuators are one of their sum"
            )
            self._report.approximate(f"limits of force of {what}", named)
        if actuators and self._limited(j):
            limit = min(limit, _most(self._report, model.jnt_actfrcrange[j], named))
        if springs and limit < inf:
            self._report.approximate("limits of force of actuators are left off beside a spring", named)
            return inf
        return limit

    def _limited(self, j: int) -> bool:
        return bool(column(self._model, "jnt_actfrclimited", j))

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
        affine = int(model.actuator_biastype[a]) == int(mujoco.mjtBias.mjBIAS_AFFINE)
        gain, bias = float(model.actuator_gainprm[a][0]), [0.0, 0.0, 0.0]
        if affine:
            bias = [float(x) for x in model.actuator_biasprm[a][:3]]
        if int(model.actuator_gaintype[a]) != int(mujoco.mjtGain.mjGAIN_FIXED):
            self._drop(a, f"its gain is {mujoco.mjtGain(int(model.actuator_gaintype[a])).name[7:].lower()}")
            return None
        if not affine and int(model.actuator_biastype[a]) != int(mujoco.mjtBias.mjBIAS_NONE):
            self._drop(a, f"its bias is {mujoco.mjtBias(int(model.actuator_biastype[a])).name[7:].lower()}")
            return None
        if gear == 0 or disabled(model, "actuation"):
            self._drop(a, "gives no force")
            return None
        scale, stiffness, damping = gain * gear, -bias[1] * gear * gear, -bias[2] * gear * gear
        offset = bias[0] * gear
        if stiffness < 0 or damping < 0:
            self._drop(a, "pushes away from its target or along its velocity")
            return None
        kind, over = "force", 1.0
        if stiffness > 0:
            kind, over = "position", stiffness
        elif damping > 0:
            kind, over = "velocity", damping
        dynamics = int(model.actuator_dyntype[a])
        if dynamics == int(mujoco.mjtDyn.mjDYN_INTEGRATOR):
            if kind != "position":
                self._drop(a, "its force goes by the integral of its control")
                return None
            kind = "integral"
        elif dynamics != int(mujoco.mjtDyn.mjDYN_NONE):
            name = mujoco.mjtDyn(dynamics).name[6:].lower()
            report.approximate(f"actuators act at once from where they start, without their dynamics: {name}", named)
        if float(column(model, "actuator_delay", a)) > 0:
            report.approximate("actuators act without their delay", named)
        bounds = (-inf, inf)
        if model.actuator_ctrllimited[a] and not disabled(model, "clampctrl"):
            bounds = (float(model.actuator_ctrlrange[a][0]), float(model.actuator_ctrlrange[a][1]))
        acts = self._signal(a, bounds)
        report.actuators[name_of(model, "actuator", a)] = Actuator(
            name_of(model, "joint", j), kind, at, scale / over, offset / over, bounds
        )
        if kind == "force":
            if scale * acts + offset != 0:
                report.drop("its force at the start is for set_forces of World.articulations", named)
            if model.actuator_forcelimited[a] or self._limited(j):
                report.drop("limits of force of actuators whose force programs set", named)
            return None
        goal = (scale * acts + offset) / over
        most = _most(report, model.actuator_forcerange[a], named) * abs(gear) if model.actuator_forcelimited[a] else inf
        rate = goal if kind == "velocity" else 0.0
        return Pull(stiffness, 0.0 if kind == "velocity" else goal, damping, rate, most)

    def _signal(self, a: int, bounds: tuple[float, float]) -> float:
        """What the gain multiplies at the start: the control, or the activation where there are dynamics."""
        model = self._model
        last = int(model.actuator_actadr[a]) + int(model.actuator_actnum[a]) - 1
        if int(model.actuator_actadr[a]) >= 0 and last >= 0:
            return float(self._activation[last])
        control = float(self._control[int(column(model, "actuator_ctrladr", a, a))])
        return min(max(control, bounds[0]), bounds[1])


def _most(report: Report, limits: Any, named: str) -> float:
    low, high = float(limits[0]), float(limits[1])
    if low != -high:
        report.approximate("limits of force that differ by sign are the larger both ways", named)
    return max(abs(low), abs(high))
