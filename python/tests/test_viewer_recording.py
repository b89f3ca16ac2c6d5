"""cairn.viewer plays recordings."""

import signal
import subprocess
import sys
import threading

import pytest

import cairn

pytest.importorskip("viser", reason="without viser")

from cairn.viewer import View  # noqa: E402

CPU = cairn.WorldOptions(device=cairn.Device(threads=1))


@pytest.fixture
def recording(world):
    """Thirty steps; a ball comes after the tenth."""
    world.start_recording()
    for k in range(30):
        if k == 10:
            world.add_body(cairn.Body(name="ball", position=(3, 0, 1), density=1, shapes=[cairn.Shape(cairn.Sphere())]))
        world.step()
    return world.stop_recording()


@pytest.fixture
def playback(recording):
    return cairn.Playback(cairn.World(recording.start(), CPU), recording)


@pytest.fixture
def view(playback):
    with View(playback.world, playback=playback) as made:
        made.set_speed(0)
        yield made


def shown(view: View) -> dict[int, tuple[float, ...]]:
    """[m] Where each body is drawn that moves."""
    return {
        int(row): tuple(node.batched_positions[k])
        for group, node in view._drawing._nodes
        if group.moves
        for k, row in enumerate(group.rows)
    }


def test_steps_are_those_of_the_recording(view, playback, world):
    view.run(30)
    view.pause()
    view._show_now()
    assert playback.at() == 30 and view.world.state_hash() == world.state_hash()
    assert "step 30 of 30" in view._panel._status.content and "not as recorded" not in view._panel._status.content
    assert len(shown(view)) == 4  # the ball, too


def test_it_pauses_at_the_end_and_plays_again(view, playback):
    view.run(30)
    # done by the update that waits in the pause
    threading.Timer(0.5, view._commands.put, [view.close]).start()
    view.run()
    assert playback.at() == 30 and not view.playing


def test_play_at_the_end_begins_again(view, playback):
    view.run(30)
    view.play()
    assert playback.at() == 0 and view.playing
    view.run(3)
    assert playback.at() == 3


def test_any_step_is_shown_of_those_wanted_the_last(view, playback, recording):
    for step in (25, 3, 17):
        view._commands.put(lambda step=step: view.want(step))
    view._commands.put(view.step)
    assert view.update()
    assert playback.at() == 17 and not view.playing
    alone = cairn.World(recording.start(), CPU)
    cairn.Playback(alone, recording).seek(17)
    states = alone.read_states()
    assert {row: pytest.approx(tuple(states.position[row]), abs=1e-6) for row in range(1, 5)} == shown(view)
    view.seek(2)
    assert sorted(shown(view)) == [1, 2, 3]  # before the ball came
    view.reset()
    assert playback.at() == 0
    with pytest.raises(cairn.InvalidArgument, match="seek: must be 0 to 30, is 31"):
        view.seek(31)


def test_nodes_stay_where_the_bodies_do(view):
    view.seek(9)
    before = [node for _, node in view._drawing._nodes]
    view.seek(4)
    assert all(a is b for a, (_, b) in zip(before, view._drawing._nodes, strict=True))


def test_what_is_not_as_recorded_is_told(view, playback):
    view.seek(4)
    view.world.set_velocity(view.world.bodies()[1], (1, 0, 0), (0, 0, 0))
    view.seek(6)
    assert "not as recorded from step 5 on" in view._panel._status.content


def test_what_would_change_the_world_is_not_offered(view):
    assert not view._panel._params


def test_a_playback_of_another_world_is_refused(world, playback):
    with pytest.raises(cairn.InvalidArgument, match="playback: must be on the World that is shown"):
        View(world, playback=playback)
    with View(world) as view, pytest.raises(cairn.InvalidArgument, match="shows no recording"):
        view.seek(0)


def test_the_command_plays_a_recording(recording, tmp_path):
    file = tmp_path / "run.recording"
    recording.save(file)
    command = [sys.executable, "-m", "cairn.viewer", "--device", "cpu", str(file)]
    playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "run.recording on cpu: http://127.0.0.1:" in playing.stdout.readline()
    playing.send_signal(signal.SIGINT)
    _, said = playing.communicate(timeout=60)
    assert playing.returncode == 0, said
    wrong = subprocess.run([*command, "--worlds", "2"], capture_output=True, text=True, timeout=60, check=False)
    assert wrong.returncode == 2 and "--worlds: is for scenes" in wrong.stderr
    file.write_bytes(file.read_bytes()[:-1])
    cut = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert cut.returncode == 2 and "run.recording" in cut.stderr


def seen(view: View) -> list[tuple]:
    """Of each shape that is drawn: its body, whether it moves, its size and its colour."""
    return sorted(
        (int(row), group.moves, *node.batched_scales[k].tolist(), *node.batched_colors[k].tolist())
        for group, node in view._drawing._nodes
        for k, row in enumerate(group.rows)
    )


def test_bodies_that_look_different_are_drawn_so(world):
    bodies = world.bodies()
    world.start_recording()
    for change in (
        lambda: world.set_body(bodies[1], world.description(bodies[1]).replace(color=(1, 0, 0))),
        lambda: world.scales.set(cairn.BodyScales(size=0.5), bodies[2]),
        lambda: world.set_enabled(bodies[3], False),
        lambda: world.set_type(bodies[3], "static"),
    ):
        change()
        world.step()
    recording = world.stop_recording()
    playback = cairn.Playback(cairn.World(recording.start(), CPU), recording)
    with View(playback.world, playback=playback) as view:
        by_step = [seen(view)]
        for step in range(1, 5):
            view.seek(step)
            by_step.append(seen(view))
            assert by_step[step] != by_step[step - 1]
        with View(playback.world) as later:
            assert seen(later) == by_step[4]
        for step in (3, 1, 0):
            view.seek(step)
            assert seen(view) == by_step[step]
