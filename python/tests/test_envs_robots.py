"""Environments of robots: a dog that walks, and an arm that stacks boxes."""

import numpy as np
import pytest

import cairn

gymnasium = pytest.importorskip("gymnasium")

from cairn import envs  # noqa: E402

ONE = cairn.WorldOptions(cairn.Device(threads=1))
ROBOTS = [envs.QuadrupedWalk, envs.BoxStacking]


def actions_of(kind, steps, worlds, seed=1):
    return np.random.default_rng(seed).uniform(-1, 1, (steps, worlds, *kind.single_action_space.shape))


def run(env, actions, seed=3):
    env.reset(seed=seed)
    total, ends = np.zeros(env.num_envs), 0
    for row in actions:
        seen, reward, terminated, truncated, _ = env.step(row)
        assert np.isfinite(seen).all() and seen in env.observation_space
        total, ends = total + reward, ends + int((terminated | truncated).sum())
    return env.world.state_hashes(), total.tolist(), ends


@pytest.mark.parametrize("kind", ROBOTS)
def test_a_robot_is_the_same_in_any_split(kind):
    actions = actions_of(kind, 30, 6)
    options = {"max_episode_steps": 20}
    hashes, rewards, ends = run(kind(6, world_options=ONE, **options), actions)
    assert ends >= 6 and len(set(hashes)) == 6
    halves = [run(kind(3, first_world=k, **options), actions[:, k : k + 3]) for k in (0, 3)]
    assert halves[0][0] + halves[1][0] == hashes and halves[0][1] + halves[1][1] == rewards
    assert run(kind(6, world_options=ONE, **options), actions, seed=4)[0] != hashes


@pytest.mark.parametrize("kind", ROBOTS)
def test_a_mask_begins_some_episodes(kind):
    env = kind(4, autoreset_mode="Disabled", world_options=ONE)
    first, _ = env.reset(seed=8)
    assert first in env.observation_space and len(np.unique(first, axis=0)) == 4
    for row in actions_of(kind, 5, 4):
        seen, _, terminated, truncated, _ = env.step(row)
        assert not (terminated | truncated).any()
    mask = np.array([False, True, True, False])
    some, _ = env.reset(seed=8, options={"reset_mask": mask})
    assert np.array_equal(some[mask], first[mask]) and np.array_equal(some[~mask], seen[~mask])
    # the others know nothing of it
    other = kind(4, autoreset_mode="Disabled", world_options=ONE)
    other.reset(seed=8)
    for row in [*actions_of(kind, 5, 4), *actions_of(kind, 5, 4, 2)]:
        on, *_ = other.step(row)
    for row in actions_of(kind, 5, 4, 2):
        seen, *_ = env.step(row)
    assert np.array_equal(seen[~mask], on[~mask]) and not (seen[mask] == on[mask]).all(1).any()


@pytest.mark.parametrize(
    ("name", "kind", "seen", "actions", "steps"),
    [("QuadrupedWalk", envs.QuadrupedWalk, 46, 12, 500), ("BoxStacking", envs.BoxStacking, 47, 6, 400)],
)
def test_robots_are_registered(name, kind, seen, actions, steps):
    env = gymnasium.make_vec(f"cairn/{name}-v0", num_envs=2, world_options=ONE)
    assert isinstance(env.unwrapped, kind) and env.unwrapped.max_episode_steps == steps
    assert env.single_observation_space.shape == (seen,) and env.single_action_space.shape == (actions,)
    assert env.single_action_space.low.max() == -1 and env.single_action_space.high.min() == 1
    assert env.reset(seed=1)[0].dtype == np.float32


def test_a_dog_stands_by_itself():
    env = envs.QuadrupedWalk(6, autoreset_mode="Disabled", world_options=ONE)
    seen, _ = env.reset(seed=1)
    assert (np.abs(seen[:, 9:21]) <= 0.1).all()
    for i in range(500):
        seen, reward, terminated, truncated, _ = env.step(np.zeros((6, 12)))
        assert not terminated.any() and truncated.all() == (i == 499)
        assert (reward >= 0).all() and (reward <= 0.05).all()
    # at rest, upright, and on its place; the drives are springs: 12 kg on four bent knees turn each by some 0.15 rad
    assert np.abs(seen[:, 3:9]).max() < 0.1 and (seen[:, 2] < -0.99).all()
    assert np.abs(env.q[:, :2]).max() < 0.15 and np.abs(seen[:, 9:21]).max() < 0.3


def test_a_dog_weighs_12_kg_and_its_drives_bear_it():
    env = envs.QuadrupedWalk(2, world_options=ONE)
    env.reset(seed=1)
    feet = [cairn.ContactSensor(env.world.index_of(body)) for body in env.world.bodies(0)[1:]]
    joints = [cairn.JointSensor(0, link) for link in range(1, 13)]
    sensors = cairn.Sensors(env.world, cairn.SensorSet(contacts=feet, joints=joints))
    for _ in range(200):
        env.step(np.zeros((2, 12)))
        sensors.update()
    assert np.allclose(np.asarray(sensors["contact_force"])[:, :, 2].sum(1), 12 * 9.81, rtol=0.01)
    # what a joint bears about its axis is what its drive gives
    assert np.allclose(np.asarray(sensors["joint_wrench"])[:, :, 3], env.torque(), atol=0.02)


def test_a_dog_sees_itself_in_its_own_axes():
    env = envs.QuadrupedWalk(3, autoreset_mode="Disabled", world_options=ONE, speeds=(0.5, 0.5))
    env.reset(seed=1)
    half = np.array([0.3, 0.4, -0.2])  # turned about x, y and z, a world each
    q, v = env.q.copy(), np.zeros((3, 18))
    q[:, 3:6], q[:, 6], v[:, :3] = np.diag(np.sin(half)), np.cos(half), (1, 2, 3)
    env.world.arrays.set_articulations(cairn.ArticulationArrays(q=q, v=v))
    seen = env.observe()
    c, s = np.cos(2 * half), np.sin(2 * half)
    assert np.allclose(seen[:, :3], [(0, -s[0], -c[0]), (s[1], 0, -c[1]), (0, 0, -1)], atol=1e-6)
    velocity = [
        (1, 2 * c[0] + 3 * s[0], 3 * c[0] - 2 * s[0]),
        (c[1] - 3 * s[1], 2, 3 * c[1] + s[1]),
        (c[2] + 2 * s[2], 2 * c[2] - s[2], 3),
    ]
    assert np.allclose(seen[:, 6:9], velocity, atol=1e-5)
    assert not seen[:, 3:6].any() and (seen[:, 45] == 0.5).all()


def test_a_dog_that_falls_ends_its_episode():
    env = envs.QuadrupedWalk(3, autoreset_mode="Disabled", world_options=ONE)
    env.reset(seed=1)
    q = env.q.copy()
    q[1, 3:7] = np.sin(0.6), 0, 0, np.cos(0.6)  # it has rolled by 69 degrees
    q[2, 7:] = np.tile([0, 1.2, -2.6], 4)  # it lies
    q[2, 2] = 0.1
    env.world.arrays.set_articulations(cairn.ArticulationArrays(q=q))
    assert env.step(np.zeros((3, 12)))[2].tolist() == [False, True, True]


@pytest.mark.parametrize("speeds", [(0.5, 0.4), (-11, 0), (0, 11), (np.nan, 1)])
def test_bad_speeds_raise(speeds):
    with pytest.raises(ValueError, match="speeds: must be -10 to 10 m/s, the lesser first"):
        envs.QuadrupedWalk(speeds=speeds)


def test_the_arms_inverse_kinematics():
    generator = np.random.default_rng(1)
    point = generator.uniform([0.2, -0.4, 0.02], [0.45, 0.4, 0.3], (50, 3))
    turn = generator.uniform(-4, 4, 50)
    joints = envs.arm_joints(point, turn)
    assert np.allclose(envs.grasp_point(joints), point, atol=1e-12)
    assert np.allclose(joints[:, 1:4].sum(1), np.pi)  # the hand points down
    apart = (joints[:, 0] - joints[:, 4] - turn) / (np.pi / 2)
    assert np.allclose(apart, np.round(apart)) and np.abs(joints[:, 4]).max() <= np.pi / 4
    # the world's hand is there, too
    env = envs.BoxStacking(50, autoreset_mode="Disabled", world_options=ONE)
    env.reset(seed=1)
    env.world.arrays.set_articulations(cairn.ArticulationArrays(q=np.concatenate([joints, np.full((50, 2), 0.03)], 1)))
    seen = env.observe()
    assert np.allclose(seen[:, 18:21], point, atol=1e-6)
    fingers = env.position[:, -2:]
    assert np.allclose(np.linalg.norm(fingers[:, 0] - fingers[:, 1], axis=1), 2 * (0.03 + 0.006), atol=1e-6)
    assert np.allclose(fingers.mean(1)[:, :2], point[:, :2], atol=1e-6)
    assert np.allclose(seen[:, 21:24], env.position[:, 1] - point, atol=1e-6)


def test_fingers_hold_a_box_and_move_alike():
    env = envs.BoxStacking(4, autoreset_mode="Disabled", world_options=ONE)
    env.reset(seed=1)
    hand = np.array([0.4, 0, 0.3])
    # the box lies between the fingers, 5 mm off the middle
    env.world.arrays.set_articulations(
        cairn.ArticulationArrays(
            q=np.tile([*envs.arm_joints(hand, np.float64(0)), 0.033, 0.033], (4, 1)),
            target=np.tile([*envs.arm_joints(hand, np.float64(0)), 0.0, 0.0], (4, 1)),
        )
    )
    env.target[:, :5] = envs.arm_joints(hand, np.float64(0))
    env.position[:, 1], env.orientation[:, 1] = hand + (0, 0.005, 0), (0, 0, 0, 1)
    at = cairn.StateArrays(env.position.reshape(-1, 3), orientation=env.orientation.reshape(-1, 4))
    env.world.arrays.set_states(at)
    held = np.tile([0.0, 0, 0, 0, 0, -1], (4, 1))
    for _ in range(150):
        seen, _, terminated, _, info = env.step(held)
        assert np.abs(env.q[:, 5] - env.q[:, 6]).max() < 1e-6
    # between them, where it fell to at first; contacts give by 1 mm at 15 N
    assert np.abs(env.q[:, 5] - 0.025).max() < 0.0015 and not info["success"].any()
    before = seen[:, 21:24].copy()
    for _ in range(50):
        seen, *_ = env.step(held)
    assert np.abs(seen[:, 21:24] - before).max() < 0.001 and np.abs(before).max() < 0.012
    for _ in range(50):
        seen, *_ = env.step(np.tile([0.0, 0, 0, 0, 0, 1], (4, 1)))
    assert (env.position[:, 1, 2] < 0.03).all()


def placed(env, place, opening):
    """Boxes at (worlds, 2, 3), and fingers so far apart."""
    env.position[:, 1:3], env.orientation[:, 1:3] = place, (0, 0, 0, 1)
    at = cairn.StateArrays(env.position.reshape(-1, 3), orientation=env.orientation.reshape(-1, 4))
    env.world.arrays.set_states(at)
    env.q[:, 5:] = opening
    env.world.arrays.set_articulations(cairn.ArticulationArrays(q=env.q))


def test_success_is_a_box_on_the_other_that_was_let_go():
    env = envs.BoxStacking(5, autoreset_mode="Disabled", world_options=ONE)
    env.reset(seed=1)
    place = np.tile([[0.5, 0.1, 0.075], [0.5, 0.1, 0.025]], (5, 1, 1))
    place[1, 0] = 0.5, 0.2, 0.025  # beside it
    place[2, 0, 2] = 0.2  # falls
    place[3, 1, 0] = 0.81  # and this one is lost
    placed(env, place, np.array([[0.04], [0.04], [0.04], [0.04], [0.026]]))
    opened = np.tile([0.0, 0, 0, 0, 0, 1], (5, 1))
    opened[4, 5] = 0.3  # 0.026 m
    _, reward, terminated, _, info = env.step(opened)
    assert terminated.tolist() == [False, False, False, True, False]
    assert info["success"].tolist() == [True, False, False, False, False]
    assert reward[0] == 1 and (reward[1:] < 0.7).all() and (reward > 0).all()
