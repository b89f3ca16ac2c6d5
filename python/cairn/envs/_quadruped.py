"""A robot dog of 12 driven joints, which walks at a commanded speed; the task is in the manner of Rudin et al. 2022."""

from __future__ import annotations

from math import cos
from typing import Any

import numpy
from gymnasium import spaces

import cairn

from ._link_parts import X_IS_Y, box_inertia
from ._vector import Numbers, VectorEnv

TRUNK, HIP, THIGH, SHIN = 6.0, 0.5, 0.75, 0.25  # [kg] with four legs 12 kg
LENGTH, WIDTH, HEIGHT = 0.4, 0.2, 0.11  # [m] of the trunk
FORWARD, ASIDE, OUTWARD = (
    0.18,
    0.05,
    0.08,
)  # [m] from the trunk's middle to the hips, along x and y; from a hip out to its thigh
LIMB = 0.2  # [m] length of thigh and shin
THICK, THIN = 0.025, 0.02  # [m] radius of a thigh and of a shin, whose end is the foot
ARMATURE = 0.005  # [kg m^2]
STIFFNESS, DAMPING = 30.0, 0.8  # [N m/rad], [N m s/rad]

LEGS = ("front left", "front right", "hind left", "hind right")
STANCE = (0.0, 0.8, -1.6)  # [rad] abduction, hip, knee: feet below hips
LOWER, UPPER = (-0.8, -1.0, -2.6), (0.8, 2.5, -0.6)  # [rad]
STANDING = 2 * LIMB * cos(STANCE[1]) + THIN  # [m] height of the trunk's middle in the stance
REACH = 0.4  # [rad] from the stance to a joint's target, at an action of 1

SLOWEST, FASTEST = 0.4, 0.8  # [m/s] commanded speeds
START = 0.1  # [rad] joints begin within +- of the stance
LOWEST, STEEPEST = 0.16, 0.5  # [m] height of the trunk's middle, [1] cosine of its tilt, below which it has fallen

# [1/s] the reward is theirs for a second, times the square of what they are of
TRACK, TRACK_WIDTH = 2.0, 0.15  # the commanded velocity, exp(-d^2 / width); width [m^2/s^2]
STRAIGHT, STRAIGHT_WIDTH = 0.5, 0.25  # no yaw rate; width [rad^2/s^2]
BOUNCE, ROLL, TILT = 1.0, 0.05, 1.0  # vertical speed [m/s], rates of roll and pitch [rad/s], sine of the tilt
TORQUE, CHANGE = 2e-4, 0.01  # torque [N m], action less the one before

GROUND, ROBOT = 1, 2  # categories of shapes: links touch the ground, not each other


def quadruped() -> cairn.Articulation:
    """A trunk on a free joint and four legs, each with abduction, hip and knee. At 0 they hang straight down."""
    links: list[cairn.ArticulationLink] = []

    def touching(geometry: Any, z: float) -> cairn.Shape:
        return cairn.Shape(geometry, position=(0, 0, z), filter=cairn.Filter(category=ROBOT, mask=GROUND))

    def drive(i: int) -> cairn.ArticulationJoint:
        return cairn.ArticulationJoint(
            "revolute",
            armature=ARMATURE,
            lower=LOWER[i],
            upper=UPPER[i],
            drive_stiffness=STIFFNESS,
            drive_damping=DAMPING,
        )

    def limb(
        name: str, joint: int, at: tuple[float, float, float], mass: float, radius: float
    ) -> cairn.ArticulationLink:
        return cairn.ArticulationLink(
            name,
            parent=len(links) - 1,
            joint=drive(joint),
            frame_in_parent=cairn.JointFrame(at, X_IS_Y),
            frame_in_link=cairn.JointFrame((0, 0, 0), X_IS_Y),
            mass=mass,
            centre_of_mass=(0, 0, -LIMB / 2),
            inertia=box_inertia(mass, 2 * radius, 2 * radius, LIMB),
            shapes=[touching(cairn.Capsule(radius, LIMB / 2), -LIMB / 2)],
        )

    trunk = cairn.ArticulationLink(
        "trunk",
        joint=cairn.ArticulationJoint("free"),
        mass=TRUNK,
        inertia=box_inertia(TRUNK, LENGTH, WIDTH, HEIGHT),
        shapes=[touching(cairn.Box((LENGTH / 2, WIDTH / 2, HEIGHT / 2)), 0)],
    )
    links.append(trunk)
    for leg in LEGS:
        x = FORWARD if "front" in leg else -FORWARD
        side = 1 if "left" in leg else -1
        hip = cairn.ArticulationLink(
            f"{leg} hip",
            parent=0,
            joint=drive(0),
            frame_in_parent=cairn.JointFrame((x, side * ASIDE, 0)),
            mass=HIP,
            centre_of_mass=(0, side * OUTWARD / 2, 0),
            inertia=box_inertia(HIP, OUTWARD, OUTWARD, OUTWARD),
        )
        links.append(hip)
        links.append(limb(f"{leg} thigh", 1, (0, side * OUTWARD, 0), THIGH, THICK))
        links.append(limb(f"{leg} shin", 2, (0, 0, -LIMB), SHIN, THIN))
    return cairn.Articulation("dog", links=links)


class QuadrupedWalk(VectorEnv):
    """A robot dog of 12 kg, 0.4 m long, walks forward at a speed that is drawn for each episode.

    Actions are (num_envs, 12), -1 to 1: the targets of the joints' drives, 0.4 rad times them from a stance. Joints go
    leg by leg (front left, front right, hind left, hind right), of each abduction, hip and knee. Observations are
    (num_envs, 46) float32: the direction of gravity, the trunk's angular velocity [rad/s] and velocity [m/s] in its
    axes; joint coordinates less the stance [rad], their rates [rad/s], the last action; the commanded speed [m/s]. The
    reward is at most 0.05 a step, for the commanded velocity without yaw, and at least 0. An episode ends when the dog
    falls, and is cut off after 500 steps of 0.02 s.

    speeds: [m/s] the least and the greatest that is commanded, along x of the trunk.
    """

    max_episode_steps = 500
    single_observation_space = spaces.Box(-numpy.inf, numpy.inf, (46,))
    single_action_space = spaces.Box(-1, 1, (12,))
    params = cairn.StepParams(dt=0.02, substeps=4)

    def __init__(self, num_envs: int = 1, *, speeds: tuple[float, float] = (SLOWEST, FASTEST), **options: Any) -> None:
        if not -10 <= speeds[0] <= speeds[1] <= 10:
            raise cairn.InvalidArgument(f"speeds: must be -10 to 10 m/s, the lesser first, is {speeds}")
        self.speeds = speeds
        self.stance = numpy.tile(STANCE, len(LEGS))
        super().__init__(num_envs, **options)
        self.q, self.v = numpy.zeros((num_envs, 19)), numpy.zeros((num_envs, 18))
        self.target = numpy.zeros((num_envs, 19))
        self.target[:, 6] = 1  # of the free joint, which has no drive
        self.action, self.last_action = numpy.zeros((num_envs, 12)), numpy.zeros((num_envs, 12))
        self.speed = numpy.zeros(num_envs)  # [m/s] (worlds) commanded
        self.up = numpy.zeros((num_envs, 3))  # [1] (worlds, 3) in the trunk's axes
        self.velocity = numpy.zeros((num_envs, 3))  # [m/s] (worlds, 3) of the trunk, in its axes

    def scene(self) -> cairn.Scene:
        scene = cairn.Scene()
        scene.set_params(self.params)
        rubber = scene.add_material(cairn.Material("rubber", friction=0.8))
        ground = cairn.Shape(cairn.Plane(), material=rubber, filter=cairn.Filter(category=GROUND))
        scene.add_body(cairn.Body("ground", type="static", shapes=[ground]))
        start = cairn.ArticulationState([0, 0, STANDING, 0, 0, 0, 1, *self.stance])
        scene.add_articulation(quadruped(), start)
        return scene

    def start(self, mask: Numbers) -> None:
        self.speed = numpy.where(mask, self.uniform(*self.speeds, 1)[:, 0], self.speed)
        self.action[mask] = 0
        q, v = numpy.zeros_like(self.q), numpy.zeros_like(self.v)
        q[:, 2], q[:, 6] = STANDING + LIMB * START, 1  # feet over the ground
        q[:, 7:] = self.stance + self.uniform(-START, START, 12, stream=1)
        self.world.arrays.set_articulations(cairn.ArticulationArrays(q=q, v=v), mask)

    def act(self, actions: Numbers) -> None:
        self.last_action, self.action = self.action, numpy.array(actions, numpy.float64)
        self.target[:, 7:] = self.stance + REACH * self.action
        self.world.arrays.set_articulations(cairn.ArticulationArrays(target=self.target))

    def observe(self) -> Numbers:
        self.world.arrays.get_articulations(cairn.ArticulationArrays(q=self.q, v=self.v))
        x, y, z, w = self.q[:, 3:7].T
        ahead = numpy.stack(
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1
        )  # the world's x, in the trunk's axes
        left = numpy.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
        self.up = numpy.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
        self.velocity = self.v[:, :1] * ahead + self.v[:, 1:2] * left + self.v[:, 2:3] * self.up
        trunk = [-self.up, self.v[:, 3:6], self.velocity]
        joints = [self.q[:, 7:] - self.stance, self.v[:, 6:], self.action]
        return numpy.concatenate([*trunk, *joints, self.speed[:, None]], 1, dtype=numpy.float32)

    def torque(self) -> Numbers:
        """[N m] (worlds, 12) that the drives gave at the end of the last step."""
        given: Numbers = STIFFNESS * (self.target[:, 7:] - self.q[:, 7:]) - DAMPING * self.v[:, 6:]
        return given

    def reward(self, seen: Numbers) -> Numbers:
        velocity, rate = self.velocity, self.v[:, 3:6]
        off = (velocity[:, 0] - self.speed) ** 2 + velocity[:, 1] ** 2
        total = TRACK * numpy.exp(-off / TRACK_WIDTH) + STRAIGHT * numpy.exp(-(rate[:, 2] ** 2) / STRAIGHT_WIDTH)
        total -= (
            BOUNCE * velocity[:, 2] ** 2 + ROLL * (rate[:, 0] ** 2 + rate[:, 1] ** 2) + TILT * (1 - self.up[:, 2] ** 2)
        )
        total -= TORQUE * (self.torque() ** 2).sum(1) + CHANGE * ((self.action - self.last_action) ** 2).sum(1)
        return self.params.dt * numpy.maximum(total, 0)

    def terminated(self, seen: Numbers) -> Numbers:
        fallen: Numbers = (self.q[:, 2] < LOWEST) | (self.up[:, 2] < STEEPEST)
        return fallen
