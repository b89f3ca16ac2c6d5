"""Names of a model's elements, and sets of switches."""

from __future__ import annotations

from typing import Any

from .._packages import package

mujoco: Any = package("mujoco", "cairn.convert reads robots by")
Model = Any  # mujoco.MjModel


def name_of(model: Model, kind: str, index: int) -> str:
    """Of an element, or its kind and number where it has none: `kind` is of mujoco.mjtObj, in lower case. No other of
    the kind has it."""
    of = getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
    name = str(mujoco.mj_id2name(model, of, int(index)) or "")
    if not name:
        name = f"{kind}#{index}"
        while mujoco.mj_name2id(model, of, name) >= 0:
            name += "'"
    return name


def quoted(model: Model, kind: str, index: int) -> str:
    """The same with its kind, for reports."""
    given = mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}"), int(index))
    return f'{kind} "{given}"' if given else name_of(model, kind, index)


def disabled(model: Model, flag: str) -> bool:
    """Whether a flag of the model's option/flag is off."""
    bit = getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag.upper()}", None)
    return bit is not None and bool(int(model.opt.disableflags) & int(bit))


def enabled(model: Model, flag: str) -> bool:
    """Whether a flag that is off by itself is on."""
    bit = getattr(mujoco.mjtEnableBit, f"mjENBL_{flag.upper()}", None)
    return bit is not None and bool(int(model.opt.enableflags) & int(bit))


def column(model: Model, array: str, index: int, default: float = 0.0) -> Any:
    """An entry of an array that not all versions of mujoco have."""
    values = getattr(model, array, None)
    return default if values is None else values[index]
