"""Equalities of joints and tendons, and fixed tendons -> couplings of articulations."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy

import cairn

from ._actuation import Drives, Found, limits_between
from ._names import Model, column, disabled, mujoco, name_of, quoted
from ._report import Actuator, JointPlace, Report, Share, unused

JOINT, TENDON = int(mujoco.mjtEq.mjEQ_JOINT), int(mujoco.mjtEq.mjEQ_TENDON)

Sum = dict[int, float]  # by joint of the model, its coefficient


@dataclass(eq=False)
class Coupling:
    """On its way: a sum of coordinates, which are the model's own, and what acts along it."""

    kind: str
    index: int
    """of the model's element, "equality" or "tendon" """
    sum: Sum
    held: float | None = None
    """where an equality holds it"""


@dataclass(eq=False)
class Driven:
    """A tendon of the articulation at hand whose drive pulls to a sum of targets."""

    tendon: int
    coupling: cairn.ArticulationCoupling
    at: dict[int, JointPlace]
    """by joint"""
    sum: Sum
    found: Found
    key: int = field(default=-1)
    """the joint whose target is what makes the sum"""


class Couplings:
    """Gives articulations their couplings."""

    def __init__(self, model: Model, drives: Drives, report: Report) -> None:
        self._model, self._drives, self._report = model, drives, report
        self._left: list[Coupling] = []
        """those whose articulation isn't there yet"""
        for t in range(model.ntendon):
            self._read_tendon(t)
        for e in range(model.neq):
            if int(model.eq_type[e]) in (JOINT, TENDON):
                self._read_equality(e)

    # ---- the model's ----

    def _read_tendon(self, t: int) -> None:
        terms = self._sum_of(t)
        if terms is None:
            self._drives.drop_tendon(t, "spatial tendons")
        elif not terms:
            self._drives.drop_tendon(t, "tendons that nothing moves")
        else:
            self._left.append(Coupling("tendon", t, terms))

    def _sum_of(self, t: int) -> Sum | None:
        """None of a spatial tendon."""
        model = self._model
        terms: Sum = {}
        for w in range(int(model.tendon_adr[t]), int(model.tendon_adr[t]) + int(model.tendon_num[t])):
            if int(model.wrap_type[w]) != int(mujoco.mjtWrap.mjWRAP_JOINT):
                return None
            j = int(model.wrap_objid[w])
            terms[j] = terms.get(j, 0.0) + float(model.wrap_prm[w])
        return {j: c for j, c in terms.items() if c}

    def _read_equality(self, e: int) -> None:
        """one - its reference = data[0] + data[1] (other - its reference) + ..."""
        model, report, named = self._model, self._report, quoted(self._model, "equality", e)
        if not model.eq_active0[e] or disabled(model, "equality"):
            report.drop("equalities that are off", named)
            return
        kind = mujoco.mjtEq(int(model.eq_type[e])).name[5:].lower()
        one, other = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
        data = [float(x) for x in model.eq_data[e][:5]]
        if other >= 0 and any(data[2:]):
            report.drop(f"couplings: {kind}s by more than a line", named)
            return
        total: Sum = {}
        held = data[0]
        for which, times in ((one, 1.0), (other, -data[1])):
            if which < 0:
                continue
            terms = {which: 1.0} if kind == "joint" else self._sum_of(which)
            if terms is None:
                report.drop("couplings of spatial tendons", named)
                return
            at = model.qpos0[model.jnt_qposadr[which]] if kind == "joint" else model.tendon_length0[which]
            held += times * float(at)
            for j, c in terms.items():
                total[j] = total.get(j, 0.0) + times * c
        total = {j: c for j, c in total.items() if c}
        if total:
            self._left.append(Coupling("equality", e, total, held))
        else:
            report.drop("couplings that nothing moves", named)

    # ---- the articulation's ----

    def of_tree(
        self, name: str, links: list[cairn.ArticulationLink], target: cairn.ArticulationState
    ) -> list[cairn.ArticulationCoupling]:
        """Those within an articulation whose joints are in the report. Sets targets of those that have a drive."""
        made: list[cairn.ArticulationCoupling] = []
        driven: list[Driven] = []
        names: set[str] = set()
        left, self._left = self._left, []
        for each in left:
            at = {j: place for j in each.sum if (place := self._place(j)) is not None and place.articulation == name}
            if len(at) < len(each.sum):
                self._left.append(each)
                continue
            coupling = cairn.ArticulationCoupling(
                name=unused(name_of(self._model, each.kind, each.index), names),
                terms=[cairn.CouplingTerm(at[j].link, c) for j, c in each.sum.items()],
            )
            if each.held is not None:
                coupling.lower = coupling.upper = each.held
                self._report.approximate(
                    "equalities are rigid, whatever their solref", quoted(self._model, "equality", each.index)
                )
            else:
                self._set_tendon(each.index, coupling)
                found = self._drives.along("tendon", each.index, coupling)
                if coupling.drive_stiffness or coupling.drive_damping:
                    driven.append(Driven(each.index, coupling, at, each.sum, found))
                self._give_forces(each, at, found)
            made.append(coupling)
        self._drive(driven, links, target)
        return [coupling for coupling in made if _acts(coupling)]

    def _place(self, j: int) -> JointPlace | None:
        return self._report.joints.get(name_of(self._model, "joint", j))

    def drop_the_rest(self) -> None:
        """Those that no articulation has."""
        for each in self._left:
            if each.kind == "tendon":
                self._drives.drop_tendon(each.index, "tendons across several robots")
            else:
                self._report.drop("couplings of several robots", quoted(self._model, "equality", each.index))

    def _set_tendon(self, t: int, coupling: cairn.ArticulationCoupling) -> None:
        model, report, named = self._model, self._report, quoted(self._model, "tendon", t)
        if model.tendon_limited[t] and not disabled(model, "limit"):
            coupling.lower, coupling.upper = limits_between(model.tendon_range[t])
        if float(model.tendon_margin[t]) != 0:
            report.drop("margin of limits", named)
        if not disabled(model, "damper"):
            coupling.damping = float(numpy.max(model.tendon_damping[t]))
            if numpy.any(column(model, "tendon_dampingpoly", t)):
                report.drop("damping beyond linear", named)
        if not disabled(model, "frictionloss"):
            coupling.friction = float(model.tendon_frictionloss[t])
        if float(column(model, "tendon_armature", t)) != 0:
            report.drop("armature of tendons", named)
        stiffness = 0.0 if disabled(model, "spring") else float(numpy.max(model.tendon_stiffness[t]))
        if numpy.any(column(model, "tendon_stiffnesspoly", t)) or column(model, "tendon_springyield", t) > 0:
            report.drop("springs beyond linear", named)
        if stiffness > 0:
            short, long = (float(x) for x in model.tendon_lengthspring[t])
            coupling.spring_stiffness, coupling.spring_rest = stiffness, (short + long) / 2
            if short != long:
                report.approximate("springs of tendons that rest over a range pull to its middle", named)

    def _give_forces(self, each: Coupling, at: dict[int, JointPlace], found: Found) -> None:
        """Actuators whose force programs set act on each joint by its coefficient."""
        key = next(iter(each.sum))
        for a, signal in found.signals.items():
            if signal.kind == "force":
                self._tell(a, each.index, each.sum, at, key, each.sum[key], found)
        if found.signals:
            self._note_limits(each.sum)

    def _note_limits(self, terms: Sum) -> None:
        for j in terms:
            if column(self._model, "jnt_actfrclimited", j):
                self._report.approximate(
                    "limits of force of joints don't hold for what acts through a tendon",
                    quoted(self._model, "joint", j),
                )

    def _tell(
        self, a: int, t: int, terms: Sum, at: dict[int, JointPlace], key: int, times: float, found: Found
    ) -> None:
        """The report of an actuator on a tendon, which sets something of one joint, `times` what it sets of the sum."""
        signal = found.signals[a]
        others = tuple(Share(at[j], c / terms[key]) for j, c in terms.items() if j != key)
        self._report.actuators[name_of(self._model, "actuator", a)] = Actuator(
            name_of(self._model, "tendon", t),
            signal.kind,
            at[key],
            signal.scale * times,
            signal.offset * times,
            signal.control_range,
            others,
        )

    def _drive(
        self, driven: list[Driven], links: list[cairn.ArticulationLink], target: cairn.ArticulationState
    ) -> None:
        """The drive of a sum pulls to the sum of the joints' targets. So each takes the target of one joint that no
        drive has and no other tendon that is still to be set."""
        order: list[Driven] = []
        left = list(driven)
        while left:
            for each in left:
                free = [j for j in each.sum if not _driven(links[each.at[j].link].joint)]
                each.key = next((j for j in free if all(j not in o.sum for o in left if o is not each)), -1)
                if each.key >= 0:
                    left.remove(each)
                    order.insert(0, each)
                    break
            else:
                each = left.pop()
                each.coupling.drive_stiffness = each.coupling.drive_damping = 0.0
                each.coupling.drive_max_force = each.coupling.drive_min_force = inf
                for a, signal in each.found.signals.items():
                    if signal.kind != "force":
                        self._report.drop(
                            "acts on a tendon all of whose joints have other targets",
                            quoted(self._model, "actuator", a),
                        )
        for each in order:
            self._set_target(each, target)

    def _set_target(self, each: Driven, target: cairn.ArticulationState) -> None:
        place, c = each.at[each.key], each.sum[each.key]
        others = [(each.at[j], k) for j, k in each.sum.items() if j != each.key]
        if each.coupling.drive_stiffness:
            target.q[place.coordinate] = (each.found.target - sum(k * target.q[at.coordinate] for at, k in others)) / c
        if each.coupling.drive_damping:
            target.v[place.dof] = (each.found.rate - sum(k * target.v[at.dof] for at, k in others)) / c
        for a, signal in each.found.signals.items():
            if signal.kind != "force":
                self._tell(a, each.tendon, each.sum, each.at, each.key, 1 / c, each.found)


def _driven(joint: cairn.ArticulationJoint) -> bool:
    return bool(joint.drive_stiffness or joint.drive_damping)


def _acts(coupling: cairn.ArticulationCoupling) -> bool:
    """Whether anything acts along it."""
    bare = cairn.ArticulationCoupling(name=coupling.name, terms=coupling.terms)
    return coupling != bare
