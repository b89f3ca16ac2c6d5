"""Scenes from stages with UsdPhysics as they move: falling, driven, filtered, and the same robot in MJCF."""

import numpy
import pytest

import cairn

pytest.importorskip("pxr", reason="usd-core isn't there")

from cairn import convert  # noqa: E402
from pxr import Gf, Usd, UsdGeom, UsdPhysics  # noqa: E402

G = 9.81


class Maker:
    """A stage in the making. Lengths and masses are given in m and kg, whatever the stage's units are."""

    def __init__(self, metre=1.0, kilogram=1.0, up="Z"):
        self.usd = Usd.Stage.CreateInMemory("made.usda")
        self.metre, self.kilogram = metre, kilogram
        UsdGeom.SetStageUpAxis(self.usd, up)
        UsdGeom.SetStageMetersPerUnit(self.usd, metre)
        UsdPhysics.SetStageKilogramsPerUnit(self.usd, kilogram)

    def length(self, v):
        return Gf.Vec3d(*(float(x) / self.metre for x in v))

    def scene(self, **gravity):
        made = UsdPhysics.Scene.Define(self.usd, "/physics")
        if "direction" in gravity:
            made.CreateGravityDirectionAttr(Gf.Vec3f(*gravity["direction"]))
        if "magnitude" in gravity:
            made.CreateGravityMagnitudeAttr(gravity["magnitude"] / self.metre)

    def place(self, prim, at, turn=(0, 0, 0), scale=(1, 1, 1)):
        form = UsdGeom.Xformable(prim)
        form.AddTranslateOp().Set(self.length(at))
        form.AddRotateXYZOp().Set(Gf.Vec3f(*turn))
        form.AddScaleOp().Set(Gf.Vec3f(*scale))

    def box(self, path, at=(0, 0, 0), size=1.0, mass=None, fixed=False, collides=True, **placed):
        cube = UsdGeom.Cube.Define(self.usd, path)
        cube.CreateSizeAttr(size / self.metre)
        prim = cube.GetPrim()
        self.place(prim, at, **placed)
        if collides:
            UsdPhysics.CollisionAPI.Apply(prim)
        if not fixed:
            UsdPhysics.RigidBodyAPI.Apply(prim)
        if mass is not None:
            UsdPhysics.MassAPI.Apply(prim).CreateMassAttr(mass / self.kilogram)
        return prim

    def joint(self, kind, path, one, two, pos0=(0, 0, 0), pos1=(0, 0, 0), axis=None):
        made = kind.Define(self.usd, path)
        for relation, target in ((made.CreateBody0Rel(), one), (made.CreateBody1Rel(), two)):
            if target:
                relation.SetTargets([target])
        made.CreateLocalPos0Attr(Gf.Vec3f(self.length(pos0)))
        made.CreateLocalPos1Attr(Gf.Vec3f(self.length(pos1)))
        made.CreateLocalRot0Attr(Gf.Quatf(1))
        made.CreateLocalRot1Attr(Gf.Quatf(1))
        if axis:
            made.CreateAxisAttr(axis)
        return made

    def load(self):
        return convert.from_stage(self.usd)


def world_of(scene):
    return cairn.World(scene, cairn.WorldOptions(device="cpu"))


def state_of(world, name):
    return world.state(world.find_body(name))


def step(world, seconds):
    world.step(round(seconds / world.params().dt))


# ---- units ----


def falling(metre, kilogram, up):
    made = Maker(metre, kilogram, up)
    floor = (0, 0, -0.5) if up == "Z" else (0, -0.5, 0)
    made.box("/floor", floor, fixed=True, scale=(10, 10, 1) if up == "Z" else (10, 1, 10))
    made.box("/box", (0.2, 0.1, 1.2) if up == "Z" else (0.1, 1.2, 0.2), 0.4, mass=3.0)
    world = world_of(made.load()[0])
    step(world, 0.4)
    flying = state_of(world, "/box").position
    step(world, 1.6)
    return numpy.array(flying), numpy.array(state_of(world, "/box").position)


def test_a_stage_in_centimetres_and_grams_falls_as_one_in_metres():
    metres, grams = falling(1.0, 1.0, "Z"), falling(0.01, 0.001, "Z")
    for a, b in zip(metres, grams, strict=True):
        assert a == pytest.approx(b, abs=1e-5)
    # up along y, in a cycle of the axes
    turned = falling(1.0, 1.0, "Y")
    assert turned[1][[2, 0, 1]] == pytest.approx(metres[1], abs=1e-4)
    # semi-implicit Euler falls by up to g t h / 2 more than g t^2 / 2, or less
    assert metres[0][2] == pytest.approx(1.2 - G * 0.4**2 / 2, abs=G * 0.4 / 60)
    assert metres[1][2] == pytest.approx(0.2, abs=2e-3)


# ---- joints ----


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("kind", ["force", "acceleration"])
def test_a_drive_holds_against_gravity_by_its_stiffness(root, kind):
    """Along z: what is k (target - x) = m g in the stage's units of force, or of acceleration."""
    made = Maker(0.01)
    prim = made.box("/slider", (0, 0, 1), 0.2, mass=2.0)
    joint = made.joint(UsdPhysics.PrismaticJoint, "/rail", None, "/slider", (0, 0, 1), axis="Z")
    drive = UsdPhysics.DriveAPI.Apply(joint.GetPrim(), "linear")
    drive.CreateTypeAttr(kind)
    drive.CreateStiffnessAttr(400.0)
    drive.CreateDampingAttr(40.0)
    drive.CreateTargetPositionAttr(5.0)
    if root:
        UsdPhysics.ArticulationRootAPI.Apply(prim)
    scene, report = made.load()
    world = world_of(scene)
    report.start(world)
    step(world, 4)
    # 400 kg/s^2, or 400/s^2
    sag = G * 2.0 / 400 if kind == "force" else G / 400
    assert world.state(world.bodies()[0]).position[2] == pytest.approx(1.05 - sag, abs=2e-4)


def test_an_articulation_is_the_same_robot_in_mjcf():
    """Masses, forces and places of a tree at 20 random states, as mujoco has them."""
    mujoco = pytest.importorskip("mujoco")
    from twin import Twin

    made = Maker(0.01, 0.001)
    made.scene(magnitude=G, direction=(0, 0, -1))
    root = UsdGeom.Xform.Define(made.usd, "/robot").GetPrim()
    UsdPhysics.ArticulationRootAPI.Apply(root)
    for name, at, size, mass in (
        ("arm", (0.5, 0, 1), 0.3, 2.0),
        ("fore", (0.5, 0.6, 1), 0.2, 1.0),
        ("tip", (0.5, 0.6, 0.4), 0.1, 0.5),
    ):
        made.box(f"/robot/{name}", at, size, mass=mass)
    made.joint(UsdPhysics.RevoluteJoint, "/robot/shoulder", None, "/robot/arm", (0, 0, 1), (-0.5, 0, 0), "Z")
    made.joint(UsdPhysics.PrismaticJoint, "/robot/rail", "/robot/arm", "/robot/fore", (0, 0.3, 0), (0, -0.3, 0), "Y")
    made.joint(UsdPhysics.RevoluteJoint, "/robot/wrist", "/robot/tip", "/robot/fore", (0, 0, 0.3), (0, 0, -0.3), "X")
    scene, report = made.load()
    assert not report.approximated and not report.dropped, str(report)

    def box(half, mass):
        return f'<geom type="box" size="{half} {half} {half}" mass="{mass}"/>'

    # the wrist's ends are the other way round in the stage, and its axis with them
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 -{G}"/><worldbody><body name="arm" pos=".5 0 1">
        <joint name="/robot/shoulder" axis="0 0 1" pos="-.5 0 0"/>{box(0.15, 2)}<body name="fore" pos="0 .6 0">
        <joint name="/robot/rail" type="slide" axis="0 1 0"/>{box(0.1, 1)}<body name="tip" pos="0 0 -.6">
        <joint name="/robot/wrist" axis="-1 0 0" pos="0 0 .3"/>{box(0.05, 0.5)}</body></body></body></worldbody></mujoco>"""
    )
    differences = Twin(model, scene, report).differences(20)
    assert max(differences) < 1e-5, differences


# ---- what touches ----


def resting(made):
    world = world_of(made.load()[0])
    step(world, 1.5)
    return {name: state_of(world, name).position[2] for name in ("/a", "/b") if world.find_body(name)}


def stacked():
    made = Maker()
    made.box("/floor", (0, 0, -0.5), fixed=True, scale=(10, 10, 1))
    made.box("/a", (0, 0, 0.25), 0.5)
    made.box("/b", (0, 0, 0.8), 0.5)
    return made


def test_pairs_and_groups_that_are_filtered_pass_through():
    heights = resting(stacked())
    assert heights == pytest.approx({"/a": 0.25, "/b": 0.75}, abs=5e-3)
    made = stacked()
    UsdPhysics.FilteredPairsAPI.Apply(made.usd.GetPrimAtPath("/a")).CreateFilteredPairsRel().SetTargets(["/b"])
    assert resting(made) == pytest.approx({"/a": 0.25, "/b": 0.25}, abs=5e-3)
    made = stacked()
    for name, other in (("one", "two"), ("two", "one")):
        group = UsdPhysics.CollisionGroup.Define(made.usd, f"/{name}")
        group.GetCollidersCollectionAPI().GetIncludesRel().SetTargets(["/a" if name == "one" else "/b"])
        group.CreateFilteredGroupsRel().SetTargets([f"/{other}"])
    assert resting(made) == pytest.approx({"/a": 0.25, "/b": 0.25}, abs=5e-3)
