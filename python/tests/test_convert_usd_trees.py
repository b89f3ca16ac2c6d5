"""Articulations of UsdPhysics: trees of bodies on joints, and what closes loops in them."""

import math

import numpy
import pytest

import cairn

pytest.importorskip("pxr")

from pxr import UsdPhysics  # noqa: E402

from cairn import convert  # noqa: E402

from stages import body, joint, limit, place, stage, world_of  # noqa: E402

ARM = """<mujoco><worldbody><body name="a" pos="0 0 1">{joint}
<inertial pos=".1 0 .05" mass="2" diaginertia=".1 .2 .25"/>
<body name="b" pos=".4 0 0" quat=".9659258 0 0 .2588190"><joint axis="0 1 0"/>
<inertial pos="0 .1 0" mass="1.5" diaginertia=".03 .02 .04"/>
<body name="c" pos="0 0 -.3"><joint type="slide" axis="0 0 1"/>
<inertial pos="0 0 0" mass=".5" diaginertia=".01 .01 .01"/></body></body>
<body name="d" pos="0 .3 0"><joint type="ball"/><inertial pos="0 0 -.1" mass=".7" diaginertia=".02 .02 .01"/></body>
</body></worldbody></mujoco>"""


def arm(first: str, second_first: bool = False):
    """The same of UsdPhysics; `first` is the kind of the joint on the world."""
    made = stage()
    a_at = place((0, 0, 1))
    b_at = a_at @ place((0.4, 0, 0), degrees=30)
    a = body(made, "/robot/a", a_at, 2, (0.1, 0.2, 0.25), (0.1, 0, 0.05))
    b = body(made, "/robot/b", b_at, 1.5, (0.03, 0.02, 0.04), (0, 0.1, 0))
    c = body(made, "/robot/c", b_at @ place((0, 0, -0.3)), 0.5, (0.01, 0.01, 0.01))
    d = body(made, "/robot/d", a_at @ place((0, 0.3, 0)), 0.7, (0.02, 0.02, 0.01), (0, 0, -0.1))

    def add(kind: str, name: str, one, two, frames, **more):
        if second_first:
            one, two, frames = two, one, frames[::-1]
        return joint(made, kind, f"/robot/joints/{name}", one, two, frames, **more)

    if first == "hinge":
        add("RevoluteJoint", "first", None, a, (a_at, place()), axis="Z")
    elif first == "universal":
        of = add("Joint", "first", None, a, (a_at, place()))
        for axis in ("transX", "transY", "transZ"):
            limit(of, axis, 1, -1)
        limit(of, "rotX", -60, 60)
        limit(of, "rotY", -60, 60)
        limit(of, "rotZ", -60, 60)
    add("RevoluteJoint", "second", a, b, (place((0.4, 0, 0), degrees=30), place()), axis="Y")
    add("SphericalJoint", "fourth", a, d, (place((0, 0.3, 0)), place()))
    add("PrismaticJoint", "third", b, c, (place((0, 0, -0.3)), place()), axis="Z")
    UsdPhysics.ArticulationRootAPI.Apply(a if first == "free" else made.GetPrimAtPath("/robot"))
    return made


FIRST = {
    "hinge": '<joint axis="0 0 1"/>',
    "free": "<freejoint/>",
    "universal": '<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>',
}


@pytest.mark.parametrize("second_first", [False, True])
@pytest.mark.parametrize("first", FIRST)
def test_a_tree_has_the_mass_matrix_of_the_same_robot_in_mjcf(first, second_first, tmp_path):
    pytest.importorskip("mujoco")
    if first == "universal" and second_first:
        pytest.skip("three hinges are taken from the world outwards alone")
    (tmp_path / "arm.xml").write_text(ARM.format(joint=FIRST[first]))
    theirs, _ = convert.load(tmp_path / "arm.xml")
    ours, _ = convert.from_stage(arm(first, second_first))
    (one,), (two,) = theirs.articulations(), ours.articulations()
    # each link of the one at its place in the other
    names = [[link.name for link in which.description.links] for which in (one, two)]
    at = [rows_of(which.description) for which in (one, two)]
    rates = numpy.concatenate([range(*at[1][names[1].index(n)][1]) for n in renamed(names)])
    coordinates = numpy.concatenate([range(*at[1][names[1].index(n)][0]) for n in renamed(names)])
    # the file's coordinates are those of the second body in the first
    kinds = [link.joint.kind for link in one.description.links]
    sign = numpy.array([-1.0 if second_first and kind in ("revolute", "prismatic") else 1.0 for kind in kinds])
    signs = [numpy.repeat(sign, [stop - start for start, stop in (row[i] for row in at[0])]) for i in (0, 1)]
    random = numpy.random.default_rng(3)
    for _ in range(5):
        q = random.uniform(-0.8, 0.8, at[0][-1][0][1])
        for kind, (span, _) in zip(kinds, at[0], strict=True):
            if kind in ("ball", "free"):
                q[span[1] - 4 : span[1]] /= numpy.linalg.norm(q[span[1] - 4 : span[1]])
        mine = numpy.empty_like(q)
        mine[coordinates] = q * signs[0]
        matrices = []
        for which, state in ((one, q), (two, mine)):
            robots = cairn.Articulations(which.description, 1)
            robots.set_state(state, numpy.zeros(len(rates)))
            matrices.append(robots.mass_matrix()[0])
        found = matrices[1][numpy.ix_(rates, rates)] * numpy.outer(signs[1], signs[1])
        # float32 frames and inertias
        assert numpy.abs(found - matrices[0]).max() < 1e-6 * numpy.abs(matrices[0]).max()


def rows_of(of: cairn.Articulation) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Coordinates and rates of each link, first and past the last."""
    count = {"fixed": (0, 0), "revolute": (1, 1), "prismatic": (1, 1), "ball": (4, 3), "free": (7, 6)}
    q = v = 0
    rows = []
    for link in of.links:
        n, m = count[link.joint.kind]
        rows.append(((q, q + n), (v, v + m)))
        q, v = q + n, v + m
    return rows


def renamed(names: list[list[str]]) -> list[str]:
    """The second's names in the order of the first's: links without mass have names of their own."""
    bodies = [n for n in names[0] if ":" not in n]
    others = iter([n for n in names[1] if ":" in n])
    return [next(others) if ":" in n else next(b for b in bodies if b == n) for n in names[0]]


def test_rates_at_the_start_are_those_of_the_bodies():
    made = arm("hinge")
    UsdPhysics.RigidBodyAPI(made.GetPrimAtPath("/robot/a")).CreateAngularVelocityAttr((0, 0, 90))
    # at r from the axis, and turning with it: its own centre of mass is 0.1 m along y, turned by 30 degrees
    centre = (place((0, 0, 1)) @ place((0.4, 0, 0), degrees=30) @ place((0, 0.1, 0))).position
    w = math.radians(90)
    b = UsdPhysics.RigidBodyAPI(made.GetPrimAtPath("/robot/b"))
    b.CreateAngularVelocityAttr((0, 0, 90))
    b.CreateVelocityAttr(tuple(float(x) for x in numpy.cross((0, 0, w), centre)))
    at_c = (place((0, 0, 1)) @ place((0.4, 0, 0), degrees=30) @ place((0, 0, -0.3))).position
    c = UsdPhysics.RigidBodyAPI(made.GetPrimAtPath("/robot/c"))
    c.CreateAngularVelocityAttr((0, 0, 90))
    c.CreateVelocityAttr(tuple(float(x) for x in numpy.cross((0, 0, w), at_c) + (0, 0, 0.7)))
    scene, report = convert.from_stage(made)
    v = scene.articulations()[0].start.v
    expected = {"first": w, "second": 0, "third": 0.7}
    for name, rate in expected.items():
        assert v[report.joints[f"/robot/joints/{name}"].dof] == pytest.approx(rate, abs=1e-6)
    # the ball's body stands still, and so turns against the other
    dof = report.joints["/robot/joints/fourth"].dof
    assert v[dof : dof + 3] == pytest.approx([0, 0, -w], abs=1e-6)


def test_joints_that_close_loops_are_joints_of_the_scene():
    """Three bars on four hinges, the last of them not one of the articulation's own."""
    made = stage()
    bars = [body(made, f"/robot/bar{i}", place((0.5 * i, 0, 0.5))) for i in range(3)]
    ends = [
        (None, bars[0], (-0.25, 0, 0.5)),
        (bars[0], bars[1], None),
        (bars[1], bars[2], None),
        (bars[2], None, (1.25, 0, 0.5)),
    ]
    for i, (one, two, pin) in enumerate(ends):
        frames = (place(pin or (0.25, 0, 0)), place((-0.25, 0, 0)))
        if two is None:
            frames = (place((0.25, 0, 0)), place(pin))
        joint(made, "RevoluteJoint", f"/robot/pin{i}", one, two, frames, axis="Y", excludeFromArticulation=i == 3)
    UsdPhysics.ArticulationRootAPI.Apply(made.GetPrimAtPath("/robot"))
    scene, report = convert.from_stage(made)
    assert [j.name for j in scene.joints()] == ["/robot/pin3"]
    assert len(scene.articulations()[0].description.links) == 3 and not report.approximated
    world = world_of(scene)
    for _ in range(60):
        world.step()
        a, b = world.anchors(world.joints()[0])
        assert numpy.linalg.norm(numpy.subtract(a.position, b.position)) < 2e-3
    # without the mark the tree grows from both ends, and one of the pins closes it
    made.GetPrimAtPath("/robot/pin3").GetAttribute("physics:excludeFromArticulation").Set(False)
    scene, _ = convert.from_stage(made)
    assert len(scene.joints()) == 1 and len(scene.articulations()[0].description.links) == 3


def test_a_cone_bounds_a_ball_in_an_articulation():
    made = stage()
    arm_of = body(made, "/robot/arm", place((0.5, 0, 0)), 1)
    joint(
        made, "SphericalJoint", "/robot/ball", None, arm_of, (place(), place((-0.5, 0, 0))), axis="X",
        coneAngle0Limit=30.0, coneAngle1Limit=30.0,
    )  # fmt: skip
    UsdPhysics.ArticulationRootAPI.Apply(made.GetPrimAtPath("/robot"))
    scene, report = convert.from_stage(made)
    assert scene.articulations()[0].description.links[0].joint.kind == "ball"
    assert scene.joints()[0].kind.cone == pytest.approx(math.radians(30))
    world = world_of(scene)
    for _ in range(240):
        world.step()
    x, _, z = world.read_states().position[0]
    # it hangs in the cone, 30 degrees down
    assert math.degrees(math.atan2(-z, x)) == pytest.approx(30, abs=0.5)


def test_what_an_articulation_has_no_joint_for_hangs_by_one_of_the_scene():
    made = stage()
    one, two = body(made, "/robot/one"), body(made, "/robot/two", place((0, 0, -1)))
    joint(made, "FixedJoint", "/robot/base", None, one, (place(), place()))
    joint(made, "DistanceJoint", "/robot/rope", one, two, (place(), place()), minDistance=0.5, maxDistance=1.0)
    UsdPhysics.ArticulationRootAPI.Apply(made.GetPrimAtPath("/robot"))
    scene, _ = convert.from_stage(made)
    assert [link.joint.kind for link in scene.articulations()[0].description.links] == ["fixed", "free"]
    rope = scene.joints()[0].kind
    assert (rope.min_length, rope.max_length) == (0.5, 1.0)
