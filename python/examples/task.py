"""A task of one's own: a box is pushed over a floor to the middle."""

import numpy as np
from gymnasium import spaces

import cairn
from cairn import envs


class Push(envs.VectorEnv):
    """Forces on a box along x, -1 to 1 times 20 N; x [m] and its rate [m/s] are seen; the reward is -x^2."""

    single_observation_space = spaces.Box(-np.inf, np.inf, (2,))
    single_action_space = spaces.Box(-1, 1, (1,))
    max_episode_steps = 120  # of 1/60 s

    def scene(self) -> cairn.Scene:
        scene = cairn.Scene()
        wood = scene.add_material(cairn.Material(name="wood", density=500, friction=0.1))
        scene.add_body(cairn.Body(type="static", shapes=[cairn.Shape(cairn.Plane(), material=wood)]))
        box = cairn.Shape(cairn.Box((0.1, 0.1, 0.1)), material=wood)  # 4 kg
        scene.add_body(cairn.Body(position=(0, 0, 0.1), shapes=[box]))
        return scene

    def start(self, mask: envs.Numbers) -> None:
        states = self.world.read_states()
        states.position[1::2, 0] = self.uniform(-1, 1, 1)[:, 0]  # each world has two bodies, floor and box
        at = cairn.StateArrays(position=states.position, orientation=states.orientation)
        self.world.arrays.set_states(at, mask)

    def act(self, actions: envs.Numbers) -> None:
        self.world.arrays["force"][1::2, 0] = 20 * actions[:, 0]
        self.world.arrays.written("loads")

    def observe(self) -> envs.Numbers:
        states = self.world.read_states()
        return np.stack([states.position[1::2, 0], states.linear_velocity[1::2, 0]], 1).astype(np.float32)

    def reward(self, seen: envs.Numbers) -> envs.Numbers:
        return -(seen[:, 0] ** 2)

    def terminated(self, seen: envs.Numbers) -> envs.Numbers:
        return np.abs(seen[:, 0]) > 3


env = Push(100)
seen, info = env.reset(seed=1)
total = np.zeros(100)
for _ in range(120):
    actions = np.clip(-5 * seen[:, :1] - 3 * seen[:, 1:], -1, 1)  # a spring and a damper
    seen, reward, terminated, truncated, info = env.step(actions)
    total += reward
far = np.abs(info["final_obs"][:, 0]).mean()
print(f"The boxes end {far:.2f} m from the middle on average; their return is {total.mean():.1f}.")
