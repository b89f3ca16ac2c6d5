"""Vector environments: Gymnasium's contract, and the cart-pole's equations."""

import subprocess
import sys

import numpy as np
import pytest

import cairn

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

from cairn import envs  # noqa: E402

ONE = cairn.WorldOptions(cairn.Device(threads=1))
DT = 0.02


class Fine(envs.CartPole):
    """With another number of substeps, and not started at random."""

    def __init__(self, substeps, start, **options):
        self.substeps, self.at = substeps, np.atleast_2d(start)
        super().__init__(len(self.at), world_options=ONE, **options)

    def scene(self):
        scene = super().scene()
        scene.set_params(scene.params().replace(substeps=self.substeps))
        return scene

    def start(self, mask):
        self.world.arrays.set_articulations(cairn.ArticulationArrays(q=self.at[:, 0::2], v=self.at[:, 1::2]), mask)


def equations(state, force):
    """Barto, Sutton and Anderson 1983, without friction; Florian 2007, equations 23 and 24 with none."""
    _, speed, angle, rate = state
    total, pole, half = 1.1, 0.1, 0.5
    pushed = (force + pole * half * rate**2 * np.sin(angle)) / total
    turn = (9.8 * np.sin(angle) - np.cos(angle) * pushed) / (half * (4 / 3 - pole * np.cos(angle) ** 2 / total))
    return np.array([speed, pushed - pole * half * turn * np.cos(angle) / total, rate, turn])


def exact(state, force, count=200):
    """After DT, by the classical Runge-Kutta method in `count` parts."""
    h = DT / count
    for _ in range(count):
        a = equations(state, force)
        b = equations(state + h / 2 * a, force)
        c = equations(state + h / 2 * b, force)
        state = state + h / 6 * (a + 2 * b + 2 * c + equations(state + h * c, force))
    return state


def random_states(count=40):
    return np.random.default_rng(1).uniform([-2, -3, -1.5, -4], [2, 3, 1.5, 4], (count, 4))


def after_a_step(substeps, states, actions):
    q, v = np.empty((len(states), 2)), np.empty((len(states), 2))
    env = Fine(substeps, states, autoreset_mode="Disabled")
    env.reset(seed=0)
    env.step(actions)
    env.world.arrays.get_articulations(cairn.ArticulationArrays(q=q, v=v))
    return np.stack([q[:, 0], v[:, 0], q[:, 1], v[:, 1]], 1)


def test_a_step_is_that_of_the_equations():
    states = random_states()
    actions = np.arange(len(states)) % 2
    wanted = np.array([exact(s, 20.0 * a - 10) for s, a in zip(states, actions)])
    error = {n: after_a_step(n, states, actions) - wanted for n in (1, 2, 4, 8, 16)}
    worst = {n: np.abs(e).max() for n, e in error.items()}
    rate = np.abs([equations(s, 20.0 * a - 10) for s, a in zip(states, actions)]).max()
    # first order: half the substep, half the error, and none by extrapolation but for terms of h^2
    for n in (1, 2, 4, 8):
        assert 1.8 < worst[n] / worst[2 * n] < 2.2
    assert np.abs(2 * error[16] - error[8]).max() < 0.05 * worst[16]
    assert worst[4] < rate * DT / 4
    euler = np.array([s + DT * equations(s, 20.0 * a - 10) for s, a in zip(states, actions)]) - wanted
    assert worst[4] < 0.5 * np.abs(euler).max()


def test_what_is_seen_is_the_state():
    states = random_states(8) * [1, 1, 0.1, 1]
    env = Fine(4, states, autoreset_mode="Disabled")
    seen, info = env.reset(seed=0)
    assert np.array_equal(seen, states.astype(np.float32)) and seen.dtype == np.float32 and info == {}
    again = env.step(np.ones(8, int))[0]
    assert not np.shares_memory(seen, again)
    # the pole of a cart that is pushed to the right falls to the left
    still = Fine(4, np.zeros(4))
    still.reset(seed=0)
    x, speed, angle, rate = still.step(np.array([1]))[0][0]
    assert x > 0 and speed > 0 and angle < 0 and rate < 0


def test_spaces_rewards_and_ends_are_cart_poles():
    theirs = gymnasium.make("CartPole-v1")
    env = gymnasium.make_vec("cairn/CartPole-v0", num_envs=3)
    assert env.single_observation_space == theirs.observation_space and env.single_action_space == theirs.action_space
    assert env.unwrapped.max_episode_steps == theirs.spec.max_episode_steps and env.num_envs == 3
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    seen, _ = env.reset(seed=5)
    assert seen in env.observation_space and np.abs(seen).max() < 0.05 and len(np.unique(seen)) == 12
    seen, reward, terminated, truncated, _ = env.step(env.action_space.sample())
    assert seen in env.observation_space and reward.tolist() == [1, 1, 1]
    assert terminated.dtype == truncated.dtype == bool and not (terminated | truncated).any()
    edge = np.array([[2.39, 0, 0, 0], [2.41, 0, 0, 0], [-2.41, 0, 0, 0], [0, 0, 0.2, 0], [0, 0, 0.22, 0], [0, 0, -0.22, 0]])
    at = Fine(4, edge, autoreset_mode="Disabled")
    at.reset(seed=0)
    assert at.step(np.zeros(6, int))[2].tolist() == [False, True, True, False, True, True]


class Single(gymnasium.Env):
    """A batch of one as an environment, for Gymnasium's checks of those."""

    def __init__(self):
        self.env = envs.CartPole(autoreset_mode="Disabled", world_options=ONE)
        self.observation_space, self.action_space = self.env.single_observation_space, self.env.single_action_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.env.reset(seed=seed)[0][0], {}

    def step(self, action):
        seen, reward, terminated, truncated, _ = self.env.step(np.array([action]))
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}


@pytest.mark.filterwarnings("ignore:.*infinity:UserWarning")
def test_gymnasiums_checks_pass():
    check_env(Single(), skip_render_check=True)


def test_gymnasiums_wrappers_take_it():
    env = wrappers.NormalizeObservation(
        wrappers.RecordEpisodeStatistics(envs.CartPole(4, autoreset_mode="NextStep", world_options=ONE))
    )
    env.reset(seed=1)
    lengths = []
    for _ in range(60):
        seen, _, terminated, _, info = env.step(np.ones(4, int))
        lengths += info["episode"]["l"][terminated].tolist() if "episode" in info else []
        assert seen.shape == (4, 4)
    # pushed to one side all the time, it falls within 8 to 11 steps
    assert len(lengths) >= 20 and set(lengths) <= {8, 9, 10, 11}


def run(env, actions, of=slice(None), seed=3):
    env.reset(seed=seed)
    total, ends = np.zeros(env.num_envs), 0
    for row in actions:
        _, reward, terminated, truncated, _ = env.step(row[of])
        total, ends = total + reward, ends + int((terminated | truncated).sum())
    return env.world.state_hashes(), total.tolist(), ends


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_a_world_is_the_same_in_any_split(mode):
    actions = np.random.default_rng(1).integers(0, 2, (150, 64))
    options = {"autoreset_mode": mode, "max_episode_steps": 30}
    hashes, rewards, ends = run(envs.CartPole(64, world_options=ONE, **options), actions)
    assert ends > 300 and len(set(hashes)) == 64
    one = run(envs.CartPole(1, first_world=17, world_options=ONE, **options), actions, slice(17, 18))
    assert one[:2] == (hashes[17:18], rewards[17:18])
    halves = [run(envs.CartPole(32, first_world=k, **options), actions, slice(k, k + 32)) for k in (0, 32)]
    assert halves[0][0] + halves[1][0] == hashes and halves[0][1] + halves[1][1] == rewards
    assert run(envs.CartPole(64, **options), actions, seed=4)[0] != hashes


def test_a_seed_begins_the_same_episodes_again():
    env = envs.CartPole(3, world_options=ONE)
    first = [env.reset(seed=8)[0], env.reset()[0], env.reset()[0]]
    assert len(np.unique(first)) == 36
    assert all(np.array_equal(a, b) for a, b in zip(first, [env.reset(seed=8)[0], env.reset()[0], env.reset()[0]]))
    assert not np.array_equal(envs.CartPole(3).reset()[0], envs.CartPole(3).reset()[0])
    # one world alone takes another seed
    some, _ = env.reset(seed=9, options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(some[[0, 2]], first[2][[0, 2]]) and np.array_equal(some[1], envs.CartPole(3).reset(seed=9)[0][1])


def test_random_numbers_are_cairns():
    keys = envs.world_keys(2**40 + 5, 1000, 5)
    assert np.array_equal(keys[2:], envs.world_keys(2**40 + 5, 1002, 3)) and len(set(keys.tolist())) == 5
    episode, step = np.array([0, 1, 2, 3, 70000]), np.zeros(5, int)
    drawn = envs.uniforms(keys, episode, step, 7, 2)
    for k in range(5):
        wanted = [u for i in (0, 1) for u in cairn.random_uniforms(int(keys[k]), int(episode[k]), 19, i)]
        assert np.array_equal(drawn[k], np.float32(wanted[:7]))
    later = envs.uniforms(keys, episode, step + 1, 7, 2)
    assert not (drawn == later).any() and np.array_equal(drawn[:, :3], envs.uniforms(keys, episode, step, 3, 2))


def fall(env):
    """Steps until an episode ends: what step gave then."""
    while True:
        given = env.step(np.ones(env.num_envs, int))
        if (given[2] | given[3]).any():
            return given


def test_same_step():
    env = envs.CartPole(2, world_options=ONE)
    env.reset(seed=1)
    seen, reward, terminated, _, info = fall(env)
    assert np.array_equal(info["_final_obs"], terminated) and reward.tolist() == [1, 1]
    assert (np.abs(info["final_obs"][terminated, 2]) > 0.2).all() and np.abs(seen[terminated]).max() < 0.05
    assert np.array_equal(seen[~terminated], info["final_obs"][~terminated])
    assert (env.episode == terminated).all() and (env.episode_steps[terminated] == 0).all()


def test_next_step():
    env = envs.CartPole(2, autoreset_mode=envs.AutoresetMode.NEXT_STEP, world_options=ONE)
    env.reset(seed=1)
    seen, _, ended, _, info = fall(env)
    assert not info and (np.abs(seen[ended, 2]) > 0.2).all()
    seen, reward, terminated, truncated, _ = env.step(np.ones(2, int))
    assert np.abs(seen[ended]).max() < 0.05 and np.array_equal(reward, ~ended)
    assert not (terminated | truncated)[ended].any() and (env.episode_steps[ended] == 0).all()


def test_disabled():
    env = envs.CartPole(2, autoreset_mode="Disabled", world_options=ONE)
    env.reset(seed=1)
    before, _, ended, _, _ = fall(env)
    with pytest.raises(RuntimeError, match="reset_mask"):
        env.step(np.ones(2, int))
    seen, _ = env.reset(options={"reset_mask": ended})
    assert np.abs(seen[ended]).max() < 0.05 and np.array_equal(seen[~ended], before[~ended])
    env.step(np.ones(2, int))


def test_episodes_are_cut_off():
    env = envs.CartPole(2, max_episode_steps=3, world_options=ONE)
    env.reset(seed=1)
    for i in range(6):
        _, _, terminated, truncated, info = env.step(np.array([0, 1]))
        assert not terminated.any() and truncated.tolist() == [i % 3 == 2] * 2 and ("final_obs" in info) == (i % 3 == 2)


class Walled(envs.CartPole):
    """World 1 begins beyond its limits."""

    def scene(self):
        scene = super().scene()
        scene.set_limits(cairn.WorldLimits(lower=(-1, -1, -5), upper=(1, 1, 5)))
        return scene

    def start(self, mask):
        super().start(mask & (self.episode == 0))
        out = np.array([[0, 0], [1.5, 0], [0, 0]])
        self.world.arrays.set_articulations(cairn.ArticulationArrays(q=out), mask & (self.episode == 0) & (out[:, 0] > 0))


def test_a_frozen_world_is_an_end():
    env = Walled(3, world_options=ONE)
    env.reset(seed=1)
    _, _, terminated, _, info = env.step(np.ones(3, int))
    assert terminated.tolist() == [False, True, False]
    assert cairn.StatusBit(int(info["status"][1])) == cairn.StatusBit.OUT_OF_BOUNDS and not info["status"][[0, 2]].any()
    _, _, terminated, _, info = env.step(np.ones(3, int))
    assert not terminated.any() and not info


def test_continuous_actions_push_as_told():
    env = envs.CartPole(3, continuous=True, world_options=ONE)
    assert env.single_action_space.shape == (1,)
    ends = envs.CartPole(2, first_world=1, world_options=ONE)
    env.reset(seed=1), ends.reset(seed=1)
    seen = env.step(np.array([[0.5], [-1], [1]], np.float32))[0]
    assert np.array_equal(seen[1:], ends.step(np.array([0, 1]))[0])
    # 5 N on 1.1 kg, but for the pole's part
    assert seen[0, 1] - env.reset(seed=1)[0][0, 1] == pytest.approx(5 / 1.1 * DT, rel=0.1)


def walls(push, **options):
    """Steps of each world's first episode, the tilt at its end [rad], its return, and the rate of tilting [rad/s]."""
    env = envs.TiltingWall(8, world_options=ONE, **options)
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space and not seen.any()
    rate = np.abs(env.rate)
    steps, tilt, total, going = np.zeros(8), np.zeros(8), np.zeros(8), np.ones(8, bool)
    while going.any():
        seen, reward, terminated, truncated, info = env.step(push(seen)[:, None])
        steps, total = steps + going, total + reward * going
        now = going & (terminated | truncated)
        if now.any():
            tilt[now] = np.abs(info["final_obs"][now, 0])
        going &= ~now
    return steps, tilt, total, rate


def test_a_wall_falls_as_a_block_that_turns_about_its_edge():
    steps, tilt, total, rate = walls(lambda seen: np.zeros(8))
    # with the tilt beyond atan(t / h) rising as w s, a block of height h and thickness t turns by p'' = k^2 (p + w s),
    # k^2 = 3 g / (4 r), r half its diagonal: p = w / k (sinh(k s) - k s), small angles
    thickness, height = 0.2, 0.6
    k = np.sqrt(3 * 9.81 / (2 * np.hypot(thickness, height)))
    turned = 0.1 / (height - 0.05)  # when bricks of the top course are 0.1 m away
    for fell, w in zip(tilt, rate):
        s = np.linspace(0, 2, 100000)
        end = s[np.searchsorted(w / k * (np.sinh(k * s) - k * s), turned)]
        # a step is w 0.02; that bricks of the block slide and rock by themselves is the rest
        assert abs(fell - np.arctan2(thickness, height) - w * end) < w * 0.02 + 0.002
    assert np.array_equal(total, steps) and (steps < 400).all()


def held(seen):
    beyond = np.sign(seen[:, 0]) * np.maximum(np.abs(seen[:, 0]) - 0.28, 0)
    return np.clip(-4 * beyond - 10 * seen[:, 6] - 5 * seen[:, 12], -1, 1)


def test_a_wall_is_held_by_pushes_on_its_top():
    steps, tilt, total, _ = walls(held)
    assert (steps == 500).all() and np.allclose(tilt, np.radians(24)) and (total > 480).all() and (total < 500).all()


def test_walls_are_the_same_in_any_split():
    actions = np.random.default_rng(1).uniform(-1, 1, (60, 4, 1))
    whole = run(envs.TiltingWall(4, max_episode_steps=25), actions)
    halves = [run(envs.TiltingWall(2, first_world=k, max_episode_steps=25), actions, slice(k, k + 2)) for k in (0, 2)]
    assert halves[0][0] + halves[1][0] == whole[0] and halves[0][1] + halves[1][1] == whole[1]


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (np.array([0, 1]), ValueError, r"actions: must be of shape \(3,\), is \(2,\)"),
        (np.zeros((3, 1), int), ValueError, r"actions: .*\(3, 1\)"),
        (np.array([0, 1, 2]), ValueError, r"actions\[2\]: must be 0 to 1, is 2"),
        (np.array([0, -1, 1]), ValueError, r"actions\[1\]"),
        (np.zeros(3), TypeError, "actions: must be whole numbers, is float64"),
        (np.array(["a", "b", "c"]), TypeError, "actions"),
        (None, ValueError, "actions"),
    ],
)
def test_bad_actions_raise_and_change_nothing(actions, error, message):
    env = envs.CartPole(3, world_options=ONE)
    env.reset(seed=1)
    before = env.world.state_hash()
    with pytest.raises(error, match=message):
        env.step(actions)
    assert env.world.state_hash() == before


@pytest.mark.parametrize("actions", [[[0], [2], [0]], [[0], [np.nan], [0]], [[0], [-np.inf], [0]]])
def test_bad_pushes_raise(actions):
    env = envs.CartPole(3, continuous=True, world_options=ONE)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions\[1\]\[0\]: must be -1.0 to 1.0"):
        env.step(np.array(actions))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs: must be 1 to 65535, is 0"),
        ({"num_envs": 65536}, "num_envs"),
        ({"first_world": -1}, "first_world"),
        ({"num_envs": 2, "first_world": 2**32 - 1}, "first_world"),
        ({"max_episode_steps": 0}, "max_episode_steps"),
        ({"autoreset_mode": "never"}, "autoreset_mode: must be one of NextStep, SameStep, Disabled"),
        ({"render_mode": "human"}, "render_mode"),
        ({"world_options": cairn.WorldOptions(cairn.Device("cuda"))}, "world_options.device: must be a CPU"),
    ],
)
def test_bad_options_raise(options, message):
    with pytest.raises(ValueError, match=message):
        envs.CartPole(**options)


def test_bad_resets_raise():
    env = envs.CartPole(3, world_options=ONE)
    with pytest.raises(RuntimeError, match="reset first"):
        env.step(np.zeros(3, int))
    with pytest.raises(RuntimeError, match="reset_mask"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="stream: must be 0 to 1000000000, is -1"):
        env.uniform(0, 1, 1, stream=-1)
    for arguments, error, message in [
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 2**64}, ValueError, "seed"),
        ({"seed": 1.5}, TypeError, "seed"),
        ({"seed": [1, 2, 3]}, TypeError, "seed"),
        ({"options": {"mask": 1}}, ValueError, "options: has 'mask'"),
        ({"options": {"reset_mask": np.ones(3)}}, ValueError, "reset_mask.*float64"),
        ({"options": {"reset_mask": [True]}}, ValueError, "reset_mask"),
    ]:
        with pytest.raises(error, match=message):
            env.reset(**arguments)


def test_pictures_and_the_end():
    env = envs.CartPole(2, render_mode="rgb_array", world_options=ONE)
    env.reset(seed=1)
    frames = env.render()
    assert len(frames) == 2 and frames[0].shape == (240, 320, 3) and len(np.unique(frames[0])) > 20
    assert envs.CartPole().render() is None
    env.close()
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(np.zeros(2, int))


def test_without_gymnasium_it_says_what_is_missing():
    program = "import sys; sys.modules['gymnasium'] = None; import cairn; import cairn.envs"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert out.returncode and "cairn.envs are environments of the package gymnasium: pip install gymnasium" in out.stderr


def test_the_package_passes_mypy_strict():
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-p", "cairn.envs"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
