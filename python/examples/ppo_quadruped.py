"""A robot dog learns to walk by proximal policy optimisation (ppo.py), in some minutes on one or two cores.

pip install gymnasium jax optax && python ppo_quadruped.py [seed]
"""

import sys

import numpy as np
from ppo import ONE_THREAD, Learner, Settings, progress

from cairn import envs

WORLDS = 128
SETTINGS = Settings(
    updates=240,
    steps=32,
    minibatch=1024,
    epochs=5,
    hidden=(128, 128),
    rate=1e-3,
    divergence=0.015,
    entropy=0,
    normalise=True,
)


def evaluate(learner: Learner, seed: int, episodes: int = 64) -> tuple[float, float, float]:
    """[m/s] mean speed along x in episodes of 10 s that training hasn't seen, by the likeliest actions; [m/s] the mean
    of what was commanded; [1] the share that fell, whose speed is that until then, over the whole time.
    """
    env = envs.QuadrupedWalk(episodes, first_world=2**20, autoreset_mode="Disabled", world_options=ONE_THREAD)
    seen, _ = env.reset(seed=seed)
    way, going, fell = np.zeros(episodes), np.ones(episodes, bool), np.zeros(episodes, bool)
    commanded = float(env.speed.mean())
    for _ in range(500):
        before = env.q[:, 0].copy()
        seen, _, terminated, truncated, _ = env.step(learner.act(seen))
        way += (env.q[:, 0] - before) * going
        fell |= terminated & going
        going &= ~(terminated | truncated)
        if terminated.any():
            seen, _ = env.reset(options={"reset_mask": terminated})
    env.close()
    return float(way.mean()) / (500 * env.params.dt), commanded, float(fell.mean())


def train(seed: int = 0, updates: int = SETTINGS.updates) -> Learner:
    env = envs.QuadrupedWalk(WORLDS, world_options=ONE_THREAD)
    learner = Learner(env, SETTINGS, seed)
    while learner.updates < updates:
        reward = learner.update()
        progress(f"{learner.steps} steps: reward {reward:.4f} a step")
    env.close()
    return learner


if __name__ == "__main__":
    start = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    learned = train(start)
    speed, wanted, fallen = evaluate(learned, start + 1)
    print(f"The dog walks at {speed:.2f} of {wanted:.2f} m/s, and falls in {100 * fallen:.0f} % of 64 episodes.")
