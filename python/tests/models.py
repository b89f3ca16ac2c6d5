"""What the tests of cairn.convert share: small models in MJCF, and what mujoco says of them."""

import pathlib

import mujoco

import cairn
from cairn import convert

from twin import Twin

# what float32 turns and inertias are rounded by, times what a chain adds up
CLOSE = 1e-6


def load(tmp_path: pathlib.Path, xml: str, name: str = "robot.xml", **options):
    file = tmp_path / name
    file.write_text(xml)
    return convert.load(file, **options)


def both(tmp_path: pathlib.Path, body: str, rest: str = ""):
    """The scene and its report, and the model."""
    xml = f'<mujoco><option gravity="0.3 0.2 -9.81"/><worldbody>{body}</worldbody>{rest}</mujoco>'
    scene, report = load(tmp_path, xml)
    return scene, report, mujoco.MjModel.from_xml_string(xml)


def expect_twins(scene, report, model, states=20):
    differences = Twin(model, scene, report).differences(states)
    assert max(differences) < CLOSE, differences
    assert cairn.parse_scene(scene.to_json()).articulations() == scene.articulations()
    return differences


GEOM = '<geom type="box" size=".1 .05 .02" pos=".1 .02 0" euler="10 20 30"/>'
OTHER = '<geom size=".05" pos="0 0 -.2"/>'
