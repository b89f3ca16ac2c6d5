"""A wall of loose bricks on ground that tilts, held up by pushes on its top."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy
from gymnasium import spaces

import cairn

from ._vector import Numbers, VectorEnv

COURSES, ALONG = 6, 3  # of bricks, one above the other and side by side; every other course has halves at its ends
LENGTH, THICKNESS, HEIGHT = 0.25, 0.2, 0.1  # [m] of a brick: along x, y and z
DENSITY, FRICTION = 1800.0, 0.6  # [kg/m^3], [1]
GRAVITY = 9.81  # [m/s^2]
PUSH = 300.0  # [N] the largest, on all bricks of the top course together
STEEPEST = 24 * pi / 180  # [rad] where the tilting ends; by itself the wall falls from atan(0.2 m / 0.6 m) on, 18.4 degrees
SLOWEST, FASTEST = 3 * pi / 180, 6 * pi / 180  # [rad/s] of tilting
FARTHEST = THICKNESS / 2  # [m] a brick may be from where it was
EFFORT = 0.1  # [1] of the reward that the largest push takes away


class TiltingWall(VectorEnv):
    """Six courses of loose bricks. In each world the ground tilts slowly, at a rate of its own, towards +y or -y, to 24
    degrees, as if gravity turned; the wall by itself falls at 18.

    Actions are (num_envs, 1), -1 to 1, times 300 N along y on the top course. Observations are (num_envs, 13) float32: the
    tilt towards +y [rad], then how far each course has moved along y [m], from the lowest, then their rates [m/s]. The
    reward is 1 a step, less 0.1 times the square of the action. An episode ends when a brick is 0.1 m from where it was
    along an axis, and is cut off after 500 steps of 0.02 s.
    """

    max_episode_steps = 500
    single_observation_space = spaces.Box(-numpy.inf, numpy.inf, (1 + 2 * COURSES,))
    single_action_space = spaces.Box(-1, 1, (1,))

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        self.course: list[int] = []  # of each brick
        self.moved: Numbers  # [m] (worlds, bricks, 3) from where they began
        self.pushed: Numbers  # [1] (worlds) the last action
        super().__init__(num_envs, **options)
        self.rate = numpy.zeros(num_envs)  # [rad/s] (worlds) of tilting, towards +y
        self.at = self._bricks(self.world.read_states().position)  # [m] (worlds, bricks, 3) where they begin
        self.top = numpy.array(self.course) == COURSES - 1
        self.begins = numpy.searchsorted(self.course, range(COURSES))  # the first brick of each course
        self.slots = numpy.array(self.world.arrays["row_slot"]).reshape(num_envs, -1)[:, 1:]

    def scene(self) -> cairn.Scene:
        scene = cairn.Scene()
        scene.set_gravity((0, 0, -GRAVITY))
        scene.set_params(cairn.StepParams(dt=0.02))
        brick = scene.add_material(cairn.Material(name="brick", density=DENSITY, friction=FRICTION))
        scene.add_body(cairn.Body(name="ground", type="static", shapes=[cairn.Shape(cairn.Plane(), material=brick)]))
        for i in range(COURSES):
            lengths = [LENGTH] * ALONG if i % 2 == 0 else [LENGTH / 2, *[LENGTH] * (ALONG - 1), LENGTH / 2]
            x = -LENGTH * ALONG / 2
            for length in lengths:
                half = cairn.Shape(cairn.Box((length / 2, THICKNESS / 2, HEIGHT / 2)), material=brick)
                scene.add_body(cairn.Body(position=(x + length / 2, 0, HEIGHT * (i + 0.5)), shapes=[half]))
                self.course.append(i)
                x += length
        return scene

    def tilt(self) -> Numbers:
        """[rad] (worlds) of the ground, towards +y."""
        return numpy.clip(self.rate * self.episode_steps * 0.02, -STEEPEST, STEEPEST)

    def start(self, mask: Numbers) -> None:
        turn = self.uniform(-1, 1, 1)[:, 0]  # its sign is the side, and the rest the rate
        rate = numpy.copysign(SLOWEST + (FASTEST - SLOWEST) * numpy.abs(turn), turn)
        self.rate = numpy.where(mask, rate, self.rate)

    def act(self, actions: Numbers) -> None:
        arrays, tilt = self.world.arrays, self.tilt()
        self.pushed = numpy.array(actions[:, 0], numpy.float64)
        arrays["gravity"][:, 1] = GRAVITY * numpy.sin(tilt)
        arrays["gravity"][:, 2] = -GRAVITY * numpy.cos(tilt)
        arrays["force"][self.slots[:, self.top], 1] = PUSH / self.top.sum() * actions
        arrays.written("loads")

    def observe(self) -> Numbers:
        states = self.world.read_states()
        self.moved = self._bricks(states.position) - self.at
        count = numpy.bincount(self.course)
        of_bricks = self.moved[:, :, 1], self._bricks(states.linear_velocity)[:, :, 1]
        of_courses = [numpy.add.reduceat(a, self.begins, axis=1) / count for a in of_bricks]
        return numpy.concatenate([self.tilt()[:, None], *of_courses], 1, dtype=numpy.float32)

    def reward(self, seen: Numbers) -> Numbers:
        return 1 - EFFORT * self.pushed**2

    def terminated(self, seen: Numbers) -> Numbers:
        farthest: Numbers = numpy.abs(self.moved).max(axis=(1, 2))
        return farthest > FARTHEST

    def _bricks(self, rows: Numbers) -> Numbers:
        return rows.reshape(self.num_envs, -1, 3)[:, 1:]
