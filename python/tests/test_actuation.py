"""Muscles, dragging, tracks and virtual forces."""

import copy
import gc

import numpy as np
import pytest

import cairn

DT = 0.001  # [s]


def ball(count: int = 1) -> cairn.World:
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    scene.set_params(cairn.StepParams(dt=DT))
    scene.add_material(cairn.Material(name="stone", density=1000))
    for i in range(count):
        scene.add_body(cairn.Body(position=(0.25 + 3 * i, 0, 0), mass=1, shapes=[cairn.Shape(cairn.Sphere(0.1))]))
    return cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))


def test_a_muscle_pulls_and_remembers():
    world = ball()
    (body,) = world.bodies()
    path = [cairn.MusclePoint(), cairn.MusclePoint(body)]
    muscle = cairn.Muscle(world, path, cairn.MuscleParams(max_isometric_force=10))
    assert muscle.activation() == 0 and muscle.length() == pytest.approx(0.25)
    for _ in range(20):
        muscle.act(1, DT)
        world.step()
    assert muscle.activation() > 0.5 and muscle.force() > 0 and muscle.fibre_length() > 0
    assert world.state(body).linear_velocity[0] < 0 and muscle.length() < 0.25
    other, held = copy.copy(muscle), muscle.activation()
    muscle.act(0, DT)
    assert other.activation() == held > muscle.activation()
    with pytest.raises(ValueError, match="excitation"):
        muscle.act(2, DT)
    with pytest.raises(ValueError, match="point"):
        cairn.Muscle(world, path[:1])
    with pytest.raises(TypeError, match=r"path\[1\]"):
        cairn.Muscle(world, [cairn.MusclePoint(), body])
    world.close()
    with pytest.raises(RuntimeError, match="closed"):
        muscle.act(0, DT)


def test_what_is_dragged_follows():
    world = ball()
    (body,) = world.bodies()
    view = world.arrays["position"]
    drag = cairn.Drag(world, body, (0.25, 0, 0), cairn.DragParams(frequency=20))
    assert view.stale and world.alive(drag.joint()) and not drag.over()
    drag.move((0.25, 0, 1))
    world.step(500)
    assert world.state(body).position[2] == pytest.approx(1, abs=1e-3)
    joint = drag.joint()
    drag.close()
    drag.close()
    assert not world.alive(joint)
    with pytest.raises(RuntimeError, match="Drag: it was closed"):
        drag.move((0, 0, 0))


def test_a_drag_ends_with_what_holds_it():
    world = ball(2)
    ray = cairn.RayQuery(origin=(0.25, 0, 5))
    with cairn.Drag.pick(world, ray) as drag:
        joint = drag.joint()
        assert world.alive(joint)
    assert not world.alive(joint) and cairn.Drag.pick(world, ray.replace(origin=(9, 9, 9))) is None
    drag = cairn.Drag.pick(world, ray)
    joint, view = drag.joint(), world.arrays["position"]
    del drag
    gc.collect()
    assert not world.alive(joint) and view.stale
    drag = cairn.Drag(world, world.bodies()[1], (3.25, 0, 0))
    world.remove_body(world.bodies()[1])
    assert drag.over()
    with pytest.raises(ValueError, match="removed"):
        drag.move((0, 0, 0))
    kept = cairn.Drag(world, world.bodies()[0], (0.25, 0, 0))
    world.close()
    with pytest.raises(RuntimeError, match="closed"):
        kept.over()
    del kept, world
    gc.collect()


def test_tracks_go_through_their_keys():
    keys = [cairn.TrackKey(0, 1), cairn.TrackKey(2, 5)]
    line = cairn.Track(keys, "linear")
    assert (line.value(1), line.rate(1), line.value(9)) == (3, 2, 5)
    assert cairn.Track(keys, cairn.Interpolation.STEP).value(1.9) == 1
    assert cairn.Track(keys, "linear", repeats=True).value(3) == pytest.approx(3)
    with pytest.raises(ValueError, match="ascend|key"):
        cairn.Track(keys[::-1])
    turn = (0, 0, 0.5**0.5, 0.5**0.5)
    poses = cairn.PoseTrack([cairn.PoseKey(0), cairn.PoseKey(1, (2, 0, 0), turn)])
    pose = poses.pose(0.5)
    assert pose.position == (1, 0, 0)
    assert pose.orientation == pytest.approx((0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)), abs=1e-6)


def hinged() -> cairn.World:
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    scene.add_material(cairn.Material(name="stone", density=1000))
    scene.add_body(cairn.Body(position=(1, 0, 0), mass=1, shapes=[cairn.Shape(cairn.Box((0.5, 0.1, 0.1)))]))
    scene.add_body(cairn.Body(name="lift", type="kinematic", position=(9, 0, 0), shapes=[cairn.Shape(cairn.Box())]))
    # x, about which a hinge turns, along y of the world
    along_y = cairn.JointFrame((0, 0, 0), (0, 0, 0.5**0.5, 0.5**0.5))
    drive = cairn.JointDrive(stiffness=1e4, damping=1e3, max_force=1e6)
    scene.add_joint(
        cairn.Joint(
            name="hinge",
            body_b=0,
            kind=cairn.HingeJoint(cairn.JointAxis(mode="free", drive=drive)),
            frame_a=along_y,
            frame_b=along_y.replace(position=(-1, 0, 0)),
        )
    )
    return cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))


def test_drives_and_bodies_follow_tracks():
    world = hinged()
    (joint,), lift = world.joints(), world.find_body("lift")
    track = cairn.Track([cairn.TrackKey(0, 0), cairn.TrackKey(1, 0.5)])
    poses = cairn.PoseTrack([cairn.PoseKey(0, (9, 0, 0)), cairn.PoseKey(1, (9, 0, 3))])
    dt = world.params().dt
    for _ in range(60):
        time = world.report(0).time + dt
        cairn.follow(world, joint, "twist", track, time, dt)
        cairn.follow(world, lift, poses, time, dt)
        world.step()
    assert world.state(lift).position[2] == pytest.approx(3, abs=1e-4)
    assert world.state(joint).coordinates[3] == pytest.approx(0.5, abs=0.01)


def test_a_virtual_force_is_the_lever_times_the_force():
    world = hinged()
    (joint,) = world.joints()
    (effort,) = cairn.virtual_force(world, [joint], (2, 0, 0), (0, 0, 3))
    # r x F = (2, 0, 0) x (0, 0, 3) = (0, -6, 0), about y
    assert effort.joint == joint and effort.effort == pytest.approx([0, 0, 0, -6, 0, 0], abs=1e-6)
    cairn.exert(world, [effort])
    world.set_drive(joint, cairn.JointDrive())
    world.step()
    assert world.state(world.bodies()[0]).angular_velocity[1] < 0
    with pytest.raises(ValueError, match="finite"):
        cairn.exert(world, [effort.replace(effort=[np.nan] * 6)])
