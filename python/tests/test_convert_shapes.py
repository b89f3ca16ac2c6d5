"""Loops, filters and shapes of MJCF, against what mujoco says of them."""

import itertools
import math

import numpy
import pytest

import cairn

mujoco = pytest.importorskip("mujoco")

from models import GEOM, both  # noqa: E402

def test_connect_and_weld_are_joints_where_the_model_has_them(tmp_path):
    bar = '<geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/>'
    scene, report, _ = both(
        tmp_path,
        f'<body name="a"><joint axis="0 1 0"/>{bar}<body name="b" pos=".5 0 0" euler="0 90 0"><joint axis="0 1 0"/>{bar}</body></body>'
        f'<body name="c" pos=".5 0 -1" euler="0 0 30"><joint axis="0 1 0"/>{bar}</body>',
        '<equality><connect name="pin" body1="b" body2="c" anchor=".5 0 0"/><weld name="glue" body1="a" body2="c"/>'
        '<weld name="ground" body1="c"/><weld name="off" active="false" body1="a" body2="c"/></equality>',
    )
    joints = {joint.name: joint for joint in scene.joints()}
    assert list(joints) == ["pin", "glue", "ground"]
    assert isinstance(joints["pin"].kind, cairn.BallJoint) and isinstance(joints["glue"].kind, cairn.FixedJoint)
    assert joints["pin"].collide
    world = cairn.World(scene)
    for handle in world.joints():
        a, b = world.anchors(handle)
        assert numpy.allclose(a.position, b.position, atol=1e-6)
        if world.description(handle).name != "pin":
            assert abs(abs(numpy.dot(a.orientation, b.orientation)) - 1) < 1e-6
    assert report.dropped["equalities that are off"] == ['equality "off"']
    world.step()
    assert world.report().status == 0


def test_a_loop_stays_shut(tmp_path):
    bar = '<geom type="capsule" size=".02" fromto="0 0 0 .5 0 0" contype="0" conaffinity="0"/>'
    scene, _, _ = both(
        tmp_path,
        f'<body name="a"><joint axis="0 1 0"/>{bar}<body name="b" pos=".5 0 0" euler="0 90 0"><joint axis="0 1 0"/>{bar}</body></body>'
        f'<body name="c" pos="0 0 -.5"><joint axis="0 1 0"/>{bar}</body>',
        '<equality><connect body1="b" body2="c" anchor=".5 0 0"/></equality>',
    )
    world = cairn.World(scene)
    for _ in range(500):
        world.step()
        a, b = world.anchors(world.joints()[0])
        assert numpy.linalg.norm(numpy.subtract(a.position, b.position)) < 2e-3
    # it did move
    assert abs(world.state(world.articulations.list()[0]).q[0]) > 0.1


def test_filters_have_mujocos_rule(tmp_path):
    pairs = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (4, 6), (0, 0), (6, 4), (1 << 31, 1)]
    bodies = "".join(
        f'<body name="b{i}" pos="{i} 0 0"><joint/><geom size=".1" contype="{c - (c >> 31 << 32)}" conaffinity="{a}"/></body>'
        for i, (c, a) in enumerate(pairs)
    )
    scene, report, _ = both(tmp_path, bodies)
    filters = [scene.bodies()[report.bodies[f"b{i}"]].shapes[0].filter for i in range(len(pairs))]
    for (i, (c, a)), (j, (d, b)) in itertools.combinations(enumerate(pairs), 2):
        f, g = filters[i], filters[j]
        touch = bool(f.category & g.mask) and bool(g.category & f.mask)
        assert touch == bool(c & b or d & a), (pairs[i], pairs[j])


def test_what_programs_add_touches_as_a_geom_that_says_nothing(tmp_path):
    kinds = [(1, 0), (0, 1), (2, 0), (2, 2), (3, 1), (0, 0)]
    bodies = "".join(
        f'<body name="b{i}" pos="{i} 0 0"><freejoint/><geom size=".1" contype="{c}" conaffinity="{a}"/></body>'
        for i, (c, a) in enumerate(kinds)
    )
    scene, report, _ = both(tmp_path, bodies)
    default = cairn.Filter()
    for i, (c, a) in enumerate(kinds):
        f = scene.bodies()[report.bodies[f"b{i}"]].shapes[0].filter
        assert bool(f.category & default.mask and default.category & f.mask) == bool(c & 1 or 1 & a), kinds[i]
    scene.add_body(cairn.Body(type="static", shapes=[cairn.Shape(cairn.Plane((0, 0, 1)))], position=(0, 0, -0.2)))
    world = cairn.World(scene)
    for _ in range(120):
        world.step()
    height = world.read_states().position[:, 2]
    assert height[report.bodies["b0"]] > -0.2 > height[report.bodies["b2"]]


def test_what_hangs_from_a_body_that_is_led_ignores_it(tmp_path):
    ball = '<geom size=".3"/>'
    tip = f'<body name="tip" pos="0 0 -.1"><joint/>{ball}</body>'
    scene, report, model = both(
        tmp_path,
        f'<body name="hand" mocap="true">{ball}<body name="palm">{ball}<body name="arm" pos="0 0 -.1"><joint/>{ball}'
        f'<body name="sleeve">{ball}</body>{tip}</body></body></body>',
    )
    index = report.bodies
    ignored = {frozenset((pair.a, pair.b)) for pair in scene.ignored()}
    pairs = [("hand", "arm"), ("hand", "sleeve"), ("arm", "sleeve"), ("arm", "tip"), ("sleeve", "tip")]
    assert ignored == {frozenset((index[x], index[y])) for x, y in pairs}
    # as mujoco has it: only the hand and the tip touch
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    bodies = {frozenset(int(model.geom_bodyid[g]) for g in contact.geom) for contact in data.contact}
    names = {frozenset(model.body(b).name for b in pair) for pair in bodies}
    assert names == {frozenset(("hand", "tip")), frozenset(("palm", "tip"))}


def test_what_ignores_each_other_in_mujoco_does_here(tmp_path):
    """A body and what hangs from it, with links without mass between; exclusions; not what hangs from the world."""
    hang = f'<body name="b" pos="0 0 -.1"><joint axis="1 0 0"/><joint axis="0 1 0"/>{GEOM}<body name="c" pos="0 0 -.1"><joint/>{GEOM}</body></body>'
    scene, report, _ = both(
        tmp_path,
        f'<geom size=".1"/><body name="a"><joint/>{GEOM}{hang}</body><body name="d"><freejoint/>{GEOM}</body>',
        '<contact><exclude body1="c" body2="d"/></contact>',
    )
    index = report.bodies
    ignored = {frozenset((pair.a, pair.b)) for pair in scene.ignored()}
    assert ignored == {frozenset((index[x], index[y])) for x, y in ("ab", "bc", "cd")}


def test_geoms_are_shapes_of_their_size(tmp_path):
    scene, report, model = both(
        tmp_path,
        """<geom type="hfield" hfield="h" pos="1 2 3"/><body name="b"><freejoint/>
        <geom type="sphere" size=".1"/><geom type="capsule" size=".1 .2"/><geom type="cylinder" size=".1 .3"/>
        <geom type="ellipsoid" size=".1 .2 .3"/><geom type="box" size=".1 .2 .3" pos="1 0 0" euler="0 0 90"/>
        <geom type="mesh" mesh="m" pos="0 1 0"/></body>""",
        """<asset><mesh name="m" vertex="0 0 0  1 0 0  0 1 0  0 0 1  .1 .1 .1"/>
        <hfield name="h" nrow="2" ncol="3" size="1 .5 2 .1" elevation="0 1 2  3 4 4"/></asset>""",
    )
    shapes = [s.geometry for s in scene.bodies()[report.bodies["b"]].shapes]
    assert shapes[:4] == [cairn.Sphere(0.1), cairn.Capsule(0.1, 0.2), cairn.Cylinder(0.1, 0.3), cairn.Ellipsoid((0.1, 0.2, 0.3))]
    box = scene.bodies()[report.bodies["b"]].shapes[4]
    assert box.geometry == cairn.Box((0.1, 0.2, 0.3)) and box.position == (1, 0, 0)
    assert numpy.allclose(box.orientation, (0, 0, math.sqrt(0.5), math.sqrt(0.5)))
    hull = scene.bodies()[report.bodies["b"]].shapes[5]
    assert len(hull.geometry.vertices) == 4
    # corners are where the model has them: its mesh is moved to its centre of mass
    x, y, z, w = hull.orientation
    turn = numpy.zeros(9)
    mujoco.mju_quat2Mat(turn, numpy.array([w, x, y, z]))
    corners = numpy.asarray(hull.geometry.vertices) @ turn.reshape(3, 3).T + hull.position
    assert numpy.allclose(sorted(map(tuple, corners.round(5))), [(0, 1, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0)], atol=1e-5)
    field = scene.bodies()[report.bodies["world"]].shapes[0]
    assert isinstance(field.geometry, cairn.HeightField) and field.position == (0, 1.5, 3)
    # rows of the file are along y, the first at the top of its picture or not: as mujoco's own data say
    assert numpy.allclose(field.geometry.heights, 2 * model.hfield_data.reshape(2, 3))


def test_a_height_field_of_oblong_cells_is_cut_anew(tmp_path):
    scene, report, _ = both(
        tmp_path,
        f'<geom type="hfield" hfield="h"/><body><freejoint/>{GEOM}</body>',
        '<asset><hfield name="h" nrow="2" ncol="3" size="1 1 1 .1" elevation="0 1 2  0 1 2"/></asset>',
    )
    heights = numpy.asarray(scene.bodies()[report.bodies["world"]].shapes[0].geometry.heights)
    assert numpy.allclose(heights, [[0, 0.5, 1]] * 3)
    assert any("cut into such" in what for what in report.approximated)


def test_a_hull_of_many_vertices_keeps_the_farthest(tmp_path):
    random = numpy.random.default_rng(1)
    points = random.normal(size=(3000, 3))
    points /= numpy.linalg.norm(points, axis=1)[:, None]
    vertices = " ".join(f"{c:.6f}" for c in points.ravel())
    scene, report, _ = both(
        tmp_path,
        '<body name="b"><freejoint/><geom type="mesh" mesh="m"/></body>',
        f'<asset><mesh name="m" vertex="{vertices}"/></asset>',
    )
    kept = numpy.asarray(scene.bodies()[report.bodies["b"]].shapes[0].geometry.vertices)
    assert 500 < len(kept) <= 1024
    # no plane that the ball touches is farther in than the flattest of the caps left out
    assert (kept @ points.T).max(axis=0).min() > 0.99
    assert any("vertices" in what for what in report.approximated)


def test_friction_is_the_larger_of_two_and_rolls_where_condim_says(tmp_path):
    scene, _, _ = both(
        tmp_path,
        '<geom type="plane" size="1 1 1" friction=".3"/><body><freejoint/><geom size=".1" friction=".7 .01 .002" condim="6"/></body>',
    )
    assert scene.params().friction_mix == scene.params().rolling_mix == "max"
    kinds = {(round(m.friction, 6), round(m.rolling_friction, 6)) for m in scene.materials()}
    # either brings its own to a pair, whatever its own condim
    assert kinds == {(0.3, 0.0001), (0.7, 0.002)}


@pytest.mark.parametrize("floor, foot", [*itertools.product((1, 3, 4, 6), repeat=2)])
def test_two_geoms_rub_by_the_larger_condim(tmp_path, floor, foot):
    scene, report, model = both(
        tmp_path,
        f'<geom name="floor" type="plane" size="1 1 1" friction=".1 0 .003" condim="{floor}"/>'
        f'<body pos="0 0 .09"><freejoint/><geom name="foot" size=".1" friction=".8 0 .001" condim="{foot}"/></body>',
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contact = data.contact[0]
    materials = [scene.materials()[body.shapes[0].material] for body in scene.bodies()]
    assert max(m.friction for m in materials) == pytest.approx(contact.friction[0] if contact.dim > 1 else 0)
    assert max(m.rolling_friction for m in materials) == pytest.approx(contact.friction[3] if contact.dim == 6 else 0)
    # where two of the smaller would meet, it differs
    named = set(itertools.chain(*report.approximated.values()))
    small = {f'geom "{name}"' for name, condim in (("floor", floor), ("foot", foot)) if condim < max(floor, foot)}
    assert named == (small if max(floor, foot) == 6 or min(floor, foot) == 1 else set())


def test_geoms_that_are_only_seen_touch_nothing(tmp_path):
    seen = '<geom size=".2" contype="0" conaffinity="0"/>'
    scene, report, _ = both(
        tmp_path, f'<body name="a"><joint/>{GEOM}{seen}</body><body name="b"><joint/>{seen}</body>'
    )
    a, b = (scene.bodies()[report.bodies[name]].shapes for name in "ab")
    assert len(a) == 1 and isinstance(a[0].geometry, cairn.Box)
    assert len(b) == 1 and (b[0].filter.category, b[0].filter.mask) == (0, 0)


def test_what_is_only_seen_brings_no_friction(tmp_path):
    scene, report, _ = both(
        tmp_path,
        '<geom type="plane" size="1 1 1" condim="1"/><body><freejoint/><geom size=".1" condim="1"/>'
        '<geom size=".1" condim="6" contype="0" conaffinity="0"/></body>',
    )
    assert [(m.friction, m.rolling_friction) for m in scene.materials()] == [(0, 0)]
    assert not report.approximated
