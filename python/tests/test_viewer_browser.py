"""cairn.viewer in a browser: Chromium, drawn in software. Skipped where there is none (apt-get install chromium)."""

import time

import browser
import numpy as np
import pytest

import cairn

pytest.importorskip("viser", reason="without viser")
pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="without Chromium")

from cairn.viewer import View  # noqa: E402

PATIENCE = 120.0  # [s] for a page, on a busy machine without a GPU
CAMERA = cairn.PictureCamera((7, -9, 5), (0.3, 0.2, 0.4), 35)


def floating() -> cairn.World:
    """Boxes, a ball and a cylinder that turn in free fall, in front of nothing."""
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    shapes = [cairn.Box((0.6, 0.4, 0.3)), cairn.Box((0.2, 0.5, 0.9)), cairn.Sphere(0.6), cairn.Cylinder(0.4, 0.7)]
    for i, shape in enumerate(shapes):
        spin = (0.5 + i, 1.0 - i, 0.7)
        at = (2.2 * (i % 2) - 1, 2.2 * (i // 2) - 1, 0.5 * i)
        scene.add_body(cairn.Body(position=at, density=100, angular_velocity=spin, shapes=[cairn.Shape(shape)]))
    return cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))


def until(page: browser.Browser, true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end and not page.faults, page.faults
        page.call("Runtime.evaluate", expression="1")
        time.sleep(0.05)


@pytest.fixture
def shown(tmp_path):
    world = floating()
    with View(world, camera=CAMERA) as view, browser.Browser(tmp_path / "profile", view.url, 480, 360) as page:
        until(page, view._server.get_clients)
        yield world, view, page
        assert not page.faults


def silhouette(world: cairn.World, width: int, height: int) -> np.ndarray:
    """(height, width) Where Cairn's own pictures show a body: they differ from one without bodies."""
    bodies = [world.description(b) for b in world.bodies()]
    off = [body.replace(enabled=False) for body in bodies]
    options = cairn.PictureOptions(width, height=height, samples=1, threads=1, camera=CAMERA)
    states = world.read_states()
    pictures = (cairn.render(some, states, (0, 0, 1), options).astype(int) for some in (bodies, off))
    return np.any(next(pictures) != next(pictures), axis=2)


def test_bodies_are_seen_where_pictures_have_them(shown):
    world, view, page = shown
    world.step(40)
    view._show_now()
    client = next(iter(view._server.get_clients().values()))
    until(page, lambda: np.allclose(client.camera.position, CAMERA.eye, rtol=1e-5))
    width, height = 200, 150
    want = silhouette(world, width, height)
    assert want.sum() > 0.05 * want.size
    # pixels whose neighbours are all inside or all outside must agree; the others are at an edge, which is sampled
    # elsewhere in the pixel
    padded = np.pad(want, 1, mode="edge")
    around = np.stack([padded[i : i + height, j : j + width] for i in range(3) for j in range(3)])
    clear = (around == want).all(0)
    for _ in range(5):  # poses may come after what asks for the picture
        seen = client.get_render(height, width, transport_format="png")[:, :, 3] > 127
        wrong = np.argwhere(clear & (seen != want))
        if not len(wrong):
            break
    assert not len(wrong), f"{len(wrong)} of {clear.sum()} pixels differ, the first at row, column {wrong[0]}"


def test_the_page_shows_the_controls_and_obeys_them(shown):
    world, view, page = shown

    def text() -> str:
        return page.call("Runtime.evaluate", expression="document.body.innerText")["result"]["value"]

    until(page, lambda: "contact forces" in text() and "t = 0.000 s" in text())

    def press(label: str) -> None:
        button = f"[...document.querySelectorAll('button')].find(b => b.innerText.trim() === '{label}')"
        until(page, lambda: page.call("Runtime.evaluate", expression=f"!!{button}")["result"]["value"])
        page.call("Runtime.evaluate", expression=f"{button}.click()")
        until(page, lambda: not view._commands.empty())

    press("step")
    assert view.update() and not view.playing
    world.step()
    press("play")
    assert view.update() and view.playing
    until(page, lambda: "step 1" in text())
