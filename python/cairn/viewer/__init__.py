"""A World in the browser, by the package viser (pip install viser).

    with cairn.viewer.View(world) as view:
        view.run()

or `python -m cairn.viewer SCENE.json`. docs/viewer.md has more.
"""

try:
    import viser as _viser  # noqa: F401
except ModuleNotFoundError as _error:
    if _error.name != "viser":
        raise
    raise ModuleNotFoundError(
        "cairn.viewer shows worlds by the package viser: pip install viser", name="viser"
    ) from None

from ._view import View as View

__all__ = ["View"]
