"""Robots from MJCF and URDF: each feature in a small model of its own, against what mujoco says of it."""

import itertools
import math
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

import numpy
import pytest

import cairn

mujoco = pytest.importorskip("mujoco")

from cairn import convert  # noqa: E402

from twin import Twin  # noqa: E402

# what float32 turns and inertias are rounded by, times what a chain adds up
CLOSE = 1e-6


def load(tmp_path: pathlib.Path, xml: str, name: str = "robot.xml", **options):
    file = tmp_path / name
    file.write_text(xml)
    return convert.load(file, **options)


def both(tmp_path: pathlib.Path, body: str, rest: str = ""):
    """The scene and its report, and the model."""
    xml = f'<mujoco><option gravity="0.3 0.2 -9.81"/><worldbody>{body}</worldbody>{rest}</mujoco>'
    scene, report = load(tmp_path, xml)
    return scene, report, mujoco.MjModel.from_xml_string(xml)


def expect_twins(scene, report, model, states=20):
    differences = Twin(model, scene, report).differences(states)
    assert max(differences) < CLOSE, differences
    assert cairn.parse_scene(scene.to_json()).articulations() == scene.articulations()
    return differences


GEOM = '<geom type="box" size=".1 .05 .02" pos=".1 .02 0" euler="10 20 30"/>'
OTHER = '<geom size=".05" pos="0 0 -.2"/>'


# ---- bodies and joints ----

JOINTS = {
    "hinge": '<joint axis="1 2 3" pos=".1 .2 .3"/>',
    "hinge with ref": '<joint axis="0 -1 0" pos=".1 0 0" ref="40"/>',
    "hinge against x": '<joint axis="-1 0 0"/>',
    "slide": '<joint type="slide" axis="1 0 1"/>',
    "slide with ref": '<joint type="slide" axis="0 0 1" pos=".1 .1 0" ref=".3"/>',
    "ball": '<joint type="ball" pos="0 .1 .1"/>',
    "free": "<freejoint/>",
    "planar": '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>',
    "three hinges": '<joint axis="0 0 1" pos=".1 0 0"/><joint axis="0 1 0" ref="20"/><joint axis="1 0 0"/>',
    "slide and ball": '<joint type="slide" axis="1 1 0" armature=".1"/><joint type="ball"/>',
}


@pytest.mark.parametrize("name", JOINTS)
def test_a_joint_moves_what_hangs_from_it_as_in_mujoco(tmp_path, name):
    """Base, joint, link, fixed link, hinge: masses, forces and places of all of them."""
    tail = f'<body pos="0 0 -.3" euler="0 0 50">{OTHER}<body pos=".2 0 0"><joint axis="0 1 1"/>{OTHER}</body></body>'
    scene, report, model = both(tmp_path, f'<body pos="1 2 3" euler="30 20 10">{JOINTS[name]}{GEOM}{tail}</body>')
    expect_twins(scene, report, model)
    joints = JOINTS[name].count("joint")
    links = scene.articulations()[0].description.links
    assert len(links) == joints + 2
    assert [link.mass > 0 for link in links] == [False] * (joints - 1) + [True] * 3
    assert not report.dropped and not report.approximated


def test_masses_are_the_models_own(tmp_path):
    inertial = '<inertial pos=".1 .2 .3" mass="2" fullinertia=".3 .4 .5 .01 .02 .03"/>'
    scene, report, model = both(tmp_path, f"<body><joint/>{inertial}{GEOM}</body>")
    link = scene.articulations()[0].description.links[0]
    assert link.mass == 2 and link.centre_of_mass == (0.1, 0.2, 0.3)
    assert numpy.allclose(link.inertia.moments, (0.3, 0.4, 0.5), rtol=1e-6)
    assert numpy.allclose(link.inertia.products, (0.01, 0.02, 0.03), rtol=1e-5)
    expect_twins(scene, report, model)


def test_limits_and_what_resists_are_those_of_the_joint(tmp_path):
    joints = (
        '<joint name="turn" range="-30 60" damping=".1" armature=".2" frictionloss=".3"/>'
        '<joint name="shift" type="slide" range="-.1 .2" limited="true" axis="1 0 0"/>'
    )
    scene, report, model = both(tmp_path, f'<body name="b">{joints}{GEOM}</body>')
    turn, shift = (link.joint for link in scene.articulations()[0].description.links)
    assert (turn.damping, turn.armature, turn.friction) == (0.1, 0.2, 0.3)
    assert numpy.allclose((turn.lower, turn.upper), numpy.radians((-30, 60)))
    assert (shift.kind, shift.lower, shift.upper) == ("prismatic", -0.1, 0.2)
    assert report.joints == {"turn": ("b", 0, 0, 0), "shift": ("b", 1, 1, 1)}
    expect_twins(scene, report, model)


def test_a_link_without_mass_takes_no_shapes(tmp_path):
    """What is fixed to a link and weighs nothing is part of it: a shape stands where it stood."""
    tip = '<body name="tip" pos="0 0 .3" euler="0 90 0"><geom type="capsule" size=".01 .1" pos=".2 0 0" mass="0"/></body>'
    scene, report, model = both(tmp_path, f'<body name="b"><joint/>{GEOM}{tip}</body>')
    links = scene.articulations()[0].description.links
    assert [len(link.shapes) for link in links] == [2, 0]
    assert numpy.allclose(links[0].shapes[1].position, (0, 0, 0.1), atol=1e-7)
    assert report.bodies["tip"] == report.bodies["b"]
    expect_twins(scene, report, model)


def test_a_body_that_is_alone_and_floats_is_a_body(tmp_path):
    xml = f"""<mujoco><worldbody><body name="b" pos="1 2 3"><freejoint/>{GEOM}</body></worldbody>
      <keyframe><key name="home" qpos="1 2 4 .5 .5 .5 .5" qvel="1 2 3 .1 .2 .3"/></keyframe></mujoco>"""
    scene, report = load(tmp_path, xml)
    body = scene.bodies()[report.bodies["b"]]
    assert not scene.articulations() and body.type == "dynamic"
    assert body.position == (1, 2, 4) and body.orientation == (0.5, 0.5, 0.5, 0.5)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    velocity = numpy.zeros(6)
    # of the frame at the centre of mass, in the world's axes
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, 1, velocity, 0)
    assert numpy.allclose(body.angular_velocity, velocity[:3], rtol=1e-6)
    assert numpy.allclose(body.linear_velocity, velocity[3:], rtol=1e-6)
    assert body.mass == pytest.approx(model.body_mass[1], rel=1e-6)


def test_what_stands_and_what_is_led_are_bodies_of_their_kind(tmp_path):
    scene, report, _ = both(
        tmp_path,
        '<geom type="plane" size="1 1 1"/>'
        f'<body name="post" pos="1 0 0" euler="0 0 90"><geom size=".1"/><body name="arm" pos="1 0 0"><joint/>{OTHER}</body></body>'
        '<body name="hand" mocap="true" pos="0 0 1"><geom size=".1"/><body pos="0 0 .5"><geom size=".2"/></body></body>',
    )
    kinds = {body.name: (body.type, len(body.shapes)) for body in scene.bodies()}
    assert kinds == {"ground": ("static", 1), "post": ("static", 1), "hand": ("kinematic", 2), "arm/arm": ("dynamic", 1)}
    assert numpy.allclose(scene.bodies()[report.bodies["arm"]].position, (1, 1, 0), atol=1e-7)


def test_a_robot_without_geoms_moves_all_the_same(tmp_path):
    inertial = '<inertial pos=".1 0 .1" mass="1" diaginertia=".1 .1 .1"/>'
    scene, report, model = both(tmp_path, f"<body><joint/>{inertial}</body>")
    expect_twins(scene, report, model)
    assert any("no geoms" in what for what in report.approximated)


# ---- springs and actuators ----


def test_springs_are_drives_and_rest_where_the_model_says(tmp_path):
    body = f'<body name="b"><joint name="j" stiffness="7" springref="30" damping=".1" axis="0 1 0"/>{GEOM}</body>'
    scene, report, _ = both(tmp_path, body)
    joint = scene.articulations()[0].description.links[0].joint
    assert (joint.drive_stiffness, joint.drive_damping) == (7, 0)
    assert report.targets["b"].q == [pytest.approx(math.radians(30))]
    world = cairn.World(scene)
    report.start(world)
    for _ in range(20000):
        world.step()
    # what gravity turns it by, the spring holds
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0.3 0.2 -9.81"/><worldbody>{body}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    q = world.state(world.articulations.list()[0]).q[0]
    data.qpos[0] = q
    mujoco.mj_forward(model, data)
    assert data.qfrc_passive[0] == pytest.approx(data.qfrc_bias[0], abs=1e-4)


ACTUATORS = """<actuator>
  <position name="p" joint="a" kp="100" kv="5" gear="2" forcerange="-3 3" ctrlrange="-1 1"/>
  <velocity name="v" joint="b" kv="4"/>
  <motor name="m" joint="c" gear="10" ctrlrange="-2 2"/>
  <general name="g" joint="d" gainprm="6" biastype="affine" biasprm="3 -12 -1"/>
  <muscle name="w" joint="e"/>
</actuator>
<keyframe><key name="home" qpos="0 0 0 0 0" ctrl="0.5 2 0 1 0"/></keyframe>"""


def test_actuators_are_drives_with_their_targets(tmp_path):
    bodies, close = "", ""
    for name in "abcde":
        bodies += f'<body name="{name}" pos="0 0 .3"><joint name="{name}" axis="0 1 0" range="-90 90"/>{GEOM}'
        close += "</body>"
    scene, report, _ = both(tmp_path, bodies + close, ACTUATORS)
    a, b, c, d, e = (link.joint for link in scene.articulations()[0].description.links)
    assert (a.drive_stiffness, a.drive_damping, a.drive_max_force) == (400, 20, 6)
    assert (b.drive_stiffness, b.drive_damping, b.drive_max_force) == (0, 4, math.inf)
    assert (d.drive_stiffness, d.drive_damping) == (12, 1)
    assert all(j.drive_stiffness == j.drive_damping == 0 for j in (c, e))
    # 0.5 / gear; none; none; (6 + 3) / 12
    assert report.targets["a"] == cairn.ArticulationState([0.25, 0, 0, 0.75, 0], [0, 2, 0, 0, 0])
    p, v, m, g = (report.actuators[name] for name in "pvmg")
    assert (p.joint, p.kind, p.scale, p.offset, p.control_range) == ("a", "position", 0.5, 0, (-1, 1))
    assert (v.kind, v.scale, v.place.dof) == ("velocity", 1, 1)
    assert (m.kind, m.scale, m.control_range) == ("force", 10, (-2, 2))
    assert (g.kind, g.scale, g.offset) == ("position", 0.5, 0.25)
    assert any("muscle" in why and of == ['actuator "w"'] for why, of in report.dropped.items())


def test_an_actuator_pulls_as_hard_as_in_mujoco(tmp_path):
    """At rest on its target the drive gives what mujoco's actuator gives."""
    body = f'<body name="a"><joint name="a" axis="0 1 0"/>{GEOM}</body>'
    rest = '<actuator><position joint="a" kp="20" kv="2" gear="3"/></actuator>'
    scene, report, model = both(tmp_path, body, rest)
    world = cairn.World(scene)
    for _ in range(5000):
        world.step()
    data = mujoco.MjData(model)
    data.qpos[0] = world.state(world.articulations.list()[0]).q[0]
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[0] == pytest.approx(data.qfrc_bias[0], abs=1e-4)


def driven(tmp_path, joint: str, rest: str = ""):
    """A joint's drive on its way to what it would do, and the report."""
    scene, report, _ = both(tmp_path, f'<body name="b"><joint name="j" {joint}/>{GEOM}</body>', rest)
    return scene.articulations()[0].description.links[0].joint, report


SPRING = 'stiffness="100" springref="40"'
LIMIT = 'actuatorfrcrange="-1 1"'
LEFT_OFF = "limits of force of actuators are left off beside a spring"


def test_limits_of_actuators_limit_no_spring(tmp_path):
    motor = '<actuator><motor name="m" joint="j"/></actuator>'
    for rest in ("", motor):
        drive, report = driven(tmp_path, f"{SPRING} {LIMIT}", rest)
        assert (drive.drive_stiffness, drive.drive_max_force) == (100, math.inf)
        assert LEFT_OFF not in report.approximated
    servo = '<actuator><position name="p" joint="j" kp="10" {}/></actuator>'
    for joint, rest in ((LIMIT, servo.format("")), ("", servo.format('forcerange="-1 1"'))):
        drive, report = driven(tmp_path, joint, rest)
        assert (drive.drive_stiffness, drive.drive_max_force) == (10, 1) and not report.approximated
        drive, report = driven(tmp_path, f"{SPRING} {joint}", rest)
        assert (drive.drive_stiffness, drive.drive_max_force) == (110, math.inf)
        assert report.approximated[LEFT_OFF] == ['joint "j"']
    two = '<actuator><position joint="j" kp="10" forcerange="-1 1"/><velocity joint="j" kv="1" {}/></actuator>'
    assert driven(tmp_path, "", two.format('forcerange="-2 2"'))[0].drive_max_force == 3
    assert driven(tmp_path, LIMIT, two.format('forcerange="-2 2"'))[0].drive_max_force == 1
    drive, report = driven(tmp_path, "", two.format(""))
    assert drive.drive_max_force == math.inf and any("are left off" in what for what in report.approximated)


def test_actuators_with_dynamics_start_at_their_activation(tmp_path):
    def made(actuator: str, key: str):
        rest = f'<actuator>{actuator}</actuator><keyframe><key name="home" qpos=".1" {key}/></keyframe>'
        return driven(tmp_path, "", rest)

    drive, report = made('<intvelocity name="i" joint="j" kp="50" actrange="-1 1" gear="2"/>', 'act=".5" ctrl="0"')
    assert drive.drive_stiffness == 200 and report.targets["b"].q == [0.25]
    assert (report.actuators["i"].kind, report.actuators["i"].scale) == ("integral", 0.5)
    assert not any("at once" in what for what in report.approximated)
    _, report = made('<position name="p" joint="j" kp="50" timeconst=".1"/>', 'act=".5" ctrl=".2"')
    assert report.targets["b"].q == [0.5] and report.actuators["p"].kind == "position"
    assert any("at once" in what for what in report.approximated)
    _, report = made('<position name="p" joint="j" kp="50"/>', 'ctrl=".2"')
    assert report.targets["b"].q == [0.2]
    drive, report = made('<general name="g" joint="j" dyntype="integrator"/>', 'act=".5"')
    assert drive.drive_stiffness == 0 and not report.actuators
    assert report.dropped["its force goes by the integral of its control"] == ['actuator "g"']


def test_what_actuators_lack_is_reported(tmp_path):
    limits = "limits of force of actuators whose force programs set"
    motor = '<actuator><motor name="m" joint="j" {}/></actuator>'
    assert driven(tmp_path, "", motor.format('forcerange="-1 1"'))[1].dropped == {limits: ['actuator "m"']}
    assert driven(tmp_path, LIMIT, motor.format(""))[1].dropped == {limits: ['actuator "m"']}
    assert not driven(tmp_path, "", motor.format(""))[1].dropped
    model = mujoco.MjModel.from_xml_string('<mujoco><worldbody/></mujoco>')
    if hasattr(model, "actuator_delay"):
        late = '<actuator><position name="p" joint="j" delay=".1" nsample="3"/></actuator>'
        assert driven(tmp_path, "", late)[1].approximated == {"actuators act without their delay": ['actuator "p"']}


def test_numbers_are_pythons(tmp_path):
    rest = '<actuator><position name="p" joint="j" kp="9" inheritrange="1"/></actuator><keyframe><key name="home" ctrl="1"/></keyframe>'
    _, report = driven(tmp_path, 'range="-90 90"', rest)
    actuator = report.actuators["p"]
    for number in (actuator.scale, actuator.offset, *actuator.control_range, *report.targets["b"].q):
        assert type(number) is float
    assert str(report) == 'targets of "b", which a scene file lacks: [1.0]'


MOVING = {
    "springs": f'<body><joint axis="0 1 0" stiffness="9" springref="20" damping=".05"/>{GEOM}<body pos=".3 0 0">'
    f'<joint axis="0 1 1" stiffness="3"/>{GEOM}</body></body>',
    "several joints": f'<body><joint axis="0 0 1"/><joint axis="0 1 0"/>{GEOM}<body pos=".3 0 0">'
    f'<joint type="slide" axis="1 0 0" stiffness="50"/><joint axis="0 0 1"/>{GEOM}</body></body>',
    "afloat": f'<body><freejoint/>{GEOM}<body pos=".3 0 0"><joint type="ball" damping=".01"/>{GEOM}</body></body>',
}


@pytest.mark.parametrize("name", MOVING)
def test_motion_of_a_second_closes_in_on_mujocos_with_shorter_steps(tmp_path, name):
    """mujoco by Runge and Kutta at 0.1 ms is exact beside a method of first order."""
    scene, report, model = both(tmp_path, MOVING[name])
    model.opt.timestep, model.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT

    def off_by(steps: int) -> float:
        twin = Twin(model, scene, report)
        twin.set(model.qpos0, numpy.linspace(0.5, -0.5, model.nv))
        (part,), (at,) = twin.parts.values(), twin.q.values()
        target = report.targets.get(next(iter(twin.parts)))
        if target is not None:
            part.set_targets(target.q, target.v)
        for _ in range(steps):
            part.step(1 / steps)
        for _ in range(10000):
            mujoco.mj_step(model, twin.data)
        return float(numpy.abs(part.positions()[0] - twin.data.qpos[at]).max())

    coarse, fine = off_by(1000), off_by(2000)
    assert coarse < 0.1
    # of first order, or of second where that is small
    assert 1.7 < coarse / fine < 4.4


# ---- loops, filters, shapes ----


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
    assert any("cut anew" in what for what in report.approximated)


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


# ---- names ----


def test_links_that_would_have_one_name_have_two(tmp_path):
    inner = f'<body name="p:a" pos="0 0 -.3"><joint name="c"/>{OTHER}</body>'
    scene, report, model = both(
        tmp_path, f'<body name="p"><joint name="a"/><joint name="b" axis="0 1 0"/>{GEOM}{inner}</body>'
    )
    assert [link.name for link in scene.articulations()[0].description.links] == ["p:a'", "p", "p:a"]
    expect_twins(scene, report, model)


def test_elements_without_a_name_take_none_that_another_has(tmp_path):
    body = '<body name="{}" pos="{} 0 0"><freejoint/><geom size=".1"/></body>'
    scene, report, _ = both(tmp_path, "".join(body.format(name, i) for i, name in enumerate(("", "body#1", "body#1'"))))
    assert sorted(report.bodies) == ["body#1", "body#1'", "body#1''"]
    assert scene.bodies()[report.bodies["body#1''"]].position[0] == 0


# ---- the world, the start and the report ----


def test_gravity_steps_and_flags_are_the_models(tmp_path):
    xml = """<mujoco model="r"><option timestep="0.004" gravity="0 0 -3"/><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    scene, _ = load(tmp_path, xml)
    assert scene.name == "r" and scene.gravity() == pytest.approx((0, 0, -3))
    assert scene.params().dt == pytest.approx(0.004) and scene.params().substeps == 2
    flags = '<option><flag gravity="disable" contact="disable"/></option>'
    scene, _ = load(tmp_path, xml.replace("<worldbody>", flags + "<worldbody>"))
    assert scene.gravity() == (0, 0, 0) and scene.bodies()[0].shapes[0].filter.mask == 0


def test_keyframes_are_where_a_scene_starts(tmp_path):
    xml = f"""<mujoco><worldbody><body name="b"><joint name="j"/>{GEOM}</body></worldbody><keyframe>
      <key name="home" qpos=".5" qvel="1"/><key name="other" qpos=".7"/></keyframe></mujoco>"""
    start = load(tmp_path, xml)[0].articulations()[0].start
    assert (start.q, start.v) == ([0.5], [1])
    assert load(tmp_path, xml, keyframe="other")[0].articulations()[0].start.q == [0.7]
    with pytest.raises(convert.RobotFileError, match='robot.xml: there is no keyframe "none"'):
        load(tmp_path, xml, keyframe="none")


def test_quaternions_of_zeros_turn_nothing(tmp_path):
    ball = f'<body name="b" pos="0 0 1"><joint type="ball"/>{OTHER}</body>'
    xml = f"""<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body>{ball}
      <body name="m" mocap="true"><geom size=".1"/></body></worldbody><keyframe>
      <key name="home" qpos="0 0 2 0 0 0 0  0 0 0 0" mquat="0 0 0 0"/></keyframe></mujoco>"""
    scene, report = load(tmp_path, xml)
    for name in "abm":
        assert scene.bodies()[report.bodies[name]].orientation == (0, 0, 0, 1)
    assert scene.articulations()[0].start.q == [0, 0, 0, 1]


def test_an_override_of_contacts_is_reported(tmp_path):
    xml = '<mujoco><option o_friction="2 2 0 0 0"><flag override="enable"/></option><worldbody><geom size=".1"/></worldbody></mujoco>'
    assert any("override" in why for why in load(tmp_path, xml)[1].dropped)
    assert not load(tmp_path, xml.replace("enable", "disable"))[1].dropped


@pytest.mark.parametrize("axis", ["1 0 0", "0 1 0"])
def test_geoms_of_no_mass_bypass_no_rule(axis):
    """Two hinges about one axis; and two that line up at the start, but not elsewhere."""
    ball = '<geom size=".1"/>'
    inner = f'<body name="q"><joint axis="{axis}"/>{ball}<body name="r"><joint axis="1 0 0"/>{OTHER}</body></body>'
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody><body name="p"><joint axis="1 0 0"/>{ball}{inner}</body></worldbody>
        <keyframe><key name="bent" qpos="0 .5 0"/></keyframe></mujoco>"""
    )
    # as programs may make it: mujoco's reader refuses it
    model.body_mass[1:3] = 0
    with pytest.raises(cairn.InvalidArgument, match='"p", link "[pq]".*moves no mass'):
        convert.from_model(model)
    if axis == "0 1 0":
        scene, report = convert.from_model(model, "bent")
        assert report.approximated == {"geoms on a body without mass need a little": ['body "p"', 'body "q"']}
        assert all(link.shapes for link in scene.articulations()[0].description.links)


def test_the_report_names_what_is_left_out(tmp_path):
    _, report, _ = both(
        tmp_path,
        f'<light name="sun" pos="0 0 5"/><camera name="eye" pos="0 0 5"/><body name="b" gravcomp="1"><joint name="j" solreflimit=".1 1" range="-1 1"/>'
        f'<joint name="k" axis="1 0 0"/>{GEOM}<site name="s"/></body>',
        '<sensor><gyro name="gyro" site="s"/></sensor><equality><joint name="mimic" joint1="j" joint2="k"/></equality>'
        '<tendon><fixed name="cord"><joint joint="j" coef="1"/></fixed></tendon>'
        '<actuator><motor name="pull" tendon="cord"/></actuator>',
    )
    named = set(itertools.chain(*report.dropped.values()))
    assert named == {
        *('light "sun"', 'camera "eye"', 'site "s"', 'sensor "gyro"', 'tendon "cord"'),
        *('actuator "pull"', 'equality "mimic"', 'body "b"'),
    }
    assert report.dropped["couplings: joint"] == ['equality "mimic"']
    assert report.approximated == {
        "contacts, limits and equalities go by Cairn's solver, whatever solref and solimp say": ['joint "j"']
    }
    assert 'dropped: sensors (sensor "gyro")' in str(report).splitlines()


def test_urdf_is_read_with_its_packages(tmp_path):
    package = tmp_path / "share/robot_description"
    (package / "meshes").mkdir(parents=True)
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (package / "meshes/part.obj").write_text("\n".join(lines))
    (package / "urdf").mkdir()

    def link(name: str, mesh: str) -> str:
        inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>'
        return f'<link name="{name}">{inertial}<collision><geometry><mesh filename="{mesh}"/></geometry></collision></link>'

    joint = '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/>{3}</joint>'
    text = (
        '<robot name="r">'
        + "".join(link(name, "package://robot_description/meshes/part.obj") for name in ("base", "one", "two"))
        + joint.format("first", "base", "one", "")
        + joint.format("second", "one", "two", '<mimic joint="first" multiplier="2"/>')
        + "</robot>"
    )
    file = package / "urdf/robot.urdf"
    file.write_text(text)
    scene, report = convert.load(file)
    first, second = (link.joint for link in scene.articulations()[0].description.links)
    assert (first.kind, first.lower, first.upper) == ("revolute", -1, 2) and second.kind == "revolute"
    assert isinstance(scene.bodies()[report.bodies["one"]].shapes[0].geometry, cairn.ConvexHull)
    assert any("couplings" in why for why in report.dropped)
    assert any("inertias" in what for what in report.approximated)
    file.write_text(text.replace("part.obj", "gone.obj"))
    with pytest.raises(convert.RobotFileError, match="robot.urdf: .*gone.obj.*mesh"):
        convert.load(file)


def test_names_of_files_may_be_bytes_and_capitals(tmp_path):
    (tmp_path / "robot.xml").write_text(f'<mujoco><worldbody><body name="b"><joint/>{GEOM}</body></worldbody></mujoco>')
    assert convert.load(os.fsencode(tmp_path / "robot.xml"))[1].joints
    inertia = '<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>'
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4")
    mesh = '<collision><geometry><mesh filename="{}part.obj"/></geometry></collision>'
    link = f'<link name="{{}}"><inertial><mass value="1"/>{inertia}</inertial>{mesh}</link>'
    links = link.format("a", "") + link.format("b", "package://r/")
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    for name in ("robot.urdf", "ROBOT.URDF"):
        (tmp_path / name).write_text(f'<robot name="r">{links}{joint}</robot>')
        scene, report = convert.load(tmp_path / name)
        assert any("inertias" in what for what in report.approximated)
        assert all(isinstance(body.shapes[0].geometry, cairn.ConvexHull) for body in scene.bodies())


def test_a_model_that_is_read_makes_the_same_scene(tmp_path):
    (tmp_path / "robot.xml").write_text(f'<mujoco><worldbody><body name="b"><joint/>{GEOM}</body></worldbody></mujoco>')
    model, notes = convert.read(tmp_path / "robot.xml")
    assert convert.from_model(model)[0].to_json() == convert.load(tmp_path / "robot.xml")[0].to_json() and not notes
    with pytest.raises(convert.RobotFileError, match="gone.xml"):
        convert.read(tmp_path / "gone.xml")


# ---- bad files, and the command line ----

BAD = {
    "gone": (None, "robot.xml"),
    "empty": ("", "empty"),
    "noise": ("\x01\x02", "robot.xml"),
    "cut off": ("<mujoco><worldbody><body>", "[Ll]ine"),
    "unknown kind": ('<mujoco><worldbody><body><joint type="hunge"/></body></worldbody></mujoco>', "'hunge'.*'joint', line 1"),
    "no mass": ('<mujoco><worldbody><body name="b"><joint/></body></worldbody></mujoco>', "mass and inertia.*'b'"),
    "missing mesh": (
        '<mujoco><asset><mesh name="m" file="gone.stl"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>',
        "gone.stl.*mesh \"m\"",
    ),
    "missing include": ('<mujoco><include file="gone.xml"/></mujoco>', "gone.xml.*'include', line 1"),
    "includes itself": ('<mujoco><include file="robot.xml"/></mujoco>', "already included"),
    "two joints alike": (
        '<mujoco><worldbody><body name="b"><joint name="j"/><joint name="k"/><geom size=".1"/></body></worldbody></mujoco>',
        'link "b:j".*moves no mass',
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_file_and_element(tmp_path, name):
    text, message = BAD[name]
    file = tmp_path / "robot.xml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(convert.RobotFileError, match=f"(?s)robot.xml: .*{message}|{message}.*") as caught:
        convert.load(file)
    assert isinstance(caught.value, ValueError) and str(caught.value).startswith(str(file))


def test_includes_that_go_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
    (tmp_path / "b.xml").write_text('<mujoco><include file="a.xml"/></mujoco>')
    with pytest.raises(convert.RobotFileError, match="already included"):
        convert.load(tmp_path / "a.xml")


def command(*arguments: object, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cairn.convert", *map(str, arguments)], capture_output=True, text=True, cwd=cwd
    )


def test_the_command_writes_a_scene_file_and_prints_the_report(tmp_path):
    (tmp_path / "robot.xml").write_text(
        f'<mujoco><worldbody><camera name="eye"/><body><joint/>{GEOM}</body></worldbody></mujoco>'
    )
    done = command("robot.xml", "robot.json", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, 'dropped: cameras (camera "eye")\n', "")
    assert cairn.load_scene(tmp_path / "robot.json").articulations()
    assert stat.S_IMODE(os.stat(tmp_path / "robot.json").st_mode) & 0o600 == 0o600
    piped = command("robot.xml", "-", cwd=tmp_path)
    assert piped.stdout == (tmp_path / "robot.json").read_text() and "camera" in piped.stderr
    assert sorted(f.name for f in tmp_path.iterdir()) == ["robot.json", "robot.xml"]


def test_the_command_fails_with_the_codes_of_the_command_line(tmp_path):
    (tmp_path / "bad.xml").write_text("<mujoco>")
    (tmp_path / "robot.json").write_text("mine")
    failed = command("bad.xml", "robot.json", cwd=tmp_path)
    assert failed.returncode == 2 and failed.stderr.startswith("error: bad.xml: ") and not failed.stdout
    assert (tmp_path / "robot.json").read_text() == "mine"
    (tmp_path / "good.xml").write_text(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    assert command("good.xml", "robot.txt", cwd=tmp_path).returncode == 2
    assert command("good.xml", "nowhere/robot.json", cwd=tmp_path).returncode == 2
    assert command("good.xml", cwd=tmp_path).returncode == 2
    assert command("good.xml", "robot.json", "--keyframe", "none", cwd=tmp_path).returncode == 2
    (tmp_path / "folder.json").mkdir()
    assert command("good.xml", "folder.json", cwd=tmp_path).returncode == 4
    assert sorted(f.name for f in tmp_path.iterdir()) == ["bad.xml", "folder.json", "good.xml", "robot.json"]


def test_the_command_writes_through_links_to_where_they_lead(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    (here / "robot.xml").write_text(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    (here / "robot.json").symlink_to(there / "robot.json")
    # a draft beside the link could not be moved where that is another file system
    here.chmod(0o500)
    done = command(here / "robot.xml", here / "robot.json", cwd=tmp_path)
    here.chmod(0o700)
    assert done.returncode == 0, done.stderr
    assert (here / "robot.json").is_symlink() and [f.name for f in there.iterdir()] == ["robot.json"]
    other = pathlib.Path("/dev/shm")
    if other.is_dir() and other.stat().st_dev != tmp_path.stat().st_dev:
        with tempfile.TemporaryDirectory(dir=other) as far:
            (here / "far.json").symlink_to(f"{far}/far.json")
            done = command(here / "robot.xml", here / "far.json", cwd=tmp_path)
            assert (done.returncode, done.stderr) == (0, "") and os.listdir(far) == ["far.json"]


@pytest.mark.parametrize("scene", ["-", "robot.json"])
def test_a_stdout_that_takes_nothing_is_exit_code_4(tmp_path, scene):
    (tmp_path / "robot.xml").write_text(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    for stdout in ("> /dev/full", ">&-", "| true; exit ${PIPESTATUS[0]}"):
        if "full" in stdout and not os.path.exists("/dev/full"):
            continue
        program = f'"{sys.executable}" -c "import time; time.sleep(0.1); from cairn.convert.__main__ import main; raise SystemExit(main())"'
        done = subprocess.run(
            ["bash", "-c", f"{program} robot.xml {scene} {stdout}"], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 4, (stdout, done.stderr)
        assert done.stderr.startswith("error: stdout: ") and len(done.stderr.splitlines()) == 1, (stdout, done.stderr)
    if scene != "-":
        assert cairn.load_scene(tmp_path / scene).articulations()


@pytest.mark.parametrize("package, ending, reads", [("mujoco", "xml", "robots"), ("pxr", "usda", "USD")])
def test_without_its_package_the_error_says_what_to_install(tmp_path, package, ending, reads):
    name = {"pxr": "usd-core"}.get(package, package)
    message = f"cairn.convert reads {reads} by the package {name}: pip install {name}\n"
    hidden = f"import sys; sys.modules['{package}'] = None\n"
    maker = {"xml": "from_model", "usda": "from_stage"}[ending]
    for use in (f"from cairn.convert import load; load('r.{ending}')", f"from cairn import convert; convert.{maker}"):
        program = f"{hidden}try:\n    {use}\nexcept ModuleNotFoundError as error:\n    print(error)"
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert out == message
    program = f"{hidden}import runpy; runpy.run_module('cairn.convert', run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-c", program, f"r.{ending}", "r.json"], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (2, "error: " + message)


def test_the_package_passes_mypy_strict():
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "cairn.convert"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


# ---- robots of others ----


def suite() -> list[str]:
    try:
        from dm_control import suite as of
    except ImportError:
        return []
    files = pathlib.Path(of.__file__).parent.glob("*.xml")
    # lqr.xml is a template: its bodies are made by a program
    return sorted(str(file) for file in files if file.name != "lqr.xml")


@pytest.mark.parametrize("file", suite() or [pytest.param("", marks=pytest.mark.skip(reason="no dm_control"))])
def test_the_control_suite_is_what_mujoco_says(file):
    scene, report = convert.load(file)
    model = mujoco.MjSpec.from_file(file).compile()
    expect_twins(scene, report, model, states=5)
    world = cairn.World(scene)
    report.start(world)
    for _ in range(10):
        world.step()
    assert world.report().status == 0
