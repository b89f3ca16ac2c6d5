"""Sweeps give the same rows on any workers, in any shards, after any interruption; and say what is wrong."""

import contextlib
import errno
import os
import pathlib
import pickle
import resource
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import cairn
from conftest import box_scene

pytest.importorskip("pyarrow")
WORLDS, STEPS = 12, 8
EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


def parameters(k):
    return {"friction": 0.1 + 0.05 * k, "push": [0.5 * k, 1.0], "kind": "even" if k % 2 == 0 else "odd"}


def slope(k, friction, push, kind):
    """A box on a floor, with a start speed of its own."""
    scene = cairn.Scene()
    stone = scene.add_material(cairn.Material(name="stone", density=1000, friction=friction))
    scene.add_body(cairn.Body(type="static", shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
    count = 1 if kind == "even" else 2
    for i in range(count):
        shapes = [cairn.Shape(cairn.Box(), material=stone)]
        scene.add_body(cairn.Body(position=(0, 0, 0.5 + i), linear_velocity=(*push, 0), shapes=shapes))
    return scene


def moved(batch):
    """How far the first box has come, and how often this was asked."""
    batch.kept["calls"] = batch.kept.get("calls", 0) + 1
    first = [batch.world.read_states(i).position[1] for i in range(len(batch.indices))]
    return {"place": np.array(first), "calls": np.full(len(first), batch.kept["calls"])}


def jolt(batch):
    """Random numbers by the index in the study."""
    if batch.step == 0:
        chosen = np.ones(len(batch.indices), dtype=np.uint8)
        batch.world.scales.randomise(chosen, cairn.Randomisation(linear_velocity=(0.5, 0.5, 0)))


def study(**changes):
    of = {"parameters": parameters, "reduce": moved, "every": 3, "drive": jolt, "seed": 7}
    return cairn.Study(**{"name": "slope", "scene": slope, "worlds": WORLDS, "steps": STEPS, **of, **changes})


def names(out):
    return sorted(path.name for path in pathlib.Path(out).iterdir())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a sweep in one shard."""
    out = tmp_path_factory.mktemp("whole")
    cairn.sweep(study(), out=out, shard=WORLDS)
    return out


def test_a_row_has_index_parameters_results_status_and_hash(whole):
    table = cairn.read_sweep(whole)
    assert table.column_names == ["world", "friction", "push", "kind", "place", "calls", "status", "hash"]
    assert table["world"].to_pylist() == list(range(WORLDS))
    assert table["push"].to_pylist()[3] == [1.5, 1.0] and table["kind"].to_pylist()[:2] == ["even", "odd"]
    assert table["calls"].to_pylist() == [3] * WORLDS  # after 3, 6 and 8 steps
    for k in (0, 5):
        alone = cairn.World(slope(k, **parameters(k)), cairn.WorldOptions(device=cairn.Device(threads=1)))
        alone.scales.set_seed(7 + k, 0)
        alone.scales.randomise([1], cairn.Randomisation(linear_velocity=(0.5, 0.5, 0)))
        alone.step(STEPS)
        assert table["hash"][k].as_py() == alone.state_hash() == alone.state_hashes()[0]
        assert table["place"][k].as_py() == alone.read_states().position[1].tolist()


@pytest.mark.parametrize("shard", [1, 5])
def test_rows_are_the_same_in_other_shards(whole, tmp_path, shard):
    did = cairn.sweep(study(), out=tmp_path, shard=shard, device=cairn.Device(threads=1))
    assert (did.worlds, did.found, did.shards, did.lost) == (range(WORLDS), 0, -(-WORLDS // shard), 0)
    assert cairn.read_sweep(tmp_path) == cairn.read_sweep(whole)


def test_arrays_of_parameters_and_one_scene_give_what_functions_do(tmp_path):
    def heavy(batch):
        for i, push in enumerate(batch.parameters["push"]):
            batch.world.add_force(batch.world.bodies(i)[-1], (push, 0, 0))

    of = {"worlds": 3, "steps": 4, "drive": heavy, "every": 1}
    scene = box_scene(1)
    cairn.sweep(cairn.Study("a", scene, parameters={"push": [0.0, 9e3, 9e3]}, **of), out=tmp_path / "a", shard=2)
    cairn.sweep(cairn.Study("a", lambda k, push: scene, parameters=lambda k: {"push": 9e3 * (k > 0)}, **of), out=tmp_path / "b")
    table = cairn.read_sweep(tmp_path / "a")
    assert table == cairn.read_sweep(tmp_path / "b")
    hashes = table["hash"].to_pylist()
    assert hashes[0] != hashes[1] == hashes[2]


def test_a_sweep_goes_on_where_it_was_killed(whole, tmp_path):
    program = tmp_path / "killed.py"
    program.write_text(
        textwrap.dedent(f"""
        import os, sys
        sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
        import cairn, test_sweep
        write = os.replace
        def replace(a, b):
            if "0000000006" in str(b):
                os.kill(os.getpid(), 9)  # the draft is whole, and has no name yet
            write(a, b)
        os.replace = replace
        cairn.sweep(test_sweep.study(), out={str(tmp_path / "out")!r}, shard=3)
        """)
    )
    assert subprocess.run([sys.executable, program]).returncode == -signal.SIGKILL
    parts = ["worlds-0000000000-0000000002.parquet", "worlds-0000000003-0000000005.parquet"]
    there = names(tmp_path / "out")
    assert [name for name in there if not name.startswith(".")] == ["_study.json", *parts]
    assert any(name.endswith(".draft") for name in there)
    times = {name: (tmp_path / "out" / name).stat().st_mtime_ns for name in parts}
    did = cairn.sweep(study(), out=tmp_path / "out", shard=4)  # other shards than before
    assert (did.found, did.shards) == (6, 2)
    assert times == {name: (tmp_path / "out" / name).stat().st_mtime_ns for name in parts}
    assert cairn.read_sweep(tmp_path / "out") == cairn.read_sweep(whole)
    assert cairn.sweep(study(), out=tmp_path / "out").shards == 0


def test_ranks_of_torchrun_and_slurm():
    assert cairn.rank_worlds(10, {}) == range(10)
    ranks = [cairn.rank_worlds(10, {"RANK": str(r), "WORLD_SIZE": "4", "SLURM_PROCID": "9"}) for r in range(4)]
    assert ranks == [range(0, 3), range(3, 6), range(6, 9), range(9, 10)]
    assert cairn.rank_worlds(10, {"SLURM_PROCID": "1", "SLURM_NTASKS": "2"}) == range(5, 10)
    assert len(cairn.rank_worlds(2, {"RANK": "2", "WORLD_SIZE": "3"})) == 0
    for environ, said in (
        ({"RANK": "1"}, "RANK is set, and WORLD_SIZE isn't"),
        ({"RANK": "x", "WORLD_SIZE": "2"}, "must be whole numbers, are 'x' and '2'"),
        ({"SLURM_PROCID": "2", "SLURM_NTASKS": "2"}, "SLURM_PROCID must be 0 to SLURM_NTASKS - 1, is 2 of 2"),
    ):
        with pytest.raises(cairn.InvalidArgument, match=said):
            cairn.rank_worlds(10, environ)


@pytest.mark.parametrize("together", [True, False])
def test_two_processes_write_what_one_does(whole, tmp_path, together):
    outs = [tmp_path / ("a" if together else str(rank)) for rank in range(2)]
    program = (
        "import cairn, sys, test_sweep\n"
        "cairn.sweep(test_sweep.study(), out=sys.argv[1], worlds=cairn.rank_worlds(test_sweep.WORLDS), shard=4)"
    )
    path = os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path])
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, outs[rank]],
            env={**os.environ, "PYTHONPATH": path, "RANK": str(rank), "WORLD_SIZE": "2"},
        )
        for rank in range(2)
    ]
    assert [process.wait() for process in processes] == [0, 0]
    assert cairn.read_sweep(*{str(out): out for out in outs}.values()) == cairn.read_sweep(whole)


def test_what_two_have_run_counts_once(whole, tmp_path):
    cairn.sweep(study(), out=tmp_path, worlds=range(2, 7))
    assert cairn.read_sweep(whole, tmp_path) == cairn.read_sweep(whole)


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"steps": 9}, r"differs in steps \(8 there, 9 here\)"),
        ({"seed": 8}, r"differs in seed \(7 there, 8 here\)"),
        ({"parameters": lambda k: {**parameters(k), "friction": 0.5}}, "differs in scene, parameters;"),
        ({"reduce": lambda batch: moved(batch)}, "differs in reduce;"),
        ({"drive": None, "name": "other"}, r"differs in name \(slope there, other here\), drive;"),
    ],
)
def test_the_folder_of_another_study_is_refused(whole, changes, said):
    before = names(whole)
    with pytest.raises(cairn.InvalidArgument, match="holds another study, which " + said):
        cairn.sweep(study(**changes), out=whole)
    assert names(whole) == before


def test_the_study_is_known_by_what_its_functions_hold(tmp_path):
    def with_speed(speed):
        def again(batch, depth=0):
            return {"speed": np.full(len(batch.indices), speed)} if depth else again(batch, 1)

        return again

    cairn.sweep(cairn.Study("held", box_scene(1), 1, 1, reduce=with_speed(1.0)), out=tmp_path)
    cairn.sweep(cairn.Study("held", box_scene(1), 1, 1, reduce=with_speed(1.0)), out=tmp_path)
    with pytest.raises(cairn.InvalidArgument, match="differs in reduce"):
        cairn.sweep(cairn.Study("held", box_scene(1), 1, 1, reduce=with_speed(2.0)), out=tmp_path)


def test_foreign_and_damaged_files_are_named(whole, tmp_path):
    other = tmp_path / "other"
    cairn.sweep(study(steps=1), out=other, worlds=range(3))
    [file] = other.glob("*.parquet")
    out = tmp_path / "out"
    cairn.sweep(study(), out=out, worlds=range(3, 6))
    (out / file.name).write_bytes(file.read_bytes())
    for call in (lambda: cairn.sweep(study(), out=out), lambda: cairn.read_sweep(out)):
        with pytest.raises(cairn.InvalidArgument, match=f"{file.name}: belongs to another study"):
            call()
    (out / file.name).write_bytes((whole / "worlds-0000000000-0000000011.parquet").read_bytes()[:-9])
    with pytest.raises(cairn.InvalidArgument, match="is no whole file of a sweep: .*; delete it to run it again"):
        cairn.sweep(study(), out=out)
    (out / file.name).unlink()
    (out / "_study.json").write_text("{")
    with pytest.raises(cairn.InvalidArgument, match="_study.json: is damaged"):
        cairn.sweep(study(), out=out)
    (out / "_study.json").unlink()
    with pytest.raises(cairn.InvalidArgument, match="has files of a sweep and no _study.json"):
        cairn.sweep(study(), out=out)
    with pytest.raises(cairn.InvalidArgument, match="holds no sweep"):
        cairn.read_sweep(out)
    with pytest.raises(cairn.InvalidArgument, match="holds another study than"):
        cairn.read_sweep(whole, other)


def test_a_full_disk_is_named_and_leaves_no_half_file(whole, tmp_path):
    """A limit on the size of files stands for the disk: the system refuses in the middle of writing."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    cairn.sweep(study(), out=tmp_path, worlds=range(4))
    there = names(tmp_path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="worlds 4 to 7 of the sweep can't be written: File too large") as raised:
            cairn.sweep(study(), out=tmp_path, shard=4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert raised.value.errno == errno.EFBIG
    assert names(tmp_path) == there
    cairn.sweep(study(), out=tmp_path)
    assert cairn.read_sweep(tmp_path) == cairn.read_sweep(whole)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(OSError, match="the folder of a sweep can't be made"):
            cairn.sweep(study(), out=out)


def test_arguments_are_named(tmp_path):
    def run(of=None, **arguments):
        return lambda: cairn.sweep(of or study(), **{"out": tmp_path, **arguments})

    def constant(**columns):
        return lambda batch: columns

    wrong = [
        (lambda: study(worlds=0), ValueError, "worlds: must be at least 1, is 0"),
        (lambda: study(steps=2.5), TypeError, "steps: must be a whole number, is 2.5"),
        (lambda: study(scene=3), TypeError, "scene: must be a Scene or a function"),
        (lambda: study(parameters=3), TypeError, "parameters: must be a function"),
        (lambda: study(reduce=3), TypeError, "reduce: must be a function of a Batch"),
        (lambda: study(seed=2**64 - 1), ValueError, "seed: must be 0 to 18446744073709551604"),
        (lambda: study(name=""), TypeError, "name: must be a text"),
        (run(3), TypeError, "study: must be a cairn.Study"),
        (run(workers=-1), ValueError, "workers: must be at least 0, is -1"),
        (run(shard=0), ValueError, "shard: must be 1 to 65535, is 0"),
        (run(worlds=range(13)), ValueError, "worlds: must lie within those of the study, 0 to 11"),
        (run(worlds=range(0, 4, 2)), TypeError, "worlds: must be a range of step 1"),
        (run(device="tpu"), cairn.DeviceError, "device 'tpu' must be cpu"),
        (run(study(parameters={"friction": [1.0]})), ValueError, "'friction' must have a row for each of 12 worlds"),
        (run(study(parameters=lambda k: {"a": 1} if k else {})), ValueError, r"world 1 has \['a'\], and world 0 has \[\]"),
        (run(study(parameters={"hash": range(12)})), ValueError, "'hash' is a column that each study has"),
        (run(study(scene=lambda k, **_: 3)), TypeError, "scene: must make a Scene, made 3 for world 0"),
        (run(study(name="b", reduce=constant(a=[1.0]))), ValueError, r"reduce: 'a' must have a row for each of 12 worlds"),
        (run(study(name="b", reduce=constant(a=[None] * 12))), TypeError, "reduce: 'a' must be numbers or texts"),
        (run(study(name="b", reduce=constant(friction=[1.0] * 12))), ValueError, "reduce: 'friction' is a parameter, too"),
        (run(study(name="b", reduce=lambda batch: 3)), TypeError, "reduce: must give arrays by name, gives 3"),
        (lambda: cairn.read_sweep(), ValueError, "folders: at least one"),
    ]
    for i, (call, kind, said) in enumerate(wrong):
        for path in tmp_path.glob("*"):
            path.unlink()
        with pytest.raises(kind, match=said):
            call()


def test_columns_have_one_type_in_all_shards(tmp_path):
    def changing(batch):
        return {"a": np.zeros(len(batch.indices), dtype=np.float64 if batch.indices[0] else np.int64)}

    with pytest.raises(cairn.InvalidArgument, match="reduce: 'a' of worlds 6 to 11 is double and was int64 in other worlds"):
        cairn.sweep(study(reduce=changing), out=tmp_path, shard=6)


def test_what_a_study_raises_names_the_worlds(tmp_path):
    def wrong(batch):
        if 7 in batch.indices:
            raise KeyError("of the study")
        return {}

    with pytest.raises(KeyError) as raised:
        cairn.sweep(study(reduce=wrong), out=tmp_path, shard=4)
    assert raised.value.__notes__ == ["in worlds 4 to 7 of the study 'slope'"]
    assert len(cairn.read_sweep(tmp_path)) == 4


def test_progress_is_a_line_on_a_terminal_alone(tmp_path, capfd, monkeypatch):
    cairn.sweep(study(), out=tmp_path / "a")
    assert capfd.readouterr() == ("", "")
    cairn.sweep(study(), out=tmp_path / "b", shard=6, progress=True)
    out, err = capfd.readouterr()
    lines = err.split("\r")[1:]
    assert out == "" and len(lines) == 2 and err.endswith("\n")
    assert lines[0].startswith("slope: 6 of 12 worlds, ") and " a second on this process, " in lines[0]


def test_without_its_packages_a_sweep_says_what_to_install(tmp_path, monkeypatch):
    for name, arguments in (("ray", {"workers": 1}), ("pyarrow", {})):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ModuleNotFoundError, match=rf"needs the package {name}: pip install pyarrow ray"):
            cairn.sweep(study(), out=tmp_path, **arguments)
        monkeypatch.undo()
    # a folder of that name in the current one
    (tmp_path / "ray").mkdir()
    monkeypatch.delitem(sys.modules, "ray", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="needs the package ray: "):
        cairn.sweep(study(), out=tmp_path / "out", workers=1)
    sys.modules.pop("ray")


def test_walls_fail_where_theory_says(tmp_path):
    """The example: a wall that slides 5 mm at 3 degrees a second does so after 1.2 degrees."""
    out = subprocess.run(
        [sys.executable, EXAMPLES / "masonry_sweep.py", tmp_path, "--worlds", "4"], check=True, capture_output=True, text=True
    )
    late = cairn.read_sweep(tmp_path)
    late = late["failed_at"].to_numpy() - late["theory"].to_numpy()
    assert out.stdout.startswith("4 walls fail ") and out.stderr == ""
    assert 0.9 < late.min() and late.max() < 1.6


def test_the_program_of_the_docs_runs(tmp_path):
    text = (EXAMPLES.parents[1] / "docs/sweeps.md").read_text()
    (tmp_path / "program.py").write_text(text.split("```python\n")[1].split("```")[0])
    out = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    # a substep's way, of what the box with the most friction comes
    most = 2 / 60 / 6 / (2**2 / (2 * 9.81 * 0.498))
    assert out.startswith("200 boxes come as far as v^2 / (2 mu g), within ")
    assert float(out.split()[-1].rstrip("%.")) / 100 < most


def test_a_study_can_be_pickled():
    again = pickle.loads(pickle.dumps(study()))
    assert again.parameters is parameters and again.seed == 7


@contextlib.contextmanager
def in_time():
    """Ray gives itself 30 s to start, which a machine with much else to do doesn't keep."""
    try:
        yield
    except Exception as error:
        if "timed out during startup" not in str(error):
            raise
        pytest.skip(f"Ray didn't start: {error}")


@pytest.fixture(scope="module")
def ray():
    """It takes seconds to start: once for all of TestWorkers."""
    pytest.importorskip("ray.exceptions")  # a folder named ray isn't enough
    import ray

    path = os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", path)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        with in_time():
            ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield ray
    ray.shutdown()


@pytest.mark.usefixtures("ray")
class TestWorkers:
    @pytest.mark.parametrize("workers, shard", [(1, 4), (2, 5)])
    def test_write_what_one_process_does(self, whole, tmp_path, workers, shard):
        did = cairn.sweep(study(), out=tmp_path, workers=workers, shard=shard)
        assert (did.shards, did.lost) == (3, 0)
        assert cairn.read_sweep(tmp_path) == cairn.read_sweep(whole)

    def test_that_are_killed_are_replaced(self, whole, tmp_path):
        marks = tmp_path / "marks"
        marks.mkdir()

        def deadly(batch, moved=moved, marks=marks):
            for k in (0, 8):
                mark = marks / str(k)
                if k in batch.indices and not mark.exists():
                    mark.write_text("")
                    os.kill(os.getpid(), signal.SIGKILL)
            return moved(batch)

        did = cairn.sweep(study(reduce=deadly), out=tmp_path / "out", workers=2, shard=2)
        assert (did.shards, did.lost) == (6, 2)
        table = cairn.read_sweep(tmp_path / "out")
        assert table == cairn.read_sweep(whole)

    def test_that_always_die_end_the_sweep(self, tmp_path):
        def deadly(batch):
            if 2 in batch.indices:
                os.kill(os.getpid(), signal.SIGKILL)
            return {}

        with pytest.raises(cairn.Error, match="the workers of worlds 2 to 3 died 2 times"):
            cairn.sweep(study(reduce=deadly), out=tmp_path, workers=1, shard=2, retries=1)
        assert cairn.read_sweep(tmp_path)["world"].to_pylist()[:2] == [0, 1]

    def test_give_errors_of_the_study_as_they_are(self, tmp_path):
        def wrong(batch):
            raise KeyError("of the study")

        with pytest.raises(KeyError) as raised:
            cairn.sweep(study(reduce=wrong), out=tmp_path, workers=1, shard=4)
        assert raised.value.__notes__ == ["in worlds 0 to 3 of the study 'slope'"]


def test_a_ray_of_its_own_is_started_and_ended(whole, tmp_path):
    """And finds the modules that this process finds."""
    pytest.importorskip("ray.exceptions")
    import ray

    if ray.is_initialized():
        ray.shutdown()
    before = dict(os.environ)
    with in_time():
        did = cairn.sweep(study(), out=tmp_path, workers=2, shard=6)
    assert did.started > 0 and not ray.is_initialized() and dict(os.environ) == before
    assert cairn.read_sweep(tmp_path) == cairn.read_sweep(whole)
