"""Shapes, masses, materials and filters of UsdPhysics."""

import itertools
import math
import sys

import numpy
import pytest

import cairn

pytest.importorskip("pxr")

from pxr import Gf, UsdGeom, UsdPhysics, UsdShade, Vt  # noqa: E402

from cairn import convert  # noqa: E402

from stages import body, collider, joint, place, stage  # noqa: E402


def shapes_of(made, path: str) -> list[cairn.Shape]:
    scene, report = convert.from_stage(made)
    return scene.bodies()[report.bodies[path]].shapes


# ---- shapes ----


def gprim(kind: str, scale=None, **attributes):
    made = stage(0.01)
    collider(made, "/shape", kind, place((100, 200, 300), (1, 1, 0), 30), scale, **attributes)
    scene, report = convert.from_stage(made)
    shape = scene.bodies()[0].shapes[0]
    # a body of its own, with the shape's centre at its origin
    assert scene.bodies()[0].position == pytest.approx((1, 2, 3), rel=1e-6) and shape.position == (0, 0, 0)
    return shape, report


def test_solids_have_the_size_that_scales_give_them():
    box, _ = gprim("Cube", (1, 2, 3), size=10.0)
    assert box.geometry.half_extents == pytest.approx((0.05, 0.1, 0.15), rel=1e-6)
    ball, report = gprim("Sphere", (2, 2, 2), radius=10.0)
    assert ball.geometry.radius == pytest.approx(0.2) and not report.approximated
    egg, report = gprim("Sphere", (1, 2, 3), radius=10.0)
    assert egg.geometry.radii == pytest.approx((0.1, 0.2, 0.3), rel=1e-6)
    assert list(report.approximated) == ["spheres that are scaled unevenly are ellipsoids"]
    for axis, turned in (("X", (1, 0, 0)), ("Y", (0, 1, 0)), ("Z", (0, 0, 1))):
        for kind in ("Capsule", "Cylinder", "Cone"):
            shape, report = gprim(kind, (2, 2, 2), radius=10.0, height=60.0, axis=axis)
            assert (shape.geometry.radius, shape.geometry.half_height) == pytest.approx((0.2, 0.6), rel=1e-6)
            # the shape's z, as the body has it
            x, y, z, w = shape.orientation
            assert (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)) == pytest.approx(
                turned, abs=1e-6
            )
            assert not report.approximated
    drum, report = gprim("Cylinder", (1, 3, 2), radius=10.0, height=10.0, axis="Z")
    assert (drum.geometry.radius, drum.geometry.half_height) == pytest.approx((0.3, 0.1), rel=1e-6)
    assert list(report.approximated) == ["what is round is so by its larger scale"]
    hat, _ = gprim("Cone", (1, 1, -1), radius=10.0, height=10.0, axis="Z")
    assert hat.orientation[3] == pytest.approx(0, abs=1e-6)
    bucket, _ = gprim("Cylinder_1", radiusBottom=10.0, radiusTop=20.0, height=10.0, axis="Z")
    assert bucket.geometry == cairn.TaperedCylinder(bottom_radius=0.1, top_radius=0.2, half_height=0.05)


def test_planes_stand_still_and_face_along_their_axis():
    floor, _ = gprim("Plane", axis="X")
    assert floor.geometry.normal == pytest.approx((1, 0, 0), abs=1e-6)
    made = stage()
    body(made, "/one")
    collider(made, "/one/plane", "Plane")
    _, report = convert.from_stage(made)
    assert report.dropped == {"planes that move": ["/one/plane"]}


CORNERS = list(itertools.product((0, 1), (0, 2), (0, 3)))
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]  # from outside


def mesh(made, path: str, way: str | None, scale=None, flipped: bool = False):
    """A box of 1 x 2 x 3 from the origin."""
    prim = UsdGeom.Mesh.Define(made, path)
    prim.CreatePointsAttr(Vt.Vec3fArray([Gf.Vec3f(*map(float, c)) for c in CORNERS]))
    prim.CreateFaceVertexCountsAttr([4] * 6)
    prim.CreateFaceVertexIndicesAttr([i for face in FACES for i in (face[::-1] if flipped else face)])
    if flipped:
        prim.CreateOrientationAttr("leftHanded")
    UsdPhysics.CollisionAPI.Apply(prim.GetPrim())
    if way is not None:
        UsdPhysics.MeshCollisionAPI.Apply(prim.GetPrim()).CreateApproximationAttr(way)
    if scale is not None:
        UsdGeom.Xformable(prim).AddScaleOp().Set(Gf.Vec3f(*scale))
    return prim.GetPrim()


def volume_of(of: cairn.TriangleMesh) -> float:
    points = numpy.asarray(of.vertices)
    a, b, c = (points[list(corner)] for corner in numpy.asarray(of.triangles).T)
    return float((numpy.cross(a, b) * c).sum() / 6)


@pytest.mark.parametrize("scale, flipped", [(None, False), (None, True), ((-1, 1, 1), False), ((1, 2, -2), True)])
def test_meshes_that_stand_are_meshes_seen_from_outside(scale, flipped):
    made = stage()
    mesh(made, "/mesh", None, scale, flipped)
    (shape,) = shapes_of(made, "/mesh")
    # over 0 where triangles are counter-clockwise from outside
    assert volume_of(shape.geometry) == pytest.approx(6 * abs(numpy.prod(scale or 1)), rel=1e-6)


def test_meshes_have_the_approximation_that_they_ask_for(monkeypatch):
    def made_of(way: str | None):
        made = stage()
        body(made, "/one")
        made.RemovePrim("/one/ball")
        mesh(made, "/one/mesh", way, (1, 1, 2))
        scene, report = convert.from_stage(made)
        return scene.bodies()[0].shapes, list(report.approximated)

    for way, notes in (("convexHull", []), ("none", ["meshes that move are their convex hulls"])):
        shapes, said = made_of(way)
        assert len(shapes[0].geometry.vertices) == 8 and said == notes
    (box,), _ = made_of("boundingCube")
    assert box.geometry.half_extents == (0.5, 1, 3) and box.position == (0.5, 1, 3)
    (ball,), _ = made_of("boundingSphere")
    assert ball.geometry.radius == pytest.approx(math.sqrt(0.25 + 1 + 9)) and ball.position == (0.5, 1, 3)
    monkeypatch.setitem(sys.modules, "coacd", None)
    shapes, said = made_of("convexDecomposition")
    assert len(shapes) == 1 and said == ["meshes to be cut into convex parts are one hull: pip install coacd"]


def test_a_mesh_is_cut_into_convex_parts_by_coacd():
    pytest.importorskip("coacd")
    made = stage()
    body(made, "/one")
    made.RemovePrim("/one/ball")
    # a U: two posts on a beam
    prim = UsdGeom.Mesh.Define(made, "/one/mesh")
    outline = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
    n = len(outline)
    prim.CreatePointsAttr(Vt.Vec3fArray([Gf.Vec3f(x, y, z) for z in (0, 1) for x, y in outline]))
    caps = [(7, 6, 5, 0), (0, 5, 4, 1), (1, 4, 3, 2)]
    faces = [
        *caps,
        *(tuple(i + n for i in cap[::-1]) for cap in caps),
        *((i, (i + 1) % n, (i + 1) % n + n, i + n) for i in range(n)),
    ]
    prim.CreateFaceVertexCountsAttr([4] * len(faces))
    prim.CreateFaceVertexIndicesAttr([i for face in faces for i in face])
    UsdPhysics.CollisionAPI.Apply(prim.GetPrim())
    UsdPhysics.MeshCollisionAPI.Apply(prim.GetPrim()).CreateApproximationAttr("convexDecomposition")
    shapes = shapes_of(made, "/one")
    assert len(shapes) > 1
    filled = sum(cairn.mass_properties(shape.geometry, 1.0).mass for shape in shapes)
    # 3 + 2 + 2, where one hull has 9
    assert filled == pytest.approx(7, rel=0.05)


# ---- masses ----


def massed(on_body: dict, on_one: dict, material: float = 0, kilogram: float = 1):
    """A body of two boxes of 1 m^3 at x = -1 and 1, and what MassAPI says of it and of the first."""
    made = stage(kilogram=kilogram)
    prim = made.DefinePrim("/body", "Xform")
    UsdPhysics.RigidBodyAPI.Apply(prim)
    boxes = [collider(made, f"/body/box{x}", "Cube", place((x, 0, 0)), size=1.0) for x in (0, 1)]
    for box, x in zip(boxes, (-1, 1), strict=True):
        box.GetAttribute("xformOp:translate").Set(Gf.Vec3d(x, 0, 0))
    if material:
        bound = UsdShade.Material.Define(made, "/stuff")
        UsdPhysics.MaterialAPI.Apply(bound.GetPrim()).CreateDensityAttr(material)
        for box in boxes:
            UsdShade.MaterialBindingAPI.Apply(box).Bind(bound, materialPurpose="physics")
    for at, values in ((prim, on_body), (boxes[0], on_one)):
        if values:
            api = UsdPhysics.MassAPI.Apply(at)
            for name, value in values.items():
                getattr(api, f"Create{name}Attr")(value)
    return convert.from_stage(made)[0].bodies()[0]


@pytest.mark.parametrize(
    "on_body, on_one, material, masses",
    [
        ({}, {}, 0, (1000, 1000)),
        ({}, {}, 300, (300, 300)),
        ({"Density": 50}, {}, 300, (50, 50)),
        ({"Density": 50}, {"Density": 20}, 300, (20, 50)),
        ({}, {"Density": 20}, 300, (20, 300)),
        ({}, {"Mass": 7, "Density": 20}, 300, (7, 300)),
        ({"Mass": 10}, {"Mass": 7}, 3, (7, 3)),
        ({"Mass": 10, "Density": 50}, {}, 300, (50, 50)),
    ],
)
def test_masses_override_densities_and_parents_masses_those_of_children(on_body, on_one, material, masses):
    found = massed(on_body, on_one, material)
    whole = on_body.get("Mass", sum(masses))
    assert found.mass == pytest.approx(whole, rel=1e-6)
    centre = (masses[1] - masses[0]) / sum(masses)
    assert found.centre_of_mass == pytest.approx((centre, 0, 0), abs=1e-6)
    # each a sixth of its mass, and off the common centre
    share = [m * whole / sum(masses) for m in masses]
    about_x = sum(share) / 6
    about_y = about_x + share[0] * (1 + centre) ** 2 + share[1] * (1 - centre) ** 2
    assert found.inertia.moments == pytest.approx((about_x, about_y, about_y), rel=1e-5)


def test_a_centre_and_moments_are_those_that_the_file_gives():
    half = math.sqrt(0.5)
    given = {
        "Mass": 4.0,
        "CenterOfMass": (0.1, 0.2, 0.3),
        "DiagonalInertia": (1.0, 2.0, 2.5),
        "PrincipalAxes": Gf.Quatf(half, 0, 0, half),
    }
    found = massed(given, {}, kilogram=0.5)
    assert found.mass == 2 and found.centre_of_mass == pytest.approx((0.1, 0.2, 0.3))
    # the principal x is the body's y
    assert found.inertia.moments == pytest.approx((1, 0.5, 1.25), rel=1e-5)
    # a centre at the origin counts, and one that isn't given doesn't
    assert massed({"CenterOfMass": (0, 0, 0)}, {"Mass": 1}).centre_of_mass == (0, 0, 0)
    assert massed({}, {"Mass": 1}).centre_of_mass[0] > 0.99


def test_a_body_of_nothing_has_the_mass_of_the_specification():
    made = stage(kilogram=0.5)
    UsdPhysics.RigidBodyAPI.Apply(made.DefinePrim("/body", "Xform"))
    scene, report = convert.from_stage(made)
    assert scene.bodies()[0].mass == 0.5
    assert scene.bodies()[0].inertia.moments == pytest.approx([0.4 * 0.5 * 0.1**2] * 3)
    assert "a ball that touches nothing is where a body has no colliders" in report.approximated


# ---- materials and filters ----


def test_materials_are_those_that_are_bound_for_physics():
    made = stage()
    for name, still, sliding, bounce in (("ice", 0.1, 0.1, 0.2), ("rubber", 1.2, 0.9, 0.0)):
        api = UsdPhysics.MaterialAPI.Apply(UsdShade.Material.Define(made, f"/{name}").GetPrim())
        api.CreateStaticFrictionAttr(still)
        api.CreateDynamicFrictionAttr(sliding)
        api.CreateRestitutionAttr(bounce)
    group = made.DefinePrim("/group", "Xform")
    for name in ("a", "b", "c"):
        collider(made, f"/group/{name}")
    collider(made, "/bare")
    UsdShade.MaterialBindingAPI.Apply(group).Bind(UsdShade.Material.Get(made, "/ice"))
    own = UsdShade.MaterialBindingAPI.Apply(made.GetPrimAtPath("/group/b"))
    own.Bind(UsdShade.Material.Get(made, "/rubber"), materialPurpose="physics")
    scene, report = convert.from_stage(made)
    of = {b.name: scene.materials()[b.shapes[0].material] for b in scene.bodies()}
    assert [of[f"/group/{n}"].name for n in "abc"] == ["/ice", "/rubber", "/ice"]
    assert (of["/group/b"].friction, of["/group/a"].restitution) == pytest.approx((0.9, 0.2))
    assert of["/bare"].friction == cairn.Material(name="x").friction
    assert report.approximated == {"friction is the dynamic one, at rest too": ["/rubber"]}


def touching(scene: cairn.Scene, one: str, two: str) -> bool:
    a, b = (next(i for i, of in enumerate(scene.bodies()) if of.name == name) for name in (one, two))
    if any({pair.a, pair.b} == {a, b} for pair in scene.ignored()):
        return False
    f, g = (scene.bodies()[i].shapes[0].filter for i in (a, b))
    return bool(f.category & g.mask) and bool(g.category & f.mask)


def test_groups_filter_as_the_specification_says():
    made = stage()
    names = ["a1", "a2", "b", "only_b", "none"]
    for name in names:
        collider(made, f"/{name}")
    groups = {
        "A": (["a1", "a2"], ["A"], False, ""),
        "B": (["b"], [], False, ""),
        "Only": (["only_b"], ["B"], True, ""),
    }
    for group, (members, filtered, inverted, _) in groups.items():
        of = UsdPhysics.CollisionGroup.Define(made, f"/{group}")
        of.GetCollidersCollectionAPI().CreateIncludesRel().SetTargets([f"/{m}" for m in members])
        of.CreateFilteredGroupsRel().SetTargets([f"/{g}" for g in filtered])
        of.CreateInvertFilteredGroupsAttr(inverted)
    scene, report = convert.from_stage(made)
    apart = {("a1", "a2"), ("a1", "only_b"), ("a2", "only_b"), ("only_b", "none")}
    for pair in itertools.combinations(names, 2):
        assert touching(scene, *(f"/{n}" for n in pair)) == (pair not in apart), pair
    # what programs add touches as a collider of no group
    default = cairn.Filter()
    for name in names:
        f = next(b for b in scene.bodies() if b.name == f"/{name}").shapes[0].filter
        assert bool(f.category & default.mask and default.category & f.mask) == (name != "only_b")
    assert not report.approximated
    # merged, the two are one group that doesn't touch itself
    for group in "AB":
        UsdPhysics.CollisionGroup(made.GetPrimAtPath(f"/{group}")).CreateMergeGroupNameAttr("all")
    scene, _ = convert.from_stage(made)
    assert not touching(scene, "/a1", "/b") and touching(scene, "/a1", "/none")


def test_filtered_pairs_are_bodies_that_ignore_each_other_or_filters_of_colliders():
    made = stage()
    for name in ("one", "two", "three"):
        body(made, f"/{name}")
    for name in ("two", "three"):
        collider(made, f"/{name}/ball", "Sphere", radius=0.05)
        made.GetPrimAtPath(f"/{name}/ball").GetAttribute("physics:collisionEnabled").Set(True)
    made.GetPrimAtPath("/one/ball").GetAttribute("physics:collisionEnabled").Set(True)
    collider(made, "/two/box")
    UsdPhysics.FilteredPairsAPI.Apply(made.GetPrimAtPath("/one")).CreateFilteredPairsRel().SetTargets(["/two"])
    pairs = UsdPhysics.FilteredPairsAPI.Apply(made.GetPrimAtPath("/three")).CreateFilteredPairsRel()
    pairs.SetTargets(["/two/box", "/gone"])
    scene, report = convert.from_stage(made)
    index = report.bodies
    assert [{pair.a, pair.b} for pair in scene.ignored()] == [{index["/one"], index["/two"]}]
    ball, box = (shape.filter for shape in scene.bodies()[index["/two"]].shapes)
    three = scene.bodies()[index["/three"]].shapes[0].filter
    assert not box.category & three.mask and ball.category & three.mask and three.category & ball.mask
    assert report.dropped == {"filtered pairs with what isn't there": ["/three"]}


def test_a_joint_keeps_its_bodies_apart_unless_it_says_otherwise():
    for collide in (False, True):
        made = stage()
        wall = collider(made, "/wall")
        one = body(made, "/one")
        joint(made, "FixedJoint", "/pin", wall, one, (place(), place()), collisionEnabled=collide)
        scene, report = convert.from_stage(made)
        assert scene.joints()[0].collide == collide
        assert [{p.a, p.b} for p in scene.ignored()] == (
            [] if collide else [{report.bodies["/wall"], report.bodies["/one"]}]
        )
