"""Cairn: a solver for rigid bodies, robots, particles and fluids, with the same bits on every processor.

    import cairn

    scene = cairn.Scene()
    scene.add_body(cairn.Body(type="static", shapes=[cairn.Shape(cairn.Plane())]))
    scene.add_body(cairn.Body(position=(0, 0, 2), density=1000, shapes=[cairn.Shape(cairn.Box((0.5, 0.5, 0.5)))]))
    world = cairn.World(scene)
    for _ in range(60):
        world.step()
    print(world.read_states().position)

Names are those of C++ (include/cairn). Structs are plain values: what a World gives is a copy, which a call of its takes
back. docs/python.md has more.
"""

from enum import IntFlag as _IntFlag

from . import _core, _structs
from ._core import (
    Array as Array,
    Articulations as Articulations,
    ArticulationHandle as ArticulationHandle,
    BodyHandle as BodyHandle,
    CapacityError as CapacityError,
    ConvexHull as ConvexHull,
    DeviceArrays as DeviceArrays,
    DeviceError as DeviceError,
    Error as Error,
    HeightField as HeightField,
    InvalidArgument as InvalidArgument,
    JointHandle as JointHandle,
    ParticlesHandle as ParticlesHandle,
    Queries as Queries,
    Recording as Recording,
    Scene as Scene,
    SceneFileError as SceneFileError,
    Snapshot as Snapshot,
    SnapshotError as SnapshotError,
    TriangleMesh as TriangleMesh,
    World as World,
    body_mass_properties as body_mass_properties,
    built_with_cuda as built_with_cuda,
    constraint_warnings as constraint_warnings,
    describe as describe,
    devices as devices,
    estimate_memory as estimate_memory,
    load_scene as load_scene,
    load_surface as load_surface,
    parse_device as parse_device,
    parse_scene as parse_scene,
    random_uniforms as random_uniforms,
    rayleigh_time as rayleigh_time,
    render as render,
    replay as replay,
    scene_to_json as scene_to_json,
    status_names as status_names,
    write_picture as write_picture,
)
from ._values import Quat as Quat, QuatLike as QuatLike, States as States, Struct as Struct
from ._values import Vec3 as Vec3, Vec3Like as Vec3Like
from ._structs import *  # noqa: F403

__version__: str = _core.__version__  # type: ignore[attr-defined]

WORLD_BODY = 0xFFFFFFFF
"""In the place of a joint's body: the world."""
WORLD_LINK = 0xFFFFFFFF
"""In the place of a link's parent: the world."""


class StatusBit(_IntFlag):
    """Bits of a report's status. 0 is good."""

    NON_FINITE = 1
    """a body's state became NaN or infinite; its world is frozen"""
    OUT_OF_BOUNDS = 2
    """a body left the box of WorldLimits; its world is frozen"""
    OVERFLOW = 4
    """there was no room for a step's pairs; the step was not taken"""
    TOO_FAST = 8
    """a body passed a speed of WorldLimits; its world is frozen"""


_core._take_classes({**{name: getattr(_structs, name) for name in _structs.__all__}, "States": States})  # type: ignore[attr-defined]
