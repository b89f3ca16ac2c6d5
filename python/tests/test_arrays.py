"""Views of a World's arrays."""

import gc

import numpy as np
import pytest

import cairn
from conftest import box_scene


def test_numpy_shares_the_memory(world):
    velocity = world.arrays["linear_velocity"]
    a, b = np.asarray(velocity), np.asarray(velocity)
    assert np.shares_memory(a, b) and a.shape == velocity.shape == (4, 3) and a.dtype == velocity.dtype == np.float32
    a[3] = (0, 0, 5)
    world.arrays.written("velocities")
    before = world.state(world.bodies()[3]).position[2]
    world.step()
    after = world.state(world.bodies()[3]).position[2]
    assert after - before == pytest.approx(5 / 60 - 9.81 / 3600 / 2, abs=2e-3)
    assert world.state(world.bodies()[3]).linear_velocity[2] == pytest.approx(5 - 9.81 / 60, abs=1e-3)


def test_what_a_step_writes_is_seen(world):
    seen = np.asarray(world.arrays["steps"])
    world.step()
    world.step()
    assert seen.tolist() == [2]


def test_views_index_and_write(world):
    force = world.arrays["force"]
    force[1:, 2] = 3
    assert force[:, 2].tolist() == [0, 3, 3, 3] and len(force) == 4
    assert force.unit == "N" and force.rows == "slots" and force.writable and force.device == "cpu"
    with pytest.raises(ValueError):
        world.arrays["inv_mass"][0] = 1


def test_names(world):
    assert "position" in world.arrays and "nothing" not in world.arrays
    assert [a.name for a in world.arrays.list()] == list(world.arrays) == world.arrays.keys()
    with pytest.raises(ValueError, match='"nothing".*position'):
        world.arrays["nothing"]


def changes():
    sphere = cairn.Body(density=1, position=(9, 0, 9), shapes=[cairn.Shape(cairn.Sphere())])
    yield "add_body", lambda w: w.add_body(sphere)
    yield "remove_body", lambda w: w.remove_body(w.bodies()[1])
    yield "add_joint", lambda w: w.add_joint(cairn.Joint(body_a=1, body_b=2))
    yield "restore", lambda w: w.restore(w.snapshot())
    yield "close", lambda w: w.close()


@pytest.mark.parametrize(("name", "change"), list(changes()))
def test_a_view_raises_after_an_edit(world, name, change):
    view = world.arrays["position"]
    array = np.asarray(view)
    kept = array.copy()
    change(world)
    assert view.stale
    for use in (lambda: view[0], lambda: np.asarray(view), lambda: view.shape, lambda: np.from_dlpack(view), lambda: len(view)):
        with pytest.raises(RuntimeError, match="stale|closed"):
            use()
    assert "stale" in repr(view)
    if not world.closed:
        assert world.arrays["position"].shape[0] >= 4
    # what numpy had is still there
    assert (array == kept).all()


def test_a_view_of_another_world_stays(scene):
    a, b = cairn.World(scene), cairn.World(scene)
    view = b.arrays["position"]
    a.remove_body(a.bodies()[0])
    assert view.shape == (4, 3)


def test_memory_outlives_growth_and_the_world():
    world = cairn.World(box_scene(2))
    seen = []
    places = set()
    for i in range(200):
        inertia = np.asarray(world.arrays["inertia"])
        places.add(inertia.ctypes.data)
        seen.append((inertia, inertia.copy()))
        world.add_body(cairn.Body(density=1, position=(3 * i + 3, 0, 5), shapes=[cairn.Shape(cairn.Sphere())]))
    world.step()
    normals = np.asarray(world.arrays["contact_normal"])
    seen.append((normals, normals.copy()))
    assert len(places) > 2  # it grew, so that there was something to keep
    del world
    gc.collect()
    for array, then in seen:
        assert array.tobytes() == then.tobytes()


def test_dlpack(world):
    view = world.arrays["position"]
    assert view.__dlpack_device__() == (1, 0)
    array = np.from_dlpack(view)
    assert np.shares_memory(array, np.asarray(view))
    torch = pytest.importorskip("torch")
    tensor = torch.from_dlpack(view)
    assert tensor.data_ptr() == np.asarray(view).ctypes.data


def test_a_read_only_array_stays_so_by_dlpack(world):
    view = world.arrays["inv_mass"]
    with pytest.raises(BufferError, match='"inv_mass" is read-only'):
        view.__dlpack__()
    with pytest.raises(BufferError):
        view.__dlpack__(max_version=(0, 8))
    assert not np.from_dlpack(view).flags.writeable
    assert world.arrays["force"].__dlpack__() is not None


def test_views_are_compared_by_elements(world):
    force = world.arrays["force"]
    force[2, 1] = 5
    assert (force == 5).sum() == 1 and (force != 5).sum() == 11 and (force == force).all()
    assert (force == world.arrays["torque"]).sum() == 11


def test_states_by_arrays(scene):
    world = cairn.World.copies(scene, 4)
    n = world.body_count()
    position, orientation = np.zeros((n, 3)), np.zeros((n, 4), dtype=np.float32)
    arrays = cairn.StateArrays(position=position, orientation=orientation)
    world.arrays.get_states(arrays)
    assert (position == world.read_states().position).all()
    position[:, 0] += 1
    world.arrays.set_states(arrays, np.array([True, False, True, False]))
    x = world.read_states().position[:, 0].reshape(4, -1)[:, 1:]
    assert x.tolist() == [[1] * 3, [0] * 3, [1] * 3, [0] * 3]
    with pytest.raises(ValueError, match="mask"):
        world.arrays.reset([True])
    with pytest.raises(ValueError):
        world.arrays.get_states(cairn.StateArrays(position=np.zeros((1, 3)), orientation=orientation))
    with pytest.raises(TypeError, match="to.position"):
        world.arrays.get_states(cairn.StateArrays(position="x"))


def test_a_nan_freezes_its_world_alone(scene):
    world = cairn.World.copies(scene, 2)
    force = world.arrays["force"]
    force[1, 0] = np.nan
    world.arrays.written(cairn.Written.LOADS)
    world.step()
    status = [cairn.StatusBit(r.status) for r in world.reports()]
    assert status == [cairn.StatusBit.NON_FINITE, cairn.StatusBit(0)]
    with pytest.raises(ValueError):
        world.set_velocity(world.bodies()[1], (np.nan, 0, 0), (0, 0, 0))
