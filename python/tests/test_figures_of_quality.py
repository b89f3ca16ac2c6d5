"""Quality, masses, rules, files of meshes, pictures of bodies, and numbers that are drawn."""

import numpy as np
import pytest

import cairn
from conftest import box_scene


def test_a_stack_that_stands_has_good_figures(scene):
    world = cairn.World(scene)
    meter = cairn.QualityMeter(scene, cairn.QualityRules(nominal_height=2.5))
    for _ in range(30):
        world.step()
        meter.observe(world)
    quality = meter.measure(world)
    assert quality.finite and quality.fallen == 0 and 0 < quality.max_penetration < 0.01
    assert quality.potential_energy == pytest.approx(1000 * 9.81 * (0.5 + 1.5 + 2.5), rel=1e-3)
    assert meter.measure(world.read_states()) == quality and meter.max_excursion() <= quality.max_excursion
    # what has fallen by 5 m has fallen
    states = world.read_states()
    states.position[3] += (0, 5, 0)
    meter.observe(states)
    assert meter.measure(states).fallen == 1 and meter.max_excursion() == pytest.approx(5, rel=0.01)
    other = cairn.QualityMeter(scene)
    other.observe(meter.max_excursion())
    assert other.max_excursion() == meter.max_excursion()
    with pytest.raises(ValueError):
        meter.measure(cairn.World(box_scene(7)))
    with pytest.raises(ValueError, match="layer_height"):
        cairn.QualityMeter(scene, cairn.QualityRules(fallen="layer"))


def test_mass_properties():
    box = cairn.mass_properties(cairn.Box((0.5, 0.5, 0.5)), 1000)
    assert box.mass == pytest.approx(1000) and box.moments == pytest.approx((1000 / 6,) * 3)
    point = cairn.mass_properties(cairn.PointMass(mass=2, position=(1, 0, 0)))
    assert point.mass == 2 and point.centre_of_mass == (1, 0, 0)
    both = cairn.together([point, cairn.moved(point, (-2, 0, 0), (0, 0, 0, 1))])
    assert both.mass == 4 and both.centre_of_mass == pytest.approx((0, 0, 0)) and max(both.moments) == pytest.approx(4)
    shell = cairn.mass_properties_of_hollow_ball(0.5, 0.5, 3)
    assert shell.moments == pytest.approx((2 / 3 * 3 * 0.25,) * 3)
    stone = cairn.Material(name="stone", density=1000)
    body = cairn.Body(shapes=[cairn.Shape(cairn.Box((0.5, 0.5, 0.5)))])
    assert cairn.mass_properties(body, [stone]).mass == pytest.approx(1000)
    cairn.give_mass(body, shell)
    assert body.mass == 3 and body.inertia == cairn.inertia_of(shell) and body.centre_of_mass == (0, 0, 0)
    assert cairn.mass_properties(body, [stone]).mass == pytest.approx(3)
    with pytest.raises(ValueError):
        cairn.mass_properties(cairn.Plane(), 1)


def test_inertias_are_repaired():
    bad = cairn.Inertia((1, 1, 5))
    assert cairn.fault_of(bad) and not cairn.fault_of(cairn.repaired(bad))
    good = cairn.Inertia((1, 1, 1))
    assert cairn.fault_of(good) == "" and cairn.repaired(good) == good


def test_descriptions_are_validated():
    stone = cairn.Material(name="stone", density=1000)
    cairn.validate(stone, "stone")
    cairn.validate(cairn.StepParams())
    cairn.validate(cairn.WorldLimits())
    cairn.validate(cairn.Body(shapes=[cairn.Shape(cairn.Sphere())]), [stone], "body")
    for what in ((cairn.Material(name="m", friction=-1), "m"), (cairn.StepParams(substeps=0),)):
        with pytest.raises(ValueError, match="friction|substeps"):
            cairn.validate(*what)
    with pytest.raises(ValueError, match="b.*mass"):
        cairn.validate(cairn.Body(mass=-1), [stone], "b")
    with pytest.raises(TypeError):
        cairn.validate(7)


def test_mesh_files_are_read_from_text():
    vertices, triangles = cairn.parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]] and triangles.tolist() == [[0, 1, 2]]
    stl = b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n"
    assert cairn.parse_stl(stl)[1].tolist() == [[0, 1, 2]]
    with pytest.raises(ValueError, match="mine"):
        cairn.parse_obj("v 0 0", "mine")
    with pytest.raises(ValueError, match="vertices"):
        cairn.parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", limits=cairn.MeshFileLimits(vertices=2))


def test_bodies_are_drawn_without_a_world(scene):
    world = cairn.World(scene)
    options = cairn.PictureOptions(width=64, height=36, samples=1)
    picture = cairn.render(scene.bodies(), world.read_states(), (0, 0, 1), options)
    assert np.array_equal(picture, cairn.render(world, options))
    assert cairn.png(picture).startswith(b"\x89PNG")


def test_philox_has_its_known_answers():
    # Random123's kat_vectors
    assert cairn.philox4x32([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert cairn.philox4x32([2**32 - 1] * 4, [2**32 - 1] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def test_mesh_files_that_a_scene_names_are_listed(tmp_path):
    (tmp_path / "cube.obj").write_text(
        "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 3\n"
    )
    scene = cairn.Scene()
    points = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    scene.add_body(cairn.Body(density=1, shapes=[cairn.Shape(cairn.ConvexHull(points))]))
    text = scene.to_json()
    meshes: list[str] = []
    assert cairn.parse_scene(text, meshes=meshes).to_json() == text and meshes == []
