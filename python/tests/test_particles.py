"""ParticleSystem against closed forms, and fields on bodies of a World."""

import threading

import numpy as np
import pytest

import cairn

GRAVITY = np.array([0, 0, -9.81])


def thrown(count: int = 4, **options) -> cairn.ParticleSystem:
    random = np.random.default_rng(5)
    states = cairn.ParticleStates(random.normal(size=(count, 3)), random.normal(size=(count, 3)), np.arange(1.0, count + 1))
    return cairn.ParticleSystem(states, "cpu", **options)


def test_what_is_thrown_flies_along_a_parabola():
    system = thrown()
    system.add(cairn.Gravity(GRAVITY))
    before = system.state()
    np.testing.assert_allclose(system.rates().acceleration, np.tile(GRAVITY, (4, 1)))
    report = system.integrate(0.5, 0.1, "verlet")
    after, t = system.state(), 0.5
    assert report.stop is cairn.Stop.TIME and report.steps == 5 and system.time() == pytest.approx(t)
    # velocity Verlet is exact for a constant acceleration
    np.testing.assert_allclose(after.position, before.position + t * before.velocity + t**2 / 2 * GRAVITY, atol=1e-13)
    np.testing.assert_allclose(after.velocity, before.velocity + t * GRAVITY, atol=1e-13)
    assert after.mass.tolist() == [1, 2, 3, 4] and after.held.tolist() == [0, 0, 0, 0]
    assert system.kinetic_energy() == pytest.approx(0.5 * (after.mass[:, None] * after.velocity**2).sum())
    np.testing.assert_allclose(system.momentum(), (after.mass[:, None] * after.velocity).sum(axis=0))


@pytest.mark.parametrize(("method", "order"), [("midpoint", 2), ("trapezoid", 2), (cairn.Integrator.RUNGE_KUTTA_4, 4)])
def test_a_method_has_its_order(method, order):
    def error(h):
        # a unit mass on a spring of 1 N/m to a heavy one: cos(t)
        states = cairn.ParticleStates([[1, 0, 0], [0, 0, 0]], held=[0, 1])
        system = cairn.ParticleSystem(states, cairn.Device(threads=1))
        system.add(cairn.Springs([cairn.Spring(a=0, b=1, stiffness=1)]))
        system.integrate(1, h, method)
        return abs(system.state().position[0, 0] - np.cos(1))

    # each halving divides the error by 2^order
    assert error(0.1) / error(0.05) == pytest.approx(2**order, rel=0.15)


def test_implicit_euler_takes_its_params():
    system = thrown()
    system.add(cairn.LinearDrag(1e6))
    report = system.integrate(1, 0.5, "implicit_euler", cairn.ImplicitParams(tolerance=1e-12))
    assert report.newton_steps > 0 and np.abs(system.state().velocity).max() < 1e-4
    with pytest.raises(ValueError, match="h|step"):
        system.integrate(2, 0, "verlet")


def test_states_are_checked_and_go_there_and_back():
    system = thrown(precision="float")
    assert system.precision() is cairn.Precision.FLOAT and system.count() == 4 and system.device().kind == "cpu"
    state = system.state()
    system.set_state(state)
    assert np.array_equal(system.state().position, state.position)
    hashed = system.state_hash()
    for states, message in [
        (state._replace(mass=[1, 2, 3, -4]), r"mass\[3\]"),
        (state._replace(velocity=np.zeros((3, 3))), "velocity"),
        (state._replace(position=np.full((4, 3), np.inf)), r"position\[0\]"),
        (state._replace(position=np.zeros((4, 2))), r"states.position: must be numbers \(n, 3\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            system.set_state(states)
    with pytest.raises(TypeError, match="ParticleStates"):
        system.set_state(state.position)
    assert system.state_hash() == hashed
    system.clear_fields()
    system.set_time(3)
    assert system.time() == 3 and not system.rates().acceleration.any() and system.potential_energy() == 0


def test_another_thread_is_refused_while_a_call_runs():
    system = thrown(2000)
    system.add(cairn.PairGravity())
    seen, done = [], threading.Event()

    def other():
        while not done.is_set():
            try:
                system.count()
            except RuntimeError as error:
                seen.append(str(error))
                return

    thread = threading.Thread(target=other)
    thread.start()
    for i in range(200):
        if not thread.is_alive():
            break
        system.integrate(0.01 * (i + 1), 0.01, "explicit_euler")
    done.set()
    thread.join()
    assert seen and "ParticleSystem: another thread" in seen[0]


def falling(count: int = 3) -> cairn.World:
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    scene.add_material(cairn.Material(name="stone", density=1000))
    for i in range(count):
        scene.add_body(cairn.Body(position=(2 * i, 0, 0), mass=i + 1, shapes=[cairn.Shape(cairn.Sphere(0.5))]))
    return cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))


def test_fields_push_bodies():
    world = falling()
    fields = cairn.BodyFields(world)
    fields.add(cairn.Gravity((0, 0, -2)))
    assert fields.bodies() == world.bodies()
    np.testing.assert_allclose(fields.forces(), [[0, 0, -2 * m] for m in (1, 2, 3)])
    for _ in range(10):
        fields.apply()
        world.step()
    speed = -2 * world.report(0).time
    assert all(world.state(b).linear_velocity[2] == pytest.approx(speed, rel=1e-5) for b in world.bodies())
    some = cairn.BodyFields(world, world.bodies()[:1], "float")
    some.add(cairn.Wind(velocity=(1, 0, 0), linear=3))
    assert some.forces().shape == (1, 3) and some.forces()[0, 0] == pytest.approx(3)
    with pytest.raises(ValueError, match="twice|body"):
        cairn.BodyFields(world, world.bodies()[:1] * 2)


def test_fields_end_with_their_world():
    world = falling()
    fields = cairn.BodyFields(world)
    world.close()
    with pytest.raises(RuntimeError, match="closed"):
        fields.apply()
    with pytest.raises(RuntimeError, match="closed"):
        cairn.BodyFields(world)
