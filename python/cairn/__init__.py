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

from . import _core, _structs
from ._core import *  # noqa: F403
from ._structs import *  # noqa: F403
from ._sweep import *  # noqa: F403
from ._values import *  # noqa: F403

__version__: str = _core.__version__  # type: ignore[attr-defined]

_core._take_classes(  # type: ignore[attr-defined]
    {
        **{name: getattr(_structs, name) for name in _structs.__all__},
        **{rows.__name__: rows for rows in (States, ParticleStates, ParticleRates)},  # noqa: F405
    }
)
