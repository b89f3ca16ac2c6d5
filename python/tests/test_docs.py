"""Programs in the docs are those that are run, and types hold in them."""

import importlib.util
import math
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "python/examples"
LEARN = ["gymnasium", "jax", "optax"]
NEEDS = {
    "mjcf_robot.py": ["mujoco"],
    "ppo.py": LEARN,
    "ppo_cartpole.py": LEARN,
    "ppo_quadruped.py": LEARN,
    "stack_boxes.py": ["gymnasium"],
    "task.py": ["gymnasium"],
}


def lacks(example):
    """What it needs that isn't there."""
    return [name for name in NEEDS.get(example, []) if importlib.util.find_spec(name) is None]


def run(example, *arguments):
    if lacks(example):
        pytest.skip(f"without {', '.join(lacks(example))}")
    return subprocess.run([sys.executable, EXAMPLES / example, *arguments], check=True, capture_output=True, text=True)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_first_program_is_that_of_the_docs(page):
    text = (ROOT / page).read_text()
    assert "```python\n" + (EXAMPLES / "first.py").read_text() + "```\n" in text


def test_the_first_program_prints_what_the_docs_say():
    out = run("first.py").stdout
    assert out == "The top box is at 9.50 m and rests on 10 contacts below it.\n" and out in (ROOT / "README.md").read_text()


def test_the_batch_slides_where_friction_ends():
    out = run("batch.py").stdout
    # friction 0.6 times 1000 kg times 9.81 m/s^2
    assert abs(float(out.split()[-2]) - 0.6 * 9810) < 24


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+\.?\d*", text)]


def test_stacks_settle_less_with_more_substeps():
    lines = [numbers(line) for line in run("stacks.py").stdout.splitlines()]
    assert [(line[0], line[1]) for line in lines] == [(3, 0), (6, 0), (12, 0)]
    lower, overlap = [line[2] for line in lines], [line[3] for line in lines]
    # contacts are springs of a stiffness that grows with the substep's rate, up to its square
    assert lower[0] > 2 * lower[1] > 4 * lower[2] > 0 and overlap[0] > 2 * overlap[1] > 4 * overlap[2] > 0
    assert lower[1] < 25  # benchmarks/bars.py


def test_randomised_boxes_slide_by_coulombs_law():
    first, second, third = run("randomised_batch.py").stdout.splitlines()
    slides, holds = numbers(second)[:2]
    tangent, step = math.tan(math.radians(25)), 1 / 60
    # what is over the limit by d moves by 9.81 cos 25 d t^2 / 2, of which 1 mm is seen after 1 s; 500 draws of 0.4 lie 0.0008
    # apart on average, and so far apart by chance
    seen, gap = 1e-3 / (9.81 * math.cos(math.radians(25)) / 2), 10 * 0.4 / 500
    assert tangent - seen - gap < slides < holds < tangent + gap
    # the fastest is pulled by 9.81 (sin 25 - 0.3 cos 25): semi-implicit steps are ahead by a h t / 2, h a 6th of the step
    ahead = 9.81 * (math.sin(math.radians(25)) - 0.3 * math.cos(math.radians(25))) * step / 6 / 2
    assert numbers(third)[0] < 1e3 * ahead + 1  # and 1 mm before friction has settled
    share = (tangent - 0.3) / 0.4
    assert abs(numbers(first)[0] - 500 * share) < 4 * math.sqrt(500 * share * (1 - share))


def test_snapshots_go_on_with_the_same_bits():
    same, places, replayed = run("snapshots_replay.py").stdout.splitlines()
    assert same.endswith(": True.") and replayed == "60 steps replayed, difference: None."
    # a ball that isn't thrown falls in front of the tower; the others weigh twice as much as the box that they hit
    x = numbers(places)
    assert len(x) == 4 and abs(x[0]) < 0.01 and min(x[1:]) > 0.5


def test_a_robot_of_mjcf_hangs_as_statics_says():
    lines = run("mjcf_robot.py").stdout.splitlines()
    assert lines[0] == "nothing was approximated or dropped"
    (shoulder, told_shoulder), (elbow, told_elbow) = (numbers(line) for line in lines[1:])
    # stiffness times what the servo is off by, against the weight's moment about each joint
    about_elbow = 1 * 9.81 * 0.15 * math.sin(shoulder + elbow)
    about_shoulder = (2 * 0.2 + 1 * 0.4) * 9.81 * math.sin(shoulder) + about_elbow
    rounded = 200 * 1e-5
    assert abs(100 * (told_elbow - elbow) - about_elbow) < rounded
    assert abs(200 * (told_shoulder - shoulder) - about_shoulder) < rounded


def test_arms_hold_themselves_up():
    out = run("robots.py").stdout
    # critically damped at 10 1/s: (1 + 10 t) exp(-10 t) of 1 rad after 2 s is 4e-8; the rest is of the steps of 10 ms
    assert float(out.split()[4]) < 1e-3


def test_the_task_is_that_of_the_docs():
    assert "```python\n" + (EXAMPLES / "task.py").read_text() + "```\n" in (ROOT / "docs/learning.md").read_text()


def test_the_first_lines_on_learning_run():
    pytest.importorskip("gymnasium")
    lines = (ROOT / "docs/learning.md").read_text().split("```python\n")[1].split("```")[0]
    subprocess.run([sys.executable, "-W", "error", "-c", lines], check=True)


def test_boxes_are_pushed_to_the_middle():
    words = run("task.py").stdout.split()
    # the push of 5 x holds no less than friction: 0.1 * 4 kg * 9.81 m/s^2 of 20 N
    assert float(words[3]) < 0.1 * 4 * 9.81 / 20 / 5 + 0.02


def test_the_pole_is_learned():
    """10 s of CPU; three seeds with CAIRN_LONG."""
    for seed in ("0", "1", "2") if os.environ.get("CAIRN_LONG") else ("0",):
        ran = run("ppo_cartpole.py", seed)
        # progress goes to terminals alone
        assert float(ran.stdout.split()[4]) >= 475 and ran.stdout.count("\n") == 1 and not ran.stderr


@pytest.mark.skipif(not os.environ.get("CAIRN_LONG"), reason="some minutes of CPU; with CAIRN_LONG")
@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_dog_learns_to_walk(seed):
    ran = run("ppo_quadruped.py", seed)
    speed, wanted, fallen = numbers(ran.stdout)[:3]
    assert 0.3 <= speed <= wanted + 0.1 and fallen <= 5 and ran.stdout.count("\n") == 1 and not ran.stderr


@pytest.mark.parametrize(("example", "updates"), [("ppo_cartpole", 2), ("ppo_quadruped", 1)])
def test_learning_is_the_same_again(example, updates):
    program = """if True:
        import importlib, sys
        sys.path.insert(0, sys.argv[1])
        import jax, numpy
        train = importlib.import_module(sys.argv[2]).train
        nets = [train(seed, int(sys.argv[3])).nets for seed in (3, 3, 4)]
        bits = [b"".join(numpy.asarray(a).tobytes() for a in jax.tree.leaves(net)) for net in nets]
        print(bits[0] == bits[1], bits[0] == bits[2])"""
    if lacks("ppo.py"):
        pytest.skip(f"without {', '.join(lacks('ppo.py'))}")
    arguments = [EXAMPLES, example, str(updates)]
    ran = subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True)
    assert ran.stdout == "True False\n"


def test_an_arm_stacks_boxes_from_random_starts():
    done, worlds = numbers(run("stack_boxes.py", "1").stdout)
    assert worlds == 64 and done >= 0.9 * worlds


def test_examples_pass_mypy_strict():
    pytest.importorskip("mypy")
    examples = [example for example in sorted(EXAMPLES.glob("*.py")) if not lacks(example.name)]
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", *examples], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
