"""Learns to balance a pole on a cart by proximal policy optimisation (ppo.py).

pip install gymnasium jax optax && python ppo_cartpole.py [seed]
"""

import sys

import numpy as np
from ppo import ONE_THREAD, Learner, Settings, progress

from cairn import envs

WORLDS = 64
SETTINGS = Settings(updates=60, steps=64, minibatch=1024)
ENOUGH = 495  # [1] mean return that ends training, of 500


def evaluate(learner: Learner, seed: int, episodes: int = 100) -> float:
    """[1] mean return of the likeliest actions, in worlds that training hasn't seen."""
    env = envs.CartPole(episodes, first_world=2**20, world_options=ONE_THREAD)
    seen, _ = env.reset(seed=seed)
    returns, going = np.zeros(episodes), np.ones(episodes, bool)
    while going.any():
        seen, reward, terminated, truncated, _ = env.step(learner.act(seen))
        returns += reward * going
        going &= ~(terminated | truncated)
    env.close()
    return float(returns.mean())


def train(seed: int = 0, updates: int = SETTINGS.updates) -> Learner:
    env = envs.CartPole(WORLDS, world_options=ONE_THREAD)
    learner = Learner(env, SETTINGS, seed)
    while learner.updates < updates:
        learner.update()
        if learner.updates % 5 == 0:
            mean = evaluate(learner, seed + 1)
            progress(f"{learner.steps} steps: {mean:.1f}")
            if mean >= ENOUGH:
                break
    env.close()
    return learner


if __name__ == "__main__":
    start = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    learned = train(start)
    stands = evaluate(learned, start + 2)
    print(f"The pole stands for {stands:.1f} of 500 steps on average, after {learned.steps} steps of practice.")
