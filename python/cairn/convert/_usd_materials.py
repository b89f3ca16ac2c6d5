"""Materials, collision groups and filtered pairs of a stage -> materials and filters of a scene."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import cairn

from ._filters import CLASSES, filters_of
from ._report import Report, unused
from ._usd_bodies import Bodies, Collider
from ._usd_stage import Prim, Stage, Usd, UsdPhysics, UsdShade, fault


class Materials:
    """Adds what shapes are bound to to the scene."""

    def __init__(self, stage: Stage, scene: cairn.Scene, report: Report) -> None:
        self._stage, self._scene, self._report = stage, scene, report
        self._index: dict[str, int] = {}
        self._names: set[str] = set()

    def of(self, prim: Prim) -> int:
        """Index of a collider's material; of one that has none, of Cairn's own."""
        bound = self._bound(prim)
        path = "" if bound is None else str(bound.GetPath())
        if path not in self._index:
            made = cairn.Material(name=unused(path or "default", self._names))
            if bound is not None:
                self._read(bound, made)
            self._index[path] = self._scene.add_material(made)
        return self._index[path]

    def density(self, prim: Prim) -> float:
        """[kg/m^3] of a collider's material; 0 where it has none."""
        bound = self._bound(prim)
        return 0.0 if bound is None else self._density(bound)

    def _bound(self, prim: Prim) -> Prim | None:
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
        found = material.GetPrim() if material else None
        return found if found is not None and found.HasAPI(UsdPhysics.MaterialAPI) else None

    def _density(self, bound: Prim) -> float:
        return self._stage.number(bound, "physics:density", 0) * self._stage.kilogram / self._stage.metre**3

    def _read(self, bound: Prim, made: cairn.Material) -> None:
        still = self._stage.number(bound, "physics:staticFriction", 0)
        made.friction = self._stage.number(bound, "physics:dynamicFriction", 0)
        if still != made.friction:
            self._report.approximate("friction is the dynamic one, at rest too", str(bound.GetPath()))
        made.restitution = self._stage.number(bound, "physics:restitution", 0)
        if made.restitution > 1:
            raise fault(bound, f"physics:restitution must be at most 1, and is {made.restitution:g}")
        made.density = self._density(bound)


class Kind(NamedTuple):
    """What decides which others a collider touches."""

    groups: tuple[int, ...]
    """indices, ascending"""
    pairs: frozenset[int]
    """filtered pairs that it is in, by index, as the first or second of them: 2 index + side"""
    off: bool


class Filters:
    """Of the colliders of a stage."""

    def __init__(self, stage: Stage, bodies: Bodies, report: Report) -> None:
        self._stage, self._bodies, self._report = stage, bodies, report
        self.ignored: list[tuple[Collider, Collider]] = []
        """Whole bodies that never touch, by a collider of each"""
        self._groups = self._read_groups()
        self._sides: dict[str, set[int]] = {}
        self._read_pairs()
        nothing = Kind((), frozenset(), False)
        self._kinds = {c.path: self._kind(c) for c in bodies.colliders}
        kinds = [
            nothing,
            *sorted(set(self._kinds.values()) - {nothing}, key=lambda k: (k.off, k.groups, sorted(k.pairs))),
        ]
        self._filters, exact = filters_of([k for k in kinds if not k.off], self._touch)
        if not exact:
            report.approximate(
                f"over {CLASSES} kinds of groups and pairs: the last touch what any of them does", "stage"
            )

    def of(self, collider: Collider) -> cairn.Filter:
        kind = self._kinds[collider.path]
        return cairn.Filter(category=0, mask=0) if kind.off else self._filters[kind]

    def _kind(self, collider: Collider) -> Kind:
        groups = tuple(i for i, (members, _, _) in enumerate(self._groups) if collider.path in members)
        off = not self._stage.flag(collider.prim, "physics:collisionEnabled", True)
        return Kind(groups, frozenset(self._sides.get(collider.path, ())), off)

    def _touch(self, a: Kind, b: Kind) -> bool:
        for one, two in ((a, b), (b, a)):
            for group in one.groups:
                _, filtered, others = self._groups[group]
                if filtered & set(two.groups):
                    return False
                if others is not None and not others & set(two.groups):
                    return False
            if any(side ^ 1 in two.pairs for side in one.pairs):
                return False
        return True

    def _read_groups(self) -> list[tuple[set[str], set[int], set[int] | None]]:
        """Members; the groups that they don't touch; and those alone that they do, of an inverted one."""
        prims = [prim for prim in self._stage.prims if prim.IsA(UsdPhysics.CollisionGroup)]
        merged: dict[str, int] = {}
        index: dict[object, int] = {}
        for prim in prims:
            name = self._stage.token(prim, "physics:mergeGroup")
            key = f"merged {name}" if name else str(prim.GetPath())
            index[prim.GetPath()] = merged.setdefault(key, len(merged))
        groups: list[tuple[set[str], set[int], set[int] | None]] = [(set(), set(), None) for _ in merged]
        paths = [c.prim.GetPath() for c in self._bodies.colliders]
        for prim in prims:
            at = index[prim.GetPath()]
            members, filtered, only = groups[at]
            query = Usd.CollectionAPI.Get(prim, "colliders").ComputeMembershipQuery()
            members.update(str(path) for path in paths if query.IsPathIncluded(path))
            targets = self._stage.targets(prim, "physics:filteredGroups")
            if any(path not in index for path in targets):
                self._report.drop("filtered groups that aren't there", str(prim.GetPath()))
            named = {index[path] for path in targets if path in index}
            if self._stage.flag(prim, "physics:invertFilteredGroups", False):
                groups[at] = (members, filtered, named if only is None else only & named)
            else:
                filtered |= named
        return groups

    def _read_pairs(self) -> None:
        of_body: dict[int, int] = {}
        for c in self._bodies.colliders:
            of_body[id(c.body or c)] = of_body.get(id(c.body or c), 0) + 1
        count = itertools.count()
        for prim in self._stage.prims:
            if not prim.HasAPI(UsdPhysics.FilteredPairsAPI):
                continue
            one = self._bodies.within(prim)
            for path in self._stage.targets(prim, "physics:filteredPairs"):
                target = self._stage.usd.GetPrimAtPath(path)
                if not target:
                    self._report.drop("filtered pairs with what isn't there", str(prim.GetPath()))
                    continue
                two = self._bodies.within(target)
                if _whole(one, of_body) and _whole(two, of_body):
                    self.ignored += [
                        (a, b) for a in _firsts(one) for b in _firsts(two) if (a.body or a) is not (b.body or b)
                    ]
                    continue
                side = 2 * next(count)
                for at, colliders in ((side, one), (side + 1, two)):
                    for c in colliders:
                        self._sides.setdefault(c.path, set()).add(at)


def _firsts(colliders: list[Collider]) -> list[Collider]:
    """One of each body."""
    return list({id(c.body or c): c for c in colliders}.values())


def _whole(colliders: list[Collider], of_body: dict[int, int]) -> bool:
    """Whether these are all colliders of their bodies."""
    found: dict[int, int] = {}
    for c in colliders:
        found[id(c.body or c)] = found.get(id(c.body or c), 0) + 1
    return all(of_body[key] == n for key, n in found.items())
