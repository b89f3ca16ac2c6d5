"""Actuators -> drives of joints and of sums of joints, their targets, and what controls do."""

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
NO_LIMITS = (-inf, inf)
MAX_GAIN = 1e12  # [N, N m] no limit of force is larger
ENDLESS = 1e6  # [m, rad] no limit of an articulation is farther away

On = cairn.ArticulationJoint | cairn.ArticulationCoupling


class Pull(NamedTuple):
    """What an actuator does along a joint or a tendon: stiffness (target - q) + damping (rate - v), within limits."""

    stiffness: float
    target: float
    damping: float
    rate: float
    limits: tuple[float, float]
    """[N, N m]"""


class Signal(NamedTuple):
    """What a control does along a joint or a tendon, in the words of Actuator."""

    kind: str
    scale: float
    offset: float
    control_range: tuple[float, float]


class Found(NamedTuple):
    """Of the actuators of a joint or a tendon."""

    signals: dict[int, Signal]
    """by actuator"""
    target: float
    """[m, rad] of their drive"""
    rate: float
    """[m/s, rad/s] of their drive"""


class Drives:
    """Gives joints and tendons their drives."""

    def __init__(self, model: Model, control: Any, activation: Any, report: Report) -> None:
        """At the start: `control` of the actuators, (nu), and `activation` of those that have dynamics, (na)."""
        self._model, self._control, self._activation, self._report = model, control, activation, report
        self._of: dict[str, dict[int, list[int]]] = {"joint": {}, "tendon": {}}
        """Actuators by what they act on"""
        for a in range(model.nactuator if hasattr(model, "nactuator") else model.nu):
            self._sort(a)

    def of_joint(
        self,
        j: int,
        joint: cairn.ArticulationJoint,
        at: JointPlace,
        start: cairn.ArticulationState,
        target: cairn.ArticulationState,
    ) -> None:
        """Sets the spring and the drive of a joint, and adds its target; `start` has its coordinates already."""
        model = self._model
        target.q += start.q[at.coordinate :]
        target.v += [0.0] * (len(start.v) - at.dof)
        stiffness = 0.0 if disabled(model, "spring") else float(numpy.max(model.jnt_stiffness[j]))
        if numpy.any(column(model, "jnt_stiffnesspoly", j)) or column(model, "jnt_springyield", j) > 0:
            self._report.drop("springs beyond linear", quoted(model, "joint", j))
        rest = int(model.jnt_qposadr[j])
        if int(model.jnt_type[j]) == BALL and stiffness > 0:
            turn = xyzw(unit(model.qpos_spring[rest : rest + 4]))
            if any(turn[:3]):
                # a ball's spring pulls to no turn
                joint.drive_stiffness, target.q[-4:] = stiffness, turn
            else:
                joint.spring_stiffness = stiffness
        if int(model.jnt_type[j]) not in SINGLE:
            return
        if stiffness > 0:
            joint.spring_stiffness, joint.spring_rest = stiffness, float(model.qpos_spring[rest])
        found = self.along("joint", j, joint)
        for a, signal in found.signals.items():
            self._report.actuators[name_of(model, "actuator", a)] = Actuator(
                name_of(model, "joint", j), signal.kind, at, signal.scale, signal.offset, signal.control_range
            )
        if joint.drive_stiffness:
            target.q[-1] = found.target
        if joint.drive_damping:
            target.v[-1] = found.rate

    def along(self, kind: str, index: int, on: On) -> Found:
        """Sets the drive of a joint or a tendon, from the actuators that act on it."""
        model, named = self._model, quoted(self._model, kind, index)
        total = self._limits_of(kind, index)
        signals, pulls = {}, []
        for a in self._of[kind].get(index, []):
            signal = self._read(a, on)
            if signal is None:
                continue
            signals[a] = signal
            if signal.kind != "force":
                pulls.append(self._pull_of(a, signal))
            elif model.actuator_forcelimited[a] or total != NO_LIMITS:
                self._report.drop("limits of force of actuators whose force programs set", quoted(model, "actuator", a))
        on.drive_stiffness, on.drive_damping = sum(p.stiffness for p in pulls), sum(p.damping for p in pulls)
        if not pulls:
            return Found(signals, 0.0, 0.0)
        if len(pulls) > 1:
            self._report.approximate(f"several actuators of a {kind} are one drive", named)
        limits = sum(p.limits[0] for p in pulls), sum(p.limits[1] for p in pulls)
        if len(pulls) > 1 and any(p.limits != NO_LIMITS for p in pulls):
            what = (
                f"some of a {kind}'s actuators are left off"
                if limits == NO_LIMITS
                else f"a {kind}'s actuators are one of their sum"
            )
            self._report.approximate(f"limits of force of {what}", named)
        self._limit(on, limits, total, named)
        stiffness, damping = on.drive_stiffness or 1.0, on.drive_damping or 1.0
        return Found(
            signals,
            sum(p.stiffness * p.target for p in pulls) / stiffness,
            sum(p.damping * p.rate for p in pulls) / damping,
        )

    def _limits_of(self, kind: str, index: int) -> tuple[float, float]:
        """[N, N m] Of all that actuators do along a joint or a tendon."""
        of = "jnt" if kind == "joint" else "tendon"
        if not column(self._model, f"{of}_actfrclimited", index):
            return NO_LIMITS
        return _pair(getattr(self._model, f"{of}_actfrcrange")[index])

    def _limit(self, on: On, limits: tuple[float, float], total: tuple[float, float], named: str) -> None:
        least, most = (min(max(limit, total[0]), total[1]) for limit in limits)
        if most < 0:
            self._report.approximate("limits of force that are both below 0 reach up to it", named)
        on.drive_max_force = max(most, 0.0)
        if least != -on.drive_max_force:
            on.drive_min_force = max(least, -MAX_GAIN)

    # ---- actuators ----

    def _sort(self, a: int) -> None:
        """By the hinge, the slide or the tendon that an actuator acts on alone."""
        model = self._model
        kind, index = mujoco.mjtTrn(int(model.actuator_trntype[a])), int(model.actuator_trnid[a][0])
        if kind == mujoco.mjtTrn.mjTRN_TENDON:
            self._of["tendon"].setdefault(index, []).append(a)
        elif kind not in (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT):
            self._drop(a, f"acts through {kind.name[6:].lower()}")
        elif int(model.jnt_type[index]) not in SINGLE:
            self._drop(a, "acts on a ball or free joint")
        else:
            self._of["joint"].setdefault(index, []).append(a)

    def on_tendon(self, t: int) -> list[int]:
        return self._of["tendon"].get(t, [])

    def drop_tendon(self, t: int, why: str) -> None:
        """With the actuators that act on it."""
        self._report.drop(why, quoted(self._model, "tendon", t))
        for a in self.on_tendon(t):
            self._drop(a, "acts on a tendon that is dropped")

    def _drop(self, a: int, why: str) -> None:
        self._report.drop(why, quoted(self._model, "actuator", a))

    def _read(self, a: int, on: On) -> Signal | None:
        """Force gain control + bias[0] + bias[1] length + bias[2] velocity, over the gear."""
        model, report = self._model, self._report
        named = quoted(model, "actuator", a)
        gear = float(model.actuator_gear[a][0])
        armature = float(column(model, "actuator_armature", a)) * gear * gear
        if isinstance(on, cairn.ArticulationJoint):
            on.armature += armature
        elif armature > 0:
            report.drop("armature of tendons", named)
        on.damping += float(numpy.max(column(model, "actuator_damping", a))) * gear * gear
        affine = int(model.actuator_biastype[a]) == int(mujoco.mjtBias.mjBIAS_AFFINE)
        if int(model.actuator_gaintype[a]) != int(mujoco.mjtGain.mjGAIN_FIXED):
            self._drop(a, f"its gain is {mujoco.mjtGain(int(model.actuator_gaintype[a])).name[7:].lower()}")
            return None
        if not affine and int(model.actuator_biastype[a]) != int(mujoco.mjtBias.mjBIAS_NONE):
            self._drop(a, f"its bias is {mujoco.mjtBias(int(model.actuator_biastype[a])).name[7:].lower()}")
            return None
        if gear == 0 or disabled(model, "actuation"):
            self._drop(a, "gives no force")
            return None
        stiffness, damping = self._gains(a)
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
        bounds = NO_LIMITS
        if model.actuator_ctrllimited[a] and not disabled(model, "clampctrl"):
            bounds = _pair(model.actuator_ctrlrange[a])
        offset = float(model.actuator_biasprm[a][0]) * gear if affine else 0.0
        signal = Signal(kind, float(model.actuator_gainprm[a][0]) * gear / over, offset / over, bounds)
        if kind == "force" and self._goal(a, signal) != 0:
            report.drop("its force at the start is for set_forces of World.articulations", named)
        return signal

    def _gains(self, a: int) -> tuple[float, float]:
        """Stiffness and damping."""
        model = self._model
        if int(model.actuator_biastype[a]) != int(mujoco.mjtBias.mjBIAS_AFFINE):
            return 0.0, 0.0
        gear = float(model.actuator_gear[a][0])
        stiffness, damping = (-float(model.actuator_biasprm[a][i]) * gear * gear for i in (1, 2))
        return stiffness, damping

    def _pull_of(self, a: int, signal: Signal) -> Pull:
        """At the start."""
        model, goal = self._model, self._goal(a, signal)
        stiffness, damping = self._gains(a)
        limits = NO_LIMITS
        if model.actuator_forcelimited[a]:
            ends = [float(end) * float(model.actuator_gear[a][0]) for end in model.actuator_forcerange[a]]
            limits = min(ends), max(ends)
        if signal.kind == "velocity":
            return Pull(stiffness, 0.0, damping, goal, limits)
        return Pull(stiffness, goal, damping, 0.0, limits)

    def _goal(self, a: int, signal: Signal) -> float:
        """Of a control at the start."""
        return signal.scale * self._signal(a, signal.control_range) + signal.offset

    def _signal(self, a: int, bounds: tuple[float, float]) -> float:
        """What the gain multiplies at the start: the control, or the activation where there are dynamics."""
        model = self._model
        last = int(model.actuator_actadr[a]) + int(model.actuator_actnum[a]) - 1
        if int(model.actuator_actadr[a]) >= 0 and last >= 0:
            return float(self._activation[last])
        control = float(self._control[int(column(model, "actuator_ctrladr", a, a))])
        return min(max(control, bounds[0]), bounds[1])


def limits_between(ends: Any) -> tuple[float, float]:
    """[m, rad] Of coordinates."""
    low, high = _pair(ends)
    return low if low > -ENDLESS else -inf, high if high < ENDLESS else inf


def _pair(values: Any) -> tuple[float, float]:
    return float(values[0]), float(values[1])
