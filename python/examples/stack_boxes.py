"""An arm sets one box on another, by a script of grasps and inverse kinematics, in many worlds at once.

pip install gymnasium && python stack_boxes.py [seed]
"""

import sys
from typing import Any

import numpy as np

import cairn
from cairn import envs

ONE_THREAD = cairn.WorldOptions(cairn.Device(threads=1))
WORLDS = 64
ABOVE, GAP = 0.1, 0.002  # [m] over a box where the hand begins to go down; between the boxes where it lets go
EDGE = 0.05  # [m] of the boxes
OPEN, CLOSED = 1.0, -1.0

# where to, how high over it [m], fingers, steps at least
PHASES = [
    ("box", ABOVE, OPEN, 0),
    ("box", 0.0, OPEN, 0),
    ("there", 0.0, CLOSED, 15),
    ("there", ABOVE, CLOSED, 0),
    ("base", ABOVE, CLOSED, 0),
    ("base", GAP, CLOSED, 10),
    ("there", GAP, OPEN, 15),
    ("there", ABOVE, OPEN, 0),
]
KIND, HEIGHT, FINGERS, LEAST = map(np.array, zip(*PHASES))


def turn_of(quaternion: Any) -> Any:
    """[rad] (...) about z, of what lies flat."""
    return 2 * np.arctan2(quaternion[..., 2], quaternion[..., 3])


class Script:
    """The phase of each world, and where its hand goes."""

    def __init__(self, env: envs.BoxStacking) -> None:
        self.reach = env.reach
        self.phase, self.steps = np.zeros(env.num_envs, int), np.zeros(env.num_envs, int)
        self.place = np.zeros((env.num_envs, 3))  # [m] that the hand goes to, and over
        self.turn = np.zeros(env.num_envs)  # [rad]

    def act(self, seen: Any) -> Any:
        """Actions (worlds, 6) for what is seen."""
        joints, targets, hand = seen[:, :5], seen[:, 12:17], seen[:, 18:21].astype(float)
        box, base = seen[:, 21:28], seen[:, 34:41]  # place from the hand, quaternion
        to_box, to_base = KIND[self.phase] == "box", KIND[self.phase] == "base"
        self.place[to_box] = (hand + box[:, :3])[to_box]
        self.turn[to_box] = turn_of(box[to_box, 3:])
        # the held box may lie anywhere between the fingers: it goes on the other one, not the hand
        self.place[to_base] = (hand + base[:, :3] - box[:, :3] + (0, 0, EDGE))[to_base]
        self.turn[to_base] = turn_of(base[to_base, 3:])
        goal = self.place.copy()
        goal[:, 2] += HEIGHT[self.phase]
        wanted = envs.arm_joints(goal, self.turn)
        self.steps += 1
        arrived = (np.linalg.norm(goal - hand, axis=1) < 0.004) & (np.abs(wanted - joints)[:, 4] < 0.03)
        on = arrived & (self.steps > LEAST[self.phase]) & (self.phase < len(PHASES) - 1)
        fingers = FINGERS[self.phase]
        self.phase[on] += 1
        self.steps[on] = 0
        return np.concatenate([np.clip((wanted - targets) / self.reach, -1, 1), fingers[:, None]], 1)


def run(seed: int, worlds: int = WORLDS) -> Any:
    """(worlds) bool: where the box lies on the other one after an episode."""
    env = envs.BoxStacking(worlds, world_options=ONE_THREAD)
    seen, _ = env.reset(seed=seed)
    script, lost = Script(env), np.zeros(worlds, bool)
    for _ in range(300):
        seen, _, terminated, _, info = env.step(script.act(seen))
        lost |= terminated
    env.close()
    return info["success"] & ~lost


if __name__ == "__main__":
    done = run(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(f"One box lies on the other in {done.sum()} of {len(done)} worlds.")
