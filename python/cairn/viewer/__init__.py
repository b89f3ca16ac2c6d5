"""A World in the browser, by the package viser (pip install viser).

    with cairn.viewer.View(world) as view:
        view.run()

or `python -m cairn.viewer SCENE.json`. docs/viewer.md has more.
"""

from .._packages import package as _package

_package("viser", "cairn.viewer shows worlds by")

from ._view import View as View

__all__ = ["View"]
