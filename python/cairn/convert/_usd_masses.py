"""Masses, by the rules of UsdPhysics for what overrides what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

import cairn

from ._frames import Numbers, Place, matrix, product, vector
from ._inertia import inertia, sound
from ._report import Report
from ._usd_bodies import Collider, StageBody
from ._usd_materials import Materials
from ._usd_stage import Prim, Stage, UsdPhysics, fault

DENSITY = 1000.0  # [kg/m^3] of what says nothing
POINT = 0.1  # [m] radius of the ball whose inertia a body without colliders has


class Mass(NamedTuple):
    """In a body's frame."""

    mass: float
    """[kg]"""
    centre: Numbers
    """[m] (3,)"""
    tensor: Numbers
    """[kg m^2] (3, 3), about the centre"""

    @property
    def inertia(self) -> cairn.Inertia:
        return inertia(self.tensor)

    @property
    def centre_of_mass(self) -> cairn.Vec3:
        return vector(self.centre)


class Masses:
    """A mass of a body overrides what its colliders say; a mass of a collider its density; a density of a collider that
    of the body, and both that of the material."""

    def __init__(self, stage: Stage, materials: Materials, report: Report) -> None:
        self._stage, self._materials, self._report = stage, materials, report

    def of(self, body: StageBody, shapes: dict[str, list[cairn.Shape]]) -> Mass:
        """`shapes`: of its colliders, by path."""
        prim = body.prim
        density = self._density(prim)
        parts = [part for c in body.colliders if (part := self._of_collider(c, shapes[c.path], density)) is not None]
        mass = self._number(prim, "mass") * self._stage.kilogram
        whole = _together(parts)
        if whole is None:
            mass = mass or self._stage.kilogram
            whole = Mass(mass, numpy.zeros(3), numpy.eye(3) * 0.4 * mass * POINT**2)
            if not self._stage.authored(prim, "physics:diagonalInertia"):
                self._report.approximate(
                    "bodies without mass of colliders have the inertia of a ball of 0.1 m", body.path
                )
        elif mass:
            whole = Mass(mass, whole.centre, whole.tensor * (mass / whole.mass))
        return self._overridden(prim, whole, body.place)

    def _density(self, prim: Prim) -> float:
        return self._number(prim, "density") * self._stage.kilogram / self._stage.metre**3

    def _number(self, prim: Prim, name: str) -> float:
        return self._stage.number(prim, f"physics:{name}", 0) if prim.HasAPI(UsdPhysics.MassAPI) else 0.0

    def _of_collider(self, collider: Collider, shapes: list[cairn.Shape], density: float) -> Mass | None:
        prim = collider.prim
        body = collider.body
        assert body is not None
        solid = _together([_at_density_1(shape) for shape in shapes])
        if solid is None:
            return None
        # of a body that is its own collider, the mass is the body's
        own = prim != body.prim
        mass = self._number(prim, "mass") * self._stage.kilogram if own else 0.0
        if not mass:
            mass = solid.mass * (
                (self._density(prim) if own else 0) or density or self._materials.density(prim) or DENSITY
            )
        scaled = Mass(mass, solid.centre, solid.tensor * (mass / solid.mass))
        return self._overridden(prim, scaled, body.place) if own else scaled

    def _overridden(self, prim: Prim, found: Mass, place: Place) -> Mass:
        """By the centre and the moments that a prim gives; all in the frame `place`."""
        if not prim.HasAPI(UsdPhysics.MassAPI):
            return found
        stage, back = self._stage, place.inverse()
        centre, tensor = found.centre, found.tensor
        given = stage.vector(prim, "physics:centerOfMass", infinite=True)
        # what isn't given is minus infinity, and was 0 in earlier versions of USD
        if stage.authored(prim, "physics:centerOfMass") and not numpy.isneginf(given).all():
            centre = (
                back @ stage.frame(prim, stage.vector(prim, "physics:centerOfMass"), numpy.array([1.0, 0, 0, 0]))
            ).position
        moments = stage.vector(prim, "physics:diagonalInertia") * stage.kilogram * stage.metre**2
        if (moments < 0).any():
            raise fault(prim, f"physics:diagonalInertia must be at least 0: {tuple(float(x) for x in moments)}")
        if moments.any():
            moments, same = sound(moments)
            if not same:
                self._report.approximate(
                    "inertias that no body can have are the next that one can", str(prim.GetPath())
                )
            turn = matrix(
                product(back.turn, product(stage.place(prim).turn, stage.turn(prim, "physics:principalAxes")))
            )
            tensor = turn @ numpy.diag(moments) @ turn.T
        return Mass(found.mass, centre, tensor)


def _at_density_1(shape: cairn.Shape) -> Mass | None:
    """Of a shape in its body's frame; None of what encloses nothing."""
    try:
        found = cairn.moved(cairn.mass_properties(shape.geometry, 1.0), shape.position, shape.orientation)
    except cairn.InvalidArgument:
        return None
    x, y, z, w = found.axes
    turn = matrix(numpy.array([w, x, y, z]))
    return Mass(found.mass, numpy.array(found.centre_of_mass), turn @ numpy.diag(found.moments) @ turn.T)


def _together(parts: Sequence[Mass | None]) -> Mass | None:
    """As one body; None of nothing."""
    solid = [part for part in parts if part is not None and part.mass > 0]
    if not solid:
        return None
    mass = sum(part.mass for part in solid)
    centre = sum(part.mass * part.centre for part in solid) / mass
    tensor = numpy.zeros((3, 3))
    for part in solid:
        arm = part.centre - centre
        tensor += part.tensor + part.mass * (arm @ arm * numpy.eye(3) - numpy.outer(arm, arm))
    return Mass(mass, centre, tensor)
