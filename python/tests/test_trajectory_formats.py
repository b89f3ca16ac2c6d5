"""Numbers in files of trajectories (docs/trajectories.md), read back by the libraries of their formats."""

import json
import math

import numpy
import pytest
from gltf_file import Gltf
from zoo import CPU, grid, record, zoo

import cairn
from cairn import trajectory

COLUMNS = ("position", "orientation", "linear_velocity", "angular_velocity")


@pytest.mark.parametrize("ending", [".h5", ".npz"])
def test_numbers_are_the_states_bit_for_bit(tmp_path, ending):
    told = record(tmp_path, ending)
    if ending == ".h5":
        h5py = pytest.importorskip("h5py")
        file = h5py.File(told.file)
        content = {name: file[name][()] for name in COLUMNS}
        texts = {name: file[f"bodies/{name}"].asstr()[()].tolist() for name in ("name", "type", "shapes")}
        scene, about = file["scene"].asstr()[()], dict(file.attrs)
        assert file["position"].attrs["unit"] == "m" and file["position"].chunks is not None
    else:
        file = numpy.load(told.file)
        content = {name: file[name] for name in COLUMNS}
        texts = {name: file[f"bodies/{name}"].tolist() for name in ("name", "type", "shapes")}
        scene, about = str(file["scene"]), json.loads(str(file["attributes"]))
    assert file["time"][()].tolist() == told.times
    assert texts["name"] == told.names
    assert [content[name].dtype for name in COLUMNS] == [numpy.float64] + 3 * [numpy.float32]
    for frame, states in enumerate(told.states):
        for body, name in enumerate(told.names):
            for k, column in enumerate(COLUMNS):
                row = content[column][frame, body]
                if name in states:
                    assert row.tobytes() == states[name][k].tobytes(), (frame, name, column)
                else:
                    assert numpy.isnan(row).all(), (frame, name, column)
    assert about["numerics_version"] == cairn.NUMERICS_VERSION and about["every"] == 2
    assert cairn.parse_scene(scene).to_json() == zoo().to_json()
    box = json.loads(texts["shapes"][3])[0]
    assert box["type"] == "Box" and numpy.allclose(box["half_extents"], (0.1, 0.2, 0.3))
    assert texts["type"][0] == "static" and texts["type"][1] == "dynamic"
    cloth = file["particles/cloth/body"][()]
    assert [told.names[track] for track in cloth] == [f"cloth/{k}" for k in range(16)]
    assert len(file["particles/cloth/triangles"]) == 18 and len(file["particles/rope/edges"]) == 3


def turned(states, name, points):
    """[m] Points of a body's frame in the world, by the quaternion's own product."""
    position, q = states[name][0], states[name][1].astype(float)
    points = numpy.asarray(points, float)
    u, w = q[:3], q[3]
    return position + points + 2 * numpy.cross(u, numpy.cross(u, points) + w * points)


def test_vtkhdf_is_read_by_vtk(tmp_path):
    pytest.importorskip("h5py")
    vtk = pytest.importorskip("vtk")
    from vtk.util.numpy_support import vtk_to_numpy

    told = record(tmp_path, ".vtkhdf")
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(told.file))
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == 6
    corners = [(x, y, z) for z in (-0.3, 0.3) for y in (-0.2, 0.2) for x in (0.0, 0.2)]
    for frame, states in enumerate(told.states):
        reader.SetStep(frame)
        reader.Update()
        out = reader.GetOutputDataObject(0)
        assert reader.GetTimeValue() == told.times[frame]
        points = vtk_to_numpy(out.GetPoints().GetData())
        body = vtk_to_numpy(out.GetPointData().GetArray("body"))
        velocity = vtk_to_numpy(out.GetPointData().GetArray("velocity"))
        assert set(body.tolist()) == {told.names.index(name) for name in states}
        for name in told.names[-27:-1]:  # particles
            assert points[body == told.names.index(name)].tolist() == [states[name][0].tolist()]
            assert velocity[body == told.names.index(name)].tolist() == [states[name][2].tolist()]
        box = points[body == told.names.index("a/b 2")]
        assert box == pytest.approx(turned(states, "a/b 2", corners), abs=1e-6)  # shapes are float32
        # cells: drops, links of the rope, and triangles of which each stays within one body or the cloth
        assert vtk_to_numpy(out.GetVerts().GetConnectivityArray()).tolist() == list(range(len(points) - 6, len(points)))
        lines = vtk_to_numpy(out.GetLines().GetConnectivityArray()).reshape(-1, 2)
        assert [[told.names[body[i]] for i in line] for line in lines] == [
            [f"rope/{k}", f"rope/{k + 1}"] for k in range(3)
        ]
        assert out.GetNumberOfPolys() * 3 == out.GetPolys().GetNumberOfConnectivityIds()
        triangles = vtk_to_numpy(out.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        cloth = numpy.array([told.names.index("cloth/0") <= b < told.names.index("cloth/0") + 16 for b in body])
        one = (body[triangles] == body[triangles[:, :1]]).all(1)
        assert (one | cloth[triangles].all(1)).all() and cloth[triangles].all(1).sum() == 18


@pytest.mark.parametrize("ending", [".usda", ".usdc"])
def test_usd_has_poses_as_time_samples(tmp_path, ending):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    told = record(tmp_path, ending)
    stage = Usd.Stage.Open(str(told.file))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert stage.GetTimeCodesPerSecond() == 30 and (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 5)
    prims = {prim.GetDisplayName(): prim for prim in stage.GetDefaultPrim().GetChildren()}
    kinds = ["Sphere", "Capsule", "Cube", "Cylinder", "Cone", "Mesh", "Mesh", "Sphere", *4 * ["Mesh"]]
    bodies = [name for name in told.names if not name.startswith(("cloth", "rope", "water"))]
    assert [prims[name].GetChild("shape_0").GetTypeName() for name in bodies[1:13]] == kinds
    for code, states in enumerate(told.states):
        for name in bodies:
            shown = UsdGeom.Imageable(prims[name]).ComputeVisibility(code)
            assert (shown == "inherited") == (name in states), (code, name)
            if name in states:
                position = prims[name].GetAttribute("xformOp:translate").Get(code)
                turn = prims[name].GetAttribute("xformOp:orient").Get(code)
                assert list(position) == states[name][0].tolist()
                assert [*turn.GetImaginary(), turn.GetReal()] == states[name][1].tolist()
        water = UsdGeom.Points(prims["water"]).GetPointsAttr().Get(code)
        wanted = numpy.array([states[f"water/{k}"][0] for k in range(6)])
        assert numpy.array(water).tolist() == wanted.astype(numpy.float32).tolist()
        cloth = UsdGeom.Mesh(prims["cloth"]).GetPointsAttr().Get(code)
        assert numpy.array(cloth)[5].tolist() == states["cloth/5"][0].astype(numpy.float32).tolist()
        rope = numpy.array(UsdGeom.BasisCurves(prims["rope"]).GetPointsAttr().Get(code))
        assert rope[2].tolist() == states["rope/1"][0].astype(numpy.float32).tolist()
        # a corner of a box, through all transforms
        cube = UsdGeom.Xformable(prims["a/b 2"].GetChild("shape_0")).ComputeLocalToWorldTransform(code)
        assert list(cube.Transform((1, 1, 1))) == pytest.approx(
            turned(states, "a/b 2", (0.2, 0.2, 0.3)).tolist(), abs=1e-6
        )
    # what never moves has no samples
    assert not prims["floor"].GetAttribute("xformOp:translate").GetNumTimeSamples()
    assert len(prims["cloth"].GetAttribute("faceVertexCounts").Get()) == 18


def test_glb_has_nodes_that_move_as_the_bodies(tmp_path):
    told = record(tmp_path, ".glb")
    file = Gltf(told.file)
    times = file.array(file.json["animations"][0]["samplers"][0]["input"])[:, 0]
    assert times.tolist() == numpy.float32(told.times).tolist() and times[0] == 0
    for name in told.names:
        if name.startswith("cloth"):
            continue
        node, moved = file.animated(name)
        for frame, states in enumerate(told.states):
            assert moved["scale"][frame].tolist() == [float(name in states)] * 3
            if name in states:
                assert moved["translation"][frame].tolist() == states[name][0].astype(numpy.float32).tolist()
                assert moved["rotation"][frame].tolist() == states[name][1].tolist()
        if name == "a/b 2":
            primitive = file.json["meshes"][node["mesh"]]["primitives"][0]
            assert abs(file.array(primitive["attributes"]["POSITION"])).max(0) == pytest.approx([0.2, 0.2, 0.3])
            assert file.array(primitive["indices"]).max() == 7
    # the cloth: its mesh and a target a frame
    node, moved = file.animated("cloth")
    primitive = file.json["meshes"][node["mesh"]]["primitives"][0]
    start = file.array(primitive["attributes"]["POSITION"])
    targets = numpy.array([file.array(target["POSITION"]) for target in primitive["targets"]])
    for frame, states in enumerate(told.states):
        at = start + numpy.tensordot(moved["weights"][frame], targets, 1)
        wanted = numpy.array([states[f"cloth/{k}"][0] for k in range(16)])
        assert at == pytest.approx(wanted, abs=2**-22)  # two floats under 4 m, each of half a 2**-22
    # z is up in the World, and y in glTF
    root = file.json["nodes"][file.json["scenes"][0]["nodes"][0]]
    assert root["rotation"] == pytest.approx([-math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    assert sorted(root["children"]) == list(range(len(file.json["nodes"]) - 1))


def colored() -> cairn.Scene:
    """A red box, a box without a colour of its own, and a blue cloth."""
    scene, shapes = cairn.Scene(), [cairn.Shape(cairn.Box())]
    scene.add_body(cairn.Body(name="red", color=(1, 0, 0.5), density=1, shapes=shapes))
    scene.add_body(cairn.Body(name="plain", position=(5, 0, 0), density=1, shapes=shapes))
    positions, stretches, bends = grid(3)
    bonds = [cairn.ConstraintGroup("stretch", particles=stretches), cairn.ConstraintGroup("bend", particles=bends)]
    scene.add_particles(cairn.ParticleSet("cloth", positions=positions, constraints=bonds, color=(0, 0, 1)))
    return scene


# as linear light: sRGB with a gamma of 2, and nothing throws back all
RED, BLUE = (0.95, 0, 0.25), (0, 0, 0.95)


def test_glb_has_the_colors_of_the_scene(tmp_path):
    file = Gltf(record(tmp_path, ".glb", colored()).file)
    colors = {}
    for node in file.json["nodes"]:
        if "mesh" in node:
            material = file.json["materials"][file.json["meshes"][node["mesh"]]["primitives"][0]["material"]]
            colors[node["name"]] = material["pbrMetallicRoughness"]["baseColorFactor"][:3]
    assert colors["red"] == pytest.approx(RED) and colors["cloth"] == pytest.approx(BLUE)
    assert colors["plain"] == pytest.approx(cairn.picture_color(1))


def test_usd_has_the_colors_of_the_scene(tmp_path):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(record(tmp_path, ".usda", colored()).file))

    def color(path):
        return list(UsdGeom.Gprim(stage.GetPrimAtPath(path)).GetDisplayColorAttr().Get()[0])

    assert color("/World/red/shape_0") == pytest.approx(RED) and color("/World/cloth") == pytest.approx(BLUE)
    assert color("/World/plain/shape_0") == pytest.approx(cairn.picture_color(1))


def test_glb_shares_meshes_and_is_read_by_others(tmp_path):
    scene = cairn.Scene()
    for i in range(20):
        scene.add_body(cairn.Body(position=(i, 0, 0), density=1, shapes=[cairn.Shape(cairn.Box())]))
    told = record(tmp_path, ".glb", scene)
    file = Gltf(told.file)
    assert (
        len({m["primitives"][0]["attributes"]["POSITION"] for m in file.json["meshes"]}) == 2
    )  # boxes, and the late ball
    pygltflib = pytest.importorskip("pygltflib")
    read = pygltflib.GLTF2().load(str(told.file))
    assert len(read.nodes) == 22 and read.asset.version == "2.0"
    trimesh = pytest.importorskip("trimesh")
    seen = trimesh.load_scene(told.file)
    assert len(seen.geometry) and len(seen.graph.nodes_geometry) == 21
    for index in (0, 19):
        mesh = seen.geometry[seen.graph[f"body_{index}"][1]]
        corners = trimesh.transform_points(mesh.vertices, seen.graph[f"body_{index}"][0])
        numpy.testing.assert_allclose(corners.min(0), (index - 0.5, -0.5, -0.5))
        numpy.testing.assert_allclose(corners.max(0), (index + 0.5, 0.5, 0.5))


def test_worlds_of_a_batch_are_drawn_at_their_origins(tmp_path):
    world = cairn.World.copies(zoo(), 2, CPU)
    world.set_origin((0, 100, 0), 1)
    with trajectory.Writer(world, tmp_path / "out.npz") as out, trajectory.Writer(world, tmp_path / "out.glb") as drawn:
        for _ in range(2):
            out.record()
            drawn.record()
            world.step()
    numbers, file = numpy.load(tmp_path / "out.npz"), Gltf(tmp_path / "out.glb")
    names = numbers["bodies/name"].tolist()
    assert names[1] == "world_0/body_1" and "world_1/a/b 2" in names and len(set(names)) == len(names)
    assert (numbers["position"][:, : len(names) // 2] == numbers["position"][:, len(names) // 2 :]).all()
    assert numbers["bodies/world"].tolist() == [0] * (len(names) // 2) + [1] * (len(names) // 2)
    assert numbers["origin"].tolist() == [[0, 0, 0], [0, 100, 0]]
    there = [node.get("translation") for node in file.json["nodes"] if node["name"] == "world_1/a/b 2"]
    assert there == [[2, 100, 2]]


def test_surfaces_of_soft_bodies_look_outwards():
    from cairn.trajectory._cast import surface_of

    # two tetrahedra on a common face, of volume over 0
    solid = cairn.ParticleSet(
        "solid", constraints=[cairn.ConstraintGroup("volume", particles=[0, 1, 2, 3, 1, 2, 3, 4])]
    )
    x = numpy.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)], float)
    assert all(numpy.linalg.det(x[t[1:]] - x[t[0]]) > 0 for t in ([0, 1, 2, 3], [1, 2, 3, 4]))
    a, b, c = x[surface_of(solid)].transpose(1, 0, 2)
    assert len(a) == 6 and (a * numpy.cross(b, c)).sum() == pytest.approx(1 + 2)  # six times the volume
    assert len(surface_of(cairn.ParticleSet("dust"))) == 0
