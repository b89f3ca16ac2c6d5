"""Packages that Cairn doesn't depend on."""

from __future__ import annotations

import importlib
from typing import Any


def package(module: str, what: str, name: str = "", install: str = "") -> Any:
    """A module of one. Raises ModuleNotFoundError, saying what needs which package and how to get it.

    what: the sentence's beginning, such as "plots need".
    name: of the package, where that isn't the module's; `install`: what pip is to install, where that isn't the name.
    """
    of = module.partition(".")[0]
    missing: str | None = of
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name
        if missing is None or missing.partition(".")[0] != of:
            raise
    else:
        # a folder of that name, such as that of Ray's logs, is a package without a file
        if found.__file__ is not None:
            return found
    name = name or of
    raise ModuleNotFoundError(f"{what} the package {name}: pip install {install or name}", name=missing)
