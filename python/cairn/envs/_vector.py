"""A batch of worlds as a vector environment."""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as Base
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import cairn

from . import _random

Numbers = NDArray[Any]
Step = tuple[Numbers, NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]

MOST_WORLDS = 65535
LAST_WORLD = 2**32  # and one more
LAST_STREAM = 10**9
SEEDS = 2**64


class VectorEnv(Base[Numbers, Numbers, Numbers]):
    """A task in a batch of worlds, a world an environment. A task is a class of this one that sets

        single_observation_space, single_action_space: Gymnasium's spaces of one world, as class attributes or before
            super().__init__
        max_episode_steps: [1] an episode is cut off (truncated) after so many calls of step; None: never
        steps_per_action: [1] steps of the World in a call of step

    and has `scene`, `start`, `act`, `observe`, `reward`, `terminated` and `info`. `self.world` is the cairn.World, on the CPU.

    num_envs: [1] worlds, 1 to 65535.
    first_world: [1] what world 0 of this batch is in the whole, 0 to 2**32 - num_envs: random numbers of a world are
        functions of the seed and of `first_world` + its index. Batches of 32 from 0 and from 32 are the halves of one of 64.
    autoreset_mode: SAME_STEP: a world whose episode ends begins the next one in that call of step, whose observation is
        the new episode's; what was seen last is in info["final_obs"]. NEXT_STEP: it begins in the next call, which
        ignores the action and gives a reward of 0. DISABLED: reset(options={"reset_mask": ended}) begins it.
    max_episode_steps: instead of the class's.
    world_options: of the World; its device must be a CPU. None: all threads.
    render_mode: "rgb_array" for pictures by `render`.

    Raises ValueError (cairn.InvalidArgument) where one of them is out of range.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.SAME_STEP}
    max_episode_steps: int | None = None
    steps_per_action = 1
    picture = cairn.PictureOptions(320, height=240, samples=2)  # that `render` draws

    def __init__(
        self,
        num_envs: int = 1,
        *,
        first_world: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        max_episode_steps: int | None = None,
        world_options: cairn.WorldOptions | None = None,
        render_mode: str | None = None,
    ) -> None:
        options = cairn.WorldOptions() if world_options is None else world_options
        if not 1 <= num_envs <= MOST_WORLDS:
            raise cairn.InvalidArgument(f"num_envs: must be 1 to {MOST_WORLDS}, is {num_envs}")
        if not 0 <= first_world <= LAST_WORLD - num_envs:
            raise cairn.InvalidArgument(f"first_world: must be 0 to 2**32 - num_envs, is {first_world}")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise cairn.InvalidArgument(f"max_episode_steps: must be 1 or more, is {max_episode_steps}")
        if options.device.kind != cairn.DeviceKind.CPU:
            kind = options.device.kind
            raise cairn.InvalidArgument(f"world_options.device: must be a CPU, is {kind}; environments work by numpy")
        if render_mode not in (None, "rgb_array"):
            raise cairn.InvalidArgument(f'render_mode: must be None or "rgb_array", is {render_mode!r}')
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise cairn.InvalidArgument(f"autoreset_mode: must be one of {modes}, is {autoreset_mode!r}") from None
        self.num_envs, self.first_world, self.render_mode = num_envs, first_world, render_mode
        if max_episode_steps is not None:
            self.max_episode_steps = max_episode_steps
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.world = cairn.World.copies(self.scene(), num_envs, options)
        self.episode = numpy.zeros(num_envs, numpy.uint32)  # [1] (worlds) of each, since its seed was set
        self.episode_steps = numpy.zeros(num_envs, numpy.int64)  # [1] (worlds) calls of step since its episode began
        self._keys: _random.Words | None = None  # (worlds)
        self._ended = numpy.zeros(num_envs, bool)  # worlds that begin an episode before they go on

    # ---- what a task has ----

    def scene(self) -> cairn.Scene:
        """The scene of one world. Called once; the worlds are its copies."""
        raise NotImplementedError

    def start(self, mask: NDArray[numpy.bool_]) -> None:
        """Begins an episode in the worlds where `mask` (worlds) is True. `self.world` has reset them: they stand as the
        scene says, which may be all there is to do. `self.uniform` gives random numbers.
        """

    def act(self, actions: Numbers) -> None:
        """Takes the actions (worlds, ...) of the action space to the World, before it steps. They were checked."""
        raise NotImplementedError

    def observe(self) -> Numbers:
        """What is seen of all worlds (worlds, ...), of the observation space's type: an array of its own each time."""
        raise NotImplementedError

    def reward(self, seen: Numbers) -> Numbers:
        """[1] (worlds) for the step that led to what is seen."""
        raise NotImplementedError

    def terminated(self, seen: Numbers) -> Numbers:
        """(worlds) bool: where the episode is over. One whose world is frozen is over anyway."""
        return numpy.zeros(self.num_envs, bool)

    def info(self) -> dict[str, Numbers]:
        """Arrays (worlds, ...) for the info of a step, of its end."""
        return {}

    # ---- what it may use ----

    def uniform(self, low: float, high: float, size: int, stream: int = 0) -> NDArray[numpy.float64]:
        """(worlds, size) random numbers in [low, high), for each world a function of its seed, its index, its episode,
        its step in the episode, and `stream`: a second call gives the same numbers, and another stream, 0 to 1e9,
        others. Nothing that another world does changes them.
        """
        keys = self._seeded()
        if not 0 <= stream <= LAST_STREAM:
            raise cairn.InvalidArgument(f"stream: must be 0 to {LAST_STREAM}, is {stream}")
        return low + (high - low) * _random.uniforms(keys, self.episode, self.episode_steps, size, stream).astype(numpy.float64)

    # ---- what Gymnasium calls ----

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """Begins an episode in all worlds, or where options["reset_mask"] (worlds, bool) is True.

        seed: 0 to 2**64 - 1; the same seed gives the same episodes, in each world. None: the worlds go on with the
        seeds that they have; the first time, with ones from the system.

        Returns what is seen (worlds, ...) and an empty info. Raises ValueError or TypeError, naming the argument.
        """
        mask = numpy.ones(self.num_envs, bool)
        for name, value in (options or {}).items():
            if name != "reset_mask":
                raise cairn.InvalidArgument(f"options: has {name!r}; there is: reset_mask")
            mask = numpy.asarray(value)
            if mask.dtype != bool or mask.shape != (self.num_envs,):
                raise cairn.InvalidArgument(
                    f'options["reset_mask"]: must be bool ({self.num_envs},), is {mask.dtype} {mask.shape}'
                )
        if self._keys is None and not mask.all():
            raise cairn.Error('options["reset_mask"]: the first reset is of all worlds')
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, (int, numpy.integer)):
                raise TypeError(f"seed: must be a whole number, is {seed!r}")
            if not 0 <= seed < SEEDS:
                raise cairn.InvalidArgument(f"seed: must be 0 to 2**64 - 1, is {seed}")
            super().reset(seed=int(seed))
            keys = _random.world_keys(int(seed), self.first_world, self.num_envs)
            self._keys = keys if self._keys is None else numpy.where(mask, keys, self._keys)
            self.episode[mask] = 0
        elif self._keys is None:
            self._keys = _random.world_keys((self.np_random_seed or 0) % SEEDS, self.first_world, self.num_envs)
        else:
            self.episode[mask] += 1
        self._start(mask)
        return self.observe(), {}

    def step(self, actions: Numbers) -> Step:
        """Takes an action in each world, steps all of them, and begins episodes as `autoreset_mode` says.

        actions: (worlds, ...) of the action space.

        Returns what is seen (worlds, ...), rewards (worlds) float64, terminated and truncated (worlds) bool, and info.
        Where an episode ended, with SAME_STEP, info has "final_obs" (worlds, ...), what was seen before the next began,
        and "_final_obs" (worlds) bool, the worlds for which it counts. Where a world froze (docs/batches.md), which
        ends its episode, info has "status" (worlds) uint32, the bits of cairn.StatusBit.

        Arrays are new ones each time, and may be kept. Raises ValueError or TypeError where actions aren't of the action
        space, and RuntimeError before the first reset, and where an ended world wasn't reset with DISABLED; then nothing
        has changed.
        """
        self._seeded()
        if self._ended.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            worlds = ", ".join(map(str, numpy.flatnonzero(self._ended)[:8]))
            raise cairn.Error(f'step: episodes are over in worlds {worlds}: reset them by options["reset_mask"]')
        self.act(self._checked(actions))
        self.world.step(self.steps_per_action)
        self.episode_steps += 1
        begun = self._ended
        if begun.any():  # NEXT_STEP
            self.episode[begun] += 1
            self._start(begun)
        status = numpy.array(self.world.arrays["world_status"])
        seen = self.observe()
        reward = numpy.array(self.reward(seen), numpy.float64)
        terminated = numpy.asarray(self.terminated(seen), bool) | (status != 0)
        truncated = numpy.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = self.episode_steps >= self.max_episode_steps
        if begun.any():
            reward[begun], terminated[begun], truncated[begun] = 0, False, False
        info: dict[str, Any] = dict(self.info())
        if status.any():
            info["status"] = status
        self._ended = terminated | truncated
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            info["final_obs"], info["_final_obs"] = seen, self._ended
            self.episode[self._ended] += 1
            self._start(self._ended)
            seen = self.observe()
        return seen, reward, terminated, truncated, info

    def render(self) -> tuple[NDArray[numpy.uint8], ...] | None:
        """A picture of each world, (height, width, 3) uint8, of the size of `self.picture`; None without a render_mode."""
        if self.render_mode is None:
            return None
        frames = []
        for k in range(self.num_envs):
            bodies = [self.world.description(body) for body in self.world.bodies(k)]
            up = numpy.multiply(self.world.gravity(k), -1.0)
            frames.append(cairn.render(bodies, self.world.read_states(k), up if up.any() else (0, 0, 1), self.picture))
        return tuple(frames)

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the World, too."""
        if hasattr(self, "world"):
            self.world.close()

    # ---- inside ----

    def _seeded(self) -> _random.Words:
        if self._keys is None:
            raise cairn.Error("call reset first")
        return self._keys

    def _start(self, mask: NDArray[numpy.bool_]) -> None:
        self.episode_steps[mask] = 0
        self._ended = self._ended & ~mask
        self.world.arrays.reset(mask)
        self.start(mask)

    def _checked(self, actions: Any) -> Numbers:
        taken = numpy.asarray(actions)
        space = self.action_space
        if taken.shape != space.shape:
            raise cairn.InvalidArgument(f"actions: must be of shape {space.shape}, is {taken.shape}")
        if isinstance(space, spaces.MultiDiscrete):
            if taken.dtype.kind not in "iu":
                raise TypeError(f"actions: must be whole numbers, is {taken.dtype}")
            low, high = space.start, space.start + space.nvec - 1
        elif isinstance(space, spaces.Box):
            if taken.dtype.kind not in "iuf":
                raise TypeError(f"actions: must be numbers, is {taken.dtype}")
            low, high = space.low, space.high
        else:
            if not space.contains(actions):
                raise cairn.InvalidArgument(f"actions: must be of {space}, is {actions!r}")
            return taken
        inside = (taken >= low) & (taken <= high)
        if not inside.all():  # NaN isn't inside either
            at = tuple(int(i) for i in numpy.argwhere(~inside)[0])
            place = "][".join(map(str, at))
            raise cairn.InvalidArgument(f"actions[{place}]: must be {low[at]} to {high[at]}, is {taken[at]}")
        return taken
