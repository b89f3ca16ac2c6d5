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
LOST = BODY.replace("{}", "").replace("prepend", "prepend references = {}\nprepend")
HINGE = (
    BODY.format("").replace("{", "{{").replace("}", "}}")
    + 'def PhysicsRevoluteJoint "j"\n{{\nrel physics:body1 = </b>\n{}\n}}\n'
)
MESH = 'def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"])\n{{\n{}\n}}\n'
STILL = 'def {} "b" (prepend apiSchemas = ["PhysicsCollisionAPI"])\n{{\ntoken axis = "W"\n}}\n'
ROUND = ("Capsule", "Cylinder", "Cone", "Plane")
OF_BODY = {
    'string radius = "big"': "radius must be a number, and is big",
    "float3 radius = (1, 2, 3)": "radius must be a number",
    "whatever radius = 3": "radius must be a number",
    'string physics:mass = "3"': "physics:mass must be a number, and is 3",
    "float physics:velocity = 3": "physics:velocity must be three numbers, and is 3",
    'string physics:velocity = "fast"': "physics:velocity must be three numbers",
    'string physics:centerOfMass = "here"': "physics:centerOfMass must be three numbers",
    'token physics:kinematicEnabled = "no"': "physics:kinematicEnabled must be true or false",
    'uniform token[] xformOpOrder = ["xformOp:spin"]': "Invalid xform op.*'spin'",
    "float xformOpOrder = 3": "xformOpOrder must be tokens",
    "int physics:simulationOwner = 3": "physics:simulationOwner must be a relationship",
}
OF_JOINT = {
    'uniform token physics:axis = "x"': 'physics:axis must be X, Y or Z, and is "x"',
    "int physics:axis = 0": "physics:axis must be a token, and is 0",
    "float3 physics:localRot0 = (1, 0, 0)": "physics:localRot0 must be a quaternion",
    "float physics:localPos1 = 1": "physics:localPos1 must be three numbers",
    "int physics:body0 = 1": "physics:body0 must be a relationship",
}
OF_MESH = {
    'string points = "x"': "points must be triples of numbers, and is x",
    "float[] points = [1, 2, 3]": "points must be triples of numbers",
    "point3f[] points = [(0, 0, 0)]\nfloat[] faceVertexCounts = [3.5]": "faceVertexCounts must be integers",
    "int[] faceVertexCounts = [3, -1]": "faceVertexCounts must be at least 0, and one is -1",
    "point3f[] points = [(0, 0, 0)]\nint holeIndices = 3": "holeIndices must be integers, and is 3",
}
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
    "not UTF-8": (ROOT + 'def Sphere "é" {\n}', "line 6 isn't UTF-8"),
    "up along x": (ROOT.replace('"Z"', '"X"') + BODY.format(""), 'upAxis of the stage must be Y or Z, and is "X"'),
    "gravity": (
        ROOT + 'def PhysicsScene "s"\n{\nstring physics:gravityDirection = "down"\n}\n' + BODY.format(""),
        "prim </s>: physics:gravityDirection must be three numbers, and is down",
    ),
    "missing sublayer": (
        ROOT.replace("(", "(\nsubLayers = [@gone.usda@]", 1) + BODY.format(""),
        "sublayer @gone.usda@ of @.*isn't there",
    ),
    "sublayer of noise": (
        ROOT.replace("(", "(\nsubLayers = [@./noise.usda@]", 1) + BODY.format(""),
        "sublayer @./noise.usda@ of @.*: .+",
    ),
    "missing geometry": (ROOT + LOST.format("@gone.usda@"), "prim </b>: .*@gone.usda@ for reference"),
    "missing prim": (ROOT + LOST.format("</gone>"), "prim </b>: .*</gone>"),
    "missing payload": (
        ROOT + LOST.format("@gone.usda@").replace("references", "payload"),
        "prim </b>: .*@gone.usda@ for payload",
    ),
    **{f"body's {text}": (ROOT + BODY.format(text), f"prim </b>: {said}") for text, said in OF_BODY.items()},
    **{f"axis of a {kind}": (ROOT + STILL.format(kind), '</b>: axis .* and is "W"') for kind in ROUND},
    **{f"joint's {text}": (ROOT + HINGE.format(text), f"prim </j>: {said}") for text, said in OF_JOINT.items()},
    **{f"mesh's {text}": (ROOT + MESH.format(text), f"prim </m>: {said}") for text, said in OF_MESH.items()},
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_file_and_prim(tmp_path, name):
    text, message = BAD[name]
    file = tmp_path / "stage.usda"
    file.write_bytes(text.encode("latin-1"))
    (tmp_path / "noise.usda").write_text("\x01\x02 noise")
    with pytest.raises(convert.RobotFileError, match=message) as caught:
        convert.load(file)
    assert "0x" not in str(caught.value)
    assert str(caught.value).startswith(f"{file}: ") and "\n" not in str(caught.value)


def test_files_that_are_gone_and_keyframes_are_refused(tmp_path):
    (tmp_path / "folder.usd").mkdir()
    with pytest.raises(convert.RobotFileError, match="folder.usd: it is a folder"):
        convert.load(tmp_path / "folder.usd")
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


def test_a_package_is_read_and_what_usd_warns_of_is_reported(tmp_path):
    from pxr import UsdUtils

    written(tmp_path, "stage.usdc")
    assert UsdUtils.CreateNewUsdzPackage(str(tmp_path / "stage.usdc"), str(tmp_path / "stage.usdz"))
    assert convert.load(tmp_path / "stage.usdz")[0].bodies()[0].name == "/one"
    (tmp_path / "top.usda").write_text(ROOT + BODY.format("") + 'def "one" (prepend references = </one>)\n{\n}')
    _, report = convert.load(tmp_path / "top.usda")
    (what,) = report.approximated
    assert what.startswith("USD warns: ") and "Cycle" in what and "0x" not in what


def test_what_is_off_may_refer_to_what_is_missing(tmp_path):
    (tmp_path / "stage.usda").write_text(
        ROOT + BODY.format("") + 'def "off" (active = false\nprepend references = @gone.usda@)\n{\n}'
    )
    assert convert.load(tmp_path / "stage.usda")[1].bodies == {"/b": 0}


def test_a_stage_whose_geometry_is_missing_is_refused():
    made = stage()
    body(made, "/one").GetReferences().AddReference("gone.usda")
    with pytest.raises(cairn.InvalidArgument, match="prim </one>: .*gone.usda"):
        convert.from_stage(made)


def test_what_nothing_foresaw_names_file_and_prim(tmp_path, monkeypatch):
    from cairn.convert import _usd

    monkeypatch.setattr(_usd, "_note_the_rest", lambda at, report: {}[at.number(at.prims[-1], "radius")])
    (tmp_path / "stage.usda").write_text(ROOT + BODY.format(""))
    with pytest.raises(convert.RobotFileError, match="stage.usda: prim </b>: KeyError: 1.0$") as caught:
        convert.load(tmp_path / "stage.usda")
    assert str(caught.value).startswith(f"{tmp_path / 'stage.usda'}: ")


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
