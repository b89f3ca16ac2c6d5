"""Recordings of Rerun (docs/trajectories.md), read back by its own package."""

import subprocess
import sys

import numpy
import pytest
from zoo import CPU, LATE, record, zoo

import cairn
from cairn import trajectory

pytest.importorskip("rerun", reason="without rerun-sdk")

import rerun  # noqa: E402


class Rows(dict):
    """{entity: {component: {frame: value}}} of a file; the frame of what holds always is None."""

    def __init__(self, file):
        from rerun.chunk import RrdReader

        self.times = {}
        for chunk in RrdReader(str(file)).stream().to_chunks():
            batch = chunk.to_record_batch()
            names = batch.schema.names
            frames = batch.column("frame").to_pylist() if "frame" in names else [None] * batch.num_rows
            if "time" in names:
                seconds = batch.column("time").cast("int64").to_numpy() * 1e-9
                self.times.update(zip(frames, seconds.tolist(), strict=True))
            for name in names:
                if name == "time":
                    continue
                for frame, value in zip(frames, batch.column(name).to_pylist(), strict=True):
                    if value is not None:
                        self.setdefault(chunk.entity_path, {}).setdefault(name, {})[frame] = value

    def at(self, entity, component, frame):
        """What holds then: the last that came before, unless it was cleared since."""
        rows = self[entity].get(component, {})
        known = [k for k in rows if k <= frame]
        cleared = [k for k in self[entity].get("Clear:is_recursive", {}) if k <= frame]
        if not known or (cleared and max(cleared) >= max(known)):
            return None
        return rows[max(known)]


def entity(kind, name):
    return rerun.new_entity_path(["world", kind, name])


def test_rerun_has_the_poses_of_all_frames(tmp_path, monkeypatch):
    from cairn.trajectory import _rerun

    monkeypatch.setattr(_rerun, "BLOCK_BYTES", 2000)  # several blocks
    told = record(tmp_path, ".rrd")
    rows = Rows(told.file)
    assert [rows.times[frame] for frame in range(6)] == pytest.approx(told.times, abs=1e-9)
    bodies = [name for name in told.names if not name.startswith(("cloth", "rope", "water"))]
    for frame, states in enumerate(told.states):
        for name in bodies:
            of = entity("bodies", name)
            position = rows.at(of, "Transform3D:translation", frame)
            if name not in states:
                assert position is None and rows.at(of, "Mesh3D:vertex_positions", frame) is None, (frame, name)
                continue
            assert position == [states[name][0].astype(numpy.float32).tolist()], (frame, name)
            assert rows.at(of, "Transform3D:quaternion", frame) == [states[name][1].tolist()]
            assert rows.at(of, "Mesh3D:vertex_positions", frame)
    assert rows.at(entity("bodies", LATE), "Transform3D:translation", 3) is not None
    # what never moves is said once
    assert list(rows[entity("bodies", "floor")]["Transform3D:translation"]) == [0]
    corners = numpy.array(rows[entity("bodies", "a/b 2")]["Mesh3D:vertex_positions"][0])
    assert abs(corners).max(0) == pytest.approx([0.2, 0.2, 0.3])
    told_of = rows["/cairn"]
    assert told_of["numerics_version"] == {None: [cairn.NUMERICS_VERSION]} and told_of["every"] == {None: [2]}
    assert cairn.parse_scene(told_of["scene"][None][0]).to_json() == zoo().to_json()


def test_rerun_has_particles_as_they_are(tmp_path):
    told = record(tmp_path, ".rrd")
    rows = Rows(told.file)
    for frame, states in enumerate(told.states):
        at = {
            n: states[n][0].astype(numpy.float32).tolist() for n in states if n.startswith(("cloth", "rope", "water"))
        }
        water = rows[entity("particles", "water")]["Points3D:positions"][frame]
        assert water == [at[f"water/{k}"] for k in range(6)]
        rope = rows[entity("particles", "rope")]["LineStrips3D:strips"][frame]
        assert rope == [[at[f"rope/{k}"], at[f"rope/{k + 1}"]] for k in range(3)]
        cloth = rows[entity("particles", "cloth")]["Mesh3D:vertex_positions"][frame]
        assert len(cloth) == 3 * 18 and set(map(tuple, cloth)) == {tuple(at[f"cloth/{k}"]) for k in range(16)}


def test_rerun_has_figures_as_long_as_the_world_is_that_of_the_scene(tmp_path, scene):
    world, meter = cairn.World(scene, CPU), cairn.QualityMeter(scene)
    wanted, points = [], []
    with trajectory.Writer(world, tmp_path / "out.rrd", scene=scene) as out:
        for step in range(8):
            if step == 5:
                world.add_body(cairn.Body(position=(0, 9, 1), density=1, shapes=[cairn.Shape()]))
            out.record()
            points.append(world.report().points)
            if step < 5:
                wanted.append(meter.measure(world.read_states()))
            world.step(10)
    rows = Rows(tmp_path / "out.rrd")

    def series(path):
        return {frame: value for frame, (value,) in rows[f"/figures/{path}"]["Scalars:scalars"].items()}

    assert series("contacts/points") == dict(enumerate(map(float, points))) and points[4] == 12
    for kind, name in (
        ("energy", "kinetic_energy"),
        ("energy", "potential_energy"),
        ("penetration", "max_penetration"),
        ("drift", "max_drift"),
    ):
        assert series(f"{kind}/{name}") == {k: getattr(q, name) for k, q in enumerate(wanted)}, name
    with trajectory.Writer(world, tmp_path / "plain.rrd") as out:
        out.record()
    assert [path for path in Rows(tmp_path / "plain.rrd") if "figures" in path] == [
        "/figures/contacts/manifolds",
        "/figures/contacts/points",
    ]


def test_rerun_verifies_the_file(tmp_path):
    told = record(tmp_path, ".rrd")
    verified = subprocess.run(
        [sys.executable, "-m", "rerun", "rrd", "verify", told.file], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stderr
    # two files of one process are two recordings
    from rerun.chunk import RrdReader

    (tmp_path / "more").mkdir()
    other = record(tmp_path / "more", ".rrd")
    ids = {RrdReader(str(file)).recordings()[0].recording_id for file in (told.file, other.file)}
    assert len(ids) == 2


def test_worlds_of_a_batch_have_branches_of_their_own(tmp_path, scene):
    world = cairn.World.copies(scene, 2, CPU)
    world.set_origin((0, 100, 0), 1)
    with trajectory.Writer(world, tmp_path / "out.rrd") as out:
        out.record()
    rows = Rows(tmp_path / "out.rrd")
    box = rows["/world/bodies/world_1/box0"]["Transform3D:translation"][0]
    assert box == [[0, 100, 0.5]]
