"""What a step of each environment costs, beside how exact the cart-pole is; and Gymnasium's own on the same machine.

python python/benchmarks/envs.py
"""

import time

import gymnasium
import numpy

import cairn
from cairn import envs


class Still(envs.TiltingWall):
    """Any action is taken for none."""

    single_action_space = gymnasium.spaces.Discrete(2)

    def act(self, actions):
        super().act(numpy.zeros((self.num_envs, 1)))


def cost(env, count: int, runs: int = 5) -> float:
    """[s] Of a step of one world, the least of some runs."""
    env.reset(seed=1)
    random, space = numpy.random.default_rng(1), env.single_action_space
    if isinstance(space, gymnasium.spaces.Box):
        actions = random.uniform(-1, 1, (count, env.num_envs, *space.shape))
    else:
        actions = random.integers(0, 2, (count, env.num_envs))
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        for row in actions:
            env.step(row)
        best = min(best, (time.perf_counter() - start) / (count * env.num_envs))
    env.close()
    return best


def rates(state, force):
    """Barto, Sutton and Anderson 1983, without friction."""
    _, speed, angle, turn = state.T
    pushed = (force + 0.05 * turn**2 * numpy.sin(angle)) / 1.1
    up = (9.8 * numpy.sin(angle) - numpy.cos(angle) * pushed) / (0.5 * (4 / 3 - 0.1 * numpy.cos(angle) ** 2 / 1.1))
    return numpy.stack([speed, pushed - 0.05 * up * numpy.cos(angle) / 1.1, turn, up], 1)


def error() -> tuple[float, float]:
    """[rad] Of the pole's angle after 25 steps (0.5 s) to one side: Cairn's, and explicit Euler's, Gymnasium's way."""
    env = envs.CartPole(100, autoreset_mode="Disabled")
    seen, _ = env.reset(seed=1)
    exact = euler = seen.astype(float)
    push = numpy.where(numpy.arange(100) % 2 == 1, 10.0, -10.0)
    env.force[:, 0] = push
    env.world.arrays.set_articulations(cairn.ArticulationArrays(force=env.force))
    h = 0.02 / 100
    for _ in range(25):
        env.world.step()
        euler = euler + 0.02 * rates(euler, push)
        for _ in range(100):
            a = rates(exact, push)
            exact = exact + h * rates(exact + h / 2 * a, push)
    off = numpy.abs(env.observe() - exact)[:, 2].max(), numpy.abs(euler - exact)[:, 2].max()
    env.close()
    return float(off[0]), float(off[1])


def main() -> None:
    ours, theirs = error()
    print(f"angle after 0.5 s: off by {ours:.1e} rad, by explicit Euler {theirs:.1e} rad")
    for threads in (1, 2):
        for worlds in (1, 64, 1024, 4096):
            options = cairn.WorldOptions(cairn.Device(threads=threads))
            of = cost(envs.CartPole(worlds, world_options=options), max(20, 20000 // worlds))
            print(f"CartPole, {threads} thread{'s' * (threads > 1)}, {worlds:5} worlds  {of * 1e6:8.2f} us a step of one world")
    of = cost(Still(16, world_options=cairn.WorldOptions(cairn.Device(threads=1))), 100)
    print(f"TiltingWall, 1 thread,    16 worlds  {of * 1e6:8.2f} us a step of one world")
    for kind in (envs.QuadrupedWalk, envs.BoxStacking):
        for worlds in (1, 128):
            of = cost(kind(worlds, world_options=cairn.WorldOptions(cairn.Device(threads=1))), max(20, 500 // worlds))
            print(f"{kind.__name__}, 1 thread, {worlds:5} worlds  {of * 1e6:8.2f} us a step of one world", flush=True)
    for worlds in (64, 1024):
        for mode in ("sync", "vector_entry_point"):
            of = cost(gymnasium.make_vec("CartPole-v1", worlds, vectorization_mode=mode), max(10, 5000 // worlds))
            print(f"Gymnasium, {mode:18}, {worlds:5} worlds  {of * 1e6:8.2f} us")


if __name__ == "__main__":
    main()
