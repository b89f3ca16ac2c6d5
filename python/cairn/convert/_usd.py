"""USD files and stages with UsdPhysics -> scenes."""

from __future__ import annotations

import os
from math import inf
from typing import Any

import numpy

import cairn

from ._frames import Numbers, Place, matrix, vector, xyzw
from ._geometry import mark
from ._report import Report, of_file
from ._usd_bodies import Bodies, StageBody
from ._usd_couplings import Mimics, is_mimic
from ._usd_joints import Joints, StageJoint
from ._usd_masses import Mass, Masses
from ._usd_materials import Filters, Materials
from ._usd_shapes import Shapes
from ._usd_stage import Prim, Stage, Tf, Usd, UsdGeom, UsdUtils, fault, plain, told
from ._usd_trees import Links, find_trees

EARTH = 9.81  # [m/s^2]
OTHERS = ("Physx", "Mjc", "Newton", "Isaac")  # what schemas of simulators begin with


def load_stage(path: str) -> tuple[cairn.Scene, Report]:
    """`load` of USD."""
    with of_file(path):
        # what USD would else print
        warnings = UsdUtils.CoalescingDiagnosticDelegate()
        try:
            if not os.path.exists(path):
                raise cairn.InvalidArgument(os.strerror(2))
            scene, report = from_stage(Usd.Stage.Open(path))
        except Tf.ErrorException as error:
            raise cairn.InvalidArgument(told(error, path)) from None
        finally:
            said = warnings.TakeUncoalescedDiagnostics()
            del warnings
        for text in dict.fromkeys(plain(w.commentary) for w in said):
            report.approximate(f"USD warns: {text}", "stage")
        return scene, report


def from_stage(stage: Any) -> tuple[cairn.Scene, Report]:
    """The same of a pxr.Usd.Stage, which programs may have put together themselves.

    Coordinates are the stage's, in metres: what its upAxis is stays up. Raises InvalidArgument, a ValueError, naming
    the prim, for what no scene may have, for references that lead nowhere, and for a stage without rigid bodies and
    colliders.
    """
    at = Stage(stage)
    try:
        return _converted(at)
    except (cairn.InvalidArgument, ImportError):
        raise
    except Tf.ErrorException as error:
        if at.read is None:
            raise
        raise fault(at.read, told(error)) from None
    except Exception as error:
        # what no reader of a value foresaw
        if at.read is None:
            raise
        raise fault(at.read, f"{type(error).__name__}: {error}") from error


def _converted(at: Stage) -> tuple[cairn.Scene, Report]:
    stage = at.usd
    name = str(stage.GetDefaultPrim().GetName()) if stage.GetDefaultPrim() else ""
    name = name or os.path.splitext(os.path.basename(stage.GetRootLayer().GetDisplayName()))[0] or "stage"
    report, scene = Report(name), cairn.Scene()
    scene.name = name
    bodies = Bodies(at, report)
    if not bodies.bodies and not bodies.colliders:
        raise cairn.InvalidArgument("the stage has no physics: no prim has RigidBodyAPI or CollisionAPI")
    _set_gravity(at, bodies.scene, scene)
    _Builder(at, scene, report, bodies).build()
    _note_the_rest(at, report)
    return scene, report


def _set_gravity(stage: Stage, prim: Prim | None, scene: cairn.Scene) -> None:
    down, size = -stage.up, EARTH
    if prim is not None:
        given = stage.vector(prim, "physics:gravityDirection")
        if given.any():
            down = given / numpy.linalg.norm(given)
        magnitude = stage.number(prim, "physics:gravityMagnitude", infinite=True)
        if magnitude >= 0:
            size = magnitude * stage.metre
    scene.set_gravity(vector(down * size + 0.0))  # no -0


class _Builder:
    """Adds bodies, articulations and joints to a scene."""

    def __init__(self, stage: Stage, scene: cairn.Scene, report: Report, bodies: Bodies) -> None:
        self._stage, self._scene, self._report, self._bodies = stage, scene, report, bodies
        materials = Materials(stage, scene, report)
        self._filters = Filters(stage, bodies, report)
        made = Shapes(stage, materials, self._filters, report)
        masses = Masses(stage, materials, report)
        self._shapes: dict[str, list[cairn.Shape]] = {}
        """By path, of a body or of a collider that stands still"""
        self._masses: dict[str, Mass] = {}
        for c in bodies.colliders:
            if c.body is None:
                self._shapes[c.path] = made.of(c, stage.place(c.prim), "static")
        for body in bodies.bodies:
            kind = "kinematic" if body.kinematic else "dynamic"
            of = {c.path: made.of(c, body.place, kind) for c in body.colliders}
            self._shapes[body.path] = [shape for shapes in of.values() for shape in shapes]
            if not body.kinematic:
                self._masses[body.path] = masses.of(body, of)
        self._velocity = {body.path: self._velocity_of(body) for body in bodies.bodies}

    def build(self) -> None:
        joints = Joints(self._stage, self._bodies, self._masses, self._report).joints
        for c in self._bodies.colliders:
            if c.body is None and self._shapes[c.path]:
                place = self._stage.place(c.prim)
                c.index = self._add_body(c.path, "static", place, self._shapes[c.path])
        trees = [
            Links(tree, self._scene, self._report, self._masses, self._stage.metre)
            for tree in find_trees(self._stage, self._bodies, joints, self._report)
        ]
        links = [each for each in trees if each.moves]
        for each in trees:
            if not each.moves:
                self._report.approximate("articulations that nothing lets move are bodies on joints", each.tree.path)
        linked = {id(b) for each in links for b in each.tree.members}
        for body in self._bodies.bodies:
            if id(body) not in linked:
                self._add_alone(body)
        in_trees = {id(j) for each in links for j in each.tree.own}
        own = {id(j) for each in links for j in each.tree.own if not _bounds_ball(j)}
        held = {id(end.body) for joint in joints if id(joint) not in own for end in joint.ends if end.body is not None}
        mimics = Mimics(self._stage, joints, self._report)
        for each in links:
            each.add(self._shapes, self._velocity, held, mimics)
        mimics.drop_the_rest()
        for joint in joints:
            if id(joint) not in own:
                self._add_joint(joint)
            if not joint.collide:
                self._ignore_still(joint)
            if joint.max_rate < inf and joint.free and (id(joint) not in in_trees or joint.in_tree() == "ball"):
                self._report.drop("max rates of joints of the scene, and of balls", joint.path)
        for one, two in self._filters.ignored:
            self._ignore((one.body or one).index, (two.body or two).index)

    def _add_body(self, path: str, kind: str, place: Place, shapes: list[cairn.Shape], **more: Any) -> int:
        index = self._scene.add_body(
            cairn.Body(
                name=path,
                type=kind,
                position=vector(place.position),
                orientation=xyzw(place.turn),
                shapes=shapes,
                **more,
            )
        )
        self._report.bodies[path] = index
        return index

    def _add_alone(self, body: StageBody) -> None:
        shapes = self._shapes[body.path]
        if not shapes:
            shapes = [mark()]
            self._report.approximate("a ball that touches nothing is where a body has no colliders", body.path)
        linear, angular = self._velocity[body.path]
        more: dict[str, Any] = {"linear_velocity": vector(linear), "angular_velocity": vector(angular)}
        if not body.kinematic:
            mass = self._masses[body.path]
            more |= {"mass": mass.mass, "inertia": mass.inertia, "centre_of_mass": mass.centre_of_mass}
        kind = "kinematic" if body.kinematic else "dynamic"
        body.index = self._add_body(body.path, kind, body.place, shapes, **more)

    def _velocity_of(self, body: StageBody) -> tuple[Numbers, Numbers]:
        """Linear [m/s] and angular [rad/s] in the world. The file has them along the axes that the prim's transform is
        in: those of the prim above it."""
        linear = self._stage.vector(body.prim, "physics:velocity") * self._stage.metre
        angular = numpy.radians(self._stage.vector(body.prim, "physics:angularVelocity"))
        above = body.prim.GetParent()
        if above and not above.IsPseudoRoot() and not UsdGeom.Xformable(body.prim).GetResetXformStack():
            axes, _ = self._stage.world(above)
            linear, angular = axes @ linear, matrix(self._stage.place(above).turn) @ angular
        return linear, angular

    # ---- joints ----

    def _add_joint(self, joint: StageJoint) -> None:
        ends = [(cairn.WORLD_BODY if end.body is None else end.body.index, end.frame) for end in joint.ends]
        kind = joint.kind()
        assert kind is not None
        self._scene.add_joint(
            cairn.Joint(
                name=joint.path,
                body_a=ends[0][0],
                body_b=ends[1][0],
                frame_a=ends[0][1].joint_frame(),
                frame_b=ends[1][1].joint_frame(),
                kind=kind,
                collide=joint.collide,
                breaking_force=joint.breaking[0],
                breaking_torque=joint.breaking[1],
            )
        )

    def _ignore_still(self, joint: StageJoint) -> None:
        """What a joint holds to something that stands still doesn't touch that."""
        for end, other in (joint.ends, joint.ends[::-1]):
            if end.body is None and end.prim is not None and other.body is not None:
                for c in self._bodies.within(end.prim):
                    if c.body is None:
                        self._ignore(c.index, other.body.index)

    def _ignore(self, one: int, two: int) -> None:
        if one >= 0 and two >= 0 and one != two:
            self._scene.ignore(one, two)


def _bounds_ball(joint: StageJoint) -> bool:
    """Whether a ball of an articulation needs a joint of the scene for its limits."""
    return joint.in_tree() == "ball" and joint.kind() != cairn.BallJoint()


def _note_the_rest(stage: Stage, report: Report) -> None:
    for prim in stage.prims:
        path = str(prim.GetPath())
        if prim.IsA(UsdGeom.PointInstancer):
            report.drop("point instancers", path)
        for schema in stage.schemas(prim):
            if schema.startswith(OTHERS) and not is_mimic(prim, schema):
                report.drop(f"what schemas of simulators say: {schema}", path)
