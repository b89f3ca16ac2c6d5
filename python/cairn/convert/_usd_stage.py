"""A stage of USD: its units, numbers that are checked, and where its prims are. What is given back is in SI units."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy

import cairn

from ._frames import HERE, Numbers, Place, product, turn_of, unit
from .._packages import package

Sdf, Usd, UsdGeom, UsdPhysics, UsdShade = (
    package(f"pxr.{name}", "cairn.convert reads USD by", "usd-core") for name in ("Sdf", "Usd", "UsdGeom", "UsdPhysics", "UsdShade")
)

Prim = Any  # Usd.Prim
TIME = Usd.TimeCode.EarliestTime()  # of a value with time samples, the first
SHEAR = 1e-4  # [1] cosine of the angle between axes that counts as square


def fault(prim: Prim, what: str) -> cairn.InvalidArgument:
    return cairn.InvalidArgument(f"prim <{prim.GetPath()}>: {what}")


class Stage:
    """Of what may be simulated: its prims in order, and where they are."""

    def __init__(self, stage: Any) -> None:
        self.usd = stage
        self.metre = float(UsdGeom.GetStageMetersPerUnit(stage))
        """[m] a unit of length"""
        self.kilogram = float(UsdPhysics.GetStageKilogramsPerUnit(stage))
        """[kg] a unit of mass"""
        for name, unit_of in (("metersPerUnit", self.metre), ("kilogramsPerUnit", self.kilogram)):
            if not (math.isfinite(unit_of) and unit_of > 0):
                raise cairn.InvalidArgument(f"{name} of the stage must be over 0, and is {unit_of}")
        self.up = numpy.array((0.0, 1.0, 0.0) if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y else (0.0, 0.0, 1.0))
        self.prims = list(self._walk())
        self._cache = UsdGeom.XformCache(TIME)
        self._worlds: dict[Any, tuple[Numbers, Numbers]] = {}

    def _walk(self) -> Iterator[Prim]:
        """Those of instances, too; what point instancers show aside, whose prototypes stand nowhere."""
        prims = iter(Usd.PrimRange(self.usd.GetPseudoRoot(), Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)))
        for prim in prims:
            if prim.IsA(UsdGeom.PointInstancer):
                prims.PruneChildren()
            yield prim

    # ---- places ----

    def world(self, prim: Prim) -> tuple[Numbers, Numbers]:
        """A prim's own axes in the world, scaled, as columns of (3, 3) [1], and its origin [m]."""
        path = prim.GetPath()
        if path not in self._worlds:
            rows = numpy.array(self._cache.GetLocalToWorldTransform(prim), float)
            if not numpy.isfinite(rows).all():
                raise fault(prim, "its transform isn't finite")
            self._worlds[path] = rows[:3, :3].T.copy(), rows[3, :3] * self.metre
        return self._worlds[path]

    def place(self, prim: Prim) -> Place:
        """In the world, without scale. Raises InvalidArgument where a scale is 0."""
        axes, origin = self.world(prim)
        return Place(origin, turn_of(square(axes, prim)))

    def frame(self, prim: Prim, position: Numbers, turn: Numbers) -> Place:
        """In the world, of a frame that is given in a prim's own axes, in units of the stage."""
        if not prim.IsValid() or prim.IsPseudoRoot():
            return Place(numpy.asarray(position, float) * self.metre, turn)
        axes, origin = self.world(prim)
        return Place(origin + axes @ position * self.metre, product(self.place(prim).turn, turn))

    # ---- values ----

    def number(self, prim: Prim, name: str, least: float = -math.inf, infinite: bool = False) -> float:
        """Of an attribute, in the stage's own unit. Raises InvalidArgument unless it is one, of at least `least`."""
        value = prim.GetAttribute(name).Get(TIME)
        number = 0.0 if value is None else float(value)
        if math.isnan(number) or (math.isinf(number) and not infinite):
            raise fault(prim, f"{name} is {number}")
        if number < least:
            raise fault(prim, f"{name} must be at least {least:g}, and is {number:g}")
        return number

    def vector(self, prim: Prim, name: str) -> Numbers:
        """(3,) of an attribute, the same."""
        value = prim.GetAttribute(name).Get(TIME)
        found = numpy.zeros(3) if value is None else numpy.array(value, float)
        if not numpy.isfinite(found).all():
            raise fault(prim, f"{name} isn't finite: {tuple(float(x) for x in found)}")
        return found

    def turn(self, prim: Prim, name: str) -> Numbers:
        """A unit quaternion w, x, y, z of an attribute; none where it is 0."""
        value = prim.GetAttribute(name).Get(TIME)
        if value is None:
            return HERE.turn
        found = numpy.array([value.GetReal(), *value.GetImaginary()], float)
        if not numpy.isfinite(found).all():
            raise fault(prim, f"{name} isn't finite: {tuple(float(x) for x in found)}")
        return unit(found)

    def flag(self, prim: Prim, name: str, default: bool) -> bool:
        value = prim.GetAttribute(name).Get(TIME)
        return default if value is None else bool(value)

    def schemas(self, prim: Prim) -> list[str]:
        """Those applied, and those that USD doesn't know, which are in the metadata alone."""
        listed = prim.GetMetadata("apiSchemas")
        return [] if listed is None else [str(schema) for schema in listed.GetAddedOrExplicitItems()]

    def authored(self, prim: Prim, name: str) -> bool:
        attribute = prim.GetAttribute(name)
        return bool(attribute) and attribute.HasAuthoredValue()


def square(axes: Numbers, prim: Prim) -> Numbers:
    """The rotation of axes that are scaled, sheared or mirrored, (3, 3)."""
    lengths = numpy.linalg.norm(axes, axis=0)
    if not (lengths > 0).all():
        raise fault(prim, f"its scale is 0 along {'xyz'[int(numpy.argmin(lengths))]}")
    x, y, _ = (axes / lengths).T
    y = y - x * (x @ y)
    if numpy.linalg.norm(y) < 1e-6:
        raise fault(prim, "its axes lie in a plane")
    y = y / numpy.linalg.norm(y)
    z = numpy.cross(x, y)
    # of a mirror all three are turned about
    sign = 1.0 if z @ axes[:, 2] > 0 else -1.0
    return numpy.stack([sign * x, sign * y, z], axis=1)


def sheared(axes: Numbers) -> bool:
    units = axes / numpy.linalg.norm(axes, axis=0)
    return bool(numpy.abs(units.T @ units - numpy.eye(3)).max() > SHEAR)
