import pytest

import cairn


def box_scene(count: int = 3) -> cairn.Scene:
    """A floor and boxes on top of each other."""
    scene = cairn.Scene()
    stone = scene.add_material(cairn.Material(name="stone", density=1000))
    scene.add_body(cairn.Body(name="floor", type="static", shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
    for i in range(count):
        scene.add_body(
            cairn.Body(name=f"box{i}", position=(0, 0, 0.5 + i), shapes=[cairn.Shape(cairn.Box(), material=stone)])
        )
    return scene


@pytest.fixture
def scene() -> cairn.Scene:
    return box_scene()


@pytest.fixture
def world(scene: cairn.Scene) -> cairn.World:
    return cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))


@pytest.fixture
def view(world, scene):
    """That world in a View."""
    pytest.importorskip("viser", reason="without viser")
    from cairn.viewer import View

    with View(world, scene) as made:
        yield made
