"""Stages of UsdPhysics: units, bodies, the report, bad files and the command line."""

import math
import pathlib
import subprocess
import sys

import pytest

import cairn

pytest.importorskip("pxr")

from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics  # noqa: E402

from cairn import convert  # noqa: E402

from stages import body, collider, joint, place, place_at, stage, world_of  # noqa: E402

ROOT = """#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
"""


# ---- the world ----


@pytest.mark.parametrize("up, down", [("Y", (0, -9.81, 0)), ("Z", (0, 0, -9.81))])
def test_gravity_is_the_earths_against_the_stages_up(up, down):
    made = stage(0.01, up=up)
    collider(made, "/box")
    assert convert.from_stage(made)[0].gravity() == pytest.approx(down)


def test_gravity_is_the_scenes_in_units_of_the_stage():
    made = stage(0.01)
    of = UsdPhysics.Scene(made.GetPrimAtPath("/physics"))
    of.CreateGravityDirectionAttr((3, 0, -4))
    of.CreateGravityMagnitudeAttr(500.0)
    collider(made, "/box")
    assert convert.from_stage(made)[0].gravity() == pytest.approx((3, 0, -4))


def test_bodies_of_another_scene_are_dropped():
    made = stage()
    UsdPhysics.Scene.Define(made, "/other")
    for name in ("physics", "other"):
        one = body(made, f"/{name}_ball")
        UsdPhysics.RigidBodyAPI(one).CreateSimulationOwnerRel().SetTargets([f"/{name}"])
    scene, report = convert.from_stage(made)
    assert [b.name for b in scene.bodies()] == ["/physics_ball"]
    assert report.dropped == {"PhysicsScenes after the first": ["/other"], "of another PhysicsScene": ["/other_ball"]}


# ---- bodies ----


def test_a_body_falls_in_a_stage_of_centimetres_as_in_one_of_metres():
    def height(metre: float) -> float:
        made = stage(metre)
        ball = made.DefinePrim("/ball", "Sphere")
        ball.GetAttribute("radius").Set(0.1 / metre)
        place_at(ball, place((0, 0, 2 / metre)))
        UsdPhysics.RigidBodyAPI.Apply(ball)
        UsdPhysics.CollisionAPI.Apply(ball)
        scene, report = convert.from_stage(made)
        # 1000 kg/m^3, whatever the units
        assert report.bodies == {"/ball": 0}
        assert scene.bodies()[0].mass == pytest.approx(1000 * 4 / 3 * math.pi * 0.1**3, rel=1e-5)
        world = world_of(scene)
        for _ in range(30):
            world.step()
        return float(world.read_states().position[0][2])

    h, t = 1 / 360, 0.5
    # semi-implicit Euler falls by g t (t + h) / 2
    assert height(1) == pytest.approx(2 - 9.81 * t * (t + h) / 2, abs=1e-5)
    assert height(0.01) == pytest.approx(height(1), abs=1e-5)


def test_velocities_are_along_the_axes_of_the_prim_above():
    made = stage(0.01)
    place_at(made.DefinePrim("/turned", "Xform"), place(degrees=90), scale=(2, 2, 2))
    one = UsdPhysics.RigidBodyAPI(body(made, "/turned/one", place(axis=(1, 0, 0), degrees=40)))
    one.CreateVelocityAttr((100, 0, 0))
    one.CreateAngularVelocityAttr((180, 0, 0))
    scene, _ = convert.from_stage(made)
    assert scene.bodies()[0].linear_velocity == pytest.approx((0, 2, 0), abs=1e-6)
    assert scene.bodies()[0].angular_velocity == pytest.approx((0, math.pi, 0), abs=1e-6)


def test_kinds_of_bodies_are_those_of_the_stage():
    made = stage()
    UsdPhysics.RigidBodyAPI(body(made, "/led")).CreateKinematicEnabledAttr(True)
    UsdPhysics.RigidBodyAPI(body(made, "/off")).CreateRigidBodyEnabledAttr(False)
    UsdPhysics.RigidBodyAPI(body(made, "/asleep")).CreateStartsAsleepAttr(True)
    collider(made, "/wall")
    scene, report = convert.from_stage(made)
    kinds = {b.name: b.type for b in scene.bodies()}
    assert kinds == {"/led": "kinematic", "/off/ball": "static", "/asleep": "dynamic", "/wall": "static"}
    assert report.approximated == {"bodies that are off stand still": ["/off"]}
    assert report.dropped == {"sleep at the start: all begin awake": ["/asleep"]}


def test_a_body_below_another_is_part_of_it_unless_it_is_meant():
    made = stage()
    body(made, "/outer")
    for name in ("part", "held", "apart"):
        body(made, f"/outer/{name}", place((1, 0, 0)))
    joint(made, "FixedJoint", "/weld", None, made.GetPrimAtPath("/outer/held"), (place((1, 0, 0)), place()))
    UsdGeom.Xformable(made.GetPrimAtPath("/outer/apart")).SetResetXformStack(True)
    scene, report = convert.from_stage(made)
    assert {b.name: len(b.shapes) for b in scene.bodies()} == {"/outer": 2, "/outer/held": 1, "/outer/apart": 1}
    assert report.approximated["bodies below another that no joint holds are part of it"] == ["/outer/part"]


def test_instances_are_bodies_each():
    made = stage()
    source = made.DefinePrim("/source", "Xform")
    ball = body(made, "/source/ball", place((0, 0, 1)))
    joint(made, "FixedJoint", "/source/pin", None, ball, (place((0, 0, 1)), place()))
    source.SetActive(True)
    made.OverridePrim("/source").SetSpecifier(Sdf.SpecifierClass)
    for i in range(2):
        prim = made.DefinePrim(f"/copy{i}", "Xform")
        prim.GetReferences().AddInternalReference("/source")
        prim.SetInstanceable(True)
        UsdGeom.Xformable(prim).AddTranslateOp().Set(Gf.Vec3d(3 * i, 0, 0))
    scene, _ = convert.from_stage(made)
    assert [(b.name, b.position) for b in scene.bodies()] == [("/copy0/ball", (0, 0, 1)), ("/copy1/ball", (3, 0, 1))]
    assert [scene.bodies()[j.body_b].name for j in scene.joints()] == ["/copy0/ball", "/copy1/ball"]


# ---- the report, bad files, and the command line ----


def test_the_report_names_what_other_schemas_say():
    made = stage()
    one = body(made, "/one")
    one.AddAppliedSchema("PhysxRigidBodyAPI")
    UsdGeom.PointInstancer.Define(made, "/many")
    assert convert.from_stage(made)[1].dropped == {
        "what schemas of simulators say: PhysxRigidBodyAPI": ["/one"],
        "point instancers": ["/many"],
    }


SCHEMAS = '["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]'
BODY = f'def Sphere "b" (prepend apiSchemas = {SCHEMAS})\n{{{{\n{{}}\n}}}}\n'
JOINT = 'def PhysicsFixedJoint "j"\n{{\nrel physics:body0 = {}\nrel physics:body1 = </b>\n}}\n'
BAD = {
    "empty": ("", "not a valid usda layer"),
    "noise": ("\x01\x02 noise", "not a valid usda layer"),
    "cut off": (ROOT + 'def Sphere "b" {', "stage.usda: 6:17: Expected }"),
    "no physics": (ROOT + 'def Sphere "b" {}', "no physics"),
    "no unit": (ROOT.replace("metersPerUnit = 1", "metersPerUnit = 0") + BODY.format(""), "metersPerUnit"),
    "negative mass": (ROOT + BODY.format("float physics:mass = -1"), "prim </b>: physics:mass .* -1"),
    "mass of nan": (ROOT + BODY.format("float physics:mass = nan"), "prim </b>: physics:mass is nan"),
    "density of inf": (ROOT + BODY.format("float physics:density = inf"), "prim </b>: physics:density is inf"),
    "moments": (ROOT + BODY.format("float3 physics:diagonalInertia = (1, -1, 1)"), "</b>: physics:diagonalInertia"),
    "velocity": (ROOT + BODY.format("vector3f physics:velocity = (0, nan, 0)"), "</b>: physics:velocity isn't finite"),
    "radius": (ROOT + BODY.format("double radius = 0"), "</b>: radius must be over 0"),
    "flat": (
        ROOT + BODY.format('float3 xformOp:scale = (1, 0, 1)\nuniform token[] xformOpOrder = ["xformOp:scale"]'),
        "</b>: its scale is 0 along y",
    ),
    "nowhere": (
        ROOT
        + BODY.format('double3 xformOp:translate = (nan, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]'),
        "</b>: its transform isn't finite",
    ),
    "no such body": (
        ROOT + BODY.format("") + JOINT.format("</gone>"),
        "prim </j>: physics:body0 names </gone>, which isn't there",
    ),
    "two bodies on a side": (
        ROOT + BODY.format("") + JOINT.format("[</b>, </c>]") + 'def Xform "c" {}',
        "prim </j>: physics:body0 names 2 prims",
    ),
    "faces": (
        ROOT + 'def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"])\n{\npoint3f[] points = [(0, 0, 0)]\n'
        "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 0, 9]\n}",
        "prim </m>: faceVertexIndices go from 0 to 9, and there are 1 points",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_file_and_prim(tmp_path, name):
    text, message = BAD[name]
    file = tmp_path / "stage.usda"
    file.write_text(text)
    with pytest.raises(convert.RobotFileError, match=message) as caught:
        convert.load(file)
    assert str(caught.value).startswith(f"{file}: ") and "\n" not in str(caught.value)


def test_files_that_are_gone_and_keyframes_are_refused(tmp_path):
    with pytest.raises(convert.RobotFileError, match="stage.usd: No such file"):
        convert.load(tmp_path / "stage.usd")
    with pytest.raises(convert.RobotFileError, match='stage.usd: there is no keyframe "home"'):
        convert.load(tmp_path / "stage.usd", "home")


def written(folder: pathlib.Path, name: str) -> pathlib.Path:
    made = stage(0.01)
    body(made, "/one", place((0, 0, 100)))
    UsdPhysics.RigidBodyAPI(made.GetPrimAtPath("/one")).CreateStartsAsleepAttr(True)
    made.GetRootLayer().Export(str(folder / name))
    return folder / name


@pytest.mark.parametrize("ending", ["usda", "usdc", "usd", "USDA"])
def test_all_endings_are_read(tmp_path, ending):
    if ending == "USDA":
        written(tmp_path, "stage.usda").rename(tmp_path / "STAGE.USDA")
        file = tmp_path / "STAGE.USDA"
    else:
        file = written(tmp_path, f"stage.{ending}")
    scene, _ = convert.load(file)
    assert scene.bodies()[0].position == (0, 0, 1)


def test_a_package_is_read_and_what_is_missing_is_reported(tmp_path):
    from pxr import UsdUtils

    written(tmp_path, "stage.usdc")
    assert UsdUtils.CreateNewUsdzPackage(str(tmp_path / "stage.usdc"), str(tmp_path / "stage.usdz"))
    assert convert.load(tmp_path / "stage.usdz")[0].bodies()[0].name == "/one"
    (tmp_path / "top.usda").write_text(
        ROOT + BODY.format("") + 'def Xform "lost" (prepend references = @gone.usda@</x>) {}'
    )
    _, report = convert.load(tmp_path / "top.usda")
    assert any(what.startswith("USD warns: ") and "gone.usda" in what for what in report.approximated)


def test_the_command_writes_a_scene_file_and_prints_the_report(tmp_path):
    written(tmp_path, "stage.usda")
    command = [sys.executable, "-m", "cairn.convert", "stage.usda"]
    done = subprocess.run([*command, "out.json"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "dropped: sleep at the start: all begin awake (/one)\n"
    assert cairn.load_scene(tmp_path / "out.json").bodies()[0].name == "/one"
    (tmp_path / "stage.usda").write_text(BAD["no physics"][0])
    done = subprocess.run([*command, "out.json"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith("error: stage.usda: ")


def test_an_open_stage_is_left_as_it_is():
    made = stage()
    body(made, "/one")
    before = made.GetRootLayer().ExportToString()
    first = convert.from_stage(made)[0].to_json()
    assert made.GetRootLayer().ExportToString() == before and convert.from_stage(made)[0].to_json() == first
    assert isinstance(Usd.Stage.Open(made.GetRootLayer()), Usd.Stage)
