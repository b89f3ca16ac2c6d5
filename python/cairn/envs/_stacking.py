"""An arm with a gripper that sets one box on another."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy
from gymnasium import spaces

import cairn

from ._link_parts import X_IS_MINUS_Y, X_IS_Y, X_IS_Z, box_inertia
from ._vector import Numbers, VectorEnv

SHOULDER, LIMB, HAND = 0.3, 0.35, 0.15  # [m] height; length of upper arm and forearm; from the wrist to the grasp point
MASSES = (2.0, 1.5, 1.0, 0.4, 0.4)  # [kg] of the links from the turret to the hand
FINGER = 0.05  # [kg]
PAD = (0.012, 0.006, 0.0275)  # [m] half the edges of a finger
OPEN = 0.04  # [m] from the middle to each finger
EDGE, DENSITY, FRICTION = 0.05, 800.0, 0.8  # [m], [kg/m^3], [1] of boxes: 0.1 kg
STIFFNESS, DAMPING, TORQUE = 4000.0, 200.0, 150.0  # [N m/rad], [N m s/rad], [N m] at most
ARMATURE = 0.1  # [kg m^2]
GRIP_STIFFNESS, GRIP_DAMPING = 1200.0, 40.0  # [N/m], [N s/m]: 30 N on a box, 15 N of each finger
LOWER = (-2.0, -1.5, 0.0, -0.5, -2.0)  # [rad] yaw, shoulder, elbow, wrist, roll
UPPER = (2.0, 2.0, 2.8, 3.2, 2.0)
HOME = (0.0, -0.25, 1.9, pi - 1.65, 0.0)  # [rad] the hand points down, in front of the arm
SPEED = 1.5  # [rad/s] of a joint's target, at an action of 1
START = 0.05  # [rad] joints begin within +- of HOME
NEAREST, FARTHEST = 0.32, 0.5  # [m] boxes begin so far from the arm's axis
NARROWEST, WIDEST = 0.25, 0.8  # [rad] and to the left or the right of x
LOST = 0.8  # [m] from the arm's axis
LEVEL, BESIDE, STILL, LET_GO = (
    0.005,
    0.02,
    0.05,
    0.03,
)  # [m] off its height and off the middle, [m/s], [m] of fingers: stacked
REACHED, LIFTED, PLACED, NEAR = 0.1, 0.2, 0.4, 0.1  # [1] shares of the reward, [m] where that of a distance fades

ROBOT, OTHER = 2, 1  # categories of shapes: links touch boxes and the table, not each other


def arm(material: int) -> cairn.Articulation:
    """Five joints, all links upright at 0: yaw, shoulder, elbow, wrist, roll. Then two fingers that move alike."""

    def shape(geometry: Any, z: float, x: float = 0) -> cairn.Shape:
        return cairn.Shape(
            geometry, position=(x, 0, z), material=material, filter=cairn.Filter(category=ROBOT, mask=OTHER)
        )

    def joint(i: int) -> cairn.ArticulationJoint:
        return cairn.ArticulationJoint(
            kind="revolute",
            armature=ARMATURE,
            lower=LOWER[i],
            upper=UPPER[i],
            drive_stiffness=STIFFNESS,
            drive_damping=DAMPING,
            drive_max_force=TORQUE,
        )

    names = ("turret", "upper arm", "forearm", "wrist", "hand")
    begins = (0, SHOULDER, LIMB, LIMB, 0)  # [m] of each joint, along its parent
    lengths = (SHOULDER - 0.1, LIMB, LIMB, 0.08, 0.03)  # [m]
    shapes = (
        cairn.Cylinder(0.06, 0.09),
        cairn.Capsule(0.035, LIMB / 2),
        cairn.Capsule(0.03, LIMB / 2),
        cairn.Capsule(0.025, 0.03),
        cairn.Box((0.02, 0.055, 0.012)),
    )
    middles = (0.1, LIMB / 2, LIMB / 2, 0.03, 0.09)  # [m] of the shapes
    links = []
    for i, name in enumerate(names):
        frame = X_IS_Y if i in (1, 2, 3) else X_IS_Z
        links.append(
            cairn.ArticulationLink(
                name=name,
                joint=joint(i),
                frame_in_parent=cairn.JointFrame((0, 0, begins[i]), frame),
                frame_in_link=cairn.JointFrame((0, 0, 0), frame),
                mass=MASSES[i],
                centre_of_mass=(0, 0, middles[i]),
                inertia=box_inertia(MASSES[i], 0.06, 0.06, lengths[i]),
                shapes=[shape(shapes[i], middles[i])],
            )
        )
        if i:
            links[i].parent = i - 1
    for side, frame, drive in ((1, X_IS_Y, GRIP_STIFFNESS), (-1, X_IS_MINUS_Y, 0.0)):
        links.append(
            cairn.ArticulationLink(
                name="left finger" if side > 0 else "right finger",
                parent=4,
                joint=cairn.ArticulationJoint(
                    kind="prismatic",
                    lower=0,
                    upper=OPEN,
                    drive_stiffness=drive,
                    drive_damping=GRIP_DAMPING if drive else 0,
                ),
                frame_in_parent=cairn.JointFrame((0, side * PAD[1], HAND + 0.015 - PAD[2]), frame),
                frame_in_link=cairn.JointFrame((0, 0, 0), frame),
                mass=FINGER,
                inertia=box_inertia(FINGER, *(2 * a for a in PAD)),
                shapes=[shape(cairn.Box(PAD), 0)],
            )
        )
    alike = cairn.ArticulationCoupling(
        name="fingers", terms=[cairn.CouplingTerm(5, 1), cairn.CouplingTerm(6, -1)], lower=0, upper=0
    )
    return cairn.Articulation(name="arm", links=links, couplings=[alike])


def grasp_point(q: Numbers) -> Numbers:
    """[m] (..., 3) the point between the fingers, of coordinates (..., 5 or more) of the arm."""
    yaw, first = q[..., 0], q[..., 1]
    second = first + q[..., 2]
    third = second + q[..., 3]
    out = LIMB * (numpy.sin(first) + numpy.sin(second)) + HAND * numpy.sin(third)
    up = SHOULDER + LIMB * (numpy.cos(first) + numpy.cos(second)) + HAND * numpy.cos(third)
    return numpy.stack([out * numpy.cos(yaw), out * numpy.sin(yaw), up], -1)


def arm_joints(point: Numbers, turn: Numbers) -> Numbers:
    """[rad] (..., 5) joints of the arm that bring the grasp point to `point` (..., 3) [m], or as near as they reach,
    with the hand pointing down. The fingers close along an edge of a box that is turned by `turn` (...) [rad] about z.
    """
    yaw = numpy.arctan2(point[..., 1], point[..., 0])
    out, up = numpy.hypot(point[..., 0], point[..., 1]), point[..., 2] + HAND - SHOULDER
    elbow = numpy.arccos(numpy.clip((out**2 + up**2) / (2 * LIMB**2) - 1, -1, 1))
    shoulder = numpy.arctan2(out, up) - elbow / 2
    roll = (yaw - turn + pi / 4) % (pi / 2) - pi / 4
    return numpy.stack([yaw, shoulder, elbow, pi - shoulder - elbow, roll], -1)


class BoxStacking(VectorEnv):
    """An arm of five joints with a gripper stands at a table with two boxes of 0.05 m and 0.1 kg. It is to set the
    first on the second, and to let go.

    Actions are (num_envs, 6), -1 to 1: five rates of the targets of the arm's drives, times 1.5 rad/s, and the gripper,
    closed at -1 and open at 1. Observations are (num_envs, 47) float32: coordinates of yaw, shoulder, elbow, wrist and
    roll [rad] and of a finger [m], their rates, their targets; the place of the grasp point [m], between the fingers;
    then for the first and the second box its place from the grasp point [m], quaternion x, y, z, w with w >= 0,
    velocity [m/s] and angular velocity [rad/s]. The reward is 1 a step where the box is stacked; before, 0.1 at most
    for a hand that is near the box, 0.2 for a box that is lifted, 0.4 for one that is lifted to where it belongs.
    info["success"] (num_envs) bool tells where it is stacked. An episode ends when a box is 0.8 m from the arm's axis,
    and is cut off after 400 steps of 0.02 s. It begins with the boxes on either side, turned at random.
    """

    max_episode_steps = 400
    single_observation_space = spaces.Box(-numpy.inf, numpy.inf, (47,))
    single_action_space = spaces.Box(-1, 1, (6,))
    params = cairn.StepParams(dt=0.02, substeps=6)
    reach = SPEED * params.dt  # [rad] that a joint's target moves in a step, at an action of 1

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        super().__init__(num_envs, **options)
        bodies = len(self.world.bodies(0))
        self.position, self.orientation = numpy.zeros((num_envs, bodies, 3)), numpy.zeros((num_envs, bodies, 4))
        self.velocity, self.turning = numpy.zeros((num_envs, bodies, 3)), numpy.zeros((num_envs, bodies, 3))
        self.q, self.v, self.target = (numpy.zeros((num_envs, 7)) for _ in range(3))
        self.hand = numpy.zeros((num_envs, 3))  # [m] (worlds, 3) the grasp point

    def scene(self) -> cairn.Scene:
        scene = cairn.Scene()
        scene.set_params(self.params)
        wood = scene.add_material(cairn.Material("wood", density=DENSITY, friction=FRICTION))
        touched = cairn.Filter(category=OTHER)
        table = cairn.Shape(cairn.Plane(), material=wood, filter=touched)
        scene.add_body(cairn.Body("table", type="static", shapes=[table]))
        half = EDGE / 2
        for i, name in enumerate(("box", "base")):  # bodies 1 and 2 of each world
            box = cairn.Shape(cairn.Box((half, half, half)), material=wood, filter=touched)
            scene.add_body(cairn.Body(name, position=(NEAREST, 0.2 - 0.4 * i, half), shapes=[box]))
        scene.add_articulation(arm(wood), cairn.ArticulationState([*HOME, OPEN, OPEN]))
        return scene

    def start(self, mask: Numbers) -> None:
        self._read()
        side = numpy.where(self.uniform(-1, 1, 1) < 0, -1, 1) * (1, -1)  # of the first and of the second box
        out = self.uniform(NEAREST, FARTHEST, 2, stream=1)
        angle = side * self.uniform(NARROWEST, WIDEST, 2, stream=2)
        half_turn = self.uniform(0, pi, 2, stream=3)
        height = numpy.full_like(out, EDGE / 2)
        self.position[:, 1:3] = numpy.stack([out * numpy.cos(angle), out * numpy.sin(angle), height], 2)
        self.orientation[:, 1:3, 2], self.orientation[:, 1:3, 3] = numpy.sin(half_turn), numpy.cos(half_turn)
        at = cairn.StateArrays(self.position.reshape(-1, 3), orientation=self.orientation.reshape(-1, 4))
        self.world.arrays.set_states(at, mask)
        joints = HOME + self.uniform(-START, START, 5, stream=4)
        q = numpy.concatenate([joints, numpy.full((self.num_envs, 2), OPEN)], 1)
        self.target[mask] = q[mask]
        self.world.arrays.set_articulations(cairn.ArticulationArrays(q=q, v=0 * q, target=q), mask)

    def act(self, actions: Numbers) -> None:
        self.target[:, :5] = numpy.clip(self.target[:, :5] + self.reach * actions[:, :5], LOWER, UPPER)
        self.target[:, 5:] = OPEN * (1 + actions[:, 5:]) / 2
        self.world.arrays.set_articulations(cairn.ArticulationArrays(target=self.target))

    def observe(self) -> Numbers:
        self._read()
        self.hand = grasp_point(self.q)
        seen = [self.q[:, :6], self.v[:, :6], self.target[:, :6], self.hand]
        for i in (1, 2):
            turned = self.orientation[:, i] * numpy.where(self.orientation[:, i, 3:] < 0, -1, 1)
            seen += [self.position[:, i] - self.hand, turned, self.velocity[:, i], self.turning[:, i]]
        return numpy.concatenate(seen, 1, dtype=numpy.float32)

    def stacked(self) -> Numbers:
        """(worlds) bool: the box lies still on the other one, and the gripper has let go."""
        off = self.position[:, 1] - self.position[:, 2] - (0, 0, EDGE)
        on = (numpy.hypot(off[:, 0], off[:, 1]) < BESIDE) & (numpy.abs(off[:, 2]) < LEVEL)
        still = numpy.linalg.norm(self.velocity[:, 1], axis=1) < STILL
        return numpy.asarray(on & still & (self.q[:, 5] > LET_GO))

    def reward(self, seen: Numbers) -> Numbers:
        box, base = self.position[:, 1], self.position[:, 2]
        reach = 1 - numpy.tanh(numpy.linalg.norm(box - self.hand, axis=1) / NEAR)
        lift = numpy.clip((box[:, 2] - EDGE / 2) / EDGE, 0, 1)
        place = lift * (1 - numpy.tanh(numpy.linalg.norm(box - base - (0, 0, EDGE), axis=1) / NEAR))
        return numpy.where(self.stacked(), 1, REACHED * reach + LIFTED * lift + PLACED * place)

    def terminated(self, seen: Numbers) -> Numbers:
        out = numpy.hypot(self.position[:, 1:3, 0], self.position[:, 1:3, 1])
        return numpy.asarray((out > LOST).any(1))

    def info(self) -> dict[str, Numbers]:
        return {"success": self.stacked()}

    def _read(self) -> None:
        flat = [a.reshape(-1, a.shape[2]) for a in (self.position, self.orientation, self.velocity, self.turning)]
        position, orientation, velocity, turning = flat  # views
        self.world.arrays.get_states(
            cairn.StateArrays(position, orientation=orientation, linear_velocity=velocity, angular_velocity=turning)
        )
        self.world.arrays.get_articulations(cairn.ArticulationArrays(q=self.q, v=self.v))
