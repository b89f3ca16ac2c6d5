"""Sensors, whose readings are arrays by world."""

import gc

import numpy as np
import pytest

import cairn
from conftest import box_scene


def set_of_each() -> cairn.SensorSet:
    on = cairn.Site(body=1, position=(0, 0, 0.5))
    down = [(x, y, 1) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    return cairn.SensorSet(
        frames=[cairn.FrameSensor(on), cairn.FrameSensor(on, cairn.Site(body=2), velocity_axes="site")],
        imus=[cairn.ImuSensor(on)],
        contacts=[cairn.ContactSensor(1), cairn.ContactSensor(1, 0)],
        scans=[cairn.RayScan(cairn.Site(body=3), origins=down, axes="yaw", range=20)],
        cameras=[cairn.CameraSensor(cairn.Site(position=(0, 0, 6)), width=8, height=6)],
    )


@pytest.fixture
def batch() -> cairn.World:
    return cairn.World.copies(box_scene(), 4, cairn.WorldOptions(device=cairn.Device(threads=1)))


def test_arrays_are_views_that_updates_fill(batch):
    sensors = cairn.Sensors(batch, set_of_each())
    names = ["frame_pose", "frame_velocity", "imu", "contact_force"]
    names += ["scan0_distance", "scan0_body", "camera0_depth", "camera0_body"]
    assert sensors.keys() == list(sensors) == [a.name for a in sensors.list()] == names
    assert len(sensors) == 8 and "imu" in sensors and "imus" not in sensors
    assert sensors["imu"].shape == (4, 1, 6) and sensors.get("camera0_body").shape == (4, 6, 8)
    assert sensors["imu"].unit == "m/s^2, rad/s" and sensors["imu"].rows == "worlds" and not sensors["imu"].writable
    imu = np.asarray(sensors["imu"])
    assert not imu.any() and not imu.flags.writeable
    for _ in range(60):
        batch.step()
        sensors.update()
    assert np.shares_memory(imu, np.asarray(sensors["imu"]))
    assert imu[:, 0, 2] == pytest.approx(9.81, abs=0.02)
    weight = 9.81 * 1000
    force = sensors["contact_force"][...]
    assert force[:, 0] == pytest.approx(np.tile([0, 0, weight], (4, 1)), abs=0.01 * weight)
    assert force[:, 1] == pytest.approx(np.tile([0, 0, 3 * weight], (4, 1)), abs=0.01 * weight)
    assert sensors["frame_pose"][2, 0, :3] == pytest.approx([0, 0, 1], abs=0.01)
    assert sensors["frame_pose"][2, 1, :3] == pytest.approx([0, 0, -0.5], abs=0.01)
    # from 1 m above the middle of the uppermost box, which is not seen, to the one below
    assert sensors["scan0_distance"][...] == pytest.approx(1.5, abs=0.01)
    assert (sensors["scan0_body"][...] == 2).all()
    assert sensors["camera0_depth"][0].min() == pytest.approx(3, abs=0.01)
    assert set(np.unique(sensors["camera0_body"][...])) == {0, 3}


def test_worlds_read_the_same(batch):
    batch.reset([False, True, False, True])
    sensors = cairn.Sensors(batch, set_of_each())
    for _ in range(10):
        batch.step()
        sensors.update()
    for array in sensors.list():
        first, *others = array[...].view(np.uint32)
        assert all((first == other).all() for other in others)


def test_arrays_stay_where_they_are(batch):
    sensors = cairn.Sensors(batch, set_of_each())
    view = sensors["frame_pose"]
    array = np.asarray(view)
    batch.add_body(cairn.Body(density=1, position=(9, 0, 9), shapes=[cairn.Shape(cairn.Sphere())]))
    batch.step()
    sensors.update()
    assert not view.stale and np.shares_memory(array, view.numpy()) and array[0, 0, 6] == 1
    exported = np.from_dlpack(view)
    assert np.shares_memory(exported, array)
    del sensors
    gc.collect()
    assert view[0, 0, 6] == 1, "a view keeps its sensors"
    batch.close()
    assert view.stale
    with pytest.raises(RuntimeError):
        view.numpy()
    assert array[0, 0, 6] == 1, "what numpy made of it keeps the memory"


def test_a_body_that_is_gone_reads_nan(batch):
    sensors = cairn.Sensors(batch, set_of_each())
    batch.remove_body(batch.bodies(2)[1])
    sensors.update()
    assert np.isnan(sensors["imu"][2]).all() and not np.isnan(sensors["imu"][:2]).any()


def test_what_can_not_be_is_refused_by_name(batch):
    with pytest.raises(ValueError, match=r"Sensors: imus\[0\] site: no world has a body 9"):
        cairn.Sensors(batch, cairn.SensorSet(imus=[cairn.ImuSensor(cairn.Site(body=9))]))
    with pytest.raises(ValueError, match=r"scans\[0\] directions must not be empty"):
        cairn.Sensors(batch, cairn.SensorSet(scans=[cairn.RayScan(directions=[])]))
    with pytest.raises(TypeError, match=r"set.cameras\[0\]"):
        cairn.Sensors(batch, cairn.SensorSet(cameras=[3]))
    with pytest.raises(TypeError, match="world"):
        cairn.Sensors(3, cairn.SensorSet())
    sensors = cairn.Sensors(batch, set_of_each())
    with pytest.raises(ValueError, match='"gyro".*imu'):
        sensors["gyro"]
    assert sensors.description() == set_of_each()
    batch.close()
    with pytest.raises(RuntimeError):
        sensors.update()
