"""What the classes of cairn/_structs.py, which are made from C++, have in common."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, Union

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Numbers = NDArray[Any]
else:
    Numbers = Any

__all__ = ["ParticleRates", "ParticleStates", "Quat", "QuatLike", "States", "Struct", "Vec3", "Vec3Like"]

T = TypeVar("T")

Vec3 = tuple[float, float, float]
"""x, y, z. A tuple: what looks like a part of something else can't be changed without effect."""
Quat = tuple[float, float, float, float]
"""x, y, z, w."""
Vec3Like = Union[Sequence[float], Numbers]
QuatLike = Union[Sequence[float], Numbers]
NumbersLike = Union[Sequence[float], Sequence[int], Numbers]
ManyLike = Union[Iterable[T], Numbers]
ArrayLike = Any
"""numpy, or anything with __dlpack__; where lists are read, these too."""


class States(NamedTuple):
    """States of bodies, a row each, in the order of World.bodies()."""

    position: NDArray[numpy.float64]
    """[m] (n, 3) world, of the body's own origin"""
    orientation: NDArray[numpy.float32]
    """[1] (n, 4) x, y, z, w, body to world"""
    linear_velocity: NDArray[numpy.float32]
    """[m/s] (n, 3) world, of the centre of mass"""
    angular_velocity: NDArray[numpy.float32]
    """[rad/s] (n, 3) world"""


class ParticleStates(NamedTuple):
    """Particles of a ParticleSystem, a row each: arrays or lists, given back as arrays."""

    position: ArrayLike
    """[m] (n, 3)"""
    velocity: ArrayLike = None
    """[m/s] (n, 3); None: all at rest"""
    mass: ArrayLike = None
    """[kg] (n) over 0; None: 1 each"""
    held: ArrayLike = None
    """(n) not 0: no force changes its velocity; None: none"""


class ParticleRates(NamedTuple):
    """Rates of change, as an ODE has them, a row a particle."""

    velocity: NDArray[numpy.float64]
    """[m/s] (n, 3)"""
    acceleration: NDArray[numpy.float64]
    """[m/s^2] (n, 3)"""


def vec3(value: Vec3Like) -> Vec3:
    try:
        x, y, z = value
    except (TypeError, ValueError):
        raise TypeError(f"must be 3 numbers, is {value!r}") from None
    return float(x), float(y), float(z)


def quat(value: QuatLike) -> Quat:
    try:
        x, y, z, w = value
    except (TypeError, ValueError):
        raise TypeError(f"must be 4 numbers x, y, z, w, is {value!r}") from None
    return float(x), float(y), float(z), float(w)


def _setter(slot: Any, convert: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
    def set_to(of: Any, value: Any) -> None:
        slot.__set__(of, convert(value))

    return set_to


_VECTORS: dict[str, Callable[[Any], Any]] = {
    "Vec3": vec3,
    "Vec3 | None": lambda value: None if value is None else vec3(value),
    "Quat": quat,
}


def vec3_list(values: ManyLike[Vec3Like]) -> list[Vec3]:
    return [vec3(value) for value in values]


def number_list(values: ManyLike[Any]) -> list[Any]:
    as_list = getattr(values, "tolist", None)
    return as_list() if as_list is not None else list(values)


def same(a: Any, b: Any) -> bool:
    """Whether members are equal: arrays where they have one shape and equal elements, in lists, too."""
    if a is b:
        return True
    if a is None or b is None:
        return False
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    shape, other = getattr(a, "shape", ()), getattr(b, "shape", ())
    if not shape and not other:
        return bool(a == b)
    return bool(shape == other) and bool((a == b).all())


class _Meta(type):
    if not TYPE_CHECKING:

        def __call__(cls, *values, **members):
            try:
                return super().__call__(*values, **members)
            except TypeError:
                for name in members:
                    if name not in cls.__slots__:
                        near = difflib.get_close_matches(name, cls.__slots__, 1)
                        hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(cls.__slots__)}"
                        raise TypeError(f"{cls.__name__} has no member {name!r}{hint}") from None
                raise


class Struct(metaclass=_Meta):
    """A value: equal where all members are; it can be copied and pickled."""

    __slots__: tuple[str, ...] = ()
    __hash__ = None  # type: ignore[assignment]

    def __init_subclass__(cls) -> None:
        """Vectors become tuples where they are set; C++, which has tuples, sets `_name`."""
        for name in cls.__dict__.get("__slots__", ()):
            convert = _VECTORS.get(cls.__annotations__.get(name, ""))
            if convert is not None:
                slot = cls.__dict__[name]
                setattr(cls, f"_{name}", slot)
                setattr(cls, name, property(slot.__get__, _setter(slot, convert)))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(same(getattr(self, name), getattr(other, name)) for name in self.__slots__)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._said())})"

    def _said(self) -> list[str]:
        """The members that aren't at their defaults."""
        plain = type(self)()
        return [name for name in self.__slots__ if not same(getattr(self, name), getattr(plain, name))]

    def replace(self, **changes: Any) -> Self:
        """A copy with other members."""
        members = {name: getattr(self, name) for name in self.__slots__}
        return type(self)(**{**members, **changes})
