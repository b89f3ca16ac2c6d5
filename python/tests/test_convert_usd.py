"""Scenes from stages with UsdPhysics: closed forms, and the same robot in MJCF."""

import math
import subprocess
import sys

import numpy
import pytest

import cairn

pytest.importorskip("pxr", reason="usd-core isn't there")

from cairn import convert  # noqa: E402
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade  # noqa: E402

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


@pytest.mark.parametrize("direction, magnitude", [((0, 1, 0), 2.0), ((1, 0, -1), 4.0)])
def test_gravity_is_the_scenes(direction, magnitude):
    made = Maker(0.01)
    made.scene(direction=direction, magnitude=magnitude)
    made.box("/box")
    unit = numpy.array(direction) / numpy.linalg.norm(direction)
    assert made.load()[0].gravity() == pytest.approx(tuple(magnitude * unit), abs=1e-6)


# ---- shapes and masses ----


def test_solids_have_their_sizes_along_their_axes():
    made = Maker(0.01)
    x = {"axis": "X"}
    kinds = {
        "/sphere": (UsdGeom.Sphere, {"radius": 20}, cairn.Sphere(0.2)),
        "/capsule": (UsdGeom.Capsule, {"radius": 10, "height": 60, **x}, cairn.Capsule(0.1, 0.3)),
        "/cylinder": (UsdGeom.Cylinder, {"radius": 10, "height": 60, **x}, cairn.Cylinder(0.1, 0.3)),
        "/cone": (UsdGeom.Cone, {"radius": 10, "height": 60, **x}, cairn.Cone(0.1, 0.3)),
    }
    for k, (path, (kind, sizes, _)) in enumerate(kinds.items()):
        prim = kind.Define(made.usd, path).GetPrim()
        for name, value in sizes.items():
            prim.GetAttribute(name).Set(value)
        made.place(prim, (2 * k, 0, 1))
        UsdPhysics.CollisionAPI.Apply(prim)
        UsdPhysics.RigidBodyAPI.Apply(prim)
    scene, report = made.load()
    assert not report.approximated and not report.dropped
    for path, (_, sizes, geometry) in kinds.items():
        body = scene.bodies()[report.bodies[path]]
        got = body.shapes[0].geometry
        assert type(got) is type(geometry)
        for name in geometry.__slots__:
            assert getattr(got, name) == pytest.approx(getattr(geometry, name), rel=1e-6)
        if "axis" in sizes:
            # its z lies along x
            p, q, r, w = body.shapes[0].orientation
            assert (2 * (p * r + w * q), 2 * (q * r - w * p), 1 - 2 * (p * p + q * q)) == pytest.approx(
                (1, 0, 0), abs=1e-6
            )


def test_a_scale_that_is_uneven_makes_an_ellipsoid_and_is_reported():
    made = Maker()
    prim = UsdGeom.Sphere.Define(made.usd, "/egg").GetPrim()
    made.place(prim, (0, 0, 0), scale=(1, 2, 3))
    UsdPhysics.CollisionAPI.Apply(prim)
    UsdPhysics.RigidBodyAPI.Apply(prim)
    scene, report = made.load()
    assert scene.bodies()[0].shapes[0].geometry.radii == pytest.approx((1, 2, 3))
    assert "ellipsoids" in str(report)


@pytest.mark.parametrize(
    "way, kind", [("convexHull", cairn.ConvexHull), ("boundingCube", cairn.Box), ("boundingSphere", cairn.Sphere)]
)
def test_a_mesh_that_moves_is_what_its_approximation_says(way, kind):
    made = Maker()
    mesh = UsdGeom.Mesh.Define(made.usd, "/mesh")
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    mesh.CreatePointsAttr([Gf.Vec3f(*c) for c in corners])
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.CreateFaceVertexCountsAttr([4] * 6)
    mesh.CreateFaceVertexIndicesAttr([i for face in faces for i in face])
    prim = mesh.GetPrim()
    UsdPhysics.CollisionAPI.Apply(prim)
    UsdPhysics.RigidBodyAPI.Apply(prim)
    UsdPhysics.MeshCollisionAPI.Apply(prim).CreateApproximationAttr(way)
    scene, _ = made.load()
    body = scene.bodies()[0]
    assert isinstance(body.shapes[0].geometry, kind)
    volume = {"boundingSphere": 4 / 3 * math.pi * 3**1.5}.get(way, 8.0)
    assert body.mass == pytest.approx(1000 * volume, rel=1e-5)


@pytest.mark.parametrize(
    "given, mass",
    [
        ({}, 1000 * 0.125),
        ({"material": 500}, 500 * 0.125),
        ({"material": 500, "body density": 200}, 200 * 0.125),
        ({"material": 500, "body density": 200, "density": 300}, 300 * 0.125),
        ({"density": 300, "mass": 7}, 7),
        ({"density": 300, "mass": 7, "body mass": 2}, 2),
    ],
)
def test_what_is_nearer_overrides_a_mass(given, mass):
    made = Maker()
    body = UsdGeom.Xform.Define(made.usd, "/body").GetPrim()
    UsdPhysics.RigidBodyAPI.Apply(body)
    cube = made.box("/body/cube", (0.5, 0, 0), 0.5, fixed=True)
    if "material" in given:
        stuff = UsdShade.Material.Define(made.usd, "/stuff")
        UsdPhysics.MaterialAPI.Apply(stuff.GetPrim()).CreateDensityAttr(given["material"])
        UsdShade.MaterialBindingAPI.Apply(cube).Bind(stuff, materialPurpose="physics")
    for prim, prefix in ((cube, ""), (body, "body ")):
        api = UsdPhysics.MassAPI.Apply(prim)
        if prefix + "density" in given:
            api.CreateDensityAttr(given[prefix + "density"])
        if prefix + "mass" in given:
            api.CreateMassAttr(given[prefix + "mass"])
    made_body = made.load()[0].bodies()[0]
    assert made_body.mass == pytest.approx(mass, rel=1e-6)
    assert made_body.centre_of_mass == pytest.approx((0.5, 0, 0), abs=1e-6)
    # of a cube, m a^2 / 6
    assert made_body.inertia.moments == pytest.approx([mass * 0.25 / 6] * 3, rel=1e-5)


def test_the_centre_and_the_moments_of_a_body_are_those_that_it_gives():
    made = Maker(0.01)
    prim = made.box("/box", size=0.5, mass=2.0)
    api = UsdPhysics.MassAPI(prim)
    api.CreateCenterOfMassAttr(Gf.Vec3f(10, 0, 0))
    api.CreateDiagonalInertiaAttr(Gf.Vec3f(3e3, 4e3, 5e3))
    body = made.load()[0].bodies()[0]
    assert body.centre_of_mass == pytest.approx((0.1, 0, 0), abs=1e-6)
    assert sorted(body.inertia.moments) == pytest.approx([0.3, 0.4, 0.5], rel=1e-5)


# ---- joints ----


def pendulum(root, axis="Y"):
    """A box of 1 kg that hangs 1 m from a hinge, level at the start."""
    made = Maker(0.01)
    prim = made.box("/bob", (1, 0, 2), 0.1, mass=1.0)
    hinge = made.joint(UsdPhysics.RevoluteJoint, "/hinge", None, "/bob", (0, 0, 2), (-1, 0, 0), axis)
    if root:
        UsdPhysics.ArticulationRootAPI.Apply(prim)
    return made, hinge


@pytest.mark.parametrize("root", [False, True])
def test_a_pendulum_starts_where_the_stage_has_it_and_keeps_its_energy(root):
    scene, report = pendulum(root)[0].load()
    assert bool(scene.articulations()) == root
    params = scene.params()
    params.substeps = 20
    scene.set_params(params)
    world = world_of(scene)
    bob = world.bodies()[0]
    assert world.state(bob).position == pytest.approx((1, 0, 2), abs=1e-6)
    lowest = 2.0
    for _ in range(60):
        world.step()
        s = world.state(bob)
        lowest = min(lowest, s.position[2])
        assert s.position[1] == pytest.approx(0, abs=1e-4)
        assert math.hypot(s.position[0], s.position[2] - 2) == pytest.approx(1, abs=2e-3)
        # of the parallel axis: m l^2 + m a^2 / 6; what it is off is of first order in the substep
        kinetic = 0.5 * (1 + 0.1**2 / 6) * s.angular_velocity[1] ** 2
        assert kinetic + G * (s.position[2] - 2) == pytest.approx(0, abs=0.02 * G)
    assert lowest < 1.05


@pytest.mark.parametrize("root", [False, True])
def test_limits_hold_in_degrees(root):
    made, hinge = pendulum(root)
    hinge.CreateLowerLimitAttr(-10.0)
    hinge.CreateUpperLimitAttr(30.0)
    world = world_of(made.load()[0])
    step(world, 3)
    position = world.state(world.bodies()[0]).position
    # about y, turning x down is the positive sense
    assert math.degrees(math.atan2(2 - position[2], position[0])) == pytest.approx(30, abs=0.5)


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


def test_balls_and_distances_become_joints_of_the_scene():
    made = Maker()
    made.box("/a", (0, 0, 0), 0.2)
    made.box("/b", (0, 0, 1), 0.2)
    made.box("/c", (0, 0, 2), 0.2)
    ball = made.joint(UsdPhysics.SphericalJoint, "/ball", "/a", "/b", (0, 0, 0.5), (0, 0, -0.5), "Z")
    ball.CreateConeAngle0LimitAttr(40.0)
    ball.CreateConeAngle1LimitAttr(40.0)
    rope = made.joint(UsdPhysics.DistanceJoint, "/rope", "/b", "/c")
    rope.CreateMinDistanceAttr(0.5)
    rope.CreateMaxDistanceAttr(1.5)
    kinds = {joint.name: joint.kind for joint in made.load()[0].joints()}
    assert kinds["/ball"].cone == pytest.approx(math.radians(40))
    assert (kinds["/rope"].min_length, kinds["/rope"].max_length) == (0.5, 1.5)


def test_a_general_joint_has_a_limit_for_each_axis():
    made = Maker(0.01)
    made.box("/a", (0, 0, 0), 0.2)
    made.box("/b", (0, 0, 1), 0.2)
    joint = made.joint(UsdPhysics.Joint, "/six", "/a", "/b", (0, 0, 1))
    for name, low, high in (("transX", 1, -1), ("transY", -10, 20), ("rotZ", -30, 45)):
        limit = UsdPhysics.LimitAPI.Apply(joint.GetPrim(), name)
        limit.CreateLowAttr(low)
        limit.CreateHighAttr(high)
    axes = made.load()[0].joints()[0].kind.axes
    assert [axis.mode for axis in axes] == ["locked", "limited", "free", "free", "free", "limited"]
    assert (axes[1].lower, axes[1].upper) == pytest.approx((-0.1, 0.2))
    assert (axes[5].lower, axes[5].upper) == pytest.approx((math.radians(-30), math.radians(45)))


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


# ---- faults ----


def with_missing_body(made):
    made.joint(UsdPhysics.FixedJoint, "/joint", "/nobody", "/box")


def with_nan(made):
    UsdPhysics.RigidBodyAPI(made.usd.GetPrimAtPath("/box")).CreateVelocityAttr(Gf.Vec3f(math.nan, 0, 0))


def with_negative_mass(made):
    UsdPhysics.MassAPI.Apply(made.usd.GetPrimAtPath("/box")).CreateMassAttr(-1.0)


def with_flat_scale(made):
    made.usd.GetPrimAtPath("/box").GetAttribute("xformOp:scale").Set(Gf.Vec3f(1, 0, 1))


def without_physics(made):
    made.usd.RemovePrim(Sdf.Path("/box"))


@pytest.mark.parametrize(
    "spoil, said",
    [
        (with_missing_body, ["</joint>", "physics:body0", "</nobody>"]),
        (with_nan, ["</box>", "physics:velocity"]),
        (with_negative_mass, ["</box>", "physics:mass", "at least 0"]),
        (with_flat_scale, ["</box>", "scale is 0 along y"]),
        (without_physics, ["no physics"]),
    ],
)
def test_a_fault_is_named_with_file_and_prim(tmp_path, spoil, said):
    made = Maker()
    made.box("/box")
    spoil(made)
    file = tmp_path / "bad.usda"
    made.usd.GetRootLayer().Export(str(file))
    with pytest.raises(convert.RobotFileError) as caught:
        convert.load(file)
    for what in [str(file), *said]:
        assert what in str(caught.value), caught.value


@pytest.mark.parametrize("text", ["", "no stage", '#usda 1.0\ndef Cube "a" {', "#usda 1.0\n( defaultPrim = 3 )"])
def test_what_is_no_stage_is_named(tmp_path, text):
    file = tmp_path / "bad.usda"
    file.write_text(text)
    with pytest.raises(convert.RobotFileError, match="bad.usda"):
        convert.load(file)
    with pytest.raises(convert.RobotFileError, match="none.usda"):
        convert.load(tmp_path / "none.usda")


def test_the_command_line_makes_a_scene_file(tmp_path):
    made, _ = pendulum(True)
    made.usd.GetRootLayer().Export(str(tmp_path / "p.usda"))
    run = [sys.executable, "-m", "cairn.convert", str(tmp_path / "p.usda"), str(tmp_path / "p.json")]
    subprocess.run(run, check=True, capture_output=True)
    scene = cairn.load_scene(tmp_path / "p.json")
    assert scene.articulations() == made.load()[0].articulations()
