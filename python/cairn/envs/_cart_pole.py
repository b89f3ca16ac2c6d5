"""The pole on a cart: Barto, Sutton and Anderson 1983, with the numbers and rewards of Gymnasium's CartPole-v1."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy
from gymnasium import spaces

import cairn

from ._link_parts import X_IS_Y
from ._vector import Numbers, VectorEnv

CART, POLE = 1.0, 0.1  # [kg]
HALF = 0.5  # [m] half the pole's length
FORCE = 10.0  # [N]
GRAVITY = 9.8  # [m/s^2]
FARTHEST, STEEPEST = 2.4, 12 * pi / 180  # [m], [rad] where an episode ends
START = 0.05  # [m, m/s, rad, rad/s] each number of the state begins within +- of it


class CartPole(VectorEnv):
    """A cart on a rail along x, pushed left or right, balances a pole: an articulation of a prismatic and a revolute
    joint, without friction.

    Actions are 0, a push of -10 N, and 1, of +10 N; with `continuous` they are -1 to 1, (num_envs, 1), times 10 N.
    Observations are (num_envs, 4) float32: x [m], its rate [m/s], the pole's angle from upright towards +x [rad], its
    rate [rad/s]. The reward is 1 a step, that of the end included. An episode ends at 2.4 m or 12 degrees, and is cut
    off after 500 steps of 0.02 s. It begins with each of the four numbers within +-0.05.

    Gymnasium's integrator is one explicit Euler step of 0.02 s; this one takes 4 substeps, and is more accurate.
    """

    max_episode_steps = 500
    single_observation_space = spaces.Box(
        numpy.array([-2 * FARTHEST, -numpy.inf, -2 * STEEPEST, -numpy.inf], numpy.float32),
        numpy.array([2 * FARTHEST, numpy.inf, 2 * STEEPEST, numpy.inf], numpy.float32),
    )

    def __init__(self, num_envs: int = 1, *, continuous: bool = False, **options: Any) -> None:
        self.continuous = continuous
        self.single_action_space = spaces.Box(-1, 1, (1,), numpy.float32) if continuous else spaces.Discrete(2)
        super().__init__(num_envs, **options)
        self.force = numpy.zeros((self.num_envs, 2))  # [N, N m] of the cart and of the pole

    def scene(self) -> cairn.Scene:
        cart = cairn.ArticulationLink(
            name="cart",
            joint=cairn.ArticulationJoint(kind="prismatic"),
            mass=CART,
            inertia=cairn.Inertia((0.01, 0.01, 0.01)),  # it never turns
        )
        across = POLE * (2 * HALF) ** 2 / 12  # [kg m^2] of a thin rod, about its middle
        pole = cairn.ArticulationLink(
            name="pole",
            parent=0,
            joint=cairn.ArticulationJoint(kind="revolute"),
            frame_in_parent=cairn.JointFrame(orientation=X_IS_Y),
            frame_in_link=cairn.JointFrame((0, 0, -HALF), X_IS_Y),
            mass=POLE,
            inertia=cairn.Inertia((across, across, 1e-3 * across)),
        )
        cart.shapes = [cairn.Shape(cairn.Box((0.25, 0.1, 0.08)))]  # to be seen: there is nothing to touch
        pole.shapes = [cairn.Shape(cairn.Box((0.025, 0.025, HALF)))]
        scene = cairn.Scene()
        scene.set_gravity((0, 0, -GRAVITY))
        scene.set_params(cairn.StepParams(dt=0.02, substeps=4))
        scene.add_articulation(cairn.Articulation(name="cart-pole", links=[cart, pole]))
        return scene

    def start(self, mask: Numbers) -> None:
        state = self.uniform(-START, START, 4)
        self.world.arrays.set_articulations(cairn.ArticulationArrays(q=state[:, 0::2], v=state[:, 1::2]), mask)

    def act(self, actions: Numbers) -> None:
        self.force[:, 0] = FORCE * actions[:, 0] if self.continuous else numpy.where(actions == 1, FORCE, -FORCE)
        self.world.arrays.set_articulations(cairn.ArticulationArrays(force=self.force))

    def observe(self) -> Numbers:
        seen = numpy.empty((self.num_envs, 2, 2), numpy.float32)  # the World writes into it: x, x', angle, angle'
        self.world.arrays.get_articulations(cairn.ArticulationArrays(q=seen[:, :, 0], v=seen[:, :, 1]))
        return seen.reshape(-1, 4)

    def reward(self, seen: Numbers) -> Numbers:
        return numpy.ones(self.num_envs)

    def terminated(self, seen: Numbers) -> Numbers:
        return (numpy.abs(seen[:, 0]) > FARTHEST) | (numpy.abs(seen[:, 2]) > STEEPEST)
