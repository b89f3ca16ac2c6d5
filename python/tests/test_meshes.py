"""Triangle meshes of shapes (python/cairn/_meshes.py)."""

import math

import numpy
import pytest

import cairn
from cairn import _meshes

SEGMENTS = 64
GEOMETRIES = [
    cairn.Sphere(0.7),
    cairn.Capsule(0.3, 0.6),
    cairn.Cylinder(0.4, 0.5),
    cairn.Cone(0.4, 0.5),
    cairn.TaperedCylinder(0.4, 0.2, 0.5),
    cairn.Tube(0.5, 0.3, 0.4),
    cairn.Ellipsoid((0.3, 0.5, 0.9)),
    cairn.Box((0.2, 0.3, 0.4)),
    cairn.RoundedBox((0.2, 0.3, 0.4), 0.1),
]
NAMES = [type(g).__name__ for g in GEOMETRIES]


def corners(mesh):
    return mesh.vertices.astype(float)[mesh.triangles]


def volume(mesh):
    a, b, c = corners(mesh).transpose(1, 0, 2)
    return (a * numpy.cross(b, c)).sum() / 6


def is_closed(mesh):
    """Each edge is there once each way."""
    t = mesh.triangles.astype(int)
    edges = [tuple(e) for k in range(3) for e in t[:, [k, (k + 1) % 3]].tolist()]
    return len(set(edges)) == len(edges) and set(edges) == {(b, a) for a, b in edges}


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=NAMES)
def test_solids_are_closed_and_have_the_volume_of_their_mass(geometry):
    mesh = _meshes.shape_mesh(geometry, segments=SEGMENTS)
    assert is_closed(mesh)
    assert mesh.vertices.dtype == numpy.float32 and mesh.triangles.dtype == numpy.uint32
    assert len(numpy.unique(mesh.vertices, axis=0)) == len(mesh.vertices)
    exact = cairn.mass_properties(geometry, 1.0).mass
    # a chord of angle a is within its arc by a^2 / 12 of the radius in the mean: of a ball in two directions, and its
    # volume goes by the third power
    within = 3 * 2 * (2 * math.pi / SEGMENTS) ** 2 / 12
    assert exact * (1 - within) <= volume(mesh) <= exact * (1 + 1e-5)


@pytest.mark.parametrize("geometry", GEOMETRIES[:-1], ids=NAMES[:-1])
def test_finer_meshes_come_nearer_by_the_square_of_the_angle(geometry):
    exact = cairn.mass_properties(geometry, 1.0).mass
    coarse, fine = (exact - volume(_meshes.shape_mesh(geometry, segments=n)) for n in (32, 64))
    if isinstance(geometry, cairn.Box):
        assert abs(coarse) < 1e-6 * exact
    else:
        assert coarse / fine == pytest.approx(4, rel=0.05)


def test_round_vertices_lie_on_the_surface():
    ball = _meshes.shape_mesh(cairn.Sphere(0.7))
    assert numpy.linalg.norm(ball.vertices, axis=1) == pytest.approx(0.7, rel=1e-6)
    box = _meshes.shape_mesh(cairn.RoundedBox((0.2, 0.3, 0.4), 0.1))
    core = numpy.clip(box.vertices, *(numpy.array([[-0.1, -0.2, -0.3], [0.1, 0.2, 0.3]])))
    assert numpy.linalg.norm(box.vertices - core, axis=1) == pytest.approx(0.1, rel=1e-5)
    assert abs(box.vertices).max(0) == pytest.approx([0.2, 0.3, 0.4], rel=1e-6)


def test_a_plane_is_a_square_that_looks_along_its_normal():
    mesh = _meshes.shape_mesh(cairn.Plane((0, 3, 4), 2.0), plane_extent=7)
    normal = numpy.array([0, 0.6, 0.8])
    assert mesh.vertices @ normal == pytest.approx(2, abs=1e-5)
    a, b, c = corners(mesh).transpose(1, 0, 2)
    areas = numpy.cross(b - a, c - a) / 2
    assert areas @ normal == pytest.approx([98, 98], rel=1e-5)
    assert mesh.vertices.mean(0) == pytest.approx(2 * normal, abs=1e-5)


def test_hulls_have_faces():
    points = numpy.random.default_rng(1).normal(size=(300, 3))
    points /= numpy.linalg.norm(points, axis=1)[:, None]
    hull = cairn.ConvexHull(points)
    mesh = _meshes.shape_mesh(hull)
    assert is_closed(mesh) and (mesh.vertices == hull.vertices).all()
    # Euler: all points are corners of triangles
    assert len(mesh.triangles) == 2 * len(points) - 4
    assert volume(mesh) == pytest.approx(cairn.mass_properties(hull, 1.0).mass, rel=1e-5)
    a, b, c = corners(mesh).transpose(1, 0, 2)
    normal = numpy.cross(b - a, c - a)
    outside = normal @ mesh.vertices.T.astype(float) - (normal * a).sum(1)[:, None]
    assert outside.max() < 1e-6 * abs(normal).max()


def test_hulls_with_many_points_in_a_plane_are_closed():
    n = 200
    ring = [(math.cos(k * 2 * math.pi / n), math.sin(k * 2 * math.pi / n)) for k in range(n)]
    hull = cairn.ConvexHull([(x, y, z) for z in (-1, 1) for x, y in ring])
    mesh = _meshes.shape_mesh(hull)
    assert is_closed(mesh)
    assert volume(mesh) == pytest.approx(cairn.mass_properties(hull, 1.0).mass, rel=1e-5)
    from cairn._hulls import hull_triangles

    lattice = numpy.stack(numpy.meshgrid(*[numpy.arange(4)] * 3), -1).reshape(-1, 3).astype(numpy.float32)
    cube = _meshes.Mesh(lattice, hull_triangles(lattice))
    assert is_closed(cube) and volume(cube) == pytest.approx(27, rel=1e-12)


def test_meshes_and_height_fields_are_as_they_were_given():
    mesh = cairn.TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3)])
    out = _meshes.shape_mesh(mesh)
    assert (out.vertices == mesh.vertices).all() and (out.triangles == mesh.triangles).all()

    heights = numpy.array([[0, 1, 2], [3, 4, 6]], numpy.float32)
    field = _meshes.shape_mesh(cairn.HeightField(heights, 0.5))
    assert field.vertices.tolist() == [[0, 0, 0], [0.5, 0, 1], [1, 0, 2], [0, 0.5, 3], [0.5, 0.5, 4], [1, 0.5, 6]]
    assert field.triangles.tolist() == [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]  # cut from (i, j) to (i + 1, j + 1)


def test_bodies_are_their_shapes_where_these_are():
    half_turn = (0, 0, math.sin(math.pi / 4), math.cos(math.pi / 4))  # by 90 degrees: x becomes y
    body = cairn.Body(
        shapes=[
            cairn.Shape(cairn.Box((1, 2, 3)), position=(10, 0, 0), orientation=half_turn),
            cairn.Shape(cairn.Sphere(9), sensor=True),
            cairn.Shape(cairn.Box((1, 1, 1))),
        ]
    )
    mesh = _meshes.body_mesh(body)
    assert is_closed(mesh) and len(mesh.vertices) == 16
    assert mesh.vertices[:8].min(0) == pytest.approx([8, -1, -3], abs=1e-5)
    assert mesh.vertices[:8].max(0) == pytest.approx([12, 1, 3], abs=1e-5)
    assert volume(mesh) == pytest.approx(48 + 8, rel=1e-5)


def test_equal_shapes_have_equal_keys():
    hull = cairn.ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    for geometry in (*GEOMETRIES, hull):
        key = _meshes.geometry_key(geometry)
        again = cairn.Shape(geometry).replace().geometry
        assert {key: 1}[_meshes.geometry_key(again)] == 1
    assert len({_meshes.geometry_key(g) for g in GEOMETRIES}) == len(GEOMETRIES)
    shape = cairn.Shape(cairn.Sphere(0.5))
    assert _meshes.body_key(cairn.Body(shapes=[shape])) == _meshes.body_key(cairn.Body(name="b", shapes=[shape]))
    moved = shape.replace(position=(0, 0, 1))
    assert _meshes.body_key(cairn.Body(shapes=[shape])) != _meshes.body_key(cairn.Body(shapes=[moved]))


def test_colors_are_those_of_pictures(scene):
    # the box of index 1 fills the picture, lit from above; shade changes brightness alone
    body, states = scene.bodies()[1], cairn.World(scene, cairn.WorldOptions(device="cpu")).read_states()
    for index in (1, 2, 3):
        camera = cairn.PictureCamera(eye=(0.0, -3, 0.5 + index - 1), target=(0, 0, 0.5 + index - 1), field_of_view=5)
        picture = cairn.render(
            scene.bodies(), states, (0, 0, 1), cairn.PictureOptions(width=9, height=9, camera=camera, samples=1)
        )
        shown = (picture[4, 4].astype(float) / 255) ** 2
        wanted = numpy.array(cairn.picture_color(index))
        assert shown / shown.sum() == pytest.approx(wanted / wanted.sum(), abs=0.15)
    assert body.type == "dynamic"


@pytest.mark.parametrize("options", [{"segments": 6}, {"segments": 2048}, {"segments": 0}, {"plane_extent": 0.0}])
def test_bad_options_are_named(options):
    with pytest.raises(cairn.InvalidArgument, match=next(iter(options))):
        _meshes.shape_mesh(cairn.Sphere(), **options)
    with pytest.raises(TypeError, match="geometry"):
        _meshes.shape_mesh(3)
