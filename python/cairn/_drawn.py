"""What the viewer and trajectories show alike: colours as bytes, and figures of quality over time."""

from __future__ import annotations

from collections.abc import Sequence

from . import _core, _structs

FIGURES = {
    "energy": ("kinetic_energy", "potential_energy"),
    "penetration": ("max_penetration", "mean_penetration"),
    "drift": ("max_drift",),
}
"""members of Quality that are plotted together, by the plot's name"""


def unit_of(figure: str) -> str:
    """Of a member of Quality."""
    described = _core._describe()  # type: ignore[attr-defined]
    members = next(s["members"] for s in described["structs"] if s["name"] == _structs.Quality.__name__)
    unit: str = next(m["unit"] for m in members if m["name"] == figure)
    return unit


def bytes_of_color(linear: Sequence[float]) -> tuple[int, int, int]:
    """sRGB, 0 to 255, of what `picture_color` gives: the inverse of how pictures read sRGB (docs/cli.md)."""
    red, green, blue = (round(255 * part**0.5) for part in linear)
    return red, green, blue
