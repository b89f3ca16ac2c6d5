"""What tests of cairn.viewer look at. Imported where viser is there."""

import numpy as np

import cairn
from cairn import _meshes
from cairn.viewer import View

CPU = cairn.WorldOptions(device=cairn.Device(threads=1))
SHAPES = [
    cairn.Shape(cairn.Box((0.2, 0.3, 0.4))),
    cairn.Shape(cairn.Sphere(0.3), position=(0.1, 0, 0)),
    cairn.Shape(cairn.Ellipsoid((0.1, 0.2, 0.3)), position=(0, 0.2, 0.1), orientation=(0.5, 0.5, 0.5, 0.5)),
    cairn.Shape(cairn.Cylinder(0.2, 0.5), orientation=(0.6, 0, 0, 0.8)),
    cairn.Shape(cairn.Capsule(0.1, 0.4)),
    cairn.Shape(cairn.ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])),
]


def shapes_scene() -> cairn.Scene:
    """A body of each shape, turning freely; a static box of the same size as one of them."""
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    for i, shape in enumerate(SHAPES):
        scene.add_body(
            cairn.Body(
                position=(3 * i, 1, 2),
                density=500,
                angular_velocity=(1, i, 2),
                linear_velocity=(0, i, 1),
                shapes=[shape],
            )
        )
    scene.add_body(cairn.Body(type="static", position=(0, -9, 0), shapes=[SHAPES[0]]))
    return scene


def obeys(view: View, *commands) -> None:
    """What browsers ask for, and then to play."""
    for command in (*commands, view.play):
        view._commands.put(command)


def drawn(view: View) -> dict[int, np.ndarray]:
    """[m] (vertices, 3) Corners of what is drawn, by the body's row, as a browser makes them of what it is sent."""
    corners = {}
    for group, node in view._drawing._nodes:
        for k, row in enumerate(group.rows):
            w, *xyz = node.batched_wxyzs[k]
            mesh = _meshes.Mesh(node.vertices * node.batched_scales[k], node.faces)
            corners[int(row)] = _meshes.placed(mesh, node.batched_positions[k], (*xyz, w)).vertices
    return corners


def cloth(n: int) -> cairn.ParticleSet:
    """(n + 1)^2 particles, two triangles a square."""
    at = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    edges, opposite = {}, []
    for t in triangles.tolist():
        for i, j, k in (t, t[1:] + t[:1], t[2:] + t[:2]):
            key = (min(i, j), max(i, j))
            if key in edges:
                opposite.append((*key, edges[key], k))
            edges[key] = k
    hinges = [(i, j, k, m) for i, j, k, m in opposite]
    return cairn.ParticleSet(
        "cloth",
        positions=[(0.1 * (i % (n + 1)), 0.1 * (i // (n + 1)), 1) for i in range((n + 1) ** 2)],
        mass=0.01,
        constraints=[
            cairn.ConstraintGroup("stretch", particles=np.ravel(list(edges))),
            cairn.ConstraintGroup("bend", particles=np.ravel(hinges), law=cairn.ConstraintLaw(compliance=1)),
        ],
    )
