#!/usr/bin/env python3
"""Prints the extras of pyproject.toml, with commas between them: what pip takes to install all of them."""
import pathlib
import tomllib

project = tomllib.loads((pathlib.Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
print(",".join(project["optional-dependencies"]))
