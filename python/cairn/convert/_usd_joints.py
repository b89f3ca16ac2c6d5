"""Joints of a stage, read into one form: six axes, free, limited or locked, with the drives along them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from math import inf

import numpy

import cairn

from ._frames import Place, matrix, product
from ._report import Report
from ._usd_bodies import Bodies, StageBody
from ._usd_masses import Mass
from ._usd_shapes import turn_to
from ._usd_stage import Prim, Stage, UsdPhysics, fault

BOUNDLESS = 1e12  # [N, N m] no force is larger
ENDLESS = 1e6  # [m, rad] no limit is farther away
ENDLESS_RATE = 1e6  # [degrees/s, the file's length/s] no rate is limited to more
DOFS = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")  # in the order of JointDof
SHIFT, TURN = 0, 3  # along and about x

LOCKED, LIMITED = cairn.JointAxisMode.LOCKED, cairn.JointAxisMode.LIMITED


@dataclass(eq=False)
class End:
    """Of a joint."""

    body: StageBody | None
    """None: the world"""
    frame: Place
    """in the body's frame, or the world"""
    prim: Prim | None
    """what the file names"""


@dataclass(eq=False)
class StageJoint:
    """Coordinates are those of the second end's frame in the first's."""

    path: str
    ends: tuple[End, End]
    axes: list[cairn.JointAxis]
    """by JointDof; x is the axis of what has one"""
    cone: float = inf
    """[rad] between the x axes"""
    distance: tuple[float, float] | None = None
    """[m] min and max between the frames"""
    collide: bool = False
    loop: bool = False
    """not one of an articulation's own joints"""
    breaking: tuple[float, float] = (inf, inf)
    """[N], [N m]"""
    max_rate: float = inf
    """in units of the file: degrees/s, or its length/s"""

    @property
    def free(self) -> list[int]:
        """Axes that aren't locked."""
        return [i for i, axis in enumerate(self.axes) if axis.mode != LOCKED]

    def kind(self) -> cairn.JointKind | None:
        """Of a joint of the scene; None of one that holds nothing."""
        free, axes = self.free, self.axes
        if self.distance is not None:
            return cairn.DistanceJoint(min_length=self.distance[0], max_length=self.distance[1])
        if not free:
            return cairn.FixedJoint()
        if free == [SHIFT]:
            return cairn.SliderJoint(axes[SHIFT])
        if free == [TURN]:
            return cairn.HingeJoint(axes[TURN])
        if self.is_ball():
            return cairn.BallJoint(cone=self.cone, twist=axes[TURN])
        if all(axis == cairn.JointAxis() for axis in axes):
            return None
        return cairn.GeneralJoint(axes)

    def is_ball(self) -> bool:
        return self.free == [3, 4, 5] and self.axes[4] == self.axes[5] == cairn.JointAxis()

    def in_tree(self) -> str | None:
        """The kind of an articulation's joint, "chain" of several, or None where that has no such."""
        free = self.free
        if self.loop or self.distance is not None or len(free) == 6:
            return None
        if self.is_ball():
            return "ball" if not self.axes[TURN].drive.max_force else "chain"
        return {(): "fixed", (SHIFT,): "prismatic", (TURN,): "revolute"}.get(tuple(free), "chain")


class Joints:
    """Those of a stage, in the order of its prims."""

    def __init__(self, stage: Stage, bodies: Bodies, masses: dict[str, Mass], report: Report) -> None:
        self._stage, self._bodies, self._masses, self._report = stage, bodies, masses, report
        self.joints: list[StageJoint] = []
        for prim in stage.prims:
            if prim.IsA(UsdPhysics.Joint):
                joint = self._read(prim)
                if joint is not None:
                    self.joints.append(joint)
        pairs: set[frozenset[int]] = set()
        for joint in self.joints:
            pair = frozenset(id(end.body) for end in joint.ends)
            if pair in pairs:
                # MuJoCo's way to write them would be one after the other
                report.approximate("several joints of the same two bodies all hold at once", joint.path)
            pairs.add(pair)

    def _read(self, prim: Prim) -> StageJoint | None:
        stage, path = self._stage, str(prim.GetPath())
        if not stage.flag(prim, "physics:jointEnabled", True):
            self._report.drop("joints that are off", path)
            return None
        ends = self._end(prim, 0), self._end(prim, 1)
        if ends[0].body is ends[1].body or not any(end.body and not end.body.kinematic for end in ends):
            self._report.drop("joints without two bodies of which one moves", path)
            return None
        joint = StageJoint(path, ends, [cairn.JointAxis() for _ in DOFS])
        joint.collide = stage.flag(prim, "physics:collisionEnabled", False)
        joint.loop = stage.flag(prim, "physics:excludeFromArticulation", False)
        weight = stage.kilogram * stage.metre
        joint.breaking = (
            _bounded(stage.number(prim, "physics:breakForce", 0, infinite=True) * weight),
            _bounded(stage.number(prim, "physics:breakTorque", 0, infinite=True) * weight * stage.metre),
        )
        joint.max_rate = self._max_rate(prim)
        if prim.IsA(UsdPhysics.FixedJoint):
            self._lock(joint, range(6))
        elif prim.IsA(UsdPhysics.RevoluteJoint):
            self._turn_axis(prim, joint)
            self._lock(joint, (0, 1, 2, 4, 5))
            self._limit(prim, joint, TURN, "physics:lowerLimit", "physics:upperLimit")
            self._drive(prim, joint, TURN, "angular")
        elif prim.IsA(UsdPhysics.PrismaticJoint):
            self._turn_axis(prim, joint)
            self._lock(joint, range(1, 6))
            self._limit(prim, joint, SHIFT, "physics:lowerLimit", "physics:upperLimit")
            self._drive(prim, joint, SHIFT, "linear")
        elif prim.IsA(UsdPhysics.SphericalJoint):
            self._turn_axis(prim, joint)
            self._lock(joint, range(3))
            self._cone(prim, joint)
        elif prim.IsA(UsdPhysics.DistanceJoint):
            self._distance(prim, joint, "physics:minDistance", "physics:maxDistance")
        else:
            self._general(prim, joint)
        if joint.kind() is None:
            self._report.drop("joints that hold nothing", path)
            return None
        return joint

    def _end(self, prim: Prim, side: int) -> End:
        stage, name = self._stage, f"physics:body{side}"
        targets = stage.targets(prim, name)
        position, turn = stage.vector(prim, f"physics:localPos{side}"), stage.turn(prim, f"physics:localRot{side}")
        if not targets:
            return End(None, stage.frame(stage.usd.GetPseudoRoot(), position, turn), None)
        if len(targets) > 1:
            raise fault(prim, f"{name} names {len(targets)} prims, and must name one")
        target = stage.usd.GetPrimAtPath(targets[0])
        if not target:
            raise fault(prim, f"{name} names <{targets[0]}>, which isn't there")
        body = self._bodies.owner(target)
        frame = stage.frame(target, position, turn)
        return End(body, frame if body is None else body.place.inverse() @ frame, target)

    def _lock(self, joint: StageJoint, dofs: range | tuple[int, ...]) -> None:
        for i in dofs:
            joint.axes[i].mode = LOCKED

    def _turn_axis(self, prim: Prim, joint: StageJoint) -> None:
        """Makes x of both frames the joint's axis."""
        self._permute(joint, self._stage.axis(prim, "physics:axis"))

    def _permute(self, joint: StageJoint, axis: int) -> None:
        for end in joint.ends:
            end.frame = Place(end.frame.position, product(end.frame.turn, turn_to(axis, 0)))

    # ---- limits ----

    def _limit(self, prim: Prim, joint: StageJoint, dof: int, low: str, high: str) -> None:
        stage = self._stage
        unit = math.radians(1) if dof >= TURN else stage.metre
        lower, upper = (stage.number(prim, name, infinite=True) * unit for name in (low, high))
        axis = joint.axes[dof]
        if lower > upper:
            # so UsdPhysics says that an axis is locked
            axis.mode = LOCKED
        elif lower > -ENDLESS or upper < ENDLESS:
            axis.mode, axis.lower, axis.upper = LIMITED, max(lower, -ENDLESS), min(upper, ENDLESS)

    def _cone(self, prim: Prim, joint: StageJoint) -> None:
        cones = [self._stage.number(prim, f"physics:coneAngle{i}Limit", infinite=True) for i in (0, 1)]
        set_ones = [math.radians(cone) for cone in cones if 0 <= cone < 180]
        if not set_ones:
            return
        joint.cone = min(set_ones)
        if len(set_ones) < 2 or set_ones[0] != set_ones[1]:
            self._report.approximate("cones that aren't round are so by their smaller angle", joint.path)

    def _distance(self, prim: Prim, joint: StageJoint, low: str, high: str) -> None:
        least, most = (self._stage.number(prim, name, infinite=True) * self._stage.metre for name in (low, high))
        if most < 0:
            most = inf
        if most < max(least, 0):
            raise fault(prim, f"{high} is under {low}")
        if most == 0:
            self._lock(joint, range(3))
        elif least > 0 or most < 1e7:
            joint.distance = max(least, 0.0), min(most, 1e7)

    def _general(self, prim: Prim, joint: StageJoint) -> None:
        limits = {
            name[len("PhysicsLimitAPI:") :] for name in prim.GetAppliedSchemas() if name.startswith("PhysicsLimitAPI:")
        }
        drives = {
            name[len("PhysicsDriveAPI:") :] for name in prim.GetAppliedSchemas() if name.startswith("PhysicsDriveAPI:")
        }
        for dof, name in enumerate(DOFS):
            if name in limits:
                self._limit(prim, joint, dof, f"limit:{name}:physics:low", f"limit:{name}:physics:high")
        for name in sorted((limits | drives) - set(DOFS) - {"distance"} | (drives & {"distance"})):
            self._report.drop(f"limits and drives of a joint along {name}", joint.path)
        if "distance" in limits:
            if limits == {"distance"} and not drives:
                self._distance(prim, joint, "limit:distance:physics:low", "limit:distance:physics:high")
            else:
                self._report.drop("limits of distance beside others", joint.path)
        free = joint.free
        if len(free) == 1 and free[0] % 3:
            # one axis is x of a slider or a hinge
            self._permute(joint, free[0] % 3)
            joint.axes[free[0] // 3 * 3], joint.axes[free[0]] = joint.axes[free[0]], joint.axes[free[0] // 3 * 3]
            dof = free[0] // 3 * 3
            self._drive(prim, joint, dof, DOFS[free[0]])
            return
        for dof in free:
            self._drive(prim, joint, dof, DOFS[dof])
            axis = joint.axes[dof]
            if dof > TURN and axis.mode == LIMITED and (axis.lower < -math.pi or axis.upper > math.pi):
                axis.lower, axis.upper = max(axis.lower, -math.pi), min(axis.upper, math.pi)

    def _max_rate(self, prim: Prim) -> float:
        """PhysX has no other word for no limit than its default, a million, and none for 0."""
        rate = self._stage.number(prim, "physxJoint:maxJointVelocity", infinite=True)
        return rate if 0 < rate < ENDLESS_RATE else inf

    # ---- drives ----

    def _drive(self, prim: Prim, joint: StageJoint, dof: int, name: str) -> None:
        stage, axis = self._stage, joint.axes[dof]
        if axis.mode == LOCKED or not prim.HasAPI(UsdPhysics.DriveAPI, name):
            return

        def read(what: str, least: float = 0.0, infinite: bool = False) -> float:
            return stage.number(prim, f"drive:{name}:physics:{what}", least, infinite)

        angle = math.radians(1) if dof >= TURN else stage.metre
        # what a force or a torque is worth, and what it is worth a unit of the coordinate
        force = stage.kilogram * stage.metre * (stage.metre if dof >= TURN else 1.0)
        gain = force / angle
        if stage.token(prim, f"drive:{name}:physics:type") == "acceleration":
            inertia = self._inertia(joint, dof)
            force, gain = inertia * (1.0 if dof >= TURN else stage.metre), inertia / (angle if dof >= TURN else 1.0)
            self._report.approximate("drives by acceleration have the inertia that they start with", joint.path)
        drive = cairn.JointDrive()
        drive.stiffness, drive.damping = read("stiffness") * gain, read("damping") * gain
        drive.target, drive.rate = read("targetPosition", -inf) * angle, read("targetVelocity", -inf) * angle
        drive.max_force = _bounded(read("maxForce", 0, True) * force)
        if drive.stiffness or drive.damping:
            axis.drive = drive

    def _inertia(self, joint: StageJoint, dof: int) -> float:
        """[kg, kg m^2] What a drive along an axis moves: each body by itself about the joint, one against the other."""
        inverse = 0.0
        for end in joint.ends:
            if end.body is None or end.body.kinematic:
                continue
            mass = self._masses[end.body.path]
            if dof < TURN:
                inverse += 1 / mass.mass
                continue
            axis = matrix(end.frame.turn)[:, dof - TURN]
            arm = numpy.cross(axis, mass.centre - end.frame.position)
            inverse += 1 / float(axis @ mass.tensor @ axis + mass.mass * (arm @ arm))
        return 1 / inverse


def swapped(joint: StageJoint) -> tuple[End, End]:
    """The ends the other way round, with frames turned half about z, so that a coordinate along x is the same."""
    if len(joint.free) != 1:
        return joint.ends[1], joint.ends[0]
    half = numpy.array([0.0, 0.0, 0.0, 1.0])
    first, second = (replace(end, frame=Place(end.frame.position, product(end.frame.turn, half))) for end in joint.ends)
    return second, first


def _bounded(force: float) -> float:
    """Programs that have no infinity write the largest number that they have."""
    return force if force <= BOUNDLESS else inf
