"""What calls make of their arguments: which they take, what they say of others, and that reading them can't do harm."""

import numpy as np
import pytest

import cairn
from conftest import box_scene


class Closing:
    """A number, vector, list and truth value that closes a World where it is read."""

    def __init__(self, world):
        self.world = world

    def __index__(self):
        self.world.close()
        return 0

    def __float__(self):
        self.world.close()
        return 1.0

    def __bool__(self):
        self.world.close()
        return True


def closing_calls():
    yield "a vector", lambda w, c: w.set_gravity([0, 0, c])
    yield "a number", lambda w, c: w.gravity(c)
    yield "a list", lambda w, c: w.reset([c])
    yield "a generator", lambda w, c: w.reset(bool(x) for x in [c])
    yield "a struct", lambda w, c: w.add_body(cairn.Body(mass=c))
    yield "fields", lambda w, c: w.set_fields(cairn.SceneField() for x in [c] if x)
    yield "queries", lambda w, c: w.queries.cast_rays(cairn.RayQuery() for x in [c] if x)
    yield "a mask", lambda w, c: w.arrays.reset([c])
    yield "a mask of what was written", lambda w, c: w.arrays.written("loads", [c])
    yield "arrays", lambda w, c: w.arrays.get_states(cairn.StateArrays(position=np.zeros((4, 3))), [c])
    yield "an articulation", lambda w, c: w.articulations.add(cairn.Articulation(), cairn.ArticulationState(q=[c]))


@pytest.mark.parametrize(("what", "use"), list(closing_calls()))
def test_a_world_that_an_argument_closes_is_closed(world, what, use):
    with pytest.raises(RuntimeError, match="closed"):
        use(world, Closing(world))


def test_a_world_that_a_property_of_states_closes_is_closed(world):
    class States:
        def __getattr__(self, name):
            world.close()
            return getattr(states, name)

    states = world.read_states()
    with pytest.raises(RuntimeError, match="closed"):
        world.write_states(States())


def test_no_number_is_cast_to_another(scene):
    world = cairn.World.copies(scene, 2)
    for mask, error in [
        (np.array([256, 0]), ValueError),
        (np.array([-1, 0], dtype=np.int8), ValueError),
        (np.array([0.5, 0.5]), TypeError),
        (np.array([np.nan, 1]), TypeError),
        (np.array([1 + 0j, 1]), TypeError),
    ]:
        with pytest.raises(error, match=r"chosen\[0\]: must be"):
            world.reset(mask)
    with pytest.raises(ValueError, match=r"triangles\[1\]\[2\]: must be 0 to 4294967295, is -1"):
        cairn.TriangleMesh(np.eye(3), np.array([[0, 1, 2], [0, 1, -1]]))
    with pytest.raises(TypeError, match=r"triangles\[0\]\[0\]: must be a whole number"):
        cairn.TriangleMesh(np.eye(3), np.array([[0.5, 1, 2]]))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64])
def test_whole_numbers_of_any_type_that_fit_are_taken(scene, dtype):
    world = cairn.World.copies(scene, 3)
    world.step()
    # strided, too
    world.reset(np.array([1, 0, 0, 0, 1, 0], dtype=dtype)[::2])
    assert [r.steps for r in world.reports()] == [0, 1, 0]
    corners = np.array([[0, 1, 2]]).astype(dtype)
    if dtype is not bool:
        assert cairn.TriangleMesh(np.eye(3), corners).triangles.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("number", [1, np.int64(1), np.uint8(1), np.array(1), True])
def test_what_has_an_index_is_a_worlds_number(scene, number):
    world = cairn.World.copies(scene, 2)
    snapshot = world.snapshot()
    world.step()
    world.restore(snapshot, np.int64(0), number)
    assert [r.steps for r in world.reports()] == [1, 0]
    world.step()
    world.reset(number)
    assert world.report(number).steps == 0 and world.report(0).steps == 2
    assert world.body_count(number) == 4


def test_a_number_out_of_range_is_told_as_one(world):
    for number in (-1, 2**32, np.int64(-1)):
        with pytest.raises(ValueError, match="world: must be 0 to 4294967295, is .*(-1|4294967296)"):
            world.reset(number)
    with pytest.raises(TypeError, match="chosen: must be a list, is 'x'"):
        world.reset("x")


class Raises:
    """Raises KeyError where it is read."""

    def _raise(self, *_):
        raise KeyError("my own")

    __index__ = __float__ = __bool__ = __len__ = __getitem__ = __iter__ = _raise
    __class__ = property(_raise)


@pytest.mark.parametrize(
    "use",
    [
        lambda w, r: w.set_mass(w.bodies()[1], w.add_body(cairn.Body(mass=r))),
        lambda w, r: w.set_gravity(r),
        lambda w, r: w.set_gravity([0, 0, r]),
        lambda w, r: w.reset([r]),
        lambda w, r: w.reset(x for x in [1] if r),
        lambda w, r: w.arrays.reset([r]),
        lambda w, r: w.add_body(cairn.Body(shapes=[r])),
        lambda w, r: w.add_body(cairn.Body(shapes=[cairn.Shape(r)])),
    ],
)
def test_an_exception_of_the_programs_own_goes_on(world, use):
    with pytest.raises(KeyError, match="my own"):
        use(world, Raises())


def test_messages_name_the_argument(world):
    body = world.bodies()[1]
    for use, message in [
        (
            lambda: world.add_body(cairn.Body(shapes=[cairn.Shape("ball")])),
            r"body.shapes\[0\].geometry: must be one of",
        ),
        (lambda: world.set_velocity(body, (0, 0, 0), "x"), "angular: must be 3 numbers"),
        (lambda: world.set_params("x"), "params: must be StepParams"),
        (lambda: world.arrays.get_states(3), "to: must be StateArrays"),
        (lambda: world.arrays.set_states(3), "from_: must be StateArrays"),
        (lambda: world.queries.cast_rays([3]), r"rays\[0\]: must be RayQuery"),
        (lambda: world.queries.overlaps([3]), r"shapes\[0\]: must be ShapeQuery"),
        (lambda: world.articulations.set_forces(cairn.ArticulationHandle(), 3), "forces: must be a list"),
    ]:
        with pytest.raises(TypeError, match=message):
            use()


def test_a_batch_is_made_of_any_sequence_of_scenes(scene):
    for scenes in ((scene, box_scene(1)), [scene, box_scene(1)], (s for s in [scene, scene])):
        assert cairn.World(scenes).world_count() == 2
    with pytest.raises(TypeError, match=r"scenes\[1\]: must be Scene, is 3"):
        cairn.World([scene, 3])
    with pytest.raises(TypeError, match="scenes: must be a Scene, a Snapshot or a list of Scenes, is 3"):
        cairn.World(3)
