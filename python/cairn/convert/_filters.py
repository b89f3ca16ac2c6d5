"""Rules of which shapes touch -> filters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import cairn

CLASSES = 32  # bits of a Filter
Kind = TypeVar("Kind", bound=Hashable)


def filters_of(kinds: Sequence[Kind], touches: Callable[[Kind, Kind], bool]) -> tuple[dict[Kind, cairn.Filter], bool]:
    """By kind of shape, and whether they are exact; `touches` is symmetric.

    Two shapes touch where each has a bit of what the other touches. So all of one kind get a bit of their own, and a
    mask of those that they may touch: any rule, as long as there are no more than 32 kinds. Kinds that touch the same
    are one; of more than 32, the last touch what any of them does. The first kind has bit 0, as a default Filter does:
    what programs add touches as shapes of that kind would.
    """
    rows: dict[tuple[bool, ...], int] = {}
    bit_of = {a: rows.setdefault(tuple(touches(a, b) for b in kinds), len(rows)) for a in kinds}
    bit_of = {a: min(bit, CLASSES - 1) for a, bit in bit_of.items()}
    masks = dict.fromkeys(bit_of.values(), 0)
    for a in kinds:
        for b in kinds:
            if touches(a, b):
                masks[bit_of[a]] |= 1 << bit_of[b]
    return {a: cairn.Filter(category=1 << bit, mask=masks[bit]) for a, bit in bit_of.items()}, len(rows) <= CLASSES
