"""Principal moments -> inertias that bodies can have."""

from __future__ import annotations

import numpy

import cairn

from ._frames import Numbers, vector

LEAST_MOMENT = 1e-9  # [1] of the largest moment of the same inertia


def sound(moments: Numbers) -> tuple[Numbers, bool]:
    """The next moments [kg m^2], (3,), that a body can have, and whether they are the same."""
    least = max(LEAST_MOMENT * float(moments.max()), 1e-30)
    made = numpy.maximum(moments, least)
    # no moment may be above the sum of the others
    large = int(made.argmax())
    missing = 2 * made[large] - made.sum()
    if missing > 0:
        others = [i for i in range(3) if i != large]
        made[others] += missing / 2
    same = not (numpy.any(numpy.abs(made - moments) > 1e-6 * made.max()) or numpy.any(moments <= 0))
    return made, same


def inertia(tensor: Numbers) -> cairn.Inertia:
    """Of a tensor [kg m^2], (3, 3)."""
    return cairn.Inertia(
        vector((tensor[0, 0], tensor[1, 1], tensor[2, 2])), vector((tensor[0, 1], tensor[0, 2], tensor[1, 2]))
    )
