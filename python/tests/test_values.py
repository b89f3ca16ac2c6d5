"""Structs, enums and vectors between Python and C++."""

import copy
import math
import pickle

import numpy as np
import pytest

import cairn


def test_a_struct_has_its_defaults_of_cpp():
    body = cairn.Body()
    assert body.type == cairn.BodyType.DYNAMIC == "dynamic"
    assert body.gravity_scale == 1 and body.shapes == [] and body.mass is None
    assert cairn.Material(name="m").friction == 0.6  # float32 in C++
    assert cairn.WheelJoint().steering.mode == "locked"
    assert cairn.StepParams().substeps == 6


def test_an_unknown_member_is_a_type_error_that_names_the_nearest():
    with pytest.raises(TypeError, match="Body has no member 'mas'; did you mean 'mass'"):
        cairn.Body(mas=1)
    body = cairn.Body()
    with pytest.raises(AttributeError):
        body.mas = 1


def test_what_goes_in_comes_out_equal():
    scene = cairn.Scene()
    scene.add_material(cairn.Material(name="stone", density=2500, friction=0.45, restitution=0.1))
    body = cairn.Body(
        name="b",
        position=np.array([1.0, 2.0, 3.0]),
        shapes=[cairn.Shape(cairn.Capsule(0.25, 0.75), position=(0, 0, 0.1)), cairn.Shape(cairn.Tube(0.5, 0.2, 0.3))],
        point_masses=[cairn.PointMass(mass=2, position=(0, 1, 0))],
        density=1000,
        gravity_scale=0.3,
    )
    scene.add_body(body)
    assert scene.bodies() == [body]
    assert scene.materials()[0] == cairn.Material(name="stone", density=2500, friction=0.45, restitution=0.1)
    assert isinstance(scene.bodies()[0].shapes[0].geometry, cairn.Capsule)


def test_lists_in_a_struct_change_in_place():
    body = cairn.Body()
    body.shapes.append(cairn.Shape(cairn.Sphere(0.5)))
    body.shapes[0].geometry.radius = 0.25
    body.density = 1
    scene = cairn.Scene()
    scene.add_body(body)
    assert scene.bodies()[0].shapes[0].geometry.radius == 0.25


def test_values_are_copied_pickled_shown_and_replaced():
    joint = cairn.Joint(body_a=0, body_b=1, kind=cairn.HingeJoint(cairn.JointAxis(mode="limited", lower=-1, upper=1)))
    assert pickle.loads(pickle.dumps(joint)) == joint == copy.deepcopy(joint)
    assert "limited" in repr(joint) and "collide" not in repr(joint)
    assert joint.replace(name="j").name == "j" and joint.name == ""
    assert eval(repr(cairn.Box((1, 2, 3))), {"Box": cairn.Box}) == cairn.Box((1, 2, 3))


def test_words_are_enums_and_enums_are_words():
    params = cairn.StepParams(solver="xpbd", sweep=cairn.SweepKind.JACOBI)
    scene = cairn.Scene()
    scene.set_params(params)
    assert scene.params().solver is cairn.SolverKind.XPBD
    with pytest.raises(ValueError):
        cairn.StepParams(solver="xpdb")
    params.solver = "xpdb"
    with pytest.raises(ValueError, match="params.solver: must be one of soft_step, xpbd"):
        scene.set_params(params)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"mass": "3"}, TypeError, "body.mass: must be a number, is '3' \\(str\\)"),
        ({"shapes": [cairn.Shape(cairn.Sphere()), 7]}, TypeError, r"body.shapes\[1\]: must be Shape, is 7"),
        ({"shapes": [cairn.Shape("ball")]}, TypeError, r"body.shapes\[0\].geometry: must be one of sphere"),
        ({"shapes": [cairn.Shape(cairn.Sphere(), material=-1)]}, ValueError, r"body.shapes\[0\].material: must be 0 to"),
        ({"user_data": 2**64}, ValueError, "body.user_data"),
        ({"bullet": 1}, TypeError, "body.bullet: must be True or False"),
        ({"mass": math.nan}, ValueError, "mass"),
        ({"position": (0, math.nan, 0)}, ValueError, "position"),
        ({"gravity_scale": 1e300}, ValueError, "gravity_scale"),
    ],
)
def test_what_is_wrong_raises_and_says_where(change, error, message):
    scene = cairn.Scene()
    body = cairn.Body(density=1, shapes=[cairn.Shape(cairn.Sphere())])
    for name, value in change.items():
        setattr(body, name, value)
    with pytest.raises(error, match=message):
        scene.add_body(body)
    assert scene.bodies() == []


def test_every_struct_goes_there_and_back():
    from cairn import _core, _structs

    for described in _core._describe()["structs"]:
        plain = getattr(_structs, described["name"])()
        assert plain == copy.deepcopy(plain), described["name"]
        assert {m["name"] for m in described["members"]} == set(plain.__slots__)


def test_hulls_meshes_and_terrain():
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float32)
    hull = cairn.ConvexHull(corners)
    assert hull.vertices.shape == (8, 3) and hull == cairn.ConvexHull(corners.tolist())
    mesh = cairn.TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    assert mesh.triangles.tolist() == [[0, 1, 2]] and mesh.dropped == 0
    field = cairn.HeightField(np.zeros((3, 4), dtype=np.float32), 0.5)
    assert (field.rows, field.columns, field.spacing) == (3, 4, 0.5)
    with pytest.raises(ValueError):
        cairn.ConvexHull([(0, 0, 0), (1, 0, 0)])


def solids():
    points = np.random.default_rng(1).normal(size=(200, 3))
    yield cairn.ConvexHull(points)
    yield cairn.TriangleMesh([*points[:5], *points[:1]], [(0, 1, 2), (5, 3, 4), (1, 1, 2)])
    yield cairn.HeightField(points[:, 0].reshape(10, 20).astype(np.float32), 0.3)
    yield from (cairn.ConvexHull(), cairn.TriangleMesh(), cairn.HeightField())


@pytest.mark.parametrize("solid", list(solids()))
def test_hulls_meshes_and_terrain_are_values(solid):
    others = [copy.copy(solid), copy.deepcopy(solid), pickle.loads(pickle.dumps(solid))]
    assert all(other == solid and hash(other) == hash(solid) for other in others)
    body = cairn.Body(shapes=[cairn.Shape(solid)])
    assert pickle.loads(pickle.dumps(body)) == body == copy.deepcopy(body)


def test_zeros_of_both_signs_are_equal_in_a_hash():
    a, b = (cairn.HeightField(np.full((2, 2), zero, dtype=np.float32), 1) for zero in (0.0, -0.0))
    assert a == b and hash(a) == hash(b)


def test_vectors_are_tuples_however_they_are_set():
    body = cairn.Body()
    body.position = np.array([1, 2, 3])
    body.orientation = [0, 0, 1, 0]
    body.centre_of_mass = np.zeros(3)
    assert body.position == (1.0, 2.0, 3.0) and isinstance(body.position, tuple) and isinstance(body.orientation, tuple)
    assert "position=(1.0, 2.0, 3.0)" in repr(body) and body == copy.deepcopy(body) == pickle.loads(pickle.dumps(body))
    body.centre_of_mass = None
    with pytest.raises(TypeError, match="must be 3 numbers"):
        body.position = 3


def test_structs_that_hold_arrays_are_compared_and_shown():
    x = np.zeros((4, 3))
    a, b = cairn.StateArrays(position=x), cairn.StateArrays(position=x.copy())
    assert a == b and a != cairn.StateArrays() and cairn.StateArrays() != a
    assert a != cairn.StateArrays(position=x + 1) and a != cairn.StateArrays(position=np.zeros((4, 1)))
    assert repr(a).startswith("StateArrays(position=array(") and "orientation" not in repr(a)
    rope = cairn.ParticleSet()
    rope.positions = [np.zeros(3)]
    assert rope == copy.deepcopy(rope) and "positions" in repr(rope)


def test_handles_are_values():
    a, b = cairn.BodyHandle(3, 1), cairn.BodyHandle(3, 1)
    assert a == b and hash(a) == hash(b) and a and not cairn.BodyHandle()
    assert a != cairn.BodyHandle(3, 2) and a != cairn.JointHandle(3, 1) and len({a, b}) == 1
    assert pickle.loads(pickle.dumps(a)) == a
