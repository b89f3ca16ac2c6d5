"""A stage of USD: its units, numbers that are checked, and where its prims are. What is given back is in SI units."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from typing import Any

import numpy

import cairn

from ._frames import HERE, Numbers, Place, product, turn_of, unit
from .._packages import package

Gf, Pcp, Sdf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade, UsdUtils, Vt = (
    package(f"pxr.{name}", "cairn.convert reads USD by", "usd-core")
    for name in ("Gf", "Pcp", "Sdf", "Tf", "Usd", "UsdGeom", "UsdPhysics", "UsdShade", "UsdUtils", "Vt")
)

Prim = Any  # Usd.Prim
TIME = Usd.TimeCode.EarliestTime()  # of a value with time samples, the first
AXES = ("X", "Y", "Z")
SHEAR = 1e-4  # [1] cosine of the angle between axes that counts as square
SHOWN = 40  # letters of a value in a message


def plain(text: str) -> str:
    """What USD says, on one line, without addresses in memory."""
    text = re.sub(r" \([a-z ]+ on stage @[^@]*@ <0x[0-9a-f]+>\)", "", " ".join(text.split()))
    return re.sub(r" ?<?0x[0-9a-f]+[>:]?", "", text)


def told(error: Any, path: str = "") -> str:
    """By an error of USD, without the places in its own code that it names, and without the name of the file `path`."""
    said = [plain(str(part.commentary)) for part in error.args if hasattr(part, "commentary")]
    told = [text.removeprefix(f"{os.path.abspath(path)}:") for text in said if not text.startswith("Failed to open")]
    return "; ".join(dict.fromkeys(told or said)) or "USD can't read it"


def fault(prim: Prim, what: str) -> cairn.InvalidArgument:
    return cairn.InvalidArgument(f"prim <{prim.GetPath()}>: {what}")


class Stage:
    """Of what may be simulated: its prims in order, and where they are."""

    def __init__(self, stage: Any) -> None:
        self.usd = stage
        self.read: Prim | None = None
        """The last prim that a value was asked of"""
        self._refuse_gaps()
        self.metre = float(UsdGeom.GetStageMetersPerUnit(stage))
        """[m] a unit of length"""
        self.kilogram = float(UsdPhysics.GetStageKilogramsPerUnit(stage))
        """[kg] a unit of mass"""
        for name, unit_of in (("metersPerUnit", self.metre), ("kilogramsPerUnit", self.kilogram)):
            if not (math.isfinite(unit_of) and unit_of > 0):
                raise cairn.InvalidArgument(f"{name} of the stage must be over 0, and is {unit_of}")
        up = str(UsdGeom.GetStageUpAxis(stage))
        if up not in ("Y", "Z"):
            raise cairn.InvalidArgument(f'upAxis of the stage must be Y or Z, and is "{up}"')
        self.up = numpy.eye(3)[AXES.index(up)]
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

    def _refuse_gaps(self) -> None:
        """What a missing file or prim was to bring would be left out in silence."""
        gaps = Pcp.ErrorInvalidAssetPath, Pcp.ErrorUnresolvedPrimPath
        # an "over" and a class, too, may be all that is left of what isn't there
        for prim in Usd.PrimRange(self.usd.GetPseudoRoot(), Usd.TraverseInstanceProxies(Usd.PrimIsActive)):
            for error in prim.GetPrimIndex().localErrors:
                if isinstance(error, gaps):
                    raise fault(prim, plain(str(error)))
        for layer in self.usd.GetUsedLayers():
            for path in layer.subLayerPaths:
                name = plain(f"sublayer @{path}@ of @{layer.identifier}@")
                try:
                    found = Sdf.Layer.FindOrOpenRelativeToLayer(layer, path)
                except Tf.ErrorException as error:
                    raise cairn.InvalidArgument(f"{name}: {told(error)}") from None
                if not found:
                    raise cairn.InvalidArgument(f"{name} isn't there")

    # ---- places ----

    def world(self, prim: Prim) -> tuple[Numbers, Numbers]:
        """A prim's own axes in the world, scaled, as columns of (3, 3) [1], and its origin [m]."""
        path = prim.GetPath()
        self.read = prim
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
        found = self._numbers(prim, name, (), "a number")
        number = 0.0 if found is None else float(found)
        if math.isnan(number) or (math.isinf(number) and not infinite):
            raise fault(prim, f"{name} is {number}")
        if number < least:
            raise fault(prim, f"{name} must be at least {least:g}, and is {number:g}")
        return number

    def vector(self, prim: Prim, name: str, infinite: bool = False) -> Numbers:
        """(3,) of an attribute, the same."""
        found = self._numbers(prim, name, (3,), "three numbers")
        if found is None:
            return numpy.zeros(3)
        if not infinite:
            self._refuse_infinite(prim, name, found)
        return found

    def turn(self, prim: Prim, name: str) -> Numbers:
        """A unit quaternion w, x, y, z of an attribute; none where it is 0."""
        value = self._value(prim, name)
        if value is None:
            return HERE.turn
        if not isinstance(value, (Gf.Quatd, Gf.Quatf, Gf.Quath)):
            raise self._unlike(prim, name, "a quaternion", value)
        found = numpy.array([value.GetReal(), *value.GetImaginary()], float)
        self._refuse_infinite(prim, name, found)
        return unit(found)

    def flag(self, prim: Prim, name: str, default: bool) -> bool:
        found = self._numbers(prim, name, (), "true or false")
        return default if found is None else bool(found)

    def points(self, prim: Prim, name: str) -> Numbers:
        """(n, 3) of an attribute. Raises InvalidArgument unless they are such."""
        found = self._numbers(prim, name, (-1, 3), "triples of numbers")
        return numpy.zeros((0, 3)) if found is None else found

    def integers(self, prim: Prim, name: str) -> Numbers:
        """(n,) of an attribute, the same."""
        found = self._numbers(prim, name, (-1,), "integers", "iu")
        return numpy.zeros(0, int) if found is None else found.astype(int)

    def token(self, prim: Prim, name: str) -> str:
        """Of an attribute; empty where it has none."""
        value = self._value(prim, name)
        if not isinstance(value, (str, type(None))):
            raise self._unlike(prim, name, "a token", value)
        return value or ""

    def axis(self, prim: Prim, name: str) -> int:
        """0, 1 or 2 of a token."""
        axis = self.token(prim, name)
        if axis not in AXES:
            raise fault(prim, f'{name} must be X, Y or Z, and is "{axis}"')
        return AXES.index(axis)

    def operations(self, prim: Prim) -> list[str]:
        """Names of those that a prim's transform is made of."""
        value = self._value(prim, "xformOpOrder")
        if not isinstance(value, (Vt.TokenArray, Vt.StringArray, type(None))):
            raise self._unlike(prim, "xformOpOrder", "tokens", value)
        return list(value or ())

    def targets(self, prim: Prim, name: str) -> list[Any]:
        """Paths that a relationship names."""
        self.read = prim
        relation = prim.GetRelationship(name)
        try:
            return list(relation.GetForwardedTargets()) if relation else []
        except Tf.ErrorException:
            raise fault(prim, f"{name} must be a relationship") from None

    def _value(self, prim: Prim, name: str) -> Any:
        self.read = prim
        return prim.GetAttribute(name).Get(TIME)

    def _numbers(self, prim: Prim, name: str, shape: tuple[int, ...], what: str, kinds: str = "biuf") -> Numbers | None:
        """Of a shape in which -1 is any number; None without a value. `kinds` are those of numpy."""
        value = self._value(prim, name)
        if value is None:
            return None
        found = numpy.asarray(value)
        if not found.size and shape[:1] == (-1,):
            return None
        fits = found.ndim == len(shape) and all(of in (-1, n) for n, of in zip(found.shape, shape))
        if found.dtype.kind not in kinds or not fits:
            raise self._unlike(prim, name, what, value)
        return found if kinds == "iu" else found.astype(float)

    def _unlike(self, prim: Prim, name: str, what: str, value: Any) -> cairn.InvalidArgument:
        shown = plain(str(value))
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
        return fault(prim, f"{name} must be {what}, and is {shown}")

    def _refuse_infinite(self, prim: Prim, name: str, found: Numbers) -> None:
        if not numpy.isfinite(found).all():
            raise fault(prim, f"{name} isn't finite: {tuple(float(x) for x in found)}")

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
