"""Learns to balance a pole on a cart by proximal policy optimisation (Schulman et al. 2017), on the CPU: jax and optax.

    pip install gymnasium jax optax && python ppo_cartpole.py [seed]
"""

import os
import sys
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]

import cairn
from cairn import envs

WORLDS, STEPS = 64, 64  # of a batch: 4096 steps
UPDATES, EPOCHS, MINIBATCH = 60, 4, 1024
DISCOUNT, TRACE = 0.99, 0.95  # of rewards, and of advantages (Schulman et al. 2016)
RATE, CLIP, VALUE, ENTROPY = 2e-3, 0.2, 0.5, 0.005
HIDDEN = 64
ENOUGH = 495  # [1] mean return that ends training, of 500

Tree = Any
ONE_THREAD = cairn.WorldOptions(cairn.Device(threads=1))  # more gain nothing for so few and so small worlds
optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE))


def layers(key: jax.Array, outputs: int, scale: float) -> Tree:
    sizes, scales = (4, HIDDEN, HIDDEN, outputs), (2**0.5, 2**0.5, scale)
    keys = jax.random.split(key, 3)
    make = jax.nn.initializers.orthogonal
    return [(make(scales[i])(keys[i], sizes[i : i + 2]), jnp.zeros(sizes[i + 1])) for i in range(3)]


def through(net: Tree, x: jax.Array) -> jax.Array:
    for weights, bias in net[:-1]:
        x = jnp.tanh(x @ weights + bias)
    return jnp.asarray(x @ net[-1][0] + net[-1][1])


def sample(nets: Tree, seen: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Actions, the logarithms of their probabilities, and values."""
    logits = jax.nn.log_softmax(through(nets["policy"], seen))
    action = jax.random.categorical(key, logits)
    return action, jnp.take_along_axis(logits, action[:, None], 1)[:, 0], through(nets["value"], seen)[:, 0]


def loss(nets: Tree, batch: Tree) -> jax.Array:
    logits = jax.nn.log_softmax(through(nets["policy"], batch["seen"]))
    ratio = jnp.exp(jnp.take_along_axis(logits, batch["action"][:, None], 1)[:, 0] - batch["log_prob"])
    gain = (batch["advantage"] - batch["advantage"].mean()) / (batch["advantage"].std() + 1e-8)
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    value = jnp.square(through(nets["value"], batch["seen"])[:, 0] - batch["wanted"]).mean()
    entropy = -(jnp.exp(logits) * logits).sum(1).mean()
    return jnp.asarray(policy + VALUE * value - ENTROPY * entropy)


def update(nets: Tree, state: Tree, batch: Tree, key: jax.Array) -> tuple[Tree, Tree]:
    """All epochs over a batch."""

    def step(carry: Tree, rows: jax.Array) -> tuple[Tree, None]:
        nets, state = carry
        change, state = optimiser.update(jax.grad(loss)(nets, jax.tree.map(lambda a: a[rows], batch)), state)
        return (optax.apply_updates(nets, change), state), None

    count = WORLDS * STEPS
    order = jnp.concatenate([jax.random.permutation(k, count) for k in jax.random.split(key, EPOCHS)])
    (nets, state), _ = jax.lax.scan(step, (nets, state), order.reshape(-1, MINIBATCH))
    return nets, state


def greedy(nets: Tree, seen: jax.Array) -> jax.Array:
    return through(nets["policy"], seen).argmax(1)


act, improve, best, values = jax.jit(sample), jax.jit(update), jax.jit(greedy), jax.jit(lambda n, x: through(n["value"], x)[:, 0])


def collect(env: envs.CartPole, seen: Any, nets: Tree, key: jax.Array) -> tuple[Any, Tree]:
    """A batch of steps, with generalised advantages."""
    rows: dict[str, list[Any]] = {name: [] for name in ("seen", "action", "log_prob", "value", "reward", "ended")}
    for k in jax.random.split(key, STEPS):
        action, log_prob, value = map(np.asarray, act(nets, seen, k))
        after, reward, terminated, truncated, info = env.step(action)
        if truncated.any():  # it would have gone on: what was to come counts
            reward += DISCOUNT * np.asarray(values(nets, info["final_obs"])) * (truncated & ~terminated)
        for name, row in zip(rows, (seen, action, log_prob, value, reward, terminated | truncated)):
            rows[name].append(row)
        seen = after
    of = {name: np.array(row) for name, row in rows.items()}
    advantage = np.zeros((STEPS, WORLDS), np.float32)
    following, coming = np.asarray(values(nets, seen)), np.zeros(WORLDS)
    for t in reversed(range(STEPS)):
        on = 1.0 - of["ended"][t]
        coming = of["reward"][t] + DISCOUNT * on * following - of["value"][t] + DISCOUNT * TRACE * on * coming
        advantage[t], following = coming, of["value"][t]
    batch = {"advantage": advantage, "wanted": advantage + of["value"], **{k: of[k] for k in ("seen", "action", "log_prob")}}
    return seen, {name: a.reshape(WORLDS * STEPS, *a.shape[2:]) for name, a in batch.items()}


def evaluate(nets: Tree, seed: int, episodes: int = 100) -> float:
    """[1] mean return of the likeliest actions, in worlds that training hasn't seen."""
    env = envs.CartPole(episodes, first_world=2**20, world_options=ONE_THREAD)
    seen, _ = env.reset(seed=seed)
    returns, going = np.zeros(episodes), np.ones(episodes, bool)
    while going.any():
        seen, reward, terminated, truncated, _ = env.step(np.asarray(best(nets, seen)))
        returns += reward * going
        going &= ~(terminated | truncated)
    env.close()
    return float(returns.mean())


def train(seed: int = 0, updates: int = UPDATES) -> tuple[Tree, int]:
    """Networks that have learned, and the steps that it took."""
    key, policy, value = jax.random.split(jax.random.key(seed), 3)
    nets = {"policy": layers(policy, 2, 0.01), "value": layers(value, 1, 1.0)}
    state = optimiser.init(nets)
    env = envs.CartPole(WORLDS, world_options=ONE_THREAD)
    seen, _ = env.reset(seed=seed)
    done = 0
    for i in range(updates):
        key, first, second = jax.random.split(key, 3)
        seen, batch = collect(env, seen, nets, first)
        nets, state = improve(nets, state, batch, second)
        done += WORLDS * STEPS
        if i % 5 == 4:
            mean = evaluate(nets, seed + 1)
            if sys.stderr.isatty():
                print(f"\r{done} steps: {mean:.1f} ", end="", file=sys.stderr, flush=True)
            if mean >= ENOUGH:
                break
    env.close()
    return nets, done


if __name__ == "__main__":
    start = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    learned, steps = train(start)
    print(f"The pole stands for {evaluate(learned, start + 2):.1f} of 500 steps on average, after {steps} steps of practice.")
