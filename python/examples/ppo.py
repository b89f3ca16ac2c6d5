"""Proximal policy optimisation (Schulman et al. 2017) in jax and optax, for environments of cairn.envs."""

import math
import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]
from gymnasium import spaces

import cairn
from cairn import envs

Tree = Any
ONE_THREAD = cairn.WorldOptions(cairn.Device(threads=1))  # more gain little for so few and so small worlds
optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam())  # times the rate


class Settings(NamedTuple):
    updates: int  # batches to learn from
    steps: int  # of each world in a batch
    minibatch: int
    epochs: int = 4
    hidden: tuple[int, ...] = (64, 64)  # units of the layers of policy and value
    rate: float = 2e-3  # of learning, at first
    divergence: float | None = None  # of a policy from the batch's: above, learning gets slower; below, faster
    discount: float = 0.99  # of rewards
    trace: float = 0.95  # of advantages (Schulman et al. 2016)
    clip: float = 0.2
    value: float = 0.5  # weights of the loss
    entropy: float = 0.005
    spread: tuple[float, float] = (0.4, 0.1)  # of continuous actions, at the first update and after the last
    normalise: bool = False  # observations, by their mean and spread so far


@dataclass(frozen=True)
class Categorical:
    """One of some actions."""

    outputs: int

    def sample(self, out: jax.Array, spread: jax.Array, key: jax.Array) -> jax.Array:
        return jax.random.categorical(key, jax.nn.log_softmax(out))

    def log_prob(self, out: jax.Array, spread: jax.Array, action: jax.Array) -> jax.Array:
        return jnp.take_along_axis(jax.nn.log_softmax(out), action[:, None], 1)[:, 0]

    def entropy(self, out: jax.Array, spread: jax.Array) -> jax.Array:
        logits = jax.nn.log_softmax(out)
        return -(jnp.exp(logits) * logits).sum(1).mean()

    def best(self, out: jax.Array) -> jax.Array:
        return out.argmax(1)


@dataclass(frozen=True)
class Gaussian:
    """Numbers about a mean. A schedule sets their spread: learned spreads stayed so wide that the dog came to need the
    noise, and fell without it.
    """

    outputs: int

    def sample(self, out: jax.Array, spread: jax.Array, key: jax.Array) -> jax.Array:
        return out + spread * jax.random.normal(key, out.shape)

    def log_prob(self, out: jax.Array, spread: jax.Array, action: jax.Array) -> jax.Array:
        return -(0.5 * jnp.square((action - out) / spread) + jnp.log(spread) + 0.5 * math.log(2 * math.pi)).sum(1)

    def entropy(self, out: jax.Array, spread: jax.Array) -> jax.Array:
        return self.outputs * (jnp.log(spread) + 0.5 * math.log(2 * math.pi * math.e))

    def best(self, out: jax.Array) -> jax.Array:
        return out


Actions = Categorical | Gaussian


def layers(key: jax.Array, sizes: tuple[int, ...], scale: float) -> Tree:
    scales = [2**0.5] * (len(sizes) - 2) + [scale]
    keys = jax.random.split(key, len(scales))
    make = jax.nn.initializers.orthogonal
    return [(make(s)(keys[i], sizes[i : i + 2]), jnp.zeros(sizes[i + 1])) for i, s in enumerate(scales)]


def through(net: Tree, x: jax.Array) -> jax.Array:
    for weights, bias in net[:-1]:
        x = jnp.tanh(x @ weights + bias)
    return jnp.asarray(x @ net[-1][0] + net[-1][1])


@jax.jit
def values(nets: Tree, seen: jax.Array) -> jax.Array:
    return through(nets["value"], seen)[:, 0]


@partial(jax.jit, static_argnums=0)
def best(actions: Actions, nets: Tree, seen: jax.Array) -> jax.Array:
    return actions.best(through(nets["policy"], seen))


@partial(jax.jit, static_argnums=0)
def sample(
    actions: Actions, nets: Tree, spread: jax.Array, seen: jax.Array, key: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Actions, the logarithms of their probabilities, and values."""
    out = through(nets["policy"], seen)
    action = actions.sample(out, spread, key)
    return action, actions.log_prob(out, spread, action), values(nets, seen)


def loss(
    nets: Tree, actions: Actions, settings: Settings, spread: jax.Array, batch: Tree
) -> tuple[jax.Array, jax.Array]:
    """And how far the policy is from that of the batch: r - 1 - log r on average, for the ratio r."""
    out = through(nets["policy"], batch["seen"])
    log_ratio = actions.log_prob(out, spread, batch["action"]) - batch["log_prob"]
    ratio = jnp.exp(log_ratio)
    gain = (batch["advantage"] - batch["advantage"].mean()) / (batch["advantage"].std() + 1e-8)
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip) * gain).mean()
    value = jnp.square(values(nets, batch["seen"]) - batch["wanted"]).mean()
    total = policy + settings.value * value - settings.entropy * actions.entropy(out, spread)
    return jnp.asarray(total), (ratio - 1 - log_ratio).mean()


@partial(jax.jit, static_argnums=(0, 1))
def improve(
    actions: Actions,
    settings: Settings,
    nets: Tree,
    state: Tree,
    rate: jax.Array,
    spread: jax.Array,
    batch: Tree,
    key: jax.Array,
) -> tuple[Tree, Tree, jax.Array]:
    """All epochs over a batch."""
    wanted = settings.divergence

    def step(carry: Tree, rows: jax.Array) -> tuple[Tree, None]:
        nets, state, rate = carry
        part = jax.tree.map(lambda a: a[rows], batch)
        slope, divergence = jax.grad(loss, has_aux=True)(nets, actions, settings, spread, part)
        if wanted is not None:
            factor = jnp.where(divergence > 2 * wanted, 1 / 1.2, jnp.where(divergence < wanted / 2, 1.2, 1.0))
            rate = jnp.clip(rate * factor, 1e-5, 1e-2)
        change, state = optimiser.update(slope, state)
        return (optax.apply_updates(nets, jax.tree.map(lambda a: -rate * a, change)), state, rate), None

    count = len(batch["seen"])
    order = jax.vmap(lambda k: jax.random.permutation(k, count))(jax.random.split(key, settings.epochs))
    (nets, state, rate), _ = jax.lax.scan(step, (nets, state, rate), order.reshape(-1, settings.minibatch))
    return nets, state, rate


class Learner:
    """Networks of policy and value for an environment, and what improves them. The same seed gives the same ones."""

    def __init__(self, env: envs.VectorEnv, settings: Settings, seed: int) -> None:
        self.env, self.settings = env, settings
        space, inputs = env.single_action_space, (env.single_observation_space.shape or ())[0]
        self.actions: Actions
        if isinstance(space, spaces.Box):
            self.actions = Gaussian(space.shape[0])
        else:
            assert isinstance(space, spaces.Discrete)
            self.actions = Categorical(int(space.n))
        self.key, policy, value = jax.random.split(jax.random.key(seed), 3)
        self.nets: Tree = {
            "policy": layers(policy, (inputs, *settings.hidden, self.actions.outputs), 0.01),
            "value": layers(value, (inputs, *settings.hidden, 1), 1.0),
        }
        self.state, self.rate = optimiser.init(self.nets), jnp.float32(settings.rate)
        self.count = 0  # of observations that were measured
        self.mean, self.squares = np.zeros(inputs), np.zeros(inputs)  # of them, and sum of squares about it
        self.offset, self.scale = np.zeros(inputs, np.float32), np.ones(inputs, np.float32)
        self.seen, _ = env.reset(seed=seed)
        self.updates = 0

    @property
    def steps(self) -> int:
        """Of practice, in all worlds."""
        return self.updates * self.settings.steps * self.env.num_envs

    def act(self, seen: Any) -> Any:
        """The likeliest actions."""
        return self.taken(np.asarray(best(self.actions, self.nets, self.normalised(seen))))

    def update(self) -> float:
        """Practises for a batch of steps, and learns from them. Gives their mean reward."""
        first, last = self.settings.spread
        spread = jnp.float32(first + (last - first) * self.updates / self.settings.updates)
        self.key, practice, order = jax.random.split(self.key, 3)
        raw, reward, batch = self.collect(spread, practice)
        self.nets, self.state, self.rate = improve(
            self.actions, self.settings, self.nets, self.state, self.rate, spread, batch, order
        )
        if self.settings.normalise:
            self.measure(raw)
        self.updates += 1
        return reward

    def taken(self, action: Any) -> Any:
        """What the environment takes: actions within the bounds of its space."""
        space = self.env.single_action_space
        return np.clip(action, space.low, space.high) if isinstance(space, spaces.Box) else action

    def normalised(self, seen: Any) -> Any:
        return (seen - self.offset) * self.scale

    def collect(self, spread: jax.Array, key: jax.Array) -> tuple[Any, float, Tree]:
        """What was seen, the mean reward, and the batch, with generalised advantages."""
        nets, steps, discount = self.nets, self.settings.steps, self.settings.discount
        rows: dict[str, list[Any]] = {name: [] for name in ("seen", "action", "log_prob", "value", "reward", "ended")}
        raw, total = [], 0.0
        for k in jax.random.split(key, steps):
            raw.append(self.seen)
            seen = self.normalised(self.seen)
            action, log_prob, value = map(np.asarray, sample(self.actions, nets, spread, seen, k))
            self.seen, reward, terminated, truncated, info = self.env.step(self.taken(action))
            total += float(reward.mean()) / steps
            if truncated.any():  # it would have gone on: what was to come counts
                beyond = np.asarray(values(nets, self.normalised(info["final_obs"])))
                reward += discount * beyond * (truncated & ~terminated)
            for name, row in zip(rows, (seen, action, log_prob, value, reward, terminated | truncated)):
                rows[name].append(row)
        of = {name: np.array(row) for name, row in rows.items()}
        advantage = np.zeros(of["reward"].shape, np.float32)
        following, coming = np.asarray(values(nets, self.normalised(self.seen))), np.zeros(self.env.num_envs)
        for t in reversed(range(steps)):
            on = 1.0 - of["ended"][t]
            error = of["reward"][t] + discount * on * following - of["value"][t]
            coming = error + discount * self.settings.trace * on * coming
            advantage[t], following = coming, of["value"][t]
        batch = {name: of[name] for name in ("seen", "action", "log_prob")}
        batch |= {"advantage": advantage, "wanted": advantage + of["value"]}
        return np.concatenate(raw), total, {k: a.reshape(advantage.size, *a.shape[2:]) for k, a in batch.items()}

    def measure(self, seen: Any) -> None:
        """Adds observations to their mean and variance (Chan, Golub and LeVeque 1983)."""
        more, mean = len(seen), seen.mean(0, dtype=np.float64)
        count, apart = self.count + more, mean - self.mean
        self.squares += np.square(seen - mean).sum(0) + apart**2 * self.count * more / count
        self.mean += apart * more / count
        self.count = count
        self.offset = self.mean.astype(np.float32)
        self.scale = (1 / (np.sqrt(self.squares / count) + 1e-2)).astype(np.float32)


def progress(line: str) -> None:
    """On a terminal alone."""
    if sys.stderr.isatty():
        print(f"\r{line} ", end="", file=sys.stderr, flush=True)
