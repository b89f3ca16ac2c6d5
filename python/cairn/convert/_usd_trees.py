"""Bodies below an ArticulationRootAPI, with the joints between them -> articulations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

import numpy

import cairn

from ._frames import HERE, Numbers, Place, about_x, matrix, vector
from ._geometry import mark
from ._report import Actuator, JointPlace, Report, unused
from ._usd_bodies import Bodies, StageBody
from ._usd_couplings import Mimics
from ._usd_joints import DOFS, ENDLESS, LIMITED, SHIFT, TURN, End, StageJoint, swapped
from ._usd_masses import Mass
from ._usd_shapes import turn_to
from ._usd_stage import Prim, Stage, UsdPhysics

OFF = 1e-4  # [m, rad] of a start that counts as being on the joint


class Step(NamedTuple):
    """A joint of an articulation, of those that a joint of the stage is."""

    kind: str
    axis: int
    """of the frames, that it moves along or about"""
    name: str
    dof: int | None
    """of the joint; None of what it moves otherwise"""


@dataclass(eq=False)
class Tree:
    """An articulation on its way."""

    path: str
    members: list[StageBody]
    root: StageBody | None
    """its base, where the file names it"""
    joints: list[StageJoint]
    """of its members"""
    own: list[StageJoint] = field(default_factory=list)
    """those that became its own"""


def find_trees(stage: Stage, bodies: Bodies, joints: list[StageJoint], report: Report) -> list[Tree]:
    """In the order of their roots, none with a body of another."""
    taken: set[int] = set()
    trees = []
    joints_of: dict[int, list[StageJoint]] = {}
    for joint in joints:
        for end in joint.ends:
            if end.body is not None and not joint.loop:
                joints_of.setdefault(id(end.body), []).append(joint)
    for prim in stage.prims:
        if not prim.HasAPI(UsdPhysics.ArticulationRootAPI):
            continue
        path = str(prim.GetPath())
        seeds = [b for b in _seeds(prim, bodies, joints) if not b.kinematic]
        if any(id(b) in taken for b in seeds):
            report.drop("articulation roots within another articulation", path)
            continue
        members = _joined(seeds, joints_of)
        if len(members) < len(seeds) or not members:
            report.drop("articulation roots without bodies on joints", path)
            continue
        taken |= {id(b) for b in members}
        inside = {id(b) for b in members}
        own = [j for j in joints if any(e.body is not None and id(e.body) in inside for e in j.ends)]
        trees.append(Tree(path, members, bodies.owner(prim) if prim.HasAPI(UsdPhysics.RigidBodyAPI) else None, own))
    return trees


def _seeds(prim: Prim, bodies: Bodies, joints: list[StageJoint]) -> list[StageBody]:
    """The bodies that a root stands for."""
    if prim.IsA(UsdPhysics.Joint):
        own = [j for j in joints if j.path == str(prim.GetPath())]
        return [e.body for j in own for e in j.ends if e.body is not None]
    if prim.HasAPI(UsdPhysics.RigidBodyAPI):
        own_body = bodies.owner(prim)
        return [] if own_body is None else [own_body]
    below = [b for b in bodies.bodies if b.prim.GetPath().HasPrefix(prim.GetPath())]
    held = {id(e.body) for j in joints for e in j.ends if not j.loop}
    return [b for b in below if id(b) in held]


def _joined(seeds: list[StageBody], joints_of: dict[int, list[StageJoint]]) -> list[StageBody]:
    """With all that joints join to them, in the order in which they are met."""
    members = list({id(b): b for b in seeds}.values())
    inside = {id(b) for b in members}
    for body in members:  # which grows
        for joint in joints_of.get(id(body), ()):
            for end in joint.ends:
                if end.body is not None and not end.body.kinematic and id(end.body) not in inside:
                    inside.add(id(end.body))
                    members.append(end.body)
    return members


class Links:
    """Adds a tree to a scene. Which joints are the tree's own is known once this is made."""

    def __init__(self, tree: Tree, scene: cairn.Scene, report: Report, masses: dict[str, Mass], metre: float) -> None:
        """`metre`: a unit of length [m]."""
        self._metre = metre
        self.tree, self._scene, self._report, self._masses = tree, scene, report, masses
        self._links: list[cairn.ArticulationLink] = []
        self._at: dict[int, int] = {}  # link of a body
        self._of_axis: dict[tuple[str, int], int] = {}  # link of a joint's axis
        self._places: dict[int, Place] = {}  # of a body in the world, once on its joint
        self._start, self._target = cairn.ArticulationState(), cairn.ArticulationState()
        self._names: set[str] = set()
        self._ordered = self._order()

    @property
    def moves(self) -> bool:
        """Whether a joint lets anything move, without which there is no articulation."""
        return any(joint is None or joint.in_tree() != "fixed" for _, joint, _ in self._ordered)

    def add(
        self,
        shapes: dict[str, list[cairn.Shape]],
        velocity: dict[str, tuple[Numbers, Numbers]],
        marked: set[int],
        mimics: Mimics,
    ) -> None:
        """`shapes` of bodies and `velocity`, linear of the centre of mass and angular, in the world; by path. `marked`:
        bodies that joints of the scene hold."""
        tree = self.tree
        for body, joint, ends in self._ordered:
            self._add_link(body, joint, ends, velocity)
        bodies = [body for body, _, _ in self._ordered]
        for body in bodies:
            link = self._links[self._at[id(body)]]
            link.shapes = shapes[body.path]
            if not link.shapes and id(body) in marked:
                link.shapes = [mark()]
                self._report.approximate(
                    "a ball that touches nothing is where a joint holds a body without colliders", body.path
                )
        if not any(link.shapes for link in self._links):
            self._links[-1].shapes = [mark()]
            self._report.approximate("a ball that touches nothing is where a robot has no colliders", bodies[-1].path)
        if self._target.q != self._start.q or any(self._target.v):
            self._report.targets[tree.path] = self._target
        index = self._scene.add_articulation(
            cairn.Articulation(
                name=tree.path,
                links=self._links,
                gravity=self._scene.gravity(),
                couplings=mimics.of_tree(self._of_axis),
            ),
            self._start,
        )
        rows = self._scene.articulations()[index].bodies
        for body in bodies:
            if self._links[self._at[id(body)]].shapes:
                body.index = self._report.bodies[body.path] = int(rows[self._at[id(body)]])

    def _order(self) -> list[tuple[StageBody, StageJoint | None, tuple[End, End] | None]]:
        """Parents before children, each with its joint and the ends on its parent and itself; what floats has none."""
        tree = self.tree
        joints = [j for j in tree.joints if j.in_tree() is not None]
        inside = {id(b) for b in tree.members}
        found: list[tuple[StageBody, StageJoint | None, tuple[End, End] | None]] = []
        reached: set[int] = set()

        def grow(parent: StageBody | None) -> None:
            for joint in joints:
                # several joints in a row can't be taken from their end
                chain = joint.in_tree() == "chain"
                for parent_end, child_end in (joint.ends,) if chain else (joint.ends, swapped(joint)):
                    on = parent_end.body if parent_end.body is None or id(parent_end.body) in inside else None
                    child = child_end.body
                    if on is not parent or child is None or id(child) not in inside or id(child) in reached:
                        continue
                    if parent_end.body is not None and on is None:
                        self._report.approximate("what hangs from a kinematic body stays where that starts", joint.path)
                    reached.add(id(child))
                    found.append((child, joint, (parent_end, child_end)))
                    tree.own.append(joint)

        grow(None)
        done = 0
        while True:
            while done < len(found):
                grow(found[done][0])
                done += 1
            left = [b for b in tree.members if id(b) not in reached]
            if not left:
                return found
            base = self._base(left, joints)
            reached.add(id(base))
            found.append((base, None, None))

    def _base(self, left: list[StageBody], joints: list[StageJoint]) -> StageBody:
        """What floats: the root that the file names, or a body that is the second of no joint, or the first."""
        if self.tree.root is not None and self.tree.root in left:
            return self.tree.root
        second = {id(j.ends[1].body) for j in joints}
        return next((b for b in left if id(b) not in second), left[0])

    def _add_link(
        self,
        body: StageBody,
        joint: StageJoint | None,
        ends: tuple[End, End] | None,
        velocity: dict[str, tuple[Numbers, Numbers]],
    ) -> None:
        parent, on, in_link = None, HERE, HERE
        if ends is not None:
            on, in_link, parent = ends[0].frame, ends[1].frame, ends[0].body
            if parent is not None and id(parent) not in self._at:
                on, parent = parent.place @ on, None  # a kinematic one
        base = on if parent is None else self._places[id(parent)] @ on
        kind = "free" if joint is None else str(joint.in_tree())
        steps = self._steps(kind, joint)
        at = JointPlace(self.tree.path, len(self._links) + len(steps) - 1, len(self._start.q), len(self._start.v))
        before = -1 if parent is None else self._at[id(parent)]
        q, off = _start_of(steps, base.inverse() @ (body.place @ in_link))
        moved = base
        axes = []
        for i, (step, made) in enumerate(steps):
            made_q = q[i]
            if step.kind == "revolute":
                made_q = [_within(made_q[0], made.lower, made.upper)]
            turned = Place(HERE.position, turn_to(step.axis, 0))
            axes.append(matrix((moved @ turned).turn)[:, 0])
            moved = moved @ turned @ _moved(step.kind, made_q) @ turned.inverse()
            last = i == len(steps) - 1
            self._links.append(
                cairn.ArticulationLink(
                    name=unused(body.prim.GetName() + ("" if last else f":{step.name}"), self._names),
                    parent=cairn.WORLD_LINK if before < 0 else before,
                    frame_in_parent=((on if i == 0 else HERE) @ turned).joint_frame(),
                    frame_in_link=((in_link if last else HERE) @ turned).joint_frame(),
                    joint=made,
                )
            )
            before = len(self._links) - 1
            if joint is not None and step.dof is not None:
                self._of_axis[joint.path, step.dof] = before
            self._start.q += made_q
        self._places[id(body)], self._at[id(body)] = moved @ in_link.inverse(), before
        mass, link = self._masses[body.path], self._links[-1]
        link.mass, link.centre_of_mass, link.inertia = mass.mass, mass.centre_of_mass, mass.inertia
        self._start.v += self._rates(steps, axes, parent, body, base, moved, velocity)
        self._target.q += self._start.q[at.coordinate :]
        self._target.v += [0.0] * (len(self._start.v) - at.dof)
        if joint is not None:
            self._note(joint, kind, steps, off, at)

    def _steps(self, kind: str, joint: StageJoint | None) -> list[tuple[Step, cairn.ArticulationJoint]]:
        """The joints of an articulation that a joint is, one after the other."""
        if kind == "chain" and joint is not None:
            steps = [Step("prismatic" if dof < TURN else "revolute", dof % 3, DOFS[dof], dof) for dof in joint.free]
        else:
            dof = {"revolute": TURN, "prismatic": SHIFT}.get(kind)
            steps = [Step(kind, 0, kind, dof)]
        made = [(step, cairn.ArticulationJoint(step.kind)) for step in steps]
        for step, single in made:
            if joint is not None and step.dof is not None:
                axis = joint.axes[step.dof]
                if joint.max_rate < inf:
                    single.max_rate = joint.max_rate * (math.radians(1) if step.kind == "revolute" else self._metre)
                    single.min_rate = -single.max_rate
                if axis.mode == LIMITED:
                    single.lower = axis.lower if axis.lower > -ENDLESS else -inf
                    single.upper = axis.upper if axis.upper < ENDLESS else inf
                if axis.drive.stiffness or axis.drive.damping:
                    single.drive_stiffness, single.drive_damping = axis.drive.stiffness, axis.drive.damping
                    single.drive_max_force = axis.drive.max_force
        return made

    def _note(
        self,
        joint: StageJoint,
        kind: str,
        steps: list[tuple[Step, cairn.ArticulationJoint]],
        off: float,
        at: JointPlace,
    ) -> None:
        """Targets, and what the report has of a joint."""
        report = self._report
        if off > OFF:
            report.approximate("bodies that start off their joint are moved onto it", joint.path)
        if joint.breaking != (inf, inf):
            report.drop("breaking of joints of articulations", joint.path)
        if joint.collide:
            report.approximate("bodies on a joint of an articulation don't touch", joint.path)
        if kind == "fixed":
            return
        if sum(step.kind == "revolute" for step, _ in steps) > 1:
            report.approximate("joints of several turns are hinges about x, y and z, one after the other", joint.path)
        report.joints[joint.path] = at
        for i, (step, _) in enumerate(steps):
            drive = cairn.JointDrive() if step.dof is None else joint.axes[step.dof].drive
            if not drive.stiffness and not drive.damping:
                continue
            if drive.stiffness:
                self._target.q[at.coordinate + i] = drive.target
            self._target.v[at.dof + i] = drive.rate
            name = joint.path if len(steps) == 1 else f"{joint.path}:{step.name}"
            place = JointPlace(at.articulation, at.link - len(steps) + 1 + i, at.coordinate + i, at.dof + i)
            unit = math.radians(1) if step.kind == "revolute" else self._metre
            report.actuators[name] = Actuator(
                joint.path, "position" if drive.stiffness else "velocity", place, unit, 0.0, (-inf, inf)
            )

    def _rates(
        self,
        steps: list[tuple[Step, cairn.ArticulationJoint]],
        axes: list[Numbers],
        parent: StageBody | None,
        body: StageBody,
        base: Place,
        frame: Place,
        velocity: dict[str, tuple[Numbers, Numbers]],
    ) -> list[float]:
        """Of the joint, from the velocities of its bodies. `base` and `frame`: of the joint on both, in the world;
        `axes`: of its steps, in the world."""

        def at(which: StageBody | None) -> tuple[Numbers, Numbers]:
            if which is None:
                return numpy.zeros(3), numpy.zeros(3)
            linear, angular = velocity[which.path]
            centre = (which.place @ Place(self._masses[which.path].centre, HERE.turn)).position
            return linear + numpy.cross(angular, frame.position - centre), angular

        (v, w), (v0, w0) = at(body), at(parent)
        kind, own = steps[0][0].kind, matrix(frame.turn)
        if kind == "free":
            return [*vector(v), *vector(own.T @ w)]
        if kind == "ball":
            return [*vector(own.T @ (w - w0))]
        turns = [axis for axis, (step, _) in zip(axes, steps) if step.kind == "revolute"]
        spun = iter(numpy.linalg.lstsq(numpy.stack(turns, axis=1), w - w0, rcond=None)[0] if turns else ())
        rates = []
        for axis, (step, _) in zip(axes, steps):
            if step.kind != "fixed":
                rates.append(float(next(spun)) if step.kind == "revolute" else float(axis @ (v - v0)))
        return rates


def _start_of(steps: list[tuple[Step, cairn.ArticulationJoint]], rel: Place) -> tuple[list[list[float]], float]:
    """Coordinates of each step where the joint's frames stand so, and how far [m, rad] they are from what it can do."""
    kind = steps[0][0].kind
    turn = [*(float(c) for c in rel.turn[1:]), float(rel.turn[0])]
    if kind == "free":
        return [[*vector(rel.position), *turn]], 0.0
    if kind == "ball":
        return [turn], float(numpy.linalg.norm(rel.position))
    m = matrix(rel.turn)
    # of turns about x, y and z, one after the other
    if sum(step.kind == "revolute" for step, _ in steps) == 1:
        axis = next(step.axis for step, _ in steps if step.kind == "revolute")
        angles = {axis: 2 * math.atan2(turn[axis], turn[3])}
    else:
        angles = {
            0: math.atan2(-m[1, 2], m[2, 2]),
            1: math.asin(min(max(float(m[0, 2]), -1.0), 1.0)),
            2: math.atan2(-m[0, 1], m[0, 0]),
        }
    q = []
    at = HERE
    for step, _ in steps:
        value = angles[step.axis] if step.kind == "revolute" else float(rel.position[step.axis])
        q.append([value] if step.kind in ("revolute", "prismatic") else [])
        turned = Place(HERE.position, turn_to(step.axis, 0))
        at = at @ turned @ _moved(step.kind, q[-1]) @ turned.inverse()
    left = at.inverse() @ rel
    return q, float(numpy.linalg.norm(left.position) + 2 * numpy.linalg.norm(left.turn[1:]))


def _moved(kind: str, q: list[float]) -> Place:
    """Of the frame on the link in that on the parent."""
    if kind in ("ball", "free"):
        x, y, z, w = q[-4:]
        return Place(numpy.array(q[:-4]) if kind == "free" else numpy.zeros(3), numpy.array([w, x, y, z]))
    if kind == "prismatic":
        return Place(numpy.array([q[0], 0.0, 0.0]), HERE.turn)
    return Place(numpy.zeros(3), about_x(q[0])) if kind == "revolute" else HERE


def _within(angle: float, lower: float, upper: float) -> float:
    """The same angle within limits, if there is one."""
    turns = [angle + 2 * math.pi * k for k in (0, 1, -1)]
    return next((a for a in turns if lower - 1e-6 <= a <= upper + 1e-6), angle)
