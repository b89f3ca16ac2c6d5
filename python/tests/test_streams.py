"""Arrays of CUDA devices, in order with streams; on whatever device there is."""

import pytest

import cairn
from conftest import box_scene

DEVICES = [found.device for found in cairn.devices() if found.device.kind == "cuda"]
pytestmark = pytest.mark.skipif(not DEVICES, reason="without a CUDA device")


class Producer:
    """Hands out an array as another library does, and notes what streams it was to be ready for."""

    def __init__(self, array, old=False):
        self.array, self.old, self.asked = array, old, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, stream=None, **rest):
        if self.old and rest:
            raise TypeError("__dlpack__() got an unexpected keyword argument")
        self.asked.append(stream)
        return self.array.__dlpack__(stream=stream, **rest)


def worlds(*streams):
    return [cairn.World(box_scene(), cairn.WorldOptions(device=DEVICES[0], stream=stream)) for stream in streams]


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("stream", [0, 1])
def test_what_a_world_is_given_is_ready_where_its_stream_is(stream, old):
    from_, to = worlds(stream, 0)
    like = cairn.World(box_scene())
    for _ in range(20):
        from_.step()
        like.step()
    to.step()
    velocity = Producer(to.arrays["linear_velocity"], old)
    from_.arrays.get_states(cairn.StateArrays(linear_velocity=velocity))
    assert velocity.asked == [from_.arrays.stream] != [0]
    to.arrays.wait_stream(from_.arrays.stream)
    to.arrays.written("velocities")
    assert [to.state(b).linear_velocity for b in to.bodies()] == [
        like.state(b).linear_velocity for b in like.bodies()
    ]


def test_consumers_wait_by_the_stream_that_they_name():
    (world,) = worlds(0)
    world.step()
    view = world.arrays["position"]
    for stream in (None, 1, 2, -1, world.arrays.stream):
        assert view.__dlpack__(stream=stream) is not None
    for stream in (0, -2):
        with pytest.raises(ValueError, match="stream"):
            view.__dlpack__(stream=stream)
    with pytest.raises(ValueError, match="default stream is"):
        world.arrays.wait_stream(0)
    with pytest.raises(ValueError, match="default stream is"):
        world.arrays.stream_waits(0)


def test_a_mask_is_asked_for_on_the_worlds_stream():
    (world,) = worlds(0)
    world.step()
    words = Producer(world.arrays["world_status"])
    with pytest.raises(TypeError, match="bool or uint8"):
        world.arrays.reset(words)
    assert words.asked == [world.arrays.stream]


def test_what_may_not_be_written_is_read_alone():
    world, other = worlds(0, 0)
    world.step()
    still = Producer(other.arrays["field_force"])
    world.arrays.set_states(cairn.StateArrays(linear_velocity=still))
    assert all(world.state(body).linear_velocity == (0, 0, 0) for body in world.bodies())
    with pytest.raises(ValueError, match="linear_velocity"):
        world.arrays.get_states(cairn.StateArrays(linear_velocity=still))
