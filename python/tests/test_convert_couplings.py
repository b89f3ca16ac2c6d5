"""Equalities of joints, fixed tendons and what acts on them, against mujoco; mimic joints of URDF."""

import math

import numpy
import pytest

import cairn

mujoco = pytest.importorskip("mujoco")

from cairn import convert  # noqa: E402

from models import GEOM, OTHER, both, expect_closing_in, load  # noqa: E402
from twin import Twin  # noqa: E402

# stiff enough that what mujoco's equality gives way by is far below the error of a step of first order
STIFF = 'solref="0.0002 1" solimp="0.9999 0.9999 0.001 0.5 2"'
RIGID = "equalities are rigid, whatever their solref"
BY_SOLVER = "contacts, limits and equalities go by Cairn's solver, whatever solref and solimp say"


def fingers(first: str = "", second: str = "", third: str = "") -> str:
    """A slide and two hinges in a row: joints a, b and c."""
    return (
        f'<body name="a"><joint name="a" type="slide" axis="1 0 0" {first}/>{GEOM}'
        f'<body name="b" pos=".2 0 0"><joint name="b" axis="0 1 0" {second}/>{GEOM}'
        f'<body name="c" pos=".2 0 0"><joint name="c" axis="0 1 0" {third}/>{OTHER}</body></body></body>'
    )


def only(scene: cairn.Scene) -> cairn.ArticulationCoupling:
    (coupling,) = scene.articulations()[0].description.couplings
    return coupling


def terms_of(scene: cairn.Scene) -> dict[str, float]:
    """Of the only coupling, coefficients by link."""
    links = scene.articulations()[0].description.links
    return {links[term.link].name: term.coefficient for term in only(scene).terms}


def tendon(inner: str, terms: str = '<joint joint="b" coef="2"/><joint joint="c" coef="-1.5"/>') -> str:
    return f'<tendon><fixed name="t" {inner}>{terms}</fixed></tendon>'


# ---- equalities ----

HELD = {
    "two joints": '<joint joint1="c" joint2="b" polycoef=".3 -2 0 0 0"/>',
    "a hinge by a slide": '<joint joint1="b" joint2="a" polycoef=".1 5 0 0 0"/>',
    "one joint": '<joint joint1="b" polycoef=".25"/>',
    "two joints by nothing": '<joint joint1="b" joint2="c" polycoef=".2 0 0 0 0"/>',
    "a tendon": '<tendon tendon1="t" polycoef=".1"/>',
    "two tendons": '<tendon tendon1="t" tendon2="u" polycoef=".1 -3 0 0 0"/>',
}


@pytest.mark.parametrize("name", HELD)
def test_an_equality_holds_what_it_holds_in_mujoco(tmp_path, name):
    """At random coordinates the coupling is as far from where it is held as mujoco's equality."""
    tendons = (
        '<tendon><fixed name="t"><joint joint="b" coef="2"/><joint joint="c" coef="-1.5"/></fixed>'
        '<fixed name="u"><joint joint="a" coef="4"/><joint joint="b" coef="1"/></fixed></tendon>'
    )
    scene, report, model = both(
        tmp_path, fingers('ref=".3"', 'ref="20"', 'ref="-40"'), f"{tendons}<equality>{HELD[name]}</equality>"
    )
    assert not report.dropped and set(report.approximated) == {RIGID}
    coupling = only(scene)
    assert coupling.name == "equality#0" and coupling.lower == coupling.upper
    assert cairn.parse_scene(scene.to_json()).articulations() == scene.articulations()
    twin = Twin(model, scene, report)
    random = numpy.random.default_rng(1)
    for _ in range(5):
        twin.set_random(random)
        q = twin.parts["a"].positions()[0]
        missing = sum(term.coefficient * q[term.link] for term in coupling.terms) - coupling.lower
        assert missing == pytest.approx(twin.data.efc_pos[0], abs=1e-12)
        rates = {term.link: term.coefficient for term in coupling.terms}
        row = twin.data.efc_J.reshape(-1, model.nv)[0] if not mujoco.mj_isSparse(model) else None
        assert row is None or row == pytest.approx([rates.get(i, 0) for i in range(3)], abs=1e-12)


def test_an_equality_that_is_off_or_no_line_is_reported(tmp_path):
    bad = {
        "equalities that are off": '<joint name="off" joint1="b" joint2="c" active="false"/>',
        "couplings: joints by more than a line": '<joint name="bent" joint1="b" joint2="c" polycoef="0 1 2 0 0"/>',
        "couplings: tendons by more than a line": '<tendon name="curl" tendon1="t" tendon2="u" polycoef="0 1 0 1 0"/>',
    }
    two = tendon("") + tendon("").replace('"t"', '"u"')
    scene, report, _ = both(tmp_path, fingers(), f"{two}<equality>{''.join(bad.values())}</equality>")
    assert {why: of for why, of in report.dropped.items() if why in bad} == {
        "equalities that are off": ['equality "off"'],
        "couplings: joints by more than a line": ['equality "bent"'],
        "couplings: tendons by more than a line": ['equality "curl"'],
    }
    assert len(report.dropped) == 3 and not scene.articulations()[0].description.couplings
    flags = '<option><flag equality="disable"/></option>'
    _, report, _ = both(tmp_path, fingers(), f'{flags}<equality><joint name="e" joint1="b" joint2="c"/></equality>')
    assert report.dropped == {"equalities that are off": ['equality "e"']}


def test_sums_over_several_robots_are_reported(tmp_path):
    two = "".join(f'<body name="{n}"><joint name="{n}"/>{GEOM}</body>' for n in "ab")
    rest = (
        '<equality><joint name="e" joint1="a" joint2="b"/></equality>'
        '<tendon><fixed name="t" stiffness="1"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>'
        '<actuator><position name="p" tendon="t" kp="1"/></actuator>'
    )
    scene, report, _ = both(tmp_path, two, rest)
    assert report.dropped == {
        "couplings of several robots": ['equality "e"'],
        "tendons across several robots": ['tendon "t"'],
        "acts on a tendon that is dropped": ['actuator "p"'],
    }
    assert not report.actuators and not any(a.description.couplings for a in scene.articulations())


def test_mimic_joints_of_urdf_follow(tmp_path):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{inertial}</link>' for name in ("base", "one", "two"))
    joint = '<joint name="{}" type="continuous"><parent link="{}"/><child link="{}"/><axis xyz="0 1 0"/>{}</joint>'
    joints = joint.format("first", "base", "one", "") + joint.format(
        "second", "one", "two", '<mimic joint="first" multiplier="-2" offset="0.3"/>'
    )
    scene, report = load(tmp_path, f'<robot name="r">{links}{joints}</robot>', "robot.urdf")
    assert not report.dropped and terms_of(scene) == {"two": 1, "one": 2}
    assert (only(scene).lower, only(scene).upper) == (0.3, 0.3)
    world = cairn.World(scene)
    for _ in range(120):
        world.step()
    q = world.state(world.articulations.list()[0]).q
    # what was off is led back by a fifth a substep
    assert q[1] == pytest.approx(0.3 - 2 * q[0], abs=1e-6)


# ---- tendons ----


def test_a_fixed_tendon_is_a_coupling_of_its_length(tmp_path):
    inner = 'range="-.5 .7" stiffness="30" springlength=".2" damping=".4" frictionloss=".1"'
    scene, report, model = both(tmp_path, fingers("", 'ref="20"', ""), tendon(inner))
    assert not report.dropped and not report.approximated
    made = only(scene)
    assert made.name == "t" and terms_of(scene) == {"b": 2, "c": -1.5}
    assert cairn.parse_scene(scene.to_json()).articulations() == scene.articulations()
    assert (made.lower, made.upper, made.friction) == (-0.5, 0.7, 0.1)
    assert (made.spring_stiffness, made.spring_rest, made.damping) == (30, 0.2, 0.4)
    twin = Twin(model, scene, report)
    random = numpy.random.default_rng(2)
    for _ in range(5):
        twin.set_random(random)
        part = twin.parts["a"]
        length, rate = (
            sum(term.coefficient * values[0][term.link] for term in made.terms)
            for values in (part.positions(), part.rates())
        )
        assert length == pytest.approx(twin.data.ten_length[0], abs=1e-12)
        force = made.spring_stiffness * (made.spring_rest - length) - made.damping * rate
        assert twin.data.qfrc_passive == pytest.approx([0, 2 * force, -1.5 * force], abs=1e-10)


def test_a_tendon_that_nothing_acts_on_is_no_coupling(tmp_path):
    scene, report, _ = both(tmp_path, fingers(), tendon(""))
    assert not scene.articulations()[0].description.couplings and not report.dropped and not report.approximated


def test_what_tendons_lack_is_reported(tmp_path):
    _, report, _ = both(tmp_path, fingers(), tendon('armature=".1" margin=".01" range="0 1"'))
    assert report.dropped == {"margin of limits": ['tendon "t"'], "armature of tendons": ['tendon "t"']}
    scene, report, _ = both(tmp_path, fingers(), tendon('stiffness="2" springlength="0 .4"'))
    assert only(scene).spring_rest == 0.2
    assert report.approximated == {"springs of tendons that rest over a range pull to its middle": ['tendon "t"']}
    _, report, _ = both(tmp_path, fingers(), tendon('range="0 1" solreflimit=".1 1"'))
    assert report.approximated == {BY_SOLVER: ['tendon "t"']}
    sites = fingers().replace(GEOM, f'{GEOM}<site name="s"/>', 1).replace(OTHER, f'{OTHER}<site name="r"/>')
    spatial = '<tendon><spatial name="t"><site site="s"/><site site="r"/></spatial></tendon>'
    _, report, _ = both(tmp_path, sites, f'{spatial}<actuator><motor name="m" tendon="t"/></actuator>')
    assert report.dropped["spatial tendons"] == ['tendon "t"']
    assert report.dropped["acts on a tendon that is dropped"] == ['actuator "m"']


# ---- actuators on tendons ----


def acting(tmp_path, actuators: str, rest: str = ""):
    return both(tmp_path, fingers(), f"{tendon('')}<actuator>{actuators}</actuator>{rest}")


def test_a_position_actuator_on_a_tendon_is_a_drive_of_the_sum(tmp_path):
    servo = '<position name="p" tendon="t" kp="50" kv="3" gear="2" forcerange="-4 6" ctrlrange="-1 1"/>'
    key = '<keyframe><key name="home" ctrl=".5"/></keyframe>'
    scene, report, _ = acting(tmp_path, servo, key)
    made = only(scene)
    assert not report.dropped and not report.approximated
    assert (made.drive_stiffness, made.drive_damping) == (200, 12)
    assert (made.drive_min_force, made.drive_max_force) == (-8, 12)
    actuator = report.actuators["p"]
    assert (actuator.joint, actuator.kind, actuator.control_range) == ("t", "position", (-1, 1))
    assert actuator.place == report.joints["b"]
    assert actuator.others == ((report.joints["c"], -0.75),)
    # the tendon's length is to be the control over the gear
    target = report.targets["a"]
    assert 2 * target.q[1] - 1.5 * target.q[2] == pytest.approx(0.25)
    targets = cairn.ArticulationState([0, 0, 0.8], [0, 0, 0])
    actuator.set_target(0.6, targets)
    assert 2 * targets.q[1] - 1.5 * targets.q[2] == pytest.approx(0.3) and targets.q[2] == 0.8
    actuator.set_target(7, targets)
    assert 2 * targets.q[1] - 1.5 * targets.q[2] == pytest.approx(0.5)
    with pytest.raises(ValueError, match='"t"'):
        actuator.add_force(1, [0, 0, 0])


def test_tendons_take_off_the_targets_that_joints_have(tmp_path):
    """A joint with a servo of its own: the tendon sets the target of the other."""
    servos = '<position name="p" tendon="t" kp="50"/><position name="j" joint="b" kp="9"/>'
    scene, report, _ = acting(tmp_path, servos)
    assert not report.dropped and report.actuators["p"].place == report.joints["c"]
    targets = cairn.ArticulationState([0, 0, 0], [0, 0, 0])
    for name, control in zip(report.actuators, (0.4, 0.7), strict=True):
        report.actuators[name].set_target(control, targets)
    assert list(report.actuators) == ["j", "p"]
    assert targets.q[1] == 0.4 and 2 * 0.4 - 1.5 * targets.q[2] == pytest.approx(0.7)
    # the target's rate is 0 for the sum, whatever the joint's own
    servos = '<position name="p" tendon="t" kp="50" kv="1"/><velocity name="j" joint="b" kv="9"/>'
    _, report, _ = acting(tmp_path, servos, '<keyframe><key name="home" ctrl="0 2"/></keyframe>')
    target = report.targets["a"]
    assert target.v[1] == 2 and 2 * target.v[1] - 1.5 * target.v[2] == 0


def test_a_tendon_whose_joints_all_have_servos_has_no_drive(tmp_path):
    servos = '<position name="p" tendon="t" kp="50"/><position joint="b" kp="9"/><velocity joint="c" kv="9"/>'
    scene, report, _ = acting(tmp_path, servos)
    assert report.dropped == {"acts on a tendon all of whose joints have other targets": ['actuator "p"']}
    assert not scene.articulations()[0].description.couplings and "p" not in report.actuators


def test_tendons_that_share_joints_are_set_one_after_the_other(tmp_path):
    terms = {"t": {"a": 3, "b": 1}, "u": {"b": 2, "c": 1}, "w": {"a": 1, "b": 1, "c": 1}}
    tendons = "".join(
        f'<fixed name="{name}">' + "".join(f'<joint joint="{j}" coef="{c}"/>' for j, c in of.items()) + "</fixed>"
        for name, of in terms.items()
    )

    def made(names: str):
        servos = "".join(f'<position name="{name}" tendon="{name}" kp="10"/>' for name in names)
        rest = f"<tendon>{tendons}</tendon><actuator>{servos}</actuator>"
        return both(tmp_path, fingers(), rest)[1]

    # two: each has a joint that the other lacks
    report = made("tu")
    assert not report.dropped
    targets = cairn.ArticulationState([0, 0.9, 0], [0, 0, 0])
    controls = {"t": 0.3, "u": -0.4}
    for name, actuator in report.actuators.items():
        actuator.set_target(controls[name], targets)
    for name, control in controls.items():
        assert sum(c * targets.q["abc".index(j)] for j, c in terms[name].items()) == pytest.approx(control)
    # three: all joints are in two or more of them
    report = made("tuw")
    assert report.dropped == {"acts on a tendon all of whose joints have other targets": ['actuator "w"']}


def test_a_motor_on_a_tendon_pulls_each_joint_by_its_coefficient(tmp_path):
    scene, report, model = acting(tmp_path, '<motor name="m" tendon="t" gear="3" ctrlrange="-1 1"/>')
    assert not report.dropped and not scene.articulations()[0].description.couplings
    actuator = report.actuators["m"]
    assert actuator.kind == "force"
    data = mujoco.MjData(model)
    data.ctrl[0] = 0.7
    mujoco.mj_forward(model, data)
    forces = [0.0, 0.0, 0.0]
    actuator.add_force(0.7, forces)
    assert forces == pytest.approx(list(data.qfrc_actuator), abs=1e-12) and forces[1] == pytest.approx(4.2)
    with pytest.raises(ValueError, match='"t"'):
        actuator.set_target(1, cairn.ArticulationState([0, 0, 0], [0, 0, 0]))


def test_limits_of_joints_and_tendons_on_what_acts_through_a_tendon(tmp_path):
    limited = tendon('actuatorfrcrange="-1 2"')
    servo = '<actuator><position name="p" tendon="t" kp="50" forcerange="-5 1.5"/></actuator>'
    scene, report, _ = both(tmp_path, fingers(), limited + servo)
    assert (only(scene).drive_min_force, only(scene).drive_max_force) == (-1, 1.5) and not report.approximated
    _, report, _ = both(tmp_path, fingers(second='actuatorfrcrange="-1 1"'), tendon("") + servo)
    what = "limits of force of joints don't hold for what acts through a tendon"
    assert report.approximated == {what: ['joint "b"']}


def test_armature_and_damping_of_an_actuator_on_a_tendon(tmp_path):
    model = mujoco.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    if not hasattr(model, "actuator_damping"):
        pytest.skip("of mujoco 3.4 or later")
    scene, report, _ = acting(tmp_path, '<motor name="m" tendon="t" gear="2" damping="3" armature=".1"/>')
    assert only(scene).damping == 12 and report.dropped == {"armature of tendons": ['actuator "m"']}


# ---- motion ----

GRIPPER = (
    f'<body name="hand"><joint name="slide" type="slide" axis="0 0 1" stiffness="200" damping="2"/>{GEOM}'
    f'<body name="left" pos=".1 0 -.1"><joint name="left" axis="0 1 0" damping=".02"/>{OTHER}'
    f'<body name="tip" pos="0 0 -.2"><joint name="tip" axis="0 1 0" damping=".01"/>{OTHER}</body></body>'
    f'<body name="right" pos="-.1 0 -.1"><joint name="right" axis="0 1 0" damping=".02"/>{OTHER}</body></body>'
)
MIMIC = f'<equality><joint joint1="right" joint2="left" polycoef="0 -1 0 0 0" {STIFF}/></equality>'
SPLIT = (
    '<tendon><fixed name="split" {}><joint joint="left" coef=".5"/><joint joint="tip" coef=".5"/></fixed></tendon>'
    '<actuator><position name="grip" tendon="split" kp="{}" kv=".1" forcerange="{}"/></actuator>'
)
MOTIONS = {
    "mimic": (MIMIC, {}),
    "tendon": (SPLIT.format('damping=".01" stiffness="1" springlength=".1"', 4, "-10 10"), {"grip": 0.3}),
    "gripper": (MIMIC + SPLIT.format("", 4, "-10 10"), {"grip": 0.3}),
    # the drive gives all it can, on one side
    "weak": (MIMIC + SPLIT.format("", 40, "-.1 .3"), {"grip": 0.8}),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_a_gripper_moves_for_a_second_as_in_mujoco(tmp_path, name):
    rest, controls = MOTIONS[name]
    scene, report, model = both(tmp_path, GRIPPER, rest)
    assert not report.dropped
    # right = -left
    expect_closing_in(scene, report, model, [0.05, 0.4, -0.2, -0.4], [0.1, -1, 0.5, 1], controls)


def test_a_spring_beside_an_actuator_that_gives_all_it_can(tmp_path):
    """The limit of the actuator's force holds, and the spring has none."""
    body = f'<body name="b"><joint name="j" axis="0 1 0" stiffness="8" springref="-30" damping=".05"/>{GEOM}</body>'
    servo = '<actuator><position name="p" joint="j" kp="50" forcerange="-1 .5"/></actuator>'
    scene, report, model = both(tmp_path, body, servo)
    joint = scene.articulations()[0].description.links[0].joint
    assert (joint.spring_stiffness, joint.drive_stiffness) == (8, 50) and not report.approximated
    assert joint.spring_rest == pytest.approx(math.radians(-30))
    assert (joint.drive_min_force, joint.drive_max_force) == (-1, 0.5)
    for control in (1.0, -1.0):
        expect_closing_in(scene, report, model, [0.1], [0.5], {"p": control})


# ---- bad files ----

BAD = {
    "a joint that isn't there": ('<equality><joint joint1="b" joint2="gone"/></equality>', "gone"),
    "a ball in an equality": ('<equality><joint joint1="ball"/></equality>', "HINGE and SLIDE"),
    "a tendon of a joint that isn't there": ('<tendon><fixed><joint joint="gone" coef="1"/></fixed></tendon>', "gone"),
    "an actuator on a tendon that isn't there": ('<actuator><motor tendon="gone"/></actuator>', "gone"),
    "a tendon without joints": ('<tendon><fixed name="t"/></tendon>', "path|empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_coupling_is_refused(tmp_path, name):
    rest, message = BAD[name]
    ball = f'<body name="ball"><joint name="ball" type="ball"/>{GEOM}</body>'
    with pytest.raises(convert.RobotFileError, match=f"(?s)robot.xml: .*({message})"):
        load(tmp_path, f"<mujoco><worldbody>{fingers()}{ball}</worldbody>{rest}</mujoco>")
