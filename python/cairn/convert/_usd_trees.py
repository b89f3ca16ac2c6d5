"""Bodies below an ArticulationRootAPI, with the joints between them -> articulations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from math import inf

import numpy

import cairn

from ._frames import HERE, Numbers, Place, about_x, matrix, vector, xyzw
from ._geometry import mark
from ._report import Actuator, JointPlace, Report, unused
from ._usd_bodies import Bodies, StageBody
from ._usd_joints import LIMITED, SHIFT, TURN, End, StageJoint, start_of, swapped
from ._usd_masses import Mass
from ._usd_stage import Prim, Stage, UsdPhysics

OFF = 1e-4  # [m, rad] of a start that counts as being on the joint


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
    for prim in stage.prims:
        if not prim.HasAPI(UsdPhysics.ArticulationRootAPI):
            continue
        path = str(prim.GetPath())
        seeds = [b for b in _seeds(prim, bodies, joints) if not b.kinematic]
        if any(id(b) in taken for b in seeds):
            report.drop("articulation roots within another articulation", path)
            continue
        members = _joined(seeds, joints)
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


def _joined(seeds: list[StageBody], joints: list[StageJoint]) -> list[StageBody]:
    """With all that joints join to them, in the order in which they are met."""
    members = list({id(b): b for b in seeds}.values())
    inside = {id(b) for b in members}
    for body in members:  # which grows
        for joint in joints:
            if joint.loop or all(e.body is not body for e in joint.ends):
                continue
            for end in joint.ends:
                if end.body is not None and not end.body.kinematic and id(end.body) not in inside:
                    inside.add(id(end.body))
                    members.append(end.body)
    return members


class Links:
    """Adds a tree to a scene."""

    def __init__(self, tree: Tree, scene: cairn.Scene, report: Report, masses: dict[str, Mass]) -> None:
        self._tree, self._scene, self._report, self._masses = tree, scene, report, masses
        self._links: list[cairn.ArticulationLink] = []
        self._at: dict[int, int] = {}  # link of a body
        self._places: dict[int, Place] = {}  # of a body in the world, once on its joint
        self._start, self._target = cairn.ArticulationState(), cairn.ArticulationState()
        self._names: set[str] = set()

    def add(
        self, shapes: dict[str, list[cairn.Shape]], velocity: dict[str, tuple[Numbers, Numbers]], marked: set[int]
    ) -> None:
        """`shapes` of bodies and `velocity`, linear of the centre of mass and angular, in the world; by path. `marked`:
        bodies that joints of the scene hold."""
        tree = self._tree
        for body, joint, ends in self._order():
            self._add_link(body, joint, ends, velocity)
        bodies = [tree.members[i] for i in numpy.argsort([self._at[id(b)] for b in tree.members])]
        for body, link in zip(bodies, self._links):
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
            cairn.Articulation(name=tree.path, links=self._links, gravity=self._scene.gravity()), self._start
        )
        rows = self._scene.articulations()[index].bodies
        for body, link, row in zip(bodies, self._links, rows):
            if link.shapes:
                body.index = int(row)

    def _order(self) -> list[tuple[StageBody, StageJoint | None, tuple[End, End] | None]]:
        """Parents before children, each with its joint and the ends on its parent and itself; without a joint it floats."""
        tree = self._tree
        joints = [j for j in tree.joints if j.in_tree() is not None]
        inside = {id(b) for b in tree.members}
        found: list[tuple[StageBody, StageJoint | None, tuple[End, End] | None]] = []
        reached: set[int] = set()

        def grow(parent: StageBody | None) -> None:
            for joint in joints:
                for parent_end, child_end in (joint.ends, swapped(joint)):
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
        if self._tree.root in left:
            return self._tree.root
        second = {id(j.ends[1].body) for j in joints}
        return next((b for b in left if id(b) not in second), left[0])

    def _add_link(
        self,
        body: StageBody,
        joint: StageJoint | None,
        ends: tuple[End, End] | None,
        velocity: dict[str, tuple[Numbers, Numbers]],
    ) -> None:
        kind = "free" if joint is None else str(joint.in_tree())
        parent, on, in_link = None, HERE, HERE
        if ends is not None:
            on, in_link, parent = ends[0].frame, ends[1].frame, ends[0].body
            if parent is not None and id(parent) not in self._at:
                on, parent = parent.place @ on, None  # a kinematic one
        parent_place = HERE if parent is None else self._places[id(parent)]
        made = cairn.ArticulationJoint(kind)
        mass = self._masses[body.path]
        at = JointPlace(self._tree.path, len(self._links), len(self._start.q), len(self._start.v))
        rel = (parent_place @ on).inverse() @ (body.place @ in_link)
        if joint is None:
            self._start.q += [float(c) for c in rel.position] + list(xyzw(rel.turn))
            self._places[id(body)] = body.place
        else:
            if kind in ("revolute", "prismatic"):
                self._take_limits(joint, made)
            q, off = start_of(kind, rel)
            if kind == "revolute":
                q = [_within(q[0], made.lower, made.upper)]
            if off > OFF:
                self._report.approximate("bodies that start off their joint are moved onto it", joint.path)
            self._start.q += q
            self._places[id(body)] = parent_place @ on @ _moved(kind, q) @ in_link.inverse()
            if kind != "fixed":
                self._report.joints[joint.path] = at
        self._start.v += self._rates(kind, parent, body, self._places[id(body)] @ in_link, velocity)
        self._target.q += self._start.q[at.coordinate :]
        self._target.v += [0.0] * (len(self._start.v) - at.dof)
        if joint is not None:
            self._take_drive(kind, joint, made, at)
            if joint.breaking != (inf, inf):
                self._report.drop("breaking of joints of articulations", joint.path)
            if joint.collide:
                self._report.approximate("bodies on a joint of an articulation don't touch", joint.path)
        self._at[id(body)] = len(self._links)
        self._links.append(
            cairn.ArticulationLink(
                name=unused(body.prim.GetName(), self._names),
                parent=cairn.WORLD_LINK if parent is None else self._at[id(parent)],
                frame_in_parent=on.joint_frame(),
                frame_in_link=in_link.joint_frame(),
                joint=made,
                mass=mass.mass,
                centre_of_mass=mass.centre_of_mass,
                inertia=mass.inertia,
            )
        )

    def _take_limits(self, joint: StageJoint, made: cairn.ArticulationJoint) -> None:
        axis = joint.axes[TURN if made.kind == "revolute" else SHIFT]
        if axis.mode == LIMITED:
            made.lower = axis.lower if axis.lower > -1e6 else -inf
            made.upper = axis.upper if axis.upper < 1e6 else inf

    def _take_drive(self, kind: str, joint: StageJoint, made: cairn.ArticulationJoint, at: JointPlace) -> None:
        if kind not in ("revolute", "prismatic"):
            return
        drive = joint.axes[TURN if kind == "revolute" else SHIFT].drive
        if not drive.stiffness and not drive.damping:
            return
        made.drive_stiffness, made.drive_damping = drive.stiffness, drive.damping
        made.drive_max_force = drive.max_force
        if drive.stiffness:
            self._target.q[-1] = drive.target
        self._target.v[-1] = drive.rate
        unit = math.radians(1) if kind == "revolute" else 1.0
        self._report.actuators[joint.path] = Actuator(
            joint.path, "position" if drive.stiffness else "velocity", at, unit, 0.0, (-inf, inf)
        )

    def _rates(
        self,
        kind: str,
        parent: StageBody | None,
        body: StageBody,
        frame: Place,
        velocity: dict[str, tuple[Numbers, Numbers]],
    ) -> list[float]:
        """Of the joint, from the velocities of its bodies. `frame`: of the joint on the body, in the world."""

        def at(which: StageBody | None) -> tuple[Numbers, Numbers]:
            if which is None:
                return numpy.zeros(3), numpy.zeros(3)
            linear, angular = velocity[which.path]
            centre = (which.place @ Place(self._masses[which.path].centre, HERE.turn)).position
            return linear + numpy.cross(angular, frame.position - centre), angular

        (v, w), (v0, w0) = at(body), at(parent)
        own = matrix(frame.turn)
        if kind == "free":
            return [*vector(v), *vector(own.T @ w)]
        if kind == "ball":
            return [*vector(own.T @ (w - w0))]
        axis = own[:, 0]
        return {"revolute": [float(axis @ (w - w0))], "prismatic": [float(axis @ (v - v0))]}.get(kind, [])


def _moved(kind: str, q: list[float]) -> Place:
    """Of the frame on the link in that on the parent."""
    if kind == "ball":
        return Place(numpy.zeros(3), numpy.array([q[3], *q[:3]]))
    if kind == "prismatic":
        return Place(numpy.array([q[0], 0.0, 0.0]), HERE.turn)
    return Place(numpy.zeros(3), about_x(q[0])) if kind == "revolute" else HERE


def _within(angle: float, lower: float, upper: float) -> float:
    """The same angle within limits, if there is one."""
    turns = [angle + 2 * math.pi * k for k in (0, 1, -1)]
    return next((a for a in turns if lower - 1e-6 <= a <= upper + 1e-6), angle)
