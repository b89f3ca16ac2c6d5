#!/usr/bin/env python3
"""A batch of robot dogs in Cairn and in MuJoCo: time of a world-step on one thread, with heights beside it.

    python benchmarks/peers/robots.py --worlds 256 --rounds 5

The dog is that of `cairn.envs.QuadrupedWalk`: 12 kg, 12 driven joints with limits, 4 feet on a plane. A world-step is 20 ms, 4 steps of
5 ms in both. All dogs begin in their stance, each joint up to 0.1 rad off it, and hold it. Both engines take turns; the table has medians
over rounds. It needs the packages `cairn[envs]` and `mujoco`; `taskset -c 1` before it keeps it on one core.
"""

import argparse
import statistics
import time

import cairn
import mujoco
import numpy as np
from cairn.envs import _quadruped as dog

SUBSTEPS = dog.QuadrupedWalk.params.substeps
DT = dog.QuadrupedWalk.params.dt
MIDDLE = 7  # coordinates of the trunk, in both engines


def starts(worlds):
    """(worlds, 12) [rad]"""
    return np.tile(dog.STANCE, 4) + np.random.default_rng(1).uniform(-dog.START, dog.START, (worlds, 12))


class Cairn:
    name = f"cairn {cairn.__version__}"

    def __init__(self, worlds):
        scene = dog.QuadrupedWalk(1).scene()
        self.world = cairn.World.copies(scene, worlds, cairn.WorldOptions(device=cairn.Device(threads=1)))
        self.q = np.zeros((worlds, 19))
        self.q[:, 2], self.q[:, 6], self.q[:, MIDDLE:] = dog.STANDING + dog.LIMB * dog.START, 1, starts(worlds)
        target = self.q.copy()
        target[:, MIDDLE:] = np.tile(dog.STANCE, 4)
        self.world.arrays.set_articulations(cairn.ArticulationArrays(q=self.q, v=np.zeros((worlds, 18)), target=target))

    def step(self):
        self.world.step()

    def heights(self):
        self.world.arrays.get_articulations(cairn.ArticulationArrays(q=self.q))
        return self.q[:, 2].copy()


def mjcf():
    """The same dog. Its links touch the ground and not each other; hips have no shapes."""

    def inertial(mass, at, x, y, z):
        moments = [mass * (a * a + b * b) / 12 for a, b in ((y, z), (x, z), (x, y))]
        return f'<inertial mass="{mass}" pos="{at[0]} {at[1]} {at[2]}" diaginertia="{moments[0]} {moments[1]} {moments[2]}"/>'

    def joint(name, i):
        axis = ("1 0 0", "0 1 0", "0 1 0")[i]
        return f'<joint name="{name}" axis="{axis}" range="{dog.LOWER[i]} {dog.UPPER[i]}" armature="{dog.ARMATURE}"/>'

    def limb(name, i, at, mass, radius, child):
        width = 2 * radius
        return (
            f'<body pos="{at[0]} {at[1]} {at[2]}">{inertial(mass, (0, 0, -dog.LIMB / 2), width, width, dog.LIMB)}{joint(name, i)}'
            f'<geom type="capsule" size="{radius}" fromto="0 0 0 0 0 {-dog.LIMB}"/>{child}</body>'
        )

    legs, drives = [], []
    for leg in dog.LEGS:
        x = dog.FORWARD if "front" in leg else -dog.FORWARD
        side = 1 if "left" in leg else -1
        shin = limb(f"{leg} knee", 2, (0, 0, -dog.LIMB), dog.SHIN, dog.THIN, "")
        thigh = limb(f"{leg} hip", 1, (0, side * dog.OUTWARD, 0), dog.THIGH, dog.THICK, shin)
        hip = inertial(dog.HIP, (0, side * dog.OUTWARD / 2, 0), dog.OUTWARD, dog.OUTWARD, dog.OUTWARD)
        legs.append(f'<body pos="{x} {side * dog.ASIDE} 0">{hip}{joint(f"{leg} abduction", 0)}{thigh}</body>')
        for part in ("abduction", "hip", "knee"):
            drives.append(f'<position joint="{leg} {part}" kp="{dog.STIFFNESS}" kv="{dog.DAMPING}"/>')
    trunk = inertial(dog.TRUNK, (0, 0, 0), dog.LENGTH, dog.WIDTH, dog.HEIGHT)
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{DT / SUBSTEPS}" gravity="0 0 -9.81" integrator="implicitfast"/>'
        '<default><geom contype="1" conaffinity="2" friction="0.8 0.005 0.0001"/></default>'
        f'<worldbody><geom type="plane" size="0 0 1" contype="2" conaffinity="1"/><body pos="0 0 {dog.STANDING}"><freejoint/>{trunk}'
        f'<geom type="box" size="{dog.LENGTH / 2} {dog.WIDTH / 2} {dog.HEIGHT / 2}"/>{"".join(legs)}</body></worldbody>'
        f'<actuator>{"".join(drives)}</actuator></mujoco>'
    )


class MuJoCo:
    name = f"mujoco {mujoco.__version__}"

    def __init__(self, worlds):
        self.model = mujoco.MjModel.from_xml_string(mjcf())
        self.data = [mujoco.MjData(self.model) for _ in range(worlds)]
        for data, joints in zip(self.data, starts(worlds)):
            data.qpos[2], data.qpos[MIDDLE:] = dog.STANDING + dog.LIMB * dog.START, joints
            data.ctrl[:] = np.tile(dog.STANCE, 4)

    def step(self):
        # one call a world, of all its steps: what is in a world's MjData stays in the cache
        for data in self.data:
            mujoco.mj_step(self.model, data, SUBSTEPS)

    def heights(self):
        return np.array([data.qpos[2] for data in self.data])


def measure(engine, worlds, settle, steps):
    """[us] a world-step, [m] mean height and its spread."""
    batch = engine(worlds)
    for _ in range(settle):
        batch.step()
    begin = time.process_time()
    for _ in range(steps):
        batch.step()
    spent = time.process_time() - begin
    heights = batch.heights()
    return 1e6 * spent / (steps * worlds), heights.mean(), heights.std()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--settle", type=int, default=50, help="world-steps before the timed ones")
    parser.add_argument("--steps", type=int, default=50, help="timed world-steps")
    given = parser.parse_args()
    rounds = [[measure(e, given.worlds, given.settle, given.steps) for e in (Cairn, MuJoCo)] for _ in range(given.rounds)]
    print(f"{given.worlds} dogs, one thread, world-steps of {1000 * DT:g} ms, medians of {given.rounds} rounds")
    print(f"{'engine':<16}{'us a world-step':>16}{'least':>9}{'x mujoco':>10}{'mean height m':>15}{'spread mm':>11}")
    for k, engine in enumerate((Cairn, MuJoCo)):
        times = [r[k][0] for r in rounds]
        ratio = statistics.median(r[k][0] / r[1][0] for r in rounds)
        _, height, spread = rounds[0][k]
        print(f"{engine.name:<16}{statistics.median(times):>16.1f}{min(times):>9.1f}{ratio:>10.2f}{height:>15.4f}{1000 * spread:>11.3f}")


if __name__ == "__main__":
    main()
