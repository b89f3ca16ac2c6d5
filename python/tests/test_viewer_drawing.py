"""cairn.viewer without a browser: what browsers are sent to draw."""

import numpy as np
import pytest

import cairn
from cairn import _meshes

pytest.importorskip("viser", reason="without viser")

from viewing import CPU, SHAPES, cloth, drawn, obeys, shapes_scene  # noqa: E402

from cairn.viewer import View, _instances, _particles  # noqa: E402
from cairn.viewer._arrows import NORMAL, contact_forces  # noqa: E402


def test_shapes_are_where_the_states_say():
    world = cairn.World(shapes_scene(), CPU)
    with View(world) as view:
        world.step(30)
        view._show_now()
        states, got = world.read_states(), drawn(view)
        assert got.keys() == set(range(len(SHAPES) + 1))
        for row, body in enumerate(world.bodies()):
            mesh = _meshes.body_mesh(world.description(body))
            want = _meshes.placed(mesh, states.position[row], states.orientation[row]).vertices
            # float32 of poses and of two products of unit quaternions
            np.testing.assert_allclose(got[row], want, rtol=0, atol=16 * np.finfo(np.float32).eps * abs(want).max())


def test_shapes_of_a_kind_share_a_mesh_and_static_bodies_are_apart():
    bodies = [cairn.Body(shapes=[cairn.Shape(cairn.Box((i + 1, 1, 1)))]) for i in range(5)]
    bodies += [cairn.Body(shapes=[cairn.Shape(cairn.Sphere(2)), cairn.Shape(cairn.Ellipsoid((1, 2, 3)))])]
    bodies += [cairn.Body(type="static", shapes=[cairn.Shape(cairn.Box())])]
    bodies += [cairn.Body(shapes=[cairn.Shape(cairn.Box(), sensor=True)])]
    groups = _instances.instances_of(enumerate(bodies))
    assert [(g.rows.tolist(), g.moves) for g in groups] == [([0, 1, 2, 3, 4], True), ([5, 5], True), ([6], False)]
    assert groups[0].scales.tolist() == [[i + 1, 1, 1] for i in range(5)]
    assert groups[1].scales.tolist() == [[2, 2, 2], [1, 2, 3]]
    assert groups[0].flat and not groups[1].flat


def test_bodies_and_particles_have_the_colors_of_the_scene():
    scene = cairn.Scene()
    for color in ((1, 0.5, 0), None):
        scene.add_body(cairn.Body(density=1, color=color, shapes=[cairn.Shape(cairn.Sphere(0.3))]))
    scene.add_particles(cloth(2).replace(color=(0, 0, 0.5)))
    with View(cairn.World(scene, CPU)) as view:
        ((group, _),) = view._drawing._nodes
        usual = [round(255 * linear**0.5) for linear in cairn.picture_color(1)]
        assert group.colors.tolist() == [[249, 128, 0], usual]  # nothing throws back all light: 255 * sqrt(0.95)
        ((surface, _, _),) = view._drawing._sets[0].nodes
        assert tuple(surface.color) == (0, 0, 128)


def test_the_more_instances_the_coarser_the_mesh():
    def triangles(count):
        bodies = [cairn.Body(shapes=[cairn.Shape(cairn.Sphere())])] * count
        return len(_instances.instances_of(enumerate(bodies))[0].mesh.triangles)

    assert triangles(500) > triangles(501) > triangles(5001)


def test_a_body_that_is_switched_off_has_no_size(view, world):
    body = world.bodies()[2]
    world.set_enabled(body, False)
    obeys(view)
    view._show_now()
    assert abs(np.ptp(drawn(view)[2], axis=0)).max() == 0
    world.set_enabled(body, True)
    view._show_now()
    assert np.ptp(drawn(view)[2], axis=0).min() > 0.9


def test_bodies_come_and_go(view, world):
    world.remove_body(world.bodies()[1])
    assert view.update()
    assert drawn(view).keys() == {0, 1, 2} and view.frames == 1
    world.add_body(cairn.Body(position=(5, 0, 0), density=1, shapes=[cairn.Shape(cairn.Sphere(0.5))]))
    assert view.update()
    assert drawn(view).keys() == {0, 1, 2, 3}


def test_worlds_of_a_batch_stand_beside_each_other(scene):
    world = cairn.World.copies(scene, 5, CPU)
    with View(world, spacing=4) as view:
        want = [[0, 0, 0], [4, 0, 0], [8, 0, 0], [0, 4, 0], [4, 4, 0]]
        assert view._drawing.offsets.tolist() == want
        np.testing.assert_allclose(drawn(view)[4 * 4 + 1].mean(0), (4, 4, 0.5), atol=1e-6)
        assert np.ptp(drawn(view)[0], axis=0).tolist() == [4, 4, 0]  # a floor as wide as its world
    for k in range(5):
        world.set_origin((0, 3 * k, 1), k)
    with View(world) as view:
        assert view._drawing.offsets.tolist() == [[0, 3 * k, 1] for k in range(5)]


def test_contact_forces_carry_the_weight(view, world):
    world.step(300)
    forces = contact_forces(world, view._drawing.offsets)
    normal = (forces.colors == NORMAL).all(1)
    lowest = normal & (forces.points[:, 2] < 0.1)
    mass = 3 * 1000
    # at rest to sleep_speed, whose change in a step is the most that a force may be off by
    allowed = mass * world.params().sleep_speed / world.params().dt
    assert abs(forces.vectors[lowest].sum(0) - (0, 0, mass * 9.81)).max() < allowed
    view.show_contacts(True)
    sent = view._arrows._node.points
    longest = np.linalg.norm(sent[:, 1] - sent[:, 0], axis=1).max()
    assert len(sent) == len(forces.points) and longest == pytest.approx(2 * view._drawing.size, rel=1e-5)


def test_a_cloth_is_a_surface_and_tears():
    whole = cloth(3)
    edges = len(whole.constraints[0].particles) // 2
    broken = np.zeros(edges + len(whole.constraints[1].particles) // 4, np.uint8)
    surface = _particles.topology_of(whole, broken)
    assert len(surface.triangles) == 2 * 3 * 3 and not len(surface.lines) and not len(surface.points)
    broken[0] = 1  # at the border, of one triangle, whose other sides are sides of others or stay as lines
    torn = _particles.topology_of(whole, broken)
    assert len(torn.triangles) == 17 and len(torn.lines) <= 1
    less = _particles.topology_of(whole, np.zeros_like(broken), gone=[0])
    assert 0 not in less.triangles and 0 not in less.lines and 0 not in less.points


def test_ropes_are_lines_loose_particles_points_and_soft_bodies_surfaces():
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
    rope = cairn.ParticleSet(positions=points, constraints=[cairn.ConstraintGroup("stretch", particles=[0, 1, 2, 1])])
    topology = _particles.topology_of(rope, np.zeros(2))
    assert topology.lines.tolist() == [[0, 1], [1, 2]] and topology.points.tolist() == [3, 4]
    soft = cairn.ParticleSet(
        positions=points, constraints=[cairn.ConstraintGroup("volume", particles=[0, 1, 2, 3, 1, 2, 3, 4])]
    )
    triangles = _particles.topology_of(soft, np.zeros(2)).triangles
    assert len(triangles) == 6  # two of four faces, without the one that they share
    corners = np.array(points, float)[triangles]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(1 / 6 + 1 / 3)  # over 0: they are seen from outside


def test_particles_are_where_the_states_say():
    scene = cairn.Scene()
    scene.add_particles(cloth(3))
    scene.add_particles(
        cairn.ParticleSet(
            "water", positions=[(2, 0, 0.1 * i) for i in range(4)], radius=0.04, fluid=cairn.Fluid(spacing=0.1)
        )
    )
    world = cairn.World(scene, CPU)
    with View(world) as view:
        world.step(5)
        view._show_now()
        at = world.read_states().position.astype(np.float32)
        ((surface, member, rows),) = view._drawing._sets[0].nodes
        assert member == "vertices" and (surface.vertices == at[rows]).all() and len(surface.faces) == 18
        ((water, member, rows),) = view._drawing._sets[1].nodes
        assert member == "points" and (water.points == at[16:]).all() and water.point_size == pytest.approx(0.1)
