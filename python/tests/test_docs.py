"""Programs in the docs are those that are run, and types hold in them."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "python/examples"


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_first_program_is_that_of_the_docs(page):
    text = (ROOT / page).read_text()
    assert "```python\n" + (EXAMPLES / "first.py").read_text() + "```\n" in text


def test_the_first_program_prints_what_the_docs_say():
    out = subprocess.run([sys.executable, EXAMPLES / "first.py"], check=True, capture_output=True, text=True).stdout
    assert out == "The top box is at 9.50 m and rests on 10 contacts below it.\n" and out in (ROOT / "README.md").read_text()


def test_the_batch_slides_where_friction_ends():
    out = subprocess.run([sys.executable, EXAMPLES / "batch.py"], check=True, capture_output=True, text=True).stdout
    # friction 0.6 times 1000 kg times 9.81 m/s^2
    assert abs(float(out.split()[-2]) - 0.6 * 9810) < 24


def test_arms_hold_themselves_up():
    out = subprocess.run([sys.executable, EXAMPLES / "robots.py"], check=True, capture_output=True, text=True).stdout
    # critically damped at 10 1/s: (1 + 10 t) exp(-10 t) of 1 rad after 2 s is 4e-8; the rest is of the steps of 10 ms
    assert float(out.split()[4]) < 1e-3


def test_examples_pass_mypy_strict():
    pytest.importorskip("mypy")
    examples = sorted(EXAMPLES.glob("*.py"))
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", *examples], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
