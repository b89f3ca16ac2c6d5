"""The docs make a site without a link that leads nowhere (scripts/site.sh)."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

import cairn

ROOT = pathlib.Path(__file__).parents[2]
NEEDS = ["jupytext", "material", "mkdocs", "mkdocstrings_handlers"]
LACKS = [name for name in NEEDS if importlib.util.find_spec(name) is None]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if LACKS:
        pytest.skip(f"without {', '.join(LACKS)}")
    folder = tmp_path_factory.mktemp("site")
    package = str(pathlib.Path(cairn.__file__).parents[1])
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        "--strict",
        "-f",
        ROOT / "scripts/site/mkdocs.yml",
        "-d",
        folder,
    ]
    environment = {**os.environ, "CAIRN_PACKAGE": package, "NO_MKDOCS_2_WARNING": "1"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return folder


def test_each_page_of_the_docs_is_there(site):
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / page.with_suffix(".html").name).exists(), page
    assert "The same bits everywhere" in (site / "index.html").read_text()


def test_links_to_files_of_the_repository_lead_to_pages(site):
    assert 'href="repository/LICENSE.html"' in (site / "index.html").read_text()
    assert "cairn_world" in (site / "repository/include/cairn/c/world.h.html").read_text()


def test_the_reference_has_signatures_and_units(site):
    structs = (site / "reference/structs.html").read_text()
    assert 'id="cairn._structs.Box"' in structs and "[m] (1e-06 to 1000000.0)" in structs
    classes = (site / "reference/classes.html").read_text()
    assert 'id="cairn._core.World.step"' in classes and "nstep" in classes


def test_examples_are_notebooks_and_show_what_they_print(site):
    notebook = json.loads((site / "examples/stacks.ipynb").read_text())
    assert notebook["cells"][0]["cell_type"] == "markdown" and notebook["cells"][1]["cell_type"] == "code"
    assert "The same bits again: True." in (site / "examples/snapshots_replay.html").read_text()
