"""cairn.viewer without a browser: what a View does, and what is asked of it."""

import asyncio
import signal
import socket
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import cairn

pytest.importorskip("viser", reason="without viser")

from viewing import CPU, drawn, obeys, shapes_scene  # noqa: E402

from cairn.viewer import View, _ranges  # noqa: E402
from cairn.viewer._history import Frame, History  # noqa: E402


def test_it_looks_from_the_first_camera_of_the_scene(scene):
    seen = cairn.PictureCamera((0, -9, 2), (0, 0, 1), 40)
    scene.add_camera(cairn.SceneCamera("front", seen, follow=1))
    world = cairn.World(scene, CPU)
    state = world.state(world.bodies()[1])
    world.set_pose(world.bodies()[1], (3, 0, 0.5), state.orientation)
    with View(world, scene) as view:
        look = view._server.initial_camera
        assert tuple(look.position) == (3, -9, 2) and tuple(look.look_at) == (3, 0, 1)
        assert look.fov == pytest.approx(np.radians(40))
    with View(world, scene, camera=seen) as view:
        assert tuple(view._server.initial_camera.position) == (0, -9, 2)


def test_paused_it_returns_for_single_steps_alone(view, world):
    view.pause()
    view.step()
    assert view.update() and not view.playing
    world.step()
    later = threading.Timer(0.05, view._commands.put, [view.play])
    later.start()
    assert view.update() and view.playing
    later.join()
    assert world.report().steps == 1


def test_the_past_can_be_seen_and_leaves_the_world_alone(scene):
    world = cairn.World(scene, CPU)
    world.set_gravity((1, 0, -9.81))
    with View(world, rate=1e9) as view:
        view.set_speed(0)
        view.run(20)
        assert view.frames == 22  # one as it was made, one an update, one at the end
        now, hash_now = drawn(view), world.state_hash()
        view.scrub(0)
        assert not view.playing
        np.testing.assert_allclose(drawn(view)[1].mean(0), (0, 0, 0.5), atol=1e-6)
        view.scrub(view.frames - 1)
        np.testing.assert_array_equal(drawn(view)[1], now[1])
        assert world.state_hash() == hash_now
        with pytest.raises(cairn.InvalidArgument, match=r"frame: must be 0 to 21, is 22"):
            view.scrub(22)
        view.reset()
        assert view.frames == 1 and world.report(0).steps == 0


def test_the_past_takes_no_more_memory_than_it_may():
    frame = Frame(0.0, np.zeros((100, 3), np.float32), np.zeros((100, 4), np.float32))
    history = History(10 * frame.bytes() + 1)
    for k in range(25):
        history.add(frame._replace(time=k))
        assert history.bytes <= history.limit
    assert frame.bytes() == 28 * 100 and len(history) == 10 and history[0].time == 15
    least = History(0)
    least.add(frame)
    assert len(least) == 1


def test_controls_of_the_step_are_made_from_the_lists_of_members():
    controls = {c.name: c for c in _ranges.step_controls(cairn.StepParams())}
    assert list(controls) == list(cairn.StepParams.__slots__)
    assert controls["solver"].words == tuple(cairn.SolverKind) and controls["ccd"].kind == "checkbox"
    assert controls["substeps"][4:] == (1, 60, 1, True) and "[1] 4 are fast" in controls["substeps"].hint
    assert controls["contact_frequency_ratio"].upper == 0.25
    for control in (c for c in controls.values() if c.kind == "slider"):
        assert control.lower <= getattr(cairn.StepParams(), control.name) <= control.upper
        for end in (control.lower, control.upper):
            cairn.validate(cairn.StepParams().replace(**{control.name: int(end) if control.whole else end}))


@pytest.mark.parametrize(
    ("text", "range_"),
    [
        ("1.0 to 1000.0", (1, 1000, False)),
        ("over 0.0 to 0.25", (0, 0.25, True)),
        ("-1e+30 to 1e-06", (-1e30, 1e-6, False)),
        ("at least 0.0", (0, np.inf, False)),
        ("over 0.0; inf: never", (0, np.inf, True)),
        ("at most 2.5", (-np.inf, 2.5, False)),
        ("", (-np.inf, np.inf, False)),
    ],
)
def test_ranges_are_read(text, range_):
    assert _ranges.range_of(text) == range_


def test_step_parameters_change_or_stay_as_they_were(view, world):
    view.set_param("substeps", 9)
    view.set_gravity((0, 0, -1))
    assert world.params().substeps == 9 and world.gravity() == (0, 0, -1)
    with pytest.raises(cairn.InvalidArgument, match="substeps"):
        view.set_param("substeps", 0)
    assert world.params().substeps == 9
    obeys(view, lambda: view.set_param("substeps", 0))  # from a browser, which is told
    assert view.update() and world.params().substeps == 9


def test_plots_have_the_figures_of_the_meter(view, world, scene):
    world.step(30)
    view._measure(0.5)
    quality = cairn.QualityMeter(scene).measure(world)
    time, kinetic, potential = view._panel._plots["energy"].data
    assert (time[-1], kinetic[-1], potential[-1]) == (0.5, quality.kinetic_energy, quality.potential_energy)
    assert view._panel._plots["penetration"].data[1][-1] == quality.max_penetration
    assert view._panel._plots["drift"].data[1][-1] == quality.max_drift


def test_a_body_is_dragged_to_where_the_pointer_goes():
    world = cairn.World(shapes_scene(), CPU)
    with View(world) as view:
        node = next(node for group, node in view._drawing._nodes if group.moves and 0 in group.rows)
        start = world.read_states().position[0]
        goal = start + (0, 0, 1)
        world.write_states(
            world.read_states()._replace(linear_velocity=np.zeros((7, 3)), angular_velocity=np.zeros((7, 3)))
        )

        def pointer(phase):
            event = SimpleNamespace(
                client_id=3, phase=phase, target=node, instance_index=0, start_position=start, end_position=goal
            )
            asyncio.run(view._dragged(event))
            assert view.update()

        pointer("start")
        pointer("update")
        assert len(view._drags) == 1 and view.frames > 0
        seconds = 1.0
        world.step(round(seconds / world.params().dt))
        left = np.linalg.norm(world.read_states().position[0] - goal)
        # critically damped, of 5 Hz: (1 + w t) exp(-w t) of the way is left; implicit Euler takes at most twice as long
        w = 2 * np.pi * cairn.DragParams().frequency
        assert left < (1 + w * seconds / 2) * np.exp(-w * seconds / 2)
        pointer("end")
        assert len(view._drags) == 0 and len(world.joints()) == 0


def test_static_bodies_are_not_dragged(view, world):
    from cairn.viewer._drags import Pull

    assert not view._drags.pull(Pull(0, "start", world.bodies()[0], (0, 0, 0), (1, 0, 0)), view._drawing.offsets)
    assert not view._drags.pull(Pull(0, "update", None, (0, 0, 0), (1, 0, 0)), view._drawing.offsets)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"rate": 0}, "rate: must be over 0, is 0"),
        ({"history_bytes": -1}, "history_bytes: must be at least 0"),
        ({"spacing": np.inf}, "spacing: must be at least 0, is inf"),
        ({"port": 0}, "port: must be 1 to 65535, is 0"),
        ({"host": "192.0.2.1"}, "host: can't listen on 192.0.2.1 at port 8080"),  # of no machine (RFC 5737)
    ],
)
def test_what_cannot_be_is_named(world, options, fault):
    with pytest.raises(cairn.InvalidArgument, match=fault):
        View(world, **options)


def test_the_command_shows_a_scene_until_it_is_interrupted(scene, tmp_path):
    file = tmp_path / "boxes.json"
    file.write_text(scene.to_json())
    command = [sys.executable, "-m", "cairn.viewer", "--device", "cpu", str(file)]
    shown = subprocess.Popen([*command, "--worlds", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = shown.stdout.readline()
    assert " on cpu: http://127.0.0.1:" in line, shown.communicate()
    port = int(line.strip().rsplit(":", 1)[1])
    socket.create_connection(("127.0.0.1", port)).close()
    shown.send_signal(signal.SIGINT)
    out, err = shown.communicate(timeout=60)
    assert (shown.returncode, out, err) == (0, "", ""), err
    file.write_text("{")
    bad = subprocess.run(command, capture_output=True, text=True)
    assert bad.returncode == 2 and bad.stderr.startswith("error: ") and "boxes.json" in bad.stderr


def test_without_viser_it_says_what_is_missing():
    program = "import sys; sys.modules['viser'] = None; import cairn; import cairn.viewer"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert out.returncode and "cairn.viewer shows worlds by the package viser: pip install viser" in out.stderr


def test_the_package_passes_mypy_strict():
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "cairn.viewer"], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
