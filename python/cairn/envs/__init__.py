"""Worlds to learn in: Gymnasium's vector environments over a batch of worlds (pip install gymnasium).

    from cairn import envs

    env = envs.CartPole(64)
    seen, info = env.reset(seed=1)
    for _ in range(500):
        seen, reward, terminated, truncated, info = env.step(env.action_space.sample())

A task of one's own is a class with a scene, what is seen of it, a reward and an end. docs/learning.md has the rules.
"""

from .._packages import package as _package

_gymnasium = _package("gymnasium", "cairn.envs are environments of")

from gymnasium.vector import AutoresetMode as AutoresetMode

from ._cart_pole import CartPole as CartPole
from ._quadruped import QuadrupedWalk as QuadrupedWalk
from ._random import uniforms as uniforms
from ._random import world_keys as world_keys
from ._stacking import BoxStacking as BoxStacking
from ._stacking import arm_joints as arm_joints
from ._stacking import grasp_point as grasp_point
from ._tilting_wall import TiltingWall as TiltingWall
from ._vector import Numbers as Numbers
from ._vector import VectorEnv as VectorEnv

__all__ = [
    "AutoresetMode",
    "BoxStacking",
    "CartPole",
    "Numbers",
    "QuadrupedWalk",
    "TiltingWall",
    "VectorEnv",
    "arm_joints",
    "grasp_point",
    "uniforms",
    "world_keys",
]

for _name in ("BoxStacking", "CartPole", "QuadrupedWalk", "TiltingWall"):
    _gymnasium.register(id=f"cairn/{_name}-v0", vector_entry_point=f"cairn.envs:{_name}")
