"""Bodies and joints of MJCF: each kind in a small model of its own, against what mujoco says of it."""

import numpy
import pytest

mujoco = pytest.importorskip("mujoco")

from models import GEOM, OTHER, both, expect_twins, load  # noqa: E402

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
