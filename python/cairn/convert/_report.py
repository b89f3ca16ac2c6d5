"""What became of a model: where its parts are, and what was approximated or left out."""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Iterator, MutableSequence
from typing import NamedTuple

import numpy

import cairn

SHOWN = 6  # elements named in a line of a printed report


class RobotFileError(cairn.InvalidArgument):
    """A file that can't be read, or a model that no scene can be made of: names the file, the element and the reason."""


@contextlib.contextmanager
def of_file(path: str) -> Iterator[None]:
    """What goes wrong inside is a RobotFileError that begins with the file's name."""
    try:
        if os.path.isdir(path):
            raise cairn.InvalidArgument("it is a folder, and must be a file")
        # what isn't finite is refused by name
        with numpy.errstate(all="ignore"):
            yield
    except cairn.InvalidArgument as error:
        raise RobotFileError(f"{path}: {error}") from None
    except ImportError:
        raise
    except UnicodeDecodeError as error:
        raise RobotFileError(f"{path}: {_not_utf8(path)}") from error
    except Exception as error:
        # what nothing foresaw
        reason = " ".join(str(error).split())
        raise RobotFileError(f"{path}: {type(error).__name__}: {reason}") from error


def _not_utf8(path: str) -> str:
    try:
        text = pathlib.Path(path).read_bytes()
        text.decode()
    except UnicodeDecodeError as error:
        if b"\0" not in text:
            line = text.count(b"\n", 0, error.start) + 1
            return f"line {line} isn't UTF-8, as its text must be"
    except OSError:
        pass
    return "a text that it is made of isn't UTF-8, as it must be"


def unused(name: str, taken: set[str]) -> str:
    """The name, with marks until it is none of those taken, which it is from then on."""
    while name in taken:
        name += "'"
    taken.add(name)
    return name


class JointPlace(NamedTuple):
    """Where a joint of the model is."""

    articulation: str
    """name"""
    link: int
    """index in the articulation: what the joint moves"""
    coordinate: int
    """first of its coordinates in ArticulationState.q"""
    dof: int
    """first of its rates in ArticulationState.v"""


class Share(NamedTuple):
    """Of a tendon, another of its joints."""

    place: JointPlace
    ratio: float
    """[1, m/rad] its coefficient, of that of the joint at Actuator.place"""


class Actuator(NamedTuple):
    """How a control signal of the model acts on a joint or a tendon: scale * control + offset is what `kind` says. Of
    "integral" it is scale * activation + offset, and programs add up the activation: control * dt a step."""

    joint: str
    """or the tendon"""
    kind: str
    """"position" and "integral": the target's coordinate [m, rad]; "velocity": the target's rate [m/s, rad/s]; "force":
    the joint's force [N, N m], for set_forces of World.articulations. Targets are for its set_targets"""
    place: JointPlace
    """of the joint; of a tendon, of one of its joints that nothing else gives a target"""
    scale: float
    offset: float
    control_range: tuple[float, float]
    """of the control signal; infinite where it has no limits"""
    others: tuple[Share, ...] = ()
    """of a tendon. Each has ratio times the force, too. From a target, ratio times their targets are taken off, since
    it is the sum that the tendon pulls to"""

    def set_target(self, control: float, targets: cairn.ArticulationState) -> None:
        """Of the articulation at `place`. `control` is held to `control_range`; of "integral" it is the activation.
        Tendons come after the joints and the tendons before them in `Report.actuators`, whose targets they take off.

        Raises ValueError for "force".
        """
        if self.kind == "force":
            raise cairn.InvalidArgument(f'what acts on "{self.joint}" gives a force, and has no target')
        rates = self.kind == "velocity"
        values = targets.v if rates else targets.q
        goal = self._of(control)
        for other, ratio in self.others:
            goal -= ratio * values[other.dof if rates else other.coordinate]
        values[self.place.dof if rates else self.place.coordinate] = goal

    def add_force(self, control: float, forces: MutableSequence[float]) -> None:
        """To forces by rate of the articulation at `place`. `control` is held to `control_range`.

        Raises ValueError but for "force".
        """
        if self.kind != "force":
            raise cairn.InvalidArgument(f'what acts on "{self.joint}" has a target, and no force that is set')
        force = self._of(control)
        forces[self.place.dof] += force
        for other, ratio in self.others:
            forces[other.dof] += ratio * force

    def _of(self, control: float) -> float:
        held = control if self.kind == "integral" else min(max(control, self.control_range[0]), self.control_range[1])
        return self.scale * held + self.offset


class Report:
    """What a conversion made of a model.

    `print(report)` shows `approximated` and `dropped`: for each reason the elements that it is about.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.approximated: dict[str, list[str]] = {}
        """elements by what differs for them"""
        self.dropped: dict[str, list[str]] = {}
        """elements by why they are missing"""
        self.joints: dict[str, JointPlace] = {}
        """of the joints that articulations have, by name"""
        self.actuators: dict[str, Actuator] = {}
        """by name; what acts on joints is before what acts on tendons"""
        self.bodies: dict[str, int] = {}
        """indices of Scene.bodies() by the model's names, of those that have shapes"""
        self.targets: dict[str, cairn.ArticulationState] = {}
        """of the drives, by articulation: where the controls of the start are. Articulations whose drives pull to where
        they start are left out, since a World begins so"""

    def approximate(self, what: str, element: str) -> None:
        self.approximated.setdefault(what, []).append(element)

    def drop(self, why: str, element: str) -> None:
        self.dropped.setdefault(why, []).append(element)

    def start(self, world: cairn.World) -> None:
        """Gives the drives of all copies of the scene in a World their targets. A scene file holds none.

        Raises ValueError where the World lacks an articulation of the scene.
        """
        for name, state in self.targets.items():
            for index in range(world.world_count()):
                handle = world.articulations.find(name, index)
                if not handle:
                    raise cairn.InvalidArgument(f'world {index} has no articulation "{name}"')
                world.articulations.set_targets(handle, state)

    def __str__(self) -> str:
        lines = []
        for word, entries in (("approximated", self.approximated), ("dropped", self.dropped)):
            for reason, elements in entries.items():
                named = ", ".join(elements[:SHOWN]) + (", ..." if len(elements) > SHOWN else "")
                count = f"{len(elements)}: " if len(elements) > 1 else ""
                lines.append(f"{word}: {reason} ({count}{named})")
        for name, state in self.targets.items():
            lines.append(f'targets of "{name}", which a scene file lacks: {[round(q, 6) for q in state.q]}')
        return "\n".join(lines) if lines else "nothing was approximated or dropped"
