"""Joints of a stage that mimic others -> couplings of articulations."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cairn

from ._report import Report, unused
from ._usd_joints import DOFS, TURN, StageJoint
from ._usd_stage import Prim, Stage, UsdPhysics, fault

PHYSX, NEWTON, MUJOCO = "PhysxMimicJointAPI", "NewtonMimicAPI", "MjcEqualityJointAPI"


@dataclass(eq=False)
class Mimic:
    """scale q of the other + q = held, with coordinates in units of the file."""

    joint: StageJoint
    axis: str
    """of the joint, such as "rotX", where it has several"""
    other: str
    """path of a joint"""
    other_axis: str
    scale: float
    held: float
    degrees: tuple[bool, bool]
    """whether angles of coordinates, and that of `held`, are in degrees, and not in radians"""


def is_mimic(prim: Prim, schema: str) -> bool:
    return bool(prim.IsA(UsdPhysics.Joint)) and schema.split(":")[0] in (PHYSX, NEWTON, MUJOCO)


class Mimics:
    """Those of a stage."""

    def __init__(self, stage: Stage, joints: list[StageJoint], report: Report) -> None:
        self._stage, self._report = stage, report
        self._left: list[Mimic] = []
        """those whose articulation isn't there yet"""
        self._joints = {joint.path: joint for joint in joints}
        for prim in stage.prims:
            joint = self._joints.get(str(prim.GetPath()))
            if joint is None:
                continue
            schemas = [schema for schema in stage.schemas(prim) if is_mimic(prim, schema)]
            # what programs read where a file has several
            if any(not schema.startswith(PHYSX) for schema in schemas):
                self._read_newton(prim, joint)
            else:
                for schema in schemas:
                    self._read_physx(prim, joint, schema.partition(":")[2])

    def _read_newton(self, prim: Prim, joint: StageJoint) -> None:
        """q = coef0 + coef1 q of the other, coef0 in degrees but for the older names."""
        stage = self._stage
        if not stage.flag(prim, "newton:mimicEnabled", True):
            self._report.drop("couplings that are off", joint.path)
            return
        if any(stage.number(prim, f"mjc:coef{i}") for i in (2, 3, 4)):
            self._report.drop("couplings by more than a line", joint.path)
            return
        other = self._other(prim, joint, ("newton:mimicJoint", "mjc:target"))
        if other is None:
            return
        first = "newton:mimicCoef0" if stage.authored(prim, "newton:mimicCoef0") else "mjc:coef0"
        second = "newton:mimicCoef1" if stage.authored(prim, "newton:mimicCoef1") else "mjc:coef1"
        scale = stage.number(prim, second) if stage.authored(prim, second) else 1.0
        self._left.append(
            Mimic(joint, "", other, "", -scale, stage.number(prim, first), (False, first.startswith("newton")))
        )

    def _read_physx(self, prim: Prim, joint: StageJoint, axis: str) -> None:
        """q + gearing q of the other + offset = 0"""
        stage, of = self._stage, f"physxMimicJoint:{axis}"
        other = self._other(prim, joint, (f"{of}:referenceJoint",))
        if other is None:
            return
        scale = stage.number(prim, f"{of}:gearing") if stage.authored(prim, f"{of}:gearing") else 1.0
        other_axis = stage.token(prim, f"{of}:referenceJointAxis")
        if stage.number(prim, f"{of}:naturalFrequency") > 0 and stage.number(prim, f"{of}:dampingRatio") > 0:
            self._report.approximate("joints that mimic others do so rigidly, whatever their frequency", joint.path)
        held = -stage.number(prim, f"{of}:offset") + 0.0  # no -0
        self._left.append(Mimic(joint, axis, other, other_axis, scale, held, (True, True)))

    def _other(self, prim: Prim, joint: StageJoint, names: tuple[str, ...]) -> str | None:
        """The path of the joint that one of these relations names."""
        for name in names:
            targets = self._stage.targets(prim, name)
            if len(targets) > 1:
                raise fault(prim, f"{name} names {len(targets)} prims, and must name one")
            if targets:
                if not self._stage.usd.GetPrimAtPath(targets[0]):
                    raise fault(prim, f"{name} names <{targets[0]}>, which isn't there")
                return str(targets[0])
        self._report.drop("couplings that name no other joint", joint.path)
        return None

    def of_tree(self, links: dict[tuple[str, int], int]) -> list[cairn.ArticulationCoupling]:
        """Those within an articulation, whose links are by path and axis of their joint."""
        made = []
        names: set[str] = set()
        left, self._left = self._left, []
        for each in left:
            other = self._joints.get(each.other)
            dofs = _dof_of(each.joint, each.axis), -1 if other is None else _dof_of(other, each.other_axis)
            ends = links.get((each.joint.path, dofs[0])), links.get((each.other, dofs[1]))
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                self._left.append(each)
                continue
            units = [self._unit(dof, each.degrees[0]) for dof in dofs]
            held = each.held * self._unit(dofs[0], each.degrees[1])
            terms = [cairn.CouplingTerm(ends[0], 1.0)]
            if each.scale:
                terms.append(cairn.CouplingTerm(ends[1], each.scale * units[0] / units[1]))
            made.append(
                cairn.ArticulationCoupling(name=unused(each.joint.path, names), terms=terms, lower=held, upper=held)
            )
        return made

    def _unit(self, dof: int, degrees: bool) -> float:
        if dof < TURN:
            return self._stage.metre
        return math.radians(1) if degrees else 1.0

    def drop_the_rest(self) -> None:
        """Those that no articulation has."""
        for each in self._left:
            self._report.drop("couplings of joints that aren't two axes of one articulation", each.joint.path)


def _dof_of(joint: StageJoint, axis: str) -> int:
    """-1 where the axis isn't one that is free."""
    free = joint.free
    if len(free) == 1:
        return free[0]
    return DOFS.index(axis) if axis in DOFS and DOFS.index(axis) in free else -1
