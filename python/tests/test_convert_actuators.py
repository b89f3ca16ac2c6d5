"""Springs and actuators of MJCF, and motion against mujoco."""

import math

import numpy
import pytest

import cairn

mujoco = pytest.importorskip("mujoco")

from cairn import convert  # noqa: E402

from models import GEOM, both, expect_closing_in  # noqa: E402


def test_springs_rest_where_the_model_says(tmp_path):
    body = f'<body name="b"><joint name="j" stiffness="7" springref="30" damping=".1" axis="0 1 0"/>{GEOM}</body>'
    scene, report, _ = both(tmp_path, body)
    joint = scene.articulations()[0].description.links[0].joint
    assert (joint.spring_stiffness, joint.drive_stiffness, joint.drive_damping) == (7, 0, 0)
    assert joint.spring_rest == pytest.approx(math.radians(30)) and not report.targets
    world = cairn.World(scene)
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


def test_an_actuator_without_a_name_has_one_in_all_of_the_report(tmp_path):
    body = f'<body name="a"><joint name="a" axis="0 1 0"/>{GEOM}</body>'
    motors = '<actuator><motor joint="a" forcerange="-1 1"/><muscle joint="a" lengthrange="0 1"/></actuator>'
    _, report, _ = both(tmp_path, body, motors)
    assert list(report.actuators) == ["actuator#0"]
    assert sorted(report.dropped.values()) == [["actuator#0"], ["actuator#1"]]


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


def test_limits_of_actuators_limit_no_spring(tmp_path):
    motor = '<actuator><motor name="m" joint="j"/></actuator>'
    for rest in ("", motor):
        joint, report = driven(tmp_path, f"{SPRING} {LIMIT}", rest)
        assert (joint.spring_stiffness, joint.drive_stiffness, joint.drive_max_force) == (100, 0, math.inf)
        assert not report.approximated
    servo = '<actuator><position name="p" joint="j" kp="10" {}/></actuator>'
    for limit, rest in ((LIMIT, servo.format("")), ("", servo.format('forcerange="-1 1"'))):
        for spring, stiffness in (("", 0), (SPRING, 100)):
            joint, report = driven(tmp_path, f"{spring} {limit}", rest)
            assert (joint.spring_stiffness, joint.drive_stiffness, joint.drive_max_force) == (stiffness, 10, 1)
            assert joint.drive_min_force == math.inf and not report.approximated
    two = '<actuator><position joint="j" kp="10" forcerange="-1 1"/><velocity joint="j" kv="1" {}/></actuator>'
    assert driven(tmp_path, "", two.format('forcerange="-2 2"'))[0].drive_max_force == 3
    joint, report = driven(tmp_path, LIMIT, two.format('forcerange="-2 2"'))
    assert joint.drive_max_force == 1 and "several actuators of a joint are one drive" in report.approximated
    joint, report = driven(tmp_path, "", two.format(""))
    assert joint.drive_max_force == math.inf and any("are left off" in what for what in report.approximated)


def test_limits_of_force_may_differ_by_sign(tmp_path):
    servo = '<actuator><position joint="j" kp="10" gear="{}" forcerange="{}"/></actuator>'

    def limits(gear: float, force: str, joint: str = ""):
        made, report = driven(tmp_path, joint, servo.format(gear, force))
        return made.drive_min_force, made.drive_max_force, list(report.approximated)

    assert limits(2, "-1 3") == (-2, 6, []) and limits(-2, "-1 3") == (-6, 2, [])
    assert limits(1, "-1 3", 'actuatorfrcrange="-2 2"') == (-1, 2, []) and limits(1, "1 3") == (1, 3, [])
    # a rope only pulls
    assert limits(1, "-70 0") == (-70, 0, [])
    assert limits(1, "-3 -1") == (-3, 0, ["limits of force that are both below 0 reach up to it"])


def test_springs_of_balls_that_rest_turned_are_drives(tmp_path):
    ball = '<body name="b"><joint name="j" type="ball" stiffness="5" {}/>' + GEOM + "</body>"
    scene, report, model = both(tmp_path, ball.format(""))
    joint = scene.articulations()[0].description.links[0].joint
    assert (joint.spring_stiffness, joint.drive_stiffness) == (5, 0) and not report.targets
    model.qpos_spring[:] = (math.cos(0.2), math.sin(0.2), 0, 0)
    scene, report = convert.from_model(model)
    joint = scene.articulations()[0].description.links[0].joint
    assert (joint.spring_stiffness, joint.drive_stiffness) == (0, 5)
    assert report.targets["b"].q == pytest.approx([math.sin(0.2), 0, 0, math.cos(0.2)])


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
    scene, report, model = both(tmp_path, MOVING[name])
    expect_closing_in(scene, report, model, model.qpos0, numpy.linspace(0.5, -0.5, model.nv))
