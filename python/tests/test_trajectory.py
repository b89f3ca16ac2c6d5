"""trajectory.Writer: what it takes, leaves and refuses (docs/trajectories.md)."""

import importlib.util
import os
import pathlib
import pty
import subprocess
import sys

import numpy
import pytest
from gltf_file import Gltf
from zoo import CPU, zoo

import cairn
from cairn import trajectory
from cairn.trajectory.__main__ import main

NEEDS = {".h5": "h5py", ".vtkhdf": "h5py", ".usda": "pxr", ".usdc": "pxr", ".usd": "pxr", ".rrd": "rerun"}
ALL = [*trajectory.ENDINGS]
DRAWN = [ending for ending in ALL if ending not in (".h5", ".npz")]


@pytest.fixture(params=ALL)
def ending(request):
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    return request.param


def test_time_must_go_on_in_what_is_drawn(tmp_path, world, ending):
    out = trajectory.Writer(world, tmp_path / f"out{ending}")
    out.record()
    if ending in DRAWN:
        with pytest.raises(cairn.InvalidArgument, match="time must go on"):
            out.record()
        assert os.listdir(tmp_path) == []
        with pytest.raises(cairn.Error, match="is closed"):
            out.record()
    else:
        out.record()
        out.close()
        out.close()
        assert os.listdir(tmp_path) == [f"out{ending}"]


def test_one_frame_is_a_file_too(tmp_path, world, ending):
    with trajectory.Writer(world, tmp_path / f"out{ending}") as out:
        out.record()
    assert os.listdir(tmp_path) == [f"out{ending}"]
    if ending == ".glb":
        assert "animations" not in Gltf(tmp_path / "out.glb").json


def test_an_exception_leaves_what_was_there(tmp_path, world, ending):
    file = tmp_path / f"out{ending}"
    file.write_text("before")
    with pytest.raises(ZeroDivisionError) as raised, trajectory.Writer(world, file) as out:
        out.record()
        assert len(os.listdir(tmp_path)) == 2
        1 / 0  # noqa: B018
    assert os.listdir(tmp_path) == [file.name] and file.read_text() == "before"
    assert raised.value.__notes__ == [f"{file} was not written"]
    with pytest.raises(cairn.InvalidArgument, match="no frame"), trajectory.Writer(world, file):
        pass
    assert file.read_text() == "before"
    # one that is forgotten goes, too
    out = trajectory.Writer(world, file)
    out.record()
    del out
    assert os.listdir(tmp_path) == [file.name]


FULL = """
import os, resource, sys
import cairn
from cairn import trajectory
sys.path.insert(0, sys.argv[1])
from zoo import CPU, zoo
scene = zoo()
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
for size in (0, 20000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    for ending in sys.argv[3:]:
        world = cairn.World(scene, CPU)
        try:
            with trajectory.Writer(world, os.path.join(sys.argv[2], "out" + ending), scene=scene) as out:
                for _ in range(40):
                    out.record()
                    world.step()
        except OSError as error:
            print(ending, error, flush=True)
        assert os.listdir(sys.argv[2]) == [], ending
"""


def test_a_full_disk_leaves_nothing(tmp_path):
    here = pathlib.Path(__file__).parent
    endings = [ending for ending in ALL if ending not in NEEDS or importlib.util.find_spec(NEEDS[ending])]
    command = [sys.executable, "-c", FULL, here, tmp_path, *endings]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert [line.split()[0] for line in lines] == 2 * endings, lines
    assert all("can't be written" in line and f"out{line.split()[0]}" in line for line in lines), lines


def test_what_is_kept_is_bounded(tmp_path, world, monkeypatch):
    from cairn.trajectory import _gltf, _numbers

    for module, ending in ((_numbers, ".npz"), (_gltf, ".glb")):
        monkeypatch.setattr(module, "KEPT_BYTES", 1000)
        with (
            pytest.raises(cairn.CapacityError, match="at most"),
            trajectory.Writer(world, tmp_path / f"out{ending}") as out,
        ):
            for _ in range(20):
                out.record()
                world.step()
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("out.txt", {}, "must end in one of .h5, .npz"),
        ("out.npz", {"every": 0}, "every: must be a whole number of at least 1, is 0"),
        ("out.npz", {"every": 1.5}, "every: must be"),
        ("out.npz", {"plane_extent": -1}, "plane_extent: must be at least 0"),
    ],
)
def test_bad_arguments_are_named(tmp_path, world, file, options, message):
    with pytest.raises(cairn.InvalidArgument, match=message):
        trajectory.Writer(world, tmp_path / file, **options)
    assert os.listdir(tmp_path) == []


def test_bad_places_are_named(tmp_path, world):
    with pytest.raises(FileNotFoundError):
        trajectory.Writer(world, tmp_path / "nowhere/out.npz")
    (tmp_path / "out.npz").mkdir()
    with pytest.raises(IsADirectoryError, match=r"out\.npz"):
        trajectory.Writer(world, tmp_path / "out.npz")
    with pytest.raises(TypeError, match=r"world: must be a cairn\.World"):
        trajectory.Writer(zoo(), tmp_path / "out.glb")
    assert os.listdir(tmp_path) == ["out.npz"]


def test_packages_that_are_missing_are_named(tmp_path, world, monkeypatch):
    for module, ending, name in (
        ("h5py", ".h5", "h5py"),
        ("h5py", ".vtkhdf", "h5py"),
        ("pxr", ".usdc", "usd-core"),
        ("rerun", ".rrd", "rerun-sdk"),
    ):
        with monkeypatch.context() as patch:
            for loaded in [key for key in sys.modules if key.partition(".")[0] == module]:
                patch.delitem(sys.modules, loaded)
            patch.setitem(sys.modules, module, None)
            with pytest.raises(
                ModuleNotFoundError, match=f"{ending} files need the package {name}: pip install {name}"
            ):
                trajectory.Writer(world, tmp_path / f"out{ending}")
        assert os.listdir(tmp_path) == []


def test_planes_can_be_left_out(tmp_path, world):
    for extent in (0, 7):
        with trajectory.Writer(world, tmp_path / "out.glb", plane_extent=extent) as out:
            out.record()
        file = Gltf(tmp_path / "out.glb")
        floor = next(node for node in file.json["nodes"] if node["name"] == "floor")
        assert ("mesh" in floor) == (extent > 0)
        if extent:
            primitive = file.json["meshes"][floor["mesh"]]["primitives"][0]
            assert abs(file.array(primitive["attributes"]["POSITION"])).max() == 7


def test_the_command_line_writes_a_scene(tmp_path, scene, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.json").write_text(scene.to_json())
    files = ["scene.json", "out.npz", "out.glb"]
    command = [sys.executable, "-m", "cairn.trajectory", *files, "--steps", "9", "--every", "4"]
    ran = subprocess.run([*command, "--device", "cpu"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    world = cairn.World(scene, CPU)
    world.step(8)
    numbers = numpy.load(tmp_path / "out.npz")
    assert len(numbers["time"]) == 3 and (numbers["position"][2] == world.read_states().position).all()
    assert cairn.parse_scene(str(numbers["scene"])).to_json() == scene.to_json()

    for arguments, code, message in (
        (["none.json", "out.npz"], 2, "none.json"),
        (["scene.json", "out.txt"], 2, "out.txt"),
        (["scene.json", "nowhere/out.npz"], 2, "nowhere"),
        (["scene.json", "out.npz", "--device", "cuda:99"], 3, "cuda:99"),
        (["scene.json", "out.npz", "./out.npz"], 2, "can't be written twice"),
    ):
        assert main(arguments) == code
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["scene.json", "out.npz", "--every", "0"])
    assert sorted(os.listdir()) == ["out.glb", "out.npz", "scene.json"]


def test_the_command_line_ends_where_a_world_breaks(tmp_path, capsys):
    scene = cairn.Scene()
    scene.add_body(cairn.Body(density=1, shapes=[cairn.Shape()]))
    scene.set_limits(cairn.WorldLimits((-1, -1, -1), upper=(1, 1, 1)))
    (tmp_path / "scene.json").write_text(scene.to_json())
    arguments = [str(tmp_path / "scene.json"), str(tmp_path / "out.glb"), "--device", "cpu"]
    assert main(arguments) == 1
    assert "OUT_OF_BOUNDS" in capsys.readouterr().err
    file = Gltf(tmp_path / "out.glb")
    heights = file.animated("body_0")[1]["translation"][:, 2]
    # it falls through the box's floor in sqrt(2 / 9.81) s, at 4.4 m/s
    assert heights.min() == heights[-1] and -1 <= heights[-1] < -1 + 4.5 / 60 * 2


def test_progress_is_shown_on_a_terminal(tmp_path, scene):
    (tmp_path / "scene.json").write_text(scene.to_json())
    terminal, side = pty.openpty()
    command = [sys.executable, "-m", "cairn.trajectory", "scene.json", "out.npz", "--steps", "20", "--device", "cpu"]
    subprocess.run(command, cwd=tmp_path, stderr=side, check=True)
    os.close(side)
    shown = os.read(terminal, 100000).decode()
    os.close(terminal)
    assert "step 20 of 20, 0 s left" in shown and shown.endswith("\r\n")


def test_the_package_passes_mypy_strict():
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "-p", "cairn.trajectory", "-m", "cairn._meshes"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
