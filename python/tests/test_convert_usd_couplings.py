"""Joints of UsdPhysics that mimic others, and max rates of joints, of PhysX's, Newton's and MuJoCo's schemas."""

import math

import numpy
import pytest

import cairn

pytest.importorskip("pxr")

from pxr import Sdf, UsdPhysics  # noqa: E402

from cairn import convert  # noqa: E402

from stages import body, joint, limit, place, stage, world_of  # noqa: E402


def fingers(metre: float = 1.0, root: bool = True, **attributes):
    """Two hinges and a slide on the world: the stage, and prims of the joints."""
    made = stage(metre)
    joints = {}
    for i, (name, kind) in enumerate((("one", "Revolute"), ("two", "Revolute"), ("three", "Prismatic"))):
        at = place((i / metre, 0, 0))
        of = body(made, f"/robot/{name}", at, centre=(0.1 / metre, 0, 0))
        frames = at, place()
        joints[name] = joint(made, f"{kind}Joint", f"/robot/{name}_joint", None, of, frames, axis="Y").GetPrim()
    if root:
        UsdPhysics.ArticulationRootAPI.Apply(made.GetPrimAtPath("/robot"))
    return made, joints


def give(prim, schema: str, other, names: dict[str, object], relation: str) -> None:
    """A schema that USD doesn't know."""
    prim.AddAppliedSchema(schema)
    for name, value in names.items():
        kind = {bool: Sdf.ValueTypeNames.Bool, str: Sdf.ValueTypeNames.Token}.get(type(value), Sdf.ValueTypeNames.Float)
        prim.CreateAttribute(name, kind).Set(value)
    if other is not None:
        prim.CreateRelationship(relation).SetTargets([other if isinstance(other, str) else other.GetPath()])


def physx(prim, other, axis: str = "rotX", **values) -> None:
    names = {f"physxMimicJoint:{axis}:{name}": value for name, value in values.items()}
    give(prim, f"PhysxMimicJointAPI:{axis}", other, names, f"physxMimicJoint:{axis}:referenceJoint")


def newton(prim, other, schema: str = "NewtonMimicAPI", **values) -> None:
    give(prim, schema, other, {f"newton:{name}": value for name, value in values.items()}, "newton:mimicJoint")


def only(scene: cairn.Scene) -> tuple[list[tuple[str, float]], float]:
    """Links and coefficients of the only coupling, and where it is held."""
    description = scene.articulations()[0].description
    (coupling,) = description.couplings
    assert coupling.lower == coupling.upper
    return [(description.links[term.link].name, term.coefficient) for term in coupling.terms], coupling.lower


ANGLE = math.radians(1)


@pytest.mark.parametrize("metre", [1.0, 0.01])
def test_physx_mimic_joints_are_couplings(metre):
    """q + gearing q of the other + offset = 0, in degrees and the file's lengths."""
    made, joints = fingers(metre)
    physx(joints["two"], joints["one"], gearing=-2.0, offset=10.0, referenceJointAxis="rotY")
    scene, report = convert.from_stage(made)
    assert not report.dropped and not report.approximated
    terms, held = only(scene)
    assert terms == [("two", 1), ("one", pytest.approx(-2))] and held == pytest.approx(-10 * ANGLE)
    # a slide by a hinge: lengths a degree
    made, joints = fingers(metre)
    physx(joints["three"], joints["one"], gearing=0.5, offset=-3.0)
    terms, held = only(convert.from_stage(made)[0])
    assert terms == [("three", 1), ("one", pytest.approx(0.5 * metre / ANGLE))] and held == pytest.approx(3 * metre)
    made, joints = fingers(metre)
    physx(joints["one"], joints["three"], gearing=0.5)
    terms, _ = only(convert.from_stage(made)[0])
    assert terms == [("one", 1), ("three", pytest.approx(0.5 * ANGLE / metre))]


@pytest.mark.parametrize("metre", [1.0, 0.01])
def test_newton_mimics_are_couplings(metre):
    """q = coef0 + coef1 q of the other: coef0 in degrees, coef1 in lengths a radian."""
    made, joints = fingers(metre)
    newton(joints["two"], joints["one"], mimicCoef0=10.0, mimicCoef1=-2.0)
    terms, held = only(convert.from_stage(made)[0])
    assert terms == [("two", 1), ("one", pytest.approx(2))] and held == pytest.approx(10 * ANGLE)
    made, joints = fingers(metre)
    newton(joints["three"], joints["one"], mimicCoef0=3.0, mimicCoef1=0.5)
    # what PhysX's schema says beside it counts for nothing
    physx(joints["three"], joints["one"], gearing=7.0)
    scene, report = convert.from_stage(made)
    terms, held = only(scene)
    assert terms == [("three", 1), ("one", pytest.approx(-0.5 * metre))] and held == pytest.approx(3 * metre)
    assert not report.dropped


def test_equalities_of_mujocos_schema_are_couplings():
    """Older names, whose angles are radians."""
    made, joints = fingers()
    give(joints["two"], "MjcEqualityJointAPI", joints["one"], {"mjc:coef0": 0.5, "mjc:coef1": 1.5}, "mjc:target")
    scene, report = convert.from_stage(made)
    terms, held = only(scene)
    assert terms == [("two", 1), ("one", -1.5)] and held == 0.5 and not report.dropped
    # q = q of the other where the file has no numbers
    made, joints = fingers()
    newton(joints["two"], joints["one"], "MjcEqualityJointAPI")
    assert only(convert.from_stage(made)[0]) == ([("two", 1), ("one", -1)], 0)
    made, joints = fingers()
    newton(joints["two"], joints["one"], mimicCoef1=0.0, mimicCoef0=90.0)
    assert only(convert.from_stage(made)[0]) == ([("two", 1)], pytest.approx(math.pi / 2))


def test_a_mimic_joint_follows_as_it_moves():
    made, joints = fingers()
    physx(joints["two"], joints["one"], gearing=-2.0)
    made.GetPrimAtPath("/robot/one").GetAttribute("physics:angularVelocity").Set((0, 20, 0))
    made.GetPrimAtPath("/robot/two").GetAttribute("physics:angularVelocity").Set((0, 40, 0))
    scene, report = convert.from_stage(made)
    world = world_of(scene, report)
    for _ in range(60):
        world.step()
    q = world.state(world.articulations.list()[0]).q
    one, two = (q[report.joints[f"/robot/{name}_joint"].coordinate] for name in ("one", "two"))
    # both swing down from the horizontal: (I + m c^2) (1 + 4) a = 3 m g c at the start
    assert two == pytest.approx(2 * one, abs=1e-7) and one > 0.5


def test_mimics_of_an_axis_of_several():
    made = stage()
    base, wrist = body(made, "/robot/base"), body(made, "/robot/wrist", place((1, 0, 0)))
    first = joint(made, "RevoluteJoint", "/robot/first", None, base, (place(), place()), axis="Z")
    of = joint(made, "Joint", "/robot/wrist_joint", base, wrist, (place((1, 0, 0)), place()))
    for axis in ("transX", "transY", "transZ", "rotX"):
        limit(of, axis, 1, -1)
    UsdPhysics.ArticulationRootAPI.Apply(made.GetPrimAtPath("/robot"))
    physx(of.GetPrim(), first.GetPrim(), axis="rotZ", gearing=1.5)
    scene, report = convert.from_stage(made)
    assert only(scene) == ([("wrist", 1), ("base", 1.5)], 0) and not report.dropped
    of.GetPrim().RemoveAppliedSchema("PhysxMimicJointAPI:rotZ")
    physx(of.GetPrim(), first.GetPrim(), axis="rotX", gearing=1.5)
    scene, report = convert.from_stage(made)
    assert not scene.articulations()[0].description.couplings
    assert report.dropped == {"couplings of joints that aren't two axes of one articulation": ["/robot/wrist_joint"]}


def test_mimics_that_are_no_couplings_are_reported():
    apart = "couplings of joints that aren't two axes of one articulation"

    def dropped(name: str, made, approximated=()):
        scene, report = convert.from_stage(made)
        assert not any(a.description.couplings for a in scene.articulations())
        return report.dropped == {name: ["/robot/two_joint"]}

    made, joints = fingers(root=False)
    physx(joints["two"], joints["one"])
    assert dropped(apart, made)
    made, joints = fingers()
    physx(joints["two"], joints["two"])
    assert dropped(apart, made)
    made, joints = fingers()
    physx(joints["two"], "/robot/one")
    assert dropped(apart, made)
    made, joints = fingers()
    physx(joints["two"], None, gearing=1.0)
    assert dropped("couplings that name no other joint", made)
    made, joints = fingers()
    newton(joints["two"], joints["one"], mimicEnabled=False)
    assert dropped("couplings that are off", made)
    made, joints = fingers()
    newton(joints["two"], joints["one"], "MjcEqualityJointAPI")
    joints["two"].CreateAttribute("mjc:coef2", Sdf.ValueTypeNames.Double).Set(0.1)
    assert dropped("couplings by more than a line", made)
    made, joints = fingers()
    physx(joints["two"], joints["one"], gearing=1.0, naturalFrequency=25.0, dampingRatio=0.05)
    scene, report = convert.from_stage(made)
    assert len(scene.articulations()[0].description.couplings) == 1
    assert report.approximated == {
        "joints that mimic others do so rigidly, whatever their frequency": ["/robot/two_joint"]
    }


def test_bad_mimics_are_refused_with_the_prim():
    made, joints = fingers()
    physx(joints["two"], "/robot/gone")
    with pytest.raises(ValueError, match="</robot/two_joint>: .*referenceJoint names </robot/gone>, which isn't there"):
        convert.from_stage(made)
    made, joints = fingers()
    physx(joints["two"], joints["one"], gearing=math.nan)
    with pytest.raises(ValueError, match="</robot/two_joint>: physxMimicJoint:rotX:gearing is nan"):
        convert.from_stage(made)
    made, joints = fingers()
    newton(joints["two"], joints["one"])
    joints["two"].GetRelationship("newton:mimicJoint").AddTarget(joints["three"].GetPath())
    with pytest.raises(ValueError, match="</robot/two_joint>: newton:mimicJoint names 2 prims"):
        convert.from_stage(made)


# ---- rates ----


def fastest(prim, rate: float) -> None:
    prim.CreateAttribute("physxJoint:maxJointVelocity", Sdf.ValueTypeNames.Float).Set(rate)


@pytest.mark.parametrize("metre", [1.0, 0.01])
def test_max_rates_of_joints(metre):
    made, joints = fingers(metre)
    fastest(joints["one"], 45.0)
    fastest(joints["two"], 1e6)
    fastest(joints["three"], 0.5 / metre)
    scene, report = convert.from_stage(made)
    one, two, three = (link.joint for link in scene.articulations()[0].description.links)
    assert (one.min_rate, one.max_rate) == pytest.approx((-math.pi / 4, math.pi / 4))
    assert (two.min_rate, two.max_rate) == (-math.inf, math.inf)
    assert (three.min_rate, three.max_rate) == pytest.approx((-0.5, 0.5)) and not report.dropped
    world = world_of(scene, report)
    for _ in range(30):
        world.step()
    v = world.state(world.articulations.list()[0]).v
    assert abs(v[0]) == pytest.approx(math.pi / 4) and abs(v[1]) > 1


def test_max_rates_that_nothing_has_are_reported():
    made, joints = fingers(root=False)
    fastest(joints["one"], 45.0)
    _, report = convert.from_stage(made)
    assert report.dropped == {"max rates of joints of the scene, and of balls": ["/robot/one_joint"]}
    made, joints = fingers()
    ball = joint(made, "SphericalJoint", "/robot/ball", made.GetPrimAtPath("/robot/one"), body(made, "/robot/end"),
                 (place(), place()), axis="X", coneAngle0Limit=30.0, coneAngle1Limit=30.0)  # fmt: skip
    fastest(ball.GetPrim(), 45.0)
    _, report = convert.from_stage(made)
    assert report.dropped == {"max rates of joints of the scene, and of balls": ["/robot/ball"]}
    made, joints = fingers()
    fastest(joints["one"], numpy.nan)
    with pytest.raises(ValueError, match="</robot/one_joint>: physxJoint:maxJointVelocity is nan"):
        convert.from_stage(made)
