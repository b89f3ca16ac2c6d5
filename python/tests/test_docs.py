"""Programs in the docs are those that are run, and types hold in them."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "python/examples"
NEEDS = {"task.py": ["gymnasium"], "ppo_cartpole.py": ["gymnasium", "jax", "optax"]}


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


def test_learning_is_the_same_again():
    program = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        import jax, numpy, ppo_cartpole
        nets = [ppo_cartpole.train(seed, 2)[0] for seed in (3, 3, 4)]
        bits = [b"".join(numpy.asarray(a).tobytes() for a in jax.tree.leaves(net)) for net in nets]
        print(bits[0] == bits[1], bits[0] == bits[2])"""
    if lacks("ppo_cartpole.py"):
        pytest.skip(f"without {', '.join(lacks('ppo_cartpole.py'))}")
    ran = subprocess.run([sys.executable, "-c", program, EXAMPLES], check=True, capture_output=True, text=True)
    assert ran.stdout == "True False\n"


def test_examples_pass_mypy_strict():
    pytest.importorskip("mypy")
    examples = [example for example in sorted(EXAMPLES.glob("*.py")) if not lacks(example.name)]
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", *examples], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
