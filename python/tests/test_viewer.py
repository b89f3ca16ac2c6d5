"""cairn.viewer without a browser."""

import asyncio
import http.client
import signal
import socket
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import cairn
from cairn import _meshes

pytest.importorskip("viser", reason="without viser")

from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from cairn.viewer import View, _instances, _particles, _ranges, _server  # noqa: E402
from cairn.viewer._arrows import NORMAL, contact_forces  # noqa: E402
from cairn.viewer._history import Frame, History  # noqa: E402

CPU = cairn.WorldOptions(device=cairn.Device(threads=1))
SHAPES = [
    cairn.Shape(cairn.Box((0.2, 0.3, 0.4))),
    cairn.Shape(cairn.Sphere(0.3), position=(0.1, 0, 0)),
    cairn.Shape(cairn.Ellipsoid((0.1, 0.2, 0.3)), position=(0, 0.2, 0.1), orientation=(0.5, 0.5, 0.5, 0.5)),
    cairn.Shape(cairn.Cylinder(0.2, 0.5), orientation=(0.6, 0, 0, 0.8)),
    cairn.Shape(cairn.Capsule(0.1, 0.4)),
    cairn.Shape(cairn.ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])),
]


def shapes_scene() -> cairn.Scene:
    """A body of each shape, turning freely; a static box of the same size as one of them."""
    scene = cairn.Scene()
    scene.set_gravity((0, 0, 0))
    for i, shape in enumerate(SHAPES):
        scene.add_body(
            cairn.Body(
                position=(3 * i, 1, 2),
                density=500,
                angular_velocity=(1, i, 2),
                linear_velocity=(0, i, 1),
                shapes=[shape],
            )
        )
    scene.add_body(cairn.Body(type="static", position=(0, -9, 0), shapes=[SHAPES[0]]))
    return scene


@pytest.fixture
def view(world, scene):
    with View(world, scene) as made:
        yield made


def obeys(view: View, *commands) -> None:
    """What browsers ask for, and then to play."""
    for command in (*commands, view.play):
        view._commands.put(command)


def drawn(view: View) -> dict[int, np.ndarray]:
    """[m] (vertices, 3) Corners of what is drawn, by the body's row, as a browser makes them of what it is sent."""
    corners = {}
    for group, node in view._drawing._nodes:
        for k, row in enumerate(group.rows):
            w, *xyz = node.batched_wxyzs[k]
            mesh = _meshes.Mesh(node.vertices * node.batched_scales[k], node.faces)
            corners[int(row)] = _meshes.placed(mesh, node.batched_positions[k], (*xyz, w)).vertices
    return corners


def test_shapes_are_where_the_states_say():
    world = cairn.World(shapes_scene(), CPU)
    with View(world) as view:
        world.step(30)
        view._show_now()
        states, got = world.read_states(), drawn(view)
        assert got.keys() == set(range(len(SHAPES) + 1))
        for row, body in enumerate(world.bodies()):
            mesh = _meshes.body_mesh(world.description(body))
            want = _meshes.placed(mesh, states.position[row], states.orientation[row]).vertices
            # float32 of poses and of two products of unit quaternions
            np.testing.assert_allclose(got[row], want, rtol=0, atol=16 * np.finfo(np.float32).eps * abs(want).max())


def test_shapes_of_a_kind_share_a_mesh_and_static_bodies_are_apart():
    bodies = [cairn.Body(shapes=[cairn.Shape(cairn.Box((i + 1, 1, 1)))]) for i in range(5)]
    bodies += [cairn.Body(shapes=[cairn.Shape(cairn.Sphere(2)), cairn.Shape(cairn.Ellipsoid((1, 2, 3)))])]
    bodies += [cairn.Body(type="static", shapes=[cairn.Shape(cairn.Box())])]
    bodies += [cairn.Body(shapes=[cairn.Shape(cairn.Box(), sensor=True)])]
    groups = _instances.instances_of(enumerate(bodies))
    assert [(g.rows.tolist(), g.moves) for g in groups] == [([0, 1, 2, 3, 4], True), ([5, 5], True), ([6], False)]
    assert groups[0].scales.tolist() == [[i + 1, 1, 1] for i in range(5)]
    assert groups[1].scales.tolist() == [[2, 2, 2], [1, 2, 3]]
    assert groups[0].flat and not groups[1].flat


def test_bodies_and_particles_have_the_colors_of_the_scene():
    scene = cairn.Scene()
    for color in ((1, 0.5, 0), None):
        scene.add_body(cairn.Body(density=1, color=color, shapes=[cairn.Shape(cairn.Sphere(0.3))]))
    scene.add_particles(cloth(2).replace(color=(0, 0, 0.5)))
    with View(cairn.World(scene, CPU)) as view:
        ((group, _),) = view._drawing._nodes
        usual = [round(255 * linear**0.5) for linear in cairn.picture_color(1)]
        assert group.colors.tolist() == [[249, 128, 0], usual]  # nothing throws back all light: 255 * sqrt(0.95)
        ((surface, _, _),) = view._drawing._sets[0].nodes
        assert tuple(surface.color) == (0, 0, 128)


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


def test_the_more_instances_the_coarser_the_mesh():
    def triangles(count):
        bodies = [cairn.Body(shapes=[cairn.Shape(cairn.Sphere())])] * count
        return len(_instances.instances_of(enumerate(bodies))[0].mesh.triangles)

    assert triangles(500) > triangles(501) > triangles(5001)


def test_a_body_that_is_switched_off_has_no_size(view, world):
    body = world.bodies()[2]
    world.set_enabled(body, False)
    obeys(view)
    view._show_now()
    assert abs(np.ptp(drawn(view)[2], axis=0)).max() == 0
    world.set_enabled(body, True)
    view._show_now()
    assert np.ptp(drawn(view)[2], axis=0).min() > 0.9


def test_bodies_come_and_go(view, world):
    world.remove_body(world.bodies()[1])
    assert view.update()
    assert drawn(view).keys() == {0, 1, 2} and view.frames == 1
    world.add_body(cairn.Body(position=(5, 0, 0), density=1, shapes=[cairn.Shape(cairn.Sphere(0.5))]))
    assert view.update()
    assert drawn(view).keys() == {0, 1, 2, 3}


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


def test_worlds_of_a_batch_stand_beside_each_other(scene):
    world = cairn.World.copies(scene, 5, CPU)
    with View(world, spacing=4) as view:
        want = [[0, 0, 0], [4, 0, 0], [8, 0, 0], [0, 4, 0], [4, 4, 0]]
        assert view._drawing.offsets.tolist() == want
        np.testing.assert_allclose(drawn(view)[4 * 4 + 1].mean(0), (4, 4, 0.5), atol=1e-6)
        assert np.ptp(drawn(view)[0], axis=0).tolist() == [4, 4, 0]  # a floor as wide as its world
    for k in range(5):
        world.set_origin((0, 3 * k, 1), k)
    with View(world) as view:
        assert view._drawing.offsets.tolist() == [[0, 3 * k, 1] for k in range(5)]


def test_contact_forces_carry_the_weight(view, world):
    world.step(300)
    forces = contact_forces(world, view._drawing.offsets)
    normal = (forces.colors == NORMAL).all(1)
    lowest = normal & (forces.points[:, 2] < 0.1)
    mass = 3 * 1000
    # at rest to sleep_speed, whose change in a step is the most that a force may be off by
    allowed = mass * world.params().sleep_speed / world.params().dt
    assert abs(forces.vectors[lowest].sum(0) - (0, 0, mass * 9.81)).max() < allowed
    view.show_contacts(True)
    sent = view._arrows._node.points
    longest = np.linalg.norm(sent[:, 1] - sent[:, 0], axis=1).max()
    assert len(sent) == len(forces.points) and longest == pytest.approx(2 * view._drawing.size, rel=1e-5)


def test_plots_have_the_figures_of_the_meter(view, world, scene):
    world.step(30)
    view._measure(0.5)
    quality = cairn.QualityMeter(scene).measure(world)
    time, kinetic, potential = view._panel._plots["energy [J]"].data
    assert (time[-1], kinetic[-1], potential[-1]) == (0.5, quality.kinetic_energy, quality.potential_energy)
    assert view._panel._plots["penetration [m]"].data[1][-1] == quality.max_penetration
    assert view._panel._plots["drift [m]"].data[1][-1] == quality.max_drift


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


def cloth(n: int) -> cairn.ParticleSet:
    """(n + 1)^2 particles, two triangles a square."""
    at = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    edges, opposite = {}, []
    for t in triangles.tolist():
        for i, j, k in (t, t[1:] + t[:1], t[2:] + t[:2]):
            key = (min(i, j), max(i, j))
            if key in edges:
                opposite.append((*key, edges[key], k))
            edges[key] = k
    hinges = [(i, j, k, m) for i, j, k, m in opposite]
    return cairn.ParticleSet(
        "cloth",
        positions=[(0.1 * (i % (n + 1)), 0.1 * (i // (n + 1)), 1) for i in range((n + 1) ** 2)],
        mass=0.01,
        constraints=[
            cairn.ConstraintGroup("stretch", particles=np.ravel(list(edges))),
            cairn.ConstraintGroup("bend", particles=np.ravel(hinges), law=cairn.ConstraintLaw(compliance=1)),
        ],
    )


def test_a_cloth_is_a_surface_and_tears():
    whole = cloth(3)
    edges = len(whole.constraints[0].particles) // 2
    broken = np.zeros(edges + len(whole.constraints[1].particles) // 4, np.uint8)
    surface = _particles.topology_of(whole, broken)
    assert len(surface.triangles) == 2 * 3 * 3 and not len(surface.lines) and not len(surface.points)
    broken[0] = 1  # at the border, of one triangle, whose other sides are sides of others or stay as lines
    torn = _particles.topology_of(whole, broken)
    assert len(torn.triangles) == 17 and len(torn.lines) <= 1
    less = _particles.topology_of(whole, np.zeros_like(broken), gone=[0])
    assert 0 not in less.triangles and 0 not in less.lines and 0 not in less.points


def test_ropes_are_lines_loose_particles_points_and_soft_bodies_surfaces():
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
    rope = cairn.ParticleSet(positions=points, constraints=[cairn.ConstraintGroup("stretch", particles=[0, 1, 2, 1])])
    topology = _particles.topology_of(rope, np.zeros(2))
    assert topology.lines.tolist() == [[0, 1], [1, 2]] and topology.points.tolist() == [3, 4]
    soft = cairn.ParticleSet(
        positions=points, constraints=[cairn.ConstraintGroup("volume", particles=[0, 1, 2, 3, 1, 2, 3, 4])]
    )
    triangles = _particles.topology_of(soft, np.zeros(2)).triangles
    assert len(triangles) == 6  # two of four faces, without the one that they share
    corners = np.array(points, float)[triangles]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(1 / 6 + 1 / 3)  # over 0: they are seen from outside


def test_particles_are_where_the_states_say():
    scene = cairn.Scene()
    scene.add_particles(cloth(3))
    scene.add_particles(
        cairn.ParticleSet(
            "water", positions=[(2, 0, 0.1 * i) for i in range(4)], radius=0.04, fluid=cairn.Fluid(spacing=0.1)
        )
    )
    world = cairn.World(scene, CPU)
    with View(world) as view:
        world.step(5)
        view._show_now()
        at = world.read_states().position.astype(np.float32)
        ((surface, member, rows),) = view._drawing._sets[0].nodes
        assert member == "vertices" and (surface.vertices == at[rows]).all() and len(surface.faces) == 18
        ((water, member, rows),) = view._drawing._sets[1].nodes
        assert member == "points" and (water.points == at[16:]).all() and water.point_size == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("host", "origin", "fault"),
    [
        ("127.0.0.1:8080", None, ""),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", ""),
        ("localhost:9000", "http://localhost:9000", ""),  # a tunnel's own port
        ("[::1]:8080", "http://[::1]:8080", ""),
        ("cairn.example", "https://cairn.example", ""),
        ("127.0.0.1:8080", "http://evil.example", "Origin http://evil.example is not this server"),
        ("127.0.0.1:8080", "http://127.0.0.1:9999", "Origin"),
        ("127.0.0.1:8080", "null", "Origin null"),
        ("evil.example:8080", "http://evil.example:8080", "Host evil.example is no name of this server"),
        ("127.0.0.1.evil.example", None, "Host 127.0.0.1.evil.example"),
        ("[", None, "malformed"),
        (None, None, "no Host"),
    ],
)
def test_foreign_pages_are_refused(host, origin, fault):
    said = _server.refusal(host, origin, {"localhost", "cairn.example"})
    assert said.startswith(fault) and bool(said) == bool(fault)


def speak(view: View, **headers: str):
    import viser

    at = f"ws://127.0.0.1:{view._server.get_port()}"
    host = headers.pop("Host", None)
    protocol = [f"viser-v{viser.__version__}"]
    if host is None:
        return connect(at, subprotocols=protocol, additional_headers=headers, max_size=None, proxy=None)
    sock = socket.create_connection(("127.0.0.1", view._server.get_port()))
    return connect(
        f"ws://{host}", sock=sock, subprotocols=protocol, additional_headers=headers, max_size=None, proxy=None
    )


def test_the_server_speaks_to_its_own_pages_alone(view):
    port = view._server.get_port()
    speak(view).close()
    speak(view, Origin=f"http://127.0.0.1:{port}").close()
    for headers in (
        {"Origin": "http://evil.example"},
        {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"},
    ):
        with pytest.raises(InvalidStatus, match="403"):
            speak(view, **headers)
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for host, status in ((f"127.0.0.1:{port}", 200), ("evil.example", 403)):
        page.putrequest("GET", "/", skip_host=True)
        page.putheader("Host", host)
        page.endheaders()
        answer = page.getresponse()
        assert answer.status == status, answer.read()
        page.close()
    assert view._server.request_share_url() is None


def test_the_server_listens_on_one_address_and_ends_with_the_view(world):
    with View(world) as view:
        port = view._server.get_port()
        socket.create_connection(("127.0.0.1", port)).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port))
        with View(world, port=port) as other:
            assert other._server.get_port() > port
    assert view.closed and not view.update()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_two_browsers_see_the_same(view, world):
    with speak(view) as one, speak(view) as other:
        world.step(30)
        view._show_now()
        moving = next(node for group, node in view._drawing._nodes if group.moves)
        want = moving.batched_positions.tobytes()
        for browser in (one, other):
            while want not in browser.recv(timeout=30):
                pass


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
