"""Worlds, batches, snapshots, recordings, queries, events, articulations, particles, fields, pictures."""

import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import types
import weakref

import numpy as np
import pytest

import cairn
from conftest import box_scene

def test_boxes_stand(world):
    for _ in range(120):
        world.step()
    top = world.state(world.bodies()[-1])
    assert abs(top.position[2] - 2.5) < 0.01 and world.report().manifolds == 3
    assert world.report(0).time == pytest.approx(2.0)


def test_states_are_arrays(world):
    states = world.read_states()
    assert states.position.shape == (4, 3) and states.position.dtype == np.float64
    assert states.orientation.shape == (4, 4) and states.orientation.dtype == np.float32
    states.position[3, 2] = 7
    assert world.state(world.bodies()[3]).position[2] != 7
    world.write_states(states)
    assert world.state(world.bodies()[3]).position[2] == pytest.approx(7)
    with pytest.raises(TypeError, match=r"position: must be an array \(4, 3\)"):
        world.write_states(states._replace(position=states.position[:2]))


def test_the_hash_is_that_of_the_command_line(tmp_path, scene):
    cli = os.environ.get("CAIRN_CLI")
    if not cli:
        pytest.skip("CAIRN_CLI names no command line")
    file = tmp_path / "boxes.json"
    file.write_text(scene.to_json())
    out = subprocess.run(
        [cli, "run", str(file), "--steps", "90", "--device", "cpu", "--json"], check=True, capture_output=True, text=True
    ).stdout
    world = cairn.World(cairn.load_scene(file))
    for _ in range(90):
        world.step()
    assert f"{world.state_hash():016x}" == json.loads(out)["hash"]


def test_a_batch_has_the_bits_of_each_world(scene):
    one, many = cairn.World(scene), cairn.World.copies(scene, 5)
    for _ in range(30):
        one.step()
        many.step()
    assert many.state_hashes() == [one.state_hashes()[0]] * 5
    both = cairn.World([scene, box_scene(1)])
    assert both.world_count() == 2 and both.body_count(1) == 2


def test_a_snapshot_goes_on_and_pickles(world):
    for _ in range(10):
        world.step()
    snapshot = world.snapshot()
    again = cairn.World(pickle.loads(pickle.dumps(snapshot)))
    world.step()
    again.step()
    assert world.state_hash() == again.state_hash() and snapshot.steps() == 10
    with pytest.raises(cairn.SnapshotError):
        cairn.Snapshot.from_bytes(b"nothing")


def test_a_recording_replays(world, tmp_path):
    world.start_recording()
    for _ in range(5):
        world.step()
    recording = world.stop_recording()
    recording.save(tmp_path / "r")
    replay = cairn.replay(cairn.Recording.load(tmp_path / "r"))
    assert replay.difference is None and replay.steps == 5 and replay.hash == world.state_hash()


def test_a_recording_is_played_step_by_step(world):
    hashes = []
    world.start_recording()
    for k in range(20):
        if k == 10:
            world.add_body(cairn.Body(position=(3, 0, 1), density=1, shapes=[cairn.Shape(cairn.Sphere(0.5))]))
        world.step()
        hashes.append(world.state_hash())
    recording = world.stop_recording()
    again = cairn.World(recording.start())
    playback = cairn.Playback(again, recording)
    assert playback.world is again and (playback.at(), playback.steps()) == (0, 20)
    positions = again.arrays["position"]
    for k in range(20):
        assert positions.stale == (k > 10)  # as if the program itself had added the body
        assert playback.step() and again.state_hash() == hashes[k]
    assert not playback.step() and playback.differs_at() is None
    playback.seek(5)
    assert (playback.at(), again.state_hash(), again.body_count()) == (5, hashes[4], 4)
    with pytest.raises(cairn.InvalidArgument, match="seek: must be 0 to 20, is 21"):
        playback.seek(21)
    again.set_velocity(again.bodies()[1], (1, 0, 0), (0, 0, 0))
    playback.step()
    assert playback.differs_at() == 6
    again.close()
    with pytest.raises(cairn.Error):
        playback.step()
    with pytest.raises(TypeError, match="world: must be"):
        cairn.Playback(recording.start(), recording)


def test_several_steps_are_taken_in_one_call(scene):
    one, many = cairn.World(scene), cairn.World(scene)
    for _ in range(7):
        one.step()
    many.step(7)
    many.step(nstep=0)
    assert one.state_hash() == many.state_hash() and many.report().steps == 7
    one.step(0.01)
    one.step(0.01)
    many.step(2, 0.01)
    assert one.state_hash() == many.state_hash()
    one.step(dt=1e-3)
    many.step(1, dt=1e-3)
    assert one.state_hash() == many.state_hash()
    for wrong in (-1, 2**40):
        with pytest.raises(ValueError, match="nstep"):
            one.step(wrong)


def test_many_steps_are_interrupted(world):
    class Stopped(Exception):
        pass

    def stop(number, frame):
        with pytest.raises(RuntimeError, match="another thread"):
            world.step()
        raise Stopped

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Stopped):
            world.step(2**32 - 1)
    finally:
        signal.signal(signal.SIGALRM, before)
    world.step()


def test_queries(world):
    hits = world.queries.cast_rays([cairn.RayQuery(origin=(0, 0, 10)), cairn.RayQuery(origin=(0, 0, 10), direction=(0, 0, 1))])
    assert hits[0].body == world.find_body("box2") and hits[0].distance == pytest.approx(7, abs=1e-5) and not hits[1].body
    found = world.queries.overlaps([cairn.ShapeQuery(cairn.Sphere(0.9), position=(0, 0, 1))])
    assert found.begin == [0, len(found.hits)] and len(found.hits) == 2
    position = np.array([[0, 0, 10], [5, 0, 10]], dtype=np.float32)
    distance = np.zeros(2, dtype=np.float32)
    world.queries.cast_rays(cairn.QueryArrays(position=position), cairn.HitArrays(distance=distance))
    assert distance == pytest.approx([7, 10], abs=1e-5)


def test_events(scene):
    world = cairn.World(scene, cairn.WorldOptions(contact_events=True))
    world.step()
    assert len(world.contact_events().begun) == 3
    with pytest.raises(ValueError):
        cairn.World(scene).contact_events()


def test_joints_and_drives():
    scene = box_scene(2)
    scene.add_joint(cairn.Joint(name="hinge", body_a=cairn.WORLD_BODY, body_b=1, kind=cairn.HingeJoint()))
    world = cairn.World(scene)
    (joint,) = world.joints()
    world.set_drive(joint, cairn.JointDrive(damping=1e3, rate=1, max_force=1e4))
    assert world.drive(joint, "twist").rate == 1
    world.step()
    assert len(world.state(joint).coordinates) == 6 and len(world.anchors(joint)) == 2
    assert world.find_joint("hinge") == joint and world.find_joint("none") is None


def test_articulations():
    links = [
        cairn.ArticulationLink(
            name="arm",
            joint=cairn.ArticulationJoint(kind="revolute", damping=0.1),
            mass=1,
            centre_of_mass=(0, 0, -0.5),
            inertia=cairn.Inertia((0.1, 0.1, 0.1)),
            shapes=[cairn.Shape(cairn.Sphere(0.1), position=(0, 0, -0.5))],
        )
    ]
    scene = cairn.Scene()
    scene.add_articulation(cairn.Articulation(name="robot", links=links), cairn.ArticulationState(q=[0.5], v=[0]))
    world = cairn.World.copies(scene, 3)
    rows = world.arrays.articulation_rows()
    assert (rows.rows, rows.coordinates, rows.rates) == (3, 1, 1)
    q = np.zeros((3, 1))
    world.arrays.get_articulations(cairn.ArticulationArrays(q=q))
    assert q.ravel().tolist() == [0.5] * 3
    world.arrays.set_articulations(cairn.ArticulationArrays(force=np.ones((3, 1))), [True, False, False])
    world.step()
    world.arrays.get_articulations(cairn.ArticulationArrays(q=q))
    assert q[0] != q[1] == q[2]
    robot = world.articulations.list(2)[0]
    world.articulations.set_forces(robot, np.array([0.5]))
    assert world.state(robot).q == q[2].tolist() and world.description(robot).links[0].name == "arm"


def test_materials_of_a_batch_differ():
    scene = cairn.Scene()
    scene.add_material(cairn.Material(name="ice", friction=0.1))
    scene.add_body(cairn.Body(name="floor", type="static", shapes=[cairn.Shape(cairn.Plane())]))
    world = cairn.World.copies(scene, 3)
    friction = np.array([0.2, 0.5, 0.9], np.float32)
    world.arrays.set_materials(cairn.MaterialArrays(friction=friction), [True, False, True])
    np.testing.assert_array_equal(np.float32([world.materials(w)[0].friction for w in range(3)]), np.float32([0.2, 0.1, 0.9]))
    velocity = np.ones((3, 3))
    world.arrays.get_materials(cairn.MaterialArrays(friction=friction, surface_velocity=velocity))
    np.testing.assert_array_equal(friction, np.float32([0.2, 0.1, 0.9]))
    np.testing.assert_array_equal(velocity, np.zeros((3, 3)))


def test_robots_of_a_batch_differ_in_joints_and_masses():
    link = cairn.ArticulationLink(
        name="wheel",
        joint=cairn.ArticulationJoint(kind="revolute"),
        mass=2,
        inertia=cairn.Inertia((0.1, 0.1, 0.1)),
        shapes=[cairn.Shape(cairn.Sphere(0.1))],
    )
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    scene.add_articulation(cairn.Articulation(name="robot", links=[link]))
    world = cairn.World.copies(scene, 3)
    armature = np.array([[0.0], [0.1], [0.3]])
    world.arrays.set_articulation_joints(cairn.ArticulationJointArrays(armature=armature))
    scales = np.ones((3, 3), np.float32)
    scales[2] = 1, 4, 0.5  # size, mass, inertia: twice the moment of inertia
    world.arrays.set_scales(cairn.ScaleArrays(body=scales))
    world.arrays.set_articulations(cairn.ArticulationArrays(force=np.ones((3, 1))))
    world.step(12)
    v = np.zeros((3, 1))
    world.arrays.get_articulations(cairn.ArticulationArrays(v=v))
    np.testing.assert_allclose(v[:, 0], 0.2 / np.array([0.1, 0.2, 0.5]), rtol=1e-5)
    wheel = world.articulations.list(1)[0]
    joint = world.articulations.joint(wheel, 0)
    assert joint.armature == 0.1
    joint.damping = 0.5
    world.articulations.set_joint(wheel, 0, joint)
    assert world.articulations.joint(wheel, 0) == joint
    world.scales.randomise([True, False, True], cairn.Randomisation(drive_stiffness=cairn.Range(0.5, 1), body_inertia=cairn.Range(1, 2)))
    assert world.articulations.joint(wheel, 0) == joint
    with pytest.raises(ValueError, match="stays revolute"):
        world.articulations.set_joint(wheel, 0, cairn.ArticulationJoint(kind="prismatic"))


def test_particles_and_fields():
    scene = cairn.Scene()
    rope = cairn.ParticleSet(
        name="rope",
        positions=np.array([[0.1 * i, 0, 0] for i in range(5)]),
        fixed=[0],
        constraints=[cairn.ConstraintGroup(particles=[0, 1, 1, 2, 2, 3, 3, 4])],
    )
    scene.add_particles(rope)
    scene.add_field(cairn.SceneField(cairn.Wind(velocity=(5, 0, 0), linear=0.1)))
    world = cairn.World(scene)
    for _ in range(10):
        world.step()
    (handle,) = world.particles.list()
    assert world.particles.constraint_forces(handle).shape == (4,) and len(world.bodies(handle)) == 5
    assert world.fields()[0].law == cairn.Wind(velocity=(5, 0, 0), linear=0.1)


def test_randomise(scene):
    world = cairn.World.copies(scene, 2)
    world.scales.set_seed(1, 0)
    world.scales.set_seed(2, 1)
    world.scales.randomise([1, 1], cairn.Randomisation(mass=cairn.Range(0.5, 2), position=(0.01, 0.01, 0)))
    assert world.scales.get(0).mass != world.scales.get(1).mass


def test_pictures(world, tmp_path):
    picture = cairn.render(world, cairn.PictureOptions(width=64, height=36, samples=1))
    assert picture.shape == (36, 64, 3) and picture.dtype == np.uint8 and picture.std() > 0
    cairn.write_picture(world, tmp_path / "p.png", cairn.PictureOptions(width=64, height=36, samples=1))
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_errors_keep_their_text(scene, world):
    with pytest.raises(ValueError, match="world 7|7"):
        world.gravity(7)
    body = world.add_body(cairn.Body(density=1, shapes=[cairn.Shape(cairn.Sphere())]))
    world.remove_body(body)
    with pytest.raises(cairn.InvalidArgument, match="stale|removed"):
        world.state(body)
    with pytest.raises(RuntimeError, match="cuda:99|CUDA"):
        cairn.World(scene, cairn.WorldOptions(device="cuda:99"))
    with pytest.raises(MemoryError):
        small = cairn.Capacity(pairs=1, on_overflow="error")
        cairn.World(scene, cairn.WorldOptions(capacity=small)).step()
    with pytest.raises(cairn.SceneFileError, match="nowhere.json"):
        cairn.load_scene("nowhere.json")


def test_every_error_of_cairn_is_an_error(world):
    assert issubclass(cairn.InvalidArgument, cairn.Error) and issubclass(cairn.InvalidArgument, ValueError)
    assert issubclass(cairn.CapacityError, cairn.Error) and issubclass(cairn.CapacityError, MemoryError)
    assert issubclass(cairn.SceneFileError, cairn.InvalidArgument) and issubclass(cairn.DeviceError, RuntimeError)
    with pytest.raises(cairn.Error, match="7"):
        world.gravity(7)
    with pytest.raises(cairn.Error):
        small = cairn.Capacity(pairs=1, on_overflow="error")
        cairn.World(box_scene(), cairn.WorldOptions(capacity=small)).step()


def test_scenes_are_copied_and_pickled():
    scene = box_scene(2)
    scene.name = "boxes"
    scene.add_joint(cairn.Joint(name="hinge", body_a=1, body_b=2, kind=cairn.HingeJoint()))
    scene.ignore(0, 2)
    scene.set_gravity((0, 0.1, -3.7))

    def hash_after(scene):
        world = cairn.World(scene)
        for _ in range(20):
            world.step()
        return world.state_hash()

    for other in (copy.copy(scene), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        assert other is not scene and other.to_json() == scene.to_json() and hash_after(other) == hash_after(scene)
        other.add_body(cairn.Body(density=1, shapes=[cairn.Shape(cairn.Sphere())]))
        assert len(scene.bodies()) == 3
    scene.add_body(cairn.Body(name="mine", user_data=3, density=1, shapes=[cairn.Shape(cairn.Sphere())]))
    assert copy.deepcopy(scene).bodies() == scene.bodies() == pickle.loads(pickle.dumps(scene)).bodies()


def test_a_closed_world_raises(world):
    arrays, queries = world.arrays, world.queries
    with world as same:
        same.step()
    for use in (world.step, world.bodies, arrays.list, lambda: queries.cast_rays([]), lambda: world.arrays):
        with pytest.raises(RuntimeError, match="closed"):
            use()
    assert world.closed and "closed" in repr(world)
    world.close()


def test_another_thread_is_refused_while_a_call_runs():
    world = cairn.World(box_scene(300))
    seen = []
    go = threading.Event()

    def other():
        go.wait()
        for _ in range(2000):
            try:
                world.body_count()
                seen.append("entered")
            except RuntimeError as error:
                seen.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    go.set()
    for _ in range(40):
        world.step()
    thread.join()
    assert any("another thread" in text for text in seen)


def long_calls():
    yield "World", lambda w, of: cairn.World(of.scene)
    yield "World of a batch", lambda w, of: cairn.World([of.scene, of.scene])
    yield "World of a snapshot", lambda w, of: cairn.World(of.snapshot)
    yield "copies", lambda w, of: cairn.World.copies(of.scene, 2)
    yield "step", lambda w, of: w.step()
    yield "several steps", lambda w, of: w.step(3)
    yield "wait", lambda w, of: w.wait()
    yield "reset", lambda w, of: w.reset()
    yield "reset of one", lambda w, of: w.reset(0)
    yield "reset of those chosen", lambda w, of: w.reset([1])
    yield "snapshot", lambda w, of: w.snapshot()
    yield "restore", lambda w, of: w.restore(of.snapshot)
    yield "state_hash", lambda w, of: w.state_hash()
    yield "state_hashes", lambda w, of: w.state_hashes()
    yield "report", lambda w, of: w.report()
    yield "reports", lambda w, of: w.reports()
    yield "contacts", lambda w, of: w.contacts()
    yield "residual", lambda w, of: w.residual()
    yield "read_states", lambda w, of: w.read_states()
    yield "write_states", lambda w, of: w.write_states(of.states)
    yield "written", lambda w, of: w.arrays.written("poses")
    yield "a query", lambda w, of: w.queries.cast_rays([cairn.RayQuery()])


@pytest.mark.parametrize(("name", "use"), list(long_calls()))
def test_other_threads_run_while_a_call_does(world, scene, name, use):
    of = types.SimpleNamespace(scene=scene, snapshot=world.snapshot(), states=world.read_states())
    done, turns = threading.Event(), 0

    def other():
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0)

    before = sys.getswitchinterval()
    # no thread is interrupted: the other one runs only where the call lets go of the lock
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=other)
    thread.start()
    try:
        start, until = turns, time.monotonic() + 5
        while turns == start and time.monotonic() < until:
            use(world, of)
        assert turns > start
    finally:
        done.set()
        sys.setswitchinterval(before)
        thread.join()


def test_a_world_is_collected(scene):
    world = cairn.World(scene)
    gone = weakref.ref(world)
    view = world.arrays["position"]
    del world, view
    gc.collect()
    assert gone() is None
