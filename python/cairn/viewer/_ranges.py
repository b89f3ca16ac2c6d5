"""Controls of step parameters, made from what the lists of members say of them (include/cairn/attributes.h)."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from .. import _core, _structs

_SPAN = 10.0
"""[1] a slider goes to so many times its value or its default, or to 10, where the range goes on"""


class Control(NamedTuple):
    """Of one member of StepParams."""

    name: str
    kind: str
    """checkbox, choice, or slider"""
    hint: str
    """its unit and meaning"""
    words: tuple[str, ...] = ()
    """of a choice"""
    lower: float = 0.0
    upper: float = 0.0
    step: float = 0.0
    whole: bool = False

    def value(self, params: _structs.StepParams) -> Any:
        """As the control shows it: a slider within its ends."""
        value = getattr(params, self.name)
        if self.kind == "slider":
            return type(value)(min(max(value, self.lower), self.upper))
        return str(value) if self.kind == "choice" else value


def step_controls(params: _structs.StepParams) -> list[Control]:
    """One for each member of StepParams, in its order, wide enough for what it is now."""
    described = _core._describe()  # type: ignore[attr-defined]
    members = next(s["members"] for s in described["structs"] if s["name"] == "StepParams")
    plain = _structs.StepParams()
    return [_control(m, getattr(plain, m["name"]), getattr(params, m["name"])) for m in members]


def range_of(text: str) -> tuple[float, float, bool]:
    """Lower and upper bound of a range as docstrings have it, and whether the lower one itself is left out."""
    text = text.split(";")[0].strip()
    number = r"(-?[0-9.]+(?:e[+-]?[0-9]+)?)"
    if between := re.fullmatch(f"(over )?{number} to {number}", text):
        return float(between[2]), float(between[3]), bool(between[1])
    if above := re.fullmatch(f"(over|at least) {number}", text):
        return float(above[2]), math.inf, above[1] == "over"
    if below := re.fullmatch(f"at most {number}", text):
        return -math.inf, float(below[1]), False
    return -math.inf, math.inf, False


def _control(member: dict[str, Any], default: Any, now: Any) -> Control:
    name, hint = member["name"], f"[{member['unit']}] {member['meaning']}"
    if isinstance(default, bool):
        return Control(name, "checkbox", hint)
    if isinstance(default, str):
        return Control(name, "choice", hint, words=tuple(type(default)))  # type: ignore[arg-type]
    lower, upper, left_out = range_of(member["range"])
    span = _SPAN * (max(abs(default), abs(now)) or 1)
    lower, upper = max(lower, -span), min(upper, span)
    if isinstance(default, int):
        return Control(name, "slider", hint, lower=int(lower), upper=int(upper), step=1, whole=True)
    step = 10.0 ** math.floor(math.log10((upper - lower) / 1000))
    if left_out:
        lower += step
    return Control(name, "slider", hint, lower=lower, upper=upper, step=step)
