"""A scene of everything, and what is recorded of it."""

import pathlib
from typing import NamedTuple

import numpy

import cairn
from cairn import trajectory

CPU = cairn.WorldOptions(device=cairn.Device(threads=1))


def grid(n):
    """Positions, stretches and bends of a cloth of n by n particles."""
    stretches, bends = [], []
    for y in range(n):
        for x in range(n):
            k = n * y + x
            right, above = x + 1 < n, y + 1 < n
            stretches += [k, k + 1] * right + [k, k + n] * above + [k, k + n + 1] * (right and above)
            bends += [k, k + n + 1, k + 1, k + n] * (right and above)
    return [(0.1 * x, 0.1 * y + 2, 1) for y in range(n) for x in range(n)], stretches, bends


def zoo() -> cairn.Scene:
    """Each shape, a cloth, a rope, a fluid, and an arm of two links."""
    scene = cairn.Scene()
    stone = scene.add_material(cairn.Material(name="stone", density=1000))
    scene.add_body(cairn.Body(name="floor", type="static", shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
    hull = cairn.ConvexHull([(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)])
    shapes = [
        cairn.Sphere(0.2),
        cairn.Capsule(0.1, 0.2),
        cairn.Box((0.1, 0.2, 0.3)),
        cairn.Cylinder(0.2, 0.1),
        cairn.Cone(0.2, 0.1),
        cairn.TaperedCylinder(0.2, 0.1, 0.1),
        cairn.Tube(0.3, 0.2, 0.2),
        cairn.Ellipsoid((0.1, 0.2, 0.3)),
        cairn.RoundedBox((0.1, 0.2, 0.3), 0.05),
        hull,
    ]
    for i, geometry in enumerate(shapes):
        shape = cairn.Shape(geometry, position=(0.1, 0, 0), material=stone)
        name = f"a/b {i}" if i else ""
        scene.add_body(cairn.Body(name=name, position=(i, 0, 2), angular_velocity=(1, 2, 0), shapes=[shape]))
    land = cairn.HeightField(numpy.zeros((3, 4), numpy.float32), 0.5)
    slope = cairn.TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    for k, surface in enumerate((land, slope)):
        scene.add_body(cairn.Body(type="static", position=(20, 5 * k, 0), shapes=[cairn.Shape(surface)]))
    links = [
        cairn.ArticulationLink(
            name=f"link{k}",
            parent=k - 1 if k else cairn.WORLD_LINK,
            joint=cairn.ArticulationJoint("revolute"),
            frame_in_parent=cairn.JointFrame((0, 0.5, 0) if k else (0, 8, 2)),
            shapes=[cairn.Shape(cairn.Box((0.05, 0.2, 0.05)), position=(0, 0.25, 0))],
            mass=1.0,
            centre_of_mass=(0, 0.25, 0),
            inertia=cairn.Inertia((0.02, 0.01, 0.02)),
        )
        for k in range(2)
    ]
    scene.add_articulation(cairn.Articulation("arm", links=links))
    positions, stretches, bends = grid(4)
    cloth = [cairn.ConstraintGroup("stretch", particles=stretches), cairn.ConstraintGroup("bend", particles=bends)]
    scene.add_particles(cairn.ParticleSet("cloth", positions=positions, constraints=cloth))
    rope = [cairn.ConstraintGroup("stretch", particles=[0, 1, 1, 2, 2, 3])]
    scene.add_particles(cairn.ParticleSet("rope", positions=[(0, 4 + 0.1 * k, 1) for k in range(4)], constraints=rope))
    drops = [(0.05 * x, 6 + 0.05 * y, 1) for x in range(2) for y in range(3)]
    scene.add_particles(cairn.ParticleSet("water", positions=drops, radius=0.02, fluid=cairn.Fluid()))
    return scene


class Told(NamedTuple):
    """What was recorded, by read_states."""

    file: pathlib.Path
    times: list[float]
    states: list[dict]
    """of each frame: position, orientation, linear and angular velocity by name of the body"""
    names: list[str]


LATE = "late"


def record(folder, ending, scene=None, **options):
    """Six frames; a ball comes after the second and goes after the fourth."""
    scene = zoo() if scene is None else scene
    world = cairn.World(scene, CPU)
    # those without a name are called by their index
    names = [body.name or f"body_{i}" for i, body in enumerate(scene.bodies())]
    file, times, states, ball = folder / f"out{ending}", [], [], None
    with trajectory.Writer(world, file, every=2, scene=scene, **options) as out:
        for step in range(12):
            if step == 4:
                ball = world.add_body(cairn.Body(name=LATE, position=(0, 9, 1), density=1, shapes=[cairn.Shape()]))
            if step == 8:
                world.remove_body(ball)
            assert out.record() == (step % 2 == 0)
            if step % 2 == 0:
                read = world.read_states()
                alive = [*names, LATE] if len(read.position) > len(names) else names
                times.append(world.report(0).time)
                states.append({name: [column[i].copy() for column in read] for i, name in enumerate(alive)})
            world.step()
        assert out.frames == 6
    return Told(file, times, states, [*names, LATE])
