"""What a sweep runs: a study of many worlds, and a shard of it as one batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Union

from ._core import Error, InvalidArgument, Scene, World

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ._structs import Device

__all__ = ["Batch", "Study"]

Columns = dict[str, Any]
"""(worlds) or (worlds, m) numpy arrays by name"""
OWN = ("world", "status", "hash")
"""columns that every study has"""
MOST_IN_A_BATCH = 65535


class Batch:
    """Worlds of a study that one World steps together: what `drive` and `reduce` get."""

    __slots__ = ("world", "indices", "parameters", "step", "kept")

    world: World
    """of all of them: world `i` here is world `indices[i]` of the study"""
    indices: NDArray[numpy.int64]
    """(worlds) in the study, ascending"""
    parameters: dict[str, NDArray[Any]]
    """(worlds) or (worlds, m) each, by name"""
    step: int
    """steps taken so far"""
    kept: dict[str, Any]
    """what `drive` and `reduce` keep from call to call; empty before the first"""

    def __init__(self, world: World, indices: NDArray[numpy.int64], parameters: dict[str, NDArray[Any]]) -> None:
        self.world = world
        self.indices = indices
        self.parameters = parameters
        self.step = 0
        self.kept = {}


SceneMaker = Callable[..., Scene]
Parameters = Union[Mapping[str, Any], Callable[[int], Mapping[str, Any]]]
Drive = Callable[[Batch], None]
Reduce = Callable[[Batch], Mapping[str, Any]]


class Study:
    """Worlds that differ by their parameters, and what is kept of each: see cairn.sweep.

    World `k` of a study is the same, bit for bit, whichever worlds share its batch. That needs functions that make of a
    world's index and parameters always the same, and a `drive` that treats each world by itself.
    """

    __slots__ = ("name", "scene", "worlds", "steps", "parameters", "reduce", "every", "drive", "seed")

    name: str
    scene: Scene | SceneMaker
    worlds: int
    steps: int
    parameters: Parameters
    reduce: Reduce | None
    every: int
    drive: Drive | None
    seed: int

    def __init__(
        self,
        name: str,
        scene: Scene | SceneMaker,
        worlds: int,
        steps: int,
        *,
        parameters: Parameters | None = None,
        reduce: Reduce | None = None,
        every: int = 0,
        drive: Drive | None = None,
        seed: int = 0,
    ) -> None:
        """Raises TypeError or InvalidArgument, naming the argument.

        scene: one for all worlds, or `scene(k, **parameters)` that makes that of world k. All must have the same solver,
            sweep, substeps, dt and sleeping (docs/batches.md).
        worlds: how many, from 1 on.
        steps: of params().dt each, from 1 on.
        parameters: arrays by name, (worlds) or (worlds, m); or `parameters(k)`, numbers and texts by name of world k.
        reduce: `reduce(batch)` gives arrays by name, (worlds of the batch) or (worlds of the batch, m). Called after the
            last step; and after each `every` steps before that, where what it keeps in batch.kept matters and what it
            gives doesn't.
        every: steps between two calls of `reduce` and `drive`; 0: all steps.
        drive: `drive(batch)` changes batch.world before each `every` steps, and before the first.
        seed: world k draws from seed + k (docs/scales.md).
        """
        if not isinstance(name, str) or not name:
            raise TypeError(f"name: must be a text that isn't empty, is {name!r}")
        if not isinstance(scene, Scene) and not callable(scene):
            raise TypeError(f"scene: must be a Scene or a function that makes one, is {scene!r}")
        if parameters is not None and not callable(parameters) and not isinstance(parameters, Mapping):
            raise TypeError(f"parameters: must be a function of the world's index or arrays by name, is {parameters!r}")
        for what, function in (("reduce", reduce), ("drive", drive)):
            if function is not None and not callable(function):
                raise TypeError(f"{what}: must be a function of a Batch, is {function!r}")
        self.name = name
        self.scene = scene
        self.worlds = whole("worlds", worlds, 1)
        self.steps = whole("steps", steps, 1)
        self.parameters = {} if parameters is None else parameters
        self.reduce = reduce
        self.every = whole("every", every, 0)
        self.drive = drive
        self.seed = whole("seed", seed, 0, 2**64 - self.worlds)


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The argument as a whole number in a range."""
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{name}: must be a whole number, is {value!r}") from None
    if number < least or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"{least} to {most}"
        raise InvalidArgument(f"{name}: must be {limits}, is {number}")
    return int(number)


def span(worlds: range) -> str:
    """As messages name them."""
    return f"world {worlds[0]}" if len(worlds) == 1 else f"worlds {worlds[0]} to {worlds[-1]}"


def column(name: str, values: Any, count: int, of: str) -> NDArray[Any]:
    """Numbers or texts as an array with a row a world."""
    import numpy as np

    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidArgument(f"{of}: {name!r} has rows of different lengths") from None
    if array.dtype.kind not in "biufU":
        raise TypeError(f"{of}: {name!r} must be numbers or texts, is of type {array.dtype}")
    if array.ndim not in (1, 2) or array.shape[0] != count:
        raise InvalidArgument(f"{of}: {name!r} must have a row for each of {count} worlds, has the shape {array.shape}")
    if not isinstance(name, str) or not name:
        raise TypeError(f"{of}: names must be texts, one is {name!r}")
    if name in OWN:
        raise InvalidArgument(f"{of}: {name!r} is a column that each study has")
    return np.ascontiguousarray(array)


def tabulated(study: Study) -> dict[str, NDArray[Any]]:
    """The parameters of all worlds, a row each."""
    if not callable(study.parameters):
        given = study.parameters
        return {name: column(name, values, study.worlds, "parameters") for name, values in given.items()}
    rows = [study.parameters(k) for k in range(study.worlds)]
    for k, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"parameters: must give values by name, gives {row!r} for world {k}")
        if row.keys() != rows[0].keys():
            raise InvalidArgument(f"parameters: world {k} has {sorted(row)}, and world 0 has {sorted(rows[0])}")
    return {name: column(name, [row[name] for row in rows], study.worlds, "parameters") for name in rows[0]}


def scene_of(study: Study, k: int, parameters: Mapping[str, NDArray[Any]], row: int) -> Scene:
    if isinstance(study.scene, Scene):
        return study.scene
    scene = study.scene(k, **{name: values[row].tolist() for name, values in parameters.items()})
    if not isinstance(scene, Scene):
        raise TypeError(f"scene: must make a Scene, made {scene!r} for world {k}")
    return scene


def run_shard(
    study: Study, worlds: range, parameters: dict[str, NDArray[Any]], numerics: int, device: Device
) -> Columns:
    """Columns of a shard, in the order that they have in a file. `parameters` are those of these worlds."""
    import numpy as np

    from ._structs import WorldOptions

    if numerics_version() != numerics:
        raise Error(f"this worker's Cairn has numerics version {numerics_version()}, and the sweep's has {numerics}")
    count, options = len(worlds), WorldOptions(device=device)
    if isinstance(study.scene, Scene):
        made = World.copies(study.scene, count, options)
    else:
        made = World([scene_of(study, k, parameters, i) for i, k in enumerate(worlds)], options)
    with made as world:
        for i, k in enumerate(worlds):
            world.scales.set_seed(study.seed + k, i)
        reduced: Mapping[str, Any] = {}
        batch = Batch(world, np.arange(worlds.start, worlds.stop, dtype=np.int64), parameters)
        while batch.step < study.steps:
            if study.drive is not None:
                study.drive(batch)
            advance = min(study.every or study.steps, study.steps - batch.step)
            world.step(advance)
            batch.step += advance
            if study.reduce is not None:
                reduced = study.reduce(batch)
        if not isinstance(reduced, Mapping):
            raise TypeError(f"reduce: must give arrays by name, gives {reduced!r}")
        reduced = {name: column(name, values, count, "reduce") for name, values in reduced.items()}
        for name in reduced:
            if name in parameters:
                raise InvalidArgument(f"reduce: {name!r} is a parameter, too")
        return {
            "world": batch.indices,
            **parameters,
            **reduced,
            "status": np.array([report.status for report in world.reports()], dtype=np.uint32),
            "hash": np.array(world.state_hashes(), dtype=np.uint64),
        }


@functools.cache
def numerics_version() -> int:
    """Two versions may give other bits: the front of each snapshot has it (docs/snapshots.md)."""
    with World(Scene()) as world:
        return int.from_bytes(world.snapshot().to_bytes()[12:16], "little")


def text_of(value: Any, within: tuple[int, ...] = ()) -> bytes:
    """What says whether two runs mean the same by a function or a value: the text of functions, with what they hold."""
    import inspect
    import pickle

    def inner(value: Any) -> bytes:
        return text_of(value, (*within, id(value)))

    if id(value) in within[:-1]:  # a function that calls itself
        return b"again"
    if isinstance(value, Scene):
        return value.to_json().encode()
    if isinstance(value, functools.partial):
        return b"partial" + inner((value.func, value.args, value.keywords))
    if isinstance(value, (tuple, list)):
        return b"(" + b",".join(inner(item) for item in value) + b")"
    if isinstance(value, dict):
        return inner(list(value.items()))
    if inspect.ismethod(value):
        return inner((value.__func__, value.__self__))
    if inspect.isfunction(value):
        # a cell that is equal to a new one holds nothing yet
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != type(cell)()]
        rest = inner((value.__defaults__, value.__kwdefaults__, cells))
        try:
            return inspect.cleandoc(inspect.getsource(value)).encode() + rest
        except (OSError, TypeError):  # typed in, or made of a text
            return value.__code__.co_code + repr((value.__code__.co_names, value.__code__.co_consts)).encode() + rest
    if callable(value) and hasattr(value, "__dict__") and not isinstance(value, type):
        return inner((type(value).__qualname__, type(value).__call__, vars(value)))
    return pickle.dumps(value, 4)


def fingerprint(study: Study, parameters: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """What tells a study from another, part by part: numbers as they are, the rest as hashes."""
    import hashlib

    def digest(*parts: bytes) -> str:
        return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]

    ends = [scene_of(study, k, parameters, k).to_json().encode() for k in (0, study.worlds - 1)]
    table = [part for name, a in parameters.items() for part in (name.encode(), str(a.dtype).encode(), a.tobytes())]
    return {
        "name": study.name,
        "worlds": study.worlds,
        "steps": study.steps,
        "every": study.every,
        "seed": study.seed,
        "scene": digest(text_of(study.scene), *ends),
        "parameters": digest(*table),
        "reduce": digest(text_of(study.reduce)),
        "drive": digest(text_of(study.drive)),
        "numerics": numerics_version(),
    }
