"""Articulations by themselves: a double pendulum against its equations, and the shapes of what is given and taken."""

import numpy as np
import pytest

import cairn

LENGTH, MASS, GRAVITY = 0.5, 2.0, 9.81


def pendulum(links: int = 2) -> cairn.Articulation:
    """Point masses at the ends of rods that turn about y, straight down at 0: x, about which joints turn, is along y."""
    turned = (0, 0, 0.5**0.5, 0.5**0.5)
    made = [
        cairn.ArticulationLink(
            name=f"link{i}",
            parent=cairn.WORLD_LINK if i == 0 else i - 1,
            joint=cairn.ArticulationJoint(kind="revolute"),
            frame_in_parent=cairn.JointFrame((0, 0, 0 if i == 0 else -LENGTH), turned),
            frame_in_link=cairn.JointFrame((0, 0, 0), turned),
            mass=MASS,
            centre_of_mass=(0, 0, -LENGTH),
            inertia=cairn.Inertia((1e-9, 1e-9, 1e-9)),
        )
        for i in range(links)
    ]
    return cairn.Articulation(name="pendulum", links=made, gravity=(0, 0, -GRAVITY))


def equations(q, v):
    """Mass matrix and bias forces of the double pendulum, with relative angles."""
    c, s = np.cos(q[1]), np.sin(q[1])
    m = MASS * LENGTH**2
    mass = m * np.array([[3 + 2 * c, 1 + c], [1 + c, 1]])
    turning = m * s * np.array([-2 * v[0] * v[1] - v[1] ** 2, v[0] ** 2])
    outer = MASS * GRAVITY * LENGTH * np.sin(q[0] + q[1])
    return mass, turning + np.array([2 * MASS * GRAVITY * LENGTH * np.sin(q[0]) + outer, outer])


@pytest.fixture
def many() -> cairn.Articulations:
    random = np.random.default_rng(3)
    made = cairn.Articulations(pendulum(), 5, "cpu")
    made.set_state(random.uniform(-2, 2, (5, 2)), random.uniform(-2, 2, (5, 2)))
    return made


def test_mass_matrix_and_bias_forces_are_those_of_the_equations(many):
    q, v = many.positions(), many.rates()
    mass, bias = many.mass_matrix(), many.inverse_dynamics(np.zeros((5, 2)))
    for i in range(5):
        wanted = equations(q[i], v[i])
        np.testing.assert_allclose(mass[i], wanted[0], rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(bias[i], wanted[1], rtol=1e-7, atol=1e-7)


def test_forward_dynamics_is_inverse_dynamics_backwards(many):
    forces = np.arange(10.0).reshape(5, 2)
    many.set_forces(forces)
    np.testing.assert_allclose(many.inverse_dynamics(many.forward_dynamics()), forces, atol=1e-9)


def test_a_jacobian_gives_the_velocity_of_a_point(many):
    tip = (0, 0, -LENGTH)
    jacobian = many.jacobian(1, tip)
    assert jacobian.shape == (5, 6, 2)
    velocity = np.einsum("nij,nj->ni", jacobian, many.rates())
    states = many.link_states()
    assert states.position.shape == (5, 2, 3) and states.orientation.shape == (5, 2, 4)
    # the tip is the centre of mass; states of links are float32 but for positions
    np.testing.assert_allclose(velocity[:, :3], states.linear_velocity[:, 1], atol=1e-5)
    np.testing.assert_allclose(velocity[:, 3:], states.angular_velocity[:, 1], atol=1e-5)
    q = many.positions()
    np.testing.assert_allclose(-states.position[:, 1, 2], LENGTH * np.cos(q[:, 0]), atol=1e-12)
    assert np.array_equal(many.jacobian(0)[:, :3], np.zeros((5, 3, 2)))


def test_a_step_is_what_the_description_says(many):
    before = many.positions().copy(), many.rates().copy()
    acceleration = many.forward_dynamics()
    h = 1e-6
    many.step(h)
    np.testing.assert_allclose(many.rates(), before[1] + h * acceleration, atol=1e3 * h**2)
    np.testing.assert_allclose(many.positions(), before[0] + h * before[1], atol=1e3 * h**2)
    one = cairn.Articulations(pendulum(), 1)
    one.set_state(before[0][2], before[1][2])
    one.step(h)
    assert np.array_equal(one.positions()[0], many.positions()[2]) and many.stopped().size == 0
    hashes = many.state_hash()
    many.step(0.01, substeps=4)
    assert many.state_hash() != hashes


def test_targets_drive_joints():
    description = pendulum(1)
    description.links[0].joint.drive_stiffness = 1e4
    description.links[0].joint.drive_damping = 1e2
    one = cairn.Articulations(description, 1)
    one.set_targets([[0.5]], [[0.0]])
    for _ in range(1000):
        one.step(0.01)
    torque = MASS * GRAVITY * LENGTH * np.sin(one.positions()[0, 0])
    assert one.positions()[0, 0] == pytest.approx(0.5 - torque / 1e4, abs=1e-9)


def test_a_description_is_a_copy_and_has_its_numbers():
    description = cairn.Articulation(
        name="free",
        links=[
            cairn.ArticulationLink(name="base", joint=cairn.ArticulationJoint(kind="free"), mass=1, inertia=cairn.Inertia((1, 1, 1))),
            cairn.ArticulationLink(
                name="arm", parent=0, joint=cairn.ArticulationJoint(kind="ball"), mass=1, inertia=cairn.Inertia((1, 1, 1))
            ),
        ],
    )
    made = cairn.Articulations(description, 3)
    assert (made.count(), made.coordinates(), made.dofs()) == (3, 11, 9)
    assert made.coordinate_of(1) == 7 and made.dof_of(1) == 6 and made.description() == description
    assert made.positions().shape == (3, 11) and made.mass_matrix().shape == (3, 9, 9)
    with pytest.raises(ValueError, match="no link 2"):
        made.jacobian(2)


@pytest.mark.parametrize(
    ("q", "error", "message"),
    [
        (np.zeros((5, 3)), ValueError, r"q: must be numbers \(5, 2\), is \(5, 3\)"),
        (np.zeros(11), ValueError, r"is \(11\)"),
        ([["0", "0"]] * 5, TypeError, r"q: must be numbers \(5, 2\)"),
        ([[0], [0, 0]], TypeError, "q: must be numbers"),
        ("zeros", TypeError, "q: must be numbers"),
        (np.full((5, 2), np.nan), ValueError, "finite|coordinates"),
    ],
)
def test_what_is_wrong_raises_and_changes_nothing(many, q, error, message):
    before = many.state_hash()
    with pytest.raises(error, match=message):
        many.set_state(q, np.zeros((5, 2)))
    assert many.state_hash() == before


@pytest.mark.parametrize("q", [[0] * 10, [[0.0, 0.0]] * 5, np.zeros((5, 2), dtype=np.float32), np.zeros((2, 5)).T, np.zeros(10)])
def test_numbers_are_given_in_any_form(many, q):
    many.set_state(q, q)
    assert not many.positions().any()


def test_none_at_all():
    none = cairn.Articulations(pendulum(), 0)
    none.step(0.1)
    assert none.positions().shape == (0, 2) and none.mass_matrix().shape == (0, 2, 2)
    assert none.link_states().position.shape == (0, 2, 3)
