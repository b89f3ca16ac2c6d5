"""Files of robots: names, the start, the report, bad files, the command line, and robots of others."""

import itertools
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import warnings

import pytest

import cairn

mujoco = pytest.importorskip("mujoco")

from cairn import convert  # noqa: E402

from models import GEOM, OTHER, both, expect_twins, load  # noqa: E402

# ---- names ----


def test_links_that_would_have_one_name_have_two(tmp_path):
    inner = f'<body name="p:a" pos="0 0 -.3"><joint name="c"/>{OTHER}</body>'
    scene, report, model = both(
        tmp_path, f'<body name="p"><joint name="a"/><joint name="b" axis="0 1 0"/>{GEOM}{inner}</body>'
    )
    assert [link.name for link in scene.articulations()[0].description.links] == ["p:a'", "p", "p:a"]
    expect_twins(scene, report, model)


def test_elements_without_a_name_take_none_that_another_has(tmp_path):
    body = '<body name="{}" pos="{} 0 0"><freejoint/><geom size=".1"/></body>'
    scene, report, _ = both(tmp_path, "".join(body.format(name, i) for i, name in enumerate(("", "body#1", "body#1'"))))
    assert sorted(report.bodies) == ["body#1", "body#1'", "body#1''"]
    assert scene.bodies()[report.bodies["body#1''"]].position[0] == 0


# ---- the world, the start and the report ----


def test_gravity_steps_and_flags_are_the_models(tmp_path):
    xml = """<mujoco model="r"><option timestep="0.004" gravity="0 0 -3"/><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    scene, _ = load(tmp_path, xml)
    assert scene.name == "r" and scene.gravity() == pytest.approx((0, 0, -3))
    assert scene.params().dt == pytest.approx(0.004) and scene.params().substeps == 2
    flags = '<option><flag gravity="disable" contact="disable"/></option>'
    scene, _ = load(tmp_path, xml.replace("<worldbody>", flags + "<worldbody>"))
    assert scene.gravity() == (0, 0, 0) and scene.bodies()[0].shapes[0].filter.mask == 0


def test_keyframes_are_where_a_scene_starts(tmp_path):
    xml = f"""<mujoco><worldbody><body name="b"><joint name="j"/>{GEOM}</body></worldbody><keyframe>
      <key name="home" qpos=".5" qvel="1"/><key name="other" qpos=".7"/></keyframe></mujoco>"""
    start = load(tmp_path, xml)[0].articulations()[0].start
    assert (start.q, start.v) == ([0.5], [1])
    assert load(tmp_path, xml, keyframe="other")[0].articulations()[0].start.q == [0.7]
    with pytest.raises(convert.RobotFileError, match='robot.xml: there is no keyframe "none"'):
        load(tmp_path, xml, keyframe="none")


def test_quaternions_of_zeros_turn_nothing(tmp_path):
    ball = f'<body name="b" pos="0 0 1"><joint type="ball"/>{OTHER}</body>'
    xml = f"""<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body>{ball}
      <body name="m" mocap="true"><geom size=".1"/></body></worldbody><keyframe>
      <key name="home" qpos="0 0 2 0 0 0 0  0 0 0 0" mquat="0 0 0 0"/></keyframe></mujoco>"""
    scene, report = load(tmp_path, xml)
    for name in "abm":
        assert scene.bodies()[report.bodies[name]].orientation == (0, 0, 0, 1)
    assert scene.articulations()[0].start.q == [0, 0, 0, 1]


def test_an_override_of_contacts_is_reported(tmp_path):
    xml = '<mujoco><option o_friction="2 2 0 0 0"><flag override="enable"/></option><worldbody><geom size=".1"/></worldbody></mujoco>'
    assert any("override" in why for why in load(tmp_path, xml)[1].dropped)
    assert not load(tmp_path, xml.replace("enable", "disable"))[1].dropped


@pytest.mark.parametrize("axis", ["1 0 0", "0 1 0"])
def test_geoms_of_no_mass_bypass_no_rule(axis):
    """Two hinges about one axis; and two that line up at the start, but not elsewhere."""
    ball = '<geom size=".1"/>'
    inner = f'<body name="q"><joint axis="{axis}"/>{ball}<body name="r"><joint axis="1 0 0"/>{OTHER}</body></body>'
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody><body name="p"><joint axis="1 0 0"/>{ball}{inner}</body></worldbody>
        <keyframe><key name="bent" qpos="0 .5 0"/></keyframe></mujoco>"""
    )
    # as programs may make it: mujoco's reader refuses it
    model.body_mass[1:3] = 0
    with pytest.raises(cairn.InvalidArgument, match='"p", link "[pq]".*moves no mass'):
        convert.from_model(model)
    if axis == "0 1 0":
        scene, report = convert.from_model(model, "bent")
        assert report.approximated == {"geoms on a body without mass need a little": ['body "p"', 'body "q"']}
        assert all(link.shapes for link in scene.articulations()[0].description.links)


def test_the_report_names_what_is_left_out(tmp_path):
    _, report, _ = both(
        tmp_path,
        f'<light name="sun" pos="0 0 5"/><camera name="eye" pos="0 0 5"/><body name="b" gravcomp="1"><joint name="j" solreflimit=".1 1" range="-1 1"/>'
        f'<joint name="k" axis="1 0 0"/>{GEOM}<site name="s"/><site name="r" pos="1 0 0"/></body>',
        '<sensor><gyro name="gyro" site="s"/></sensor>'
        '<equality><joint name="mimic" joint1="j" joint2="k" polycoef="0 1 1 0 0"/></equality>'
        '<tendon><spatial name="cord"><site site="s"/><site site="r"/></spatial></tendon>'
        '<actuator><motor name="pull" tendon="cord"/></actuator>',
    )
    named = set(itertools.chain(*report.dropped.values()))
    assert named == {
        *('light "sun"', 'camera "eye"', 'site "s"', 'site "r"', 'sensor "gyro"', 'tendon "cord"'),
        *('actuator "pull"', 'equality "mimic"', 'body "b"'),
    }
    assert report.dropped["couplings: joints by more than a line"] == ['equality "mimic"']
    assert report.approximated == {
        "contacts, limits and equalities go by Cairn's solver, whatever solref and solimp say": ['joint "j"']
    }
    assert 'dropped: sensors (sensor "gyro")' in str(report).splitlines()


def test_urdf_is_read_with_its_packages(tmp_path):
    package = tmp_path / "share/robot_description"
    (package / "meshes").mkdir(parents=True)
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (package / "meshes/part.obj").write_text("\n".join(lines))
    (package / "urdf").mkdir()

    def link(name: str, mesh: str) -> str:
        inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>'
        return f'<link name="{name}">{inertial}<collision><geometry><mesh filename="{mesh}"/></geometry></collision></link>'

    joint = '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/>{3}</joint>'
    text = (
        '<robot name="r">'
        + "".join(link(name, "package://robot_description/meshes/part.obj") for name in ("base", "one", "two"))
        + joint.format("first", "base", "one", "")
        + joint.format("second", "one", "two", '<mimic joint="first" multiplier="2"/>')
        + "</robot>"
    )
    file = package / "urdf/robot.urdf"
    file.write_text(text)
    scene, report = convert.load(file)
    first, second = (link.joint for link in scene.articulations()[0].description.links)
    assert (first.kind, first.lower, first.upper) == ("revolute", -1, 2) and second.kind == "revolute"
    assert isinstance(scene.bodies()[report.bodies["one"]].shapes[0].geometry, cairn.ConvexHull)
    (coupling,) = scene.articulations()[0].description.couplings
    assert [(term.link, term.coefficient) for term in coupling.terms] == [(1, 1), (0, -2)] and not report.dropped
    assert any("inertias" in what for what in report.approximated)
    file.write_text(text.replace("part.obj", "gone.obj"))
    with pytest.raises(convert.RobotFileError, match="robot.urdf: .*gone.obj.*mesh"):
        convert.load(file)


def test_names_of_files_may_be_bytes_and_capitals(tmp_path):
    (tmp_path / "robot.xml").write_text(f'<mujoco><worldbody><body name="b"><joint/>{GEOM}</body></worldbody></mujoco>')
    assert convert.load(os.fsencode(tmp_path / "robot.xml"))[1].joints
    inertia = '<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>'
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4")
    mesh = '<collision><geometry><mesh filename="{}part.obj"/></geometry></collision>'
    link = f'<link name="{{}}"><inertial><mass value="1"/>{inertia}</inertial>{mesh}</link>'
    links = link.format("a", "") + link.format("b", "package://r/")
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    for name in ("robot.urdf", "ROBOT.URDF"):
        (tmp_path / name).write_text(f'<robot name="r">{links}{joint}</robot>')
        scene, report = convert.load(tmp_path / name)
        assert any("inertias" in what for what in report.approximated)
        assert all(isinstance(body.shapes[0].geometry, cairn.ConvexHull) for body in scene.bodies())


def test_a_model_that_is_read_makes_the_same_scene(tmp_path):
    (tmp_path / "robot.xml").write_text(f'<mujoco><worldbody><body name="b"><joint/>{GEOM}</body></worldbody></mujoco>')
    model, notes = convert.read(tmp_path / "robot.xml")
    assert convert.from_model(model)[0].to_json() == convert.load(tmp_path / "robot.xml")[0].to_json() and not notes
    with pytest.raises(convert.RobotFileError, match="gone.xml"):
        convert.read(tmp_path / "gone.xml")


# ---- bad files, and the command line ----


MODEL = '<model name="m" file="{}"/>'
FIELD = """<mujoco><asset><hfield name="h" nrow="2" ncol="3" size="{} .5 .1"/></asset>
<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""
BAD = {
    "gone": (None, "robot.xml"),
    "empty": ("", "empty"),
    "noise": ("\x01\x02", "robot.xml"),
    "cut off": ("<mujoco><worldbody><body>", "[Ll]ine"),
    "unknown kind": ('<mujoco><worldbody><body><joint type="hunge"/></body></worldbody></mujoco>', "'hunge'.*'joint', line 1"),
    "no mass": ('<mujoco><worldbody><body name="b"><joint/></body></worldbody></mujoco>', "mass and inertia.*'b'"),
    "missing mesh": (
        '<mujoco><asset><mesh name="m" file="gone.stl"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>',
        "gone.stl.*mesh \"m\"",
    ),
    "missing include": ('<mujoco><include file="gone.xml"/></mujoco>', "gone.xml.*'include', line 1"),
    "includes itself": ('<mujoco><include file="robot.xml"/></mujoco>', "already included"),
    "two joints alike": (
        '<mujoco><worldbody><body name="b"><joint name="j"/><joint name="k"/><geom size=".1"/></body></worldbody></mujoco>',
        'link "b:j".*moves no mass',
    ),
    "not UTF-8": (
        f'<mujoco>\n<worldbody><body name="é"><joint/>{GEOM}</body></worldbody></mujoco>',
        "line 2 isn't UTF-8",
    ),
    "model of itself": (f'<mujoco><asset>{MODEL.format("robot.xml")}</asset></mujoco>', "robot.xml -> robot.xml"),
    "steps of ages": ('<mujoco><option timestep="1e30"/></mujoco>', "timestep .* is 1e[+]30"),
    "endless steps": ('<mujoco><option timestep="inf"/></mujoco>', "timestep .* is inf"),
    "long cells": (FIELD.format("1e10 1"), 'hfield "h": cells of 1e[+]10 x 2 m must be nearer to square'),
    "endless cells": (FIELD.format("1e300 1"), 'hfield "h": cells of 1e[+]300 x 2 m'),
    "small cells": (FIELD.format("1e-300 1e-300"), 'geom#0: .*spacing'),
    "samples": (FIELD.replace('nrow="2"', 'nrow="999999999"').format("1 1"), 'hfield "h": nrow x ncol is 3e[+]09'),
    "copies": ('<mujoco><worldbody><replicate count="999999999"/></worldbody></mujoco>', "replicate: count is 1e[+]09"),
    "grid": (
        '<mujoco><worldbody><flexcomp name="f" count="9999 9999 9"/></worldbody></mujoco>',
        'flexcomp "f": count is',
    ),
    "texels": (
        '<mujoco><asset><texture width="1e6" height="1e6"/></asset></mujoco>',
        "texture: width x height is 1e[+]12",
    ),
    "keyframes": ('<mujoco><size nkey="999999999"/></mujoco>', "size: nkey is 1e[+]09"),
    "endless geom": (
        '<mujoco><worldbody><body name="b"><freejoint/><geom size="inf"/></body></worldbody></mujoco>',
        'body "b": mass must be finite',
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_file_and_element(tmp_path, name):
    text, message = BAD[name]
    file = tmp_path / "robot.xml"
    if text is not None:
        file.write_bytes(text.encode("latin-1"))
    with warnings.catch_warnings(action="error"):
        with pytest.raises(convert.RobotFileError, match=f"(?s)robot.xml: .*{message}|{message}.*") as caught:
            convert.load(file)
    assert isinstance(caught.value, ValueError) and str(caught.value).startswith(str(file))


def test_includes_that_go_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
    (tmp_path / "b.xml").write_text('<mujoco><include file="a.xml"/></mujoco>')
    with pytest.raises(convert.RobotFileError, match="already included"):
        convert.load(tmp_path / "a.xml")


def models_in(folder: pathlib.Path, **of: str) -> pathlib.Path:
    """Files of MJCF that name others as models, each with a body that these hang on. Returns the first."""
    for name, others in of.items():
        models = "".join(f'<model name="{other}{i}" file="{other}.xml"/>' for i, other in enumerate(others.split()))
        hung = "".join(
            f'<attach model="{other}{i}" body="b" prefix="{other}{i}_"/>' for i, other in enumerate(others.split())
        )
        (folder / f"{name}.xml").write_text(
            f'<mujoco><asset>{models}</asset><worldbody><body name="b"><joint/>{GEOM}{hung}</body></worldbody></mujoco>'
        )
    return folder / f"{next(iter(of))}.xml"


@pytest.mark.parametrize("part", ["<model ", "<model file='", "<!--", "<model a=\"b\" ", "<size nkey"])
def test_a_first_look_takes_no_longer_than_the_text_is_long(tmp_path, part):
    # so many that a look that began again at each would take hours
    file = tmp_path / "robot.xml"
    file.write_text("<mujoco>" + part * 300_000)
    with pytest.raises(convert.RobotFileError, match="robot.xml"):
        convert.load(file)


def test_models_that_go_in_a_circle_are_refused(tmp_path):
    file = models_in(tmp_path, a="b", b="c", c="b")
    with pytest.raises(convert.RobotFileError, match="a.xml: .*circle: b.xml -> c.xml -> b.xml"):
        convert.load(file)
    # through what a model includes, from its own folder and not that of the file
    (tmp_path / "parts").mkdir()
    file = models_in(tmp_path, a="b")
    (tmp_path / "b.xml").write_text('<mujoco><!-- <include file="no.xml"/> --><include file="parts/c.xml"/></mujoco>')
    (tmp_path / "parts/c.xml").write_text(f'<mujoco><asset>{MODEL.format("a.xml")}</asset></mujoco>')
    with pytest.raises(convert.RobotFileError, match="a.xml: .*circle: a.xml -> b.xml -> a.xml"):
        convert.load(file)


def test_models_may_be_named_again_beside_each_other(tmp_path):
    scene, _ = convert.load(models_in(tmp_path, a="b c c", b="d", c="d d", d=""))
    assert len(scene.articulations()[0].description.links) == 1 + 2 + 3 + 3


@pytest.mark.parametrize("others", ["{0}", "{0} {0} {0}"])
def test_models_are_no_deeper_and_no_more_than_can_be_read(tmp_path, others):
    file = models_in(tmp_path, **{f"m{i}": others.format(f"m{i + 1}") for i in range(150)}, m150="")
    with pytest.raises(convert.RobotFileError, match="m0.xml: models within models: more than 100 deep or 1000 in all"):
        convert.load(file)


@pytest.mark.parametrize("name", ["robot.xml", "robot.urdf", "ROBOT.URDF"])
def test_a_folder_is_no_file(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(convert.RobotFileError, match=f"{name}: it is a folder, and must be a file"):
        convert.load(tmp_path / name)
    done = command(name, "robot.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: {name}: it is a folder, and must be a file\n")


def test_what_nothing_foresaw_names_the_file(tmp_path, monkeypatch):
    from cairn.convert import _load

    monkeypatch.setattr(_load, "from_model", lambda model, keyframe: [][model.nq])
    (tmp_path / "robot.xml").write_text("<mujoco/>")
    with pytest.raises(convert.RobotFileError, match="robot.xml: IndexError: list index out of range$") as caught:
        convert.load(tmp_path / "robot.xml")
    assert isinstance(caught.value.__cause__, IndexError)


def command(*arguments: object, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cairn.convert", *map(str, arguments)], capture_output=True, text=True, cwd=cwd
    )


def test_the_command_writes_a_scene_file_and_prints_the_report(tmp_path):
    (tmp_path / "robot.xml").write_text(
        f'<mujoco><worldbody><camera name="eye"/><body><joint/>{GEOM}</body></worldbody></mujoco>'
    )
    done = command("robot.xml", "robot.json", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, 'dropped: cameras (camera "eye")\n', "")
    assert cairn.load_scene(tmp_path / "robot.json").articulations()
    assert stat.S_IMODE(os.stat(tmp_path / "robot.json").st_mode) & 0o600 == 0o600
    piped = command("robot.xml", "-", cwd=tmp_path)
    assert piped.stdout == (tmp_path / "robot.json").read_text() and "camera" in piped.stderr
    assert sorted(f.name for f in tmp_path.iterdir()) == ["robot.json", "robot.xml"]


def test_the_command_fails_with_the_codes_of_the_command_line(tmp_path):
    (tmp_path / "bad.xml").write_text("<mujoco>")
    (tmp_path / "robot.json").write_text("mine")
    failed = command("bad.xml", "robot.json", cwd=tmp_path)
    assert failed.returncode == 2 and failed.stderr.startswith("error: bad.xml: ") and not failed.stdout
    assert (tmp_path / "robot.json").read_text() == "mine"
    (tmp_path / "good.xml").write_text(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    assert command("good.xml", "robot.txt", cwd=tmp_path).returncode == 2
    assert command("good.xml", "nowhere/robot.json", cwd=tmp_path).returncode == 2
    assert command("good.xml", cwd=tmp_path).returncode == 2
    assert command("good.xml", "robot.json", "--keyframe", "none", cwd=tmp_path).returncode == 2
    (tmp_path / "folder.json").mkdir()
    assert command("good.xml", "folder.json", cwd=tmp_path).returncode == 4
    assert sorted(f.name for f in tmp_path.iterdir()) == ["bad.xml", "folder.json", "good.xml", "robot.json"]


@pytest.mark.parametrize("scene", ["-", "robot.json"])
def test_the_command_prints_names_that_a_terminal_lacks(tmp_path, scene):
    text = f'<mujoco model="é"><worldbody><camera name="é"/><body><joint/>{GEOM}</body></worldbody></mujoco>'
    (tmp_path / "robot.xml").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "cairn.convert", "robot.xml", scene],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0 and "é" in done.stdout.decode("utf-8"), done.stderr


def test_the_command_writes_through_links_to_where_they_lead(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    (here / "robot.xml").write_text(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    (here / "robot.json").symlink_to(there / "robot.json")
    # a draft beside the link could not be moved where that is another file system
    here.chmod(0o500)
    done = command(here / "robot.xml", here / "robot.json", cwd=tmp_path)
    here.chmod(0o700)
    assert done.returncode == 0, done.stderr
    assert (here / "robot.json").is_symlink() and [f.name for f in there.iterdir()] == ["robot.json"]
    other = pathlib.Path("/dev/shm")
    if other.is_dir() and other.stat().st_dev != tmp_path.stat().st_dev:
        with tempfile.TemporaryDirectory(dir=other) as far:
            (here / "far.json").symlink_to(f"{far}/far.json")
            done = command(here / "robot.xml", here / "far.json", cwd=tmp_path)
            assert (done.returncode, done.stderr) == (0, "") and os.listdir(far) == ["far.json"]


@pytest.mark.parametrize("scene", ["-", "robot.json"])
def test_a_stdout_that_takes_nothing_is_exit_code_4(tmp_path, scene):
    (tmp_path / "robot.xml").write_text(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody></mujoco>")
    for stdout in ("> /dev/full", ">&-", "| true; exit ${PIPESTATUS[0]}"):
        if "full" in stdout and not os.path.exists("/dev/full"):
            continue
        program = f'"{sys.executable}" -c "import time; time.sleep(0.1); from cairn.convert.__main__ import main; raise SystemExit(main())"'
        done = subprocess.run(
            ["bash", "-c", f"{program} robot.xml {scene} {stdout}"], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 4, (stdout, done.stderr)
        assert done.stderr.startswith("error: stdout: ") and len(done.stderr.splitlines()) == 1, (stdout, done.stderr)
    if scene != "-":
        assert cairn.load_scene(tmp_path / scene).articulations()


@pytest.mark.parametrize("package, ending, reads", [("mujoco", "xml", "robots"), ("pxr", "usda", "USD")])
def test_without_its_package_the_error_says_what_to_install(tmp_path, package, ending, reads):
    name = {"pxr": "usd-core"}.get(package, package)
    message = f"cairn.convert reads {reads} by the package {name}: pip install {name}\n"
    hidden = f"import sys; sys.modules['{package}'] = None\n"
    maker = {"xml": "from_model", "usda": "from_stage"}[ending]
    for use in (f"from cairn.convert import load; load('r.{ending}')", f"from cairn import convert; convert.{maker}"):
        program = f"{hidden}try:\n    {use}\nexcept ModuleNotFoundError as error:\n    print(error)"
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert out == message
    program = f"{hidden}import runpy; runpy.run_module('cairn.convert', run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-c", program, f"r.{ending}", "r.json"], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (2, "error: " + message)


def test_the_package_passes_mypy_strict():
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "cairn.convert"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


# ---- robots of others ----


def suite() -> list[str]:
    try:
        from dm_control import suite as of
    except ImportError:
        return []
    files = pathlib.Path(of.__file__).parent.glob("*.xml")
    # lqr.xml is a template: its bodies are made by a program
    return sorted(str(file) for file in files if file.name != "lqr.xml")


@pytest.mark.parametrize("file", suite() or [pytest.param("", marks=pytest.mark.skip(reason="no dm_control"))])
def test_the_control_suite_is_what_mujoco_says(file):
    scene, report = convert.load(file)
    model = mujoco.MjSpec.from_file(file).compile()
    expect_twins(scene, report, model, states=5)
    world = cairn.World(scene)
    report.start(world)
    for _ in range(10):
        world.step()
    assert world.report().status == 0
