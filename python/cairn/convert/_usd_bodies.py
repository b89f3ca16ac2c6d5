"""Which prims are bodies, and which colliders are whose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._frames import Place
from ._report import Report
from ._usd_stage import Prim, Stage, UsdPhysics


@dataclass(eq=False)
class Collider:
    """A prim with CollisionAPI."""

    prim: Prim
    body: StageBody | None
    """None: it stands still"""
    index: int = -1
    """of the static body of the scene that it became"""

    @property
    def path(self) -> str:
        return str(self.prim.GetPath())


@dataclass(eq=False)
class StageBody:
    """A prim with RigidBodyAPI that is enabled."""

    prim: Prim
    place: Place
    """in the world"""
    kinematic: bool
    colliders: list[Collider] = field(default_factory=list)
    index: int = -1
    """of the body of the scene that it became; -1 of a link without shapes"""

    @property
    def path(self) -> str:
        return str(self.prim.GetPath())


class Bodies:
    """Of a stage, in the order of its prims."""

    def __init__(self, stage: Stage, report: Report) -> None:
        self._stage, self._report = stage, report
        self.scene = self._first_scene()
        """The PhysicsScene that counts"""
        self._held = self._held_prims()
        self._owners: dict[object, StageBody | None] = {}
        """By the path of what is a body, or is off"""
        self._gone: set[object] = set()
        self.bodies: list[StageBody] = []
        self.colliders: list[Collider] = []
        for prim in stage.prims:
            if prim.HasAPI(UsdPhysics.RigidBodyAPI):
                self._take_body(prim)
        for prim in stage.prims:
            if prim.HasAPI(UsdPhysics.CollisionAPI):
                self._take_collider(prim)

    def owner(self, prim: Prim) -> StageBody | None:
        """The body that a prim is part of: its own, or that of the nearest prim above it that is one."""
        return self._owners.get(self._marked(prim))

    def _marked(self, prim: Prim) -> object:
        while prim and not prim.IsPseudoRoot():
            if prim.GetPath() in self._owners:
                return prim.GetPath()
            prim = prim.GetParent()
        return None

    def within(self, prim: Prim) -> list[Collider]:
        """Those of a prim and of what is below it, and of the body that it is."""
        root = prim.GetPath()
        return [
            c
            for c in self.colliders
            if c.prim.GetPath().HasPrefix(root) or (c.body is not None and c.body.prim.GetPath().HasPrefix(root))
        ]

    def _first_scene(self) -> Prim | None:
        scenes = [prim for prim in self._stage.prims if prim.IsA(UsdPhysics.Scene)]
        for prim in scenes[1:]:
            self._report.drop("PhysicsScenes after the first", str(prim.GetPath()))
        return scenes[0] if scenes else None

    def _elsewhere(self, prim: Prim) -> bool:
        """Whether it belongs to another PhysicsScene."""
        owners = self._stage.targets(prim, "physics:simulationOwner")
        if not owners or self.scene is None or self.scene.GetPath() in owners:
            return False
        self._report.drop("of another PhysicsScene", str(prim.GetPath()))
        return True

    def _held_prims(self) -> set[object]:
        held: set[object] = set()
        for prim in self._stage.prims:
            if prim.IsA(UsdPhysics.Joint):
                for name in ("physics:body0", "physics:body1"):
                    held.update(self._stage.targets(prim, name))
        return held

    def _take_body(self, prim: Prim) -> None:
        stage, path = self._stage, prim.GetPath()
        outer = self._outer(prim)
        if outer is not None and path not in self._held:
            self._report.approximate("bodies below another that no joint holds are part of it", str(path))
            return
        if not stage.flag(prim, "physics:rigidBodyEnabled", True):
            self._report.approximate("bodies that are off stand still", str(path))
            self._owners[path] = None
            return
        if self._elsewhere(prim):
            self._owners[path] = None
            self._gone.add(path)
            return
        if stage.flag(prim, "physics:startsAsleep", False):
            self._report.drop("sleep at the start: all begin awake", str(path))
        kinematic = stage.flag(prim, "physics:kinematicEnabled", False)
        above = prim
        while kinematic and above and not above.IsPseudoRoot():
            if any(op.GetNumTimeSamples() > 1 for op in self._operations(above)):
                self._report.drop("motion of kinematic bodies: they stay where they start", str(path))
                break
            above = above.GetParent()
        body = StageBody(prim, stage.place(prim), kinematic)
        self._owners[path] = body
        self.bodies.append(body)

    def _outer(self, prim: Prim) -> StageBody | None:
        """The body that a prim moves with, unless its transform starts from the world."""
        while prim and not prim.IsPseudoRoot():
            if "!resetXformStack!" in self._stage.operations(prim):
                return None
            prim = prim.GetParent()
            if prim and prim.GetPath() in self._owners:
                return self._owners[prim.GetPath()]
        return None

    def _take_collider(self, prim: Prim) -> None:
        at = self._marked(prim)
        if at in self._gone or (at is None and self._elsewhere(prim)):
            return
        collider = Collider(prim, self._owners.get(at))
        self.colliders.append(collider)
        if collider.body is not None:
            collider.body.colliders.append(collider)

    def _operations(self, prim: Prim) -> list[Any]:
        """Attributes."""
        return [attribute for name in self._stage.operations(prim) if (attribute := prim.GetAttribute(name))]
