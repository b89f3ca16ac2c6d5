"""What descriptions of links share."""

from __future__ import annotations

import cairn

X_IS_Y = (0.0, 0.0, 0.5**0.5, 0.5**0.5)  # orientations of joints, which turn about and shift along x of their frame
X_IS_MINUS_Y = (0.0, 0.0, -(0.5**0.5), 0.5**0.5)
X_IS_Z = (0.0, -(0.5**0.5), 0.0, 0.5**0.5)


def box_inertia(mass: float, x: float, y: float, z: float) -> cairn.Inertia:
    """[kg m^2] of a box with these edges [m]."""
    return cairn.Inertia((mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12))
