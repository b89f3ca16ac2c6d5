"""Random numbers of many worlds at once, by numpy: those of cairn.random_uniforms, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

WORDS = 2**32
USER = 16  # the first of RandomStream that a program may take (include/cairn/random.h)
KEYS = USER  # keys of worlds
DRAWS = USER + 1  # what tasks draw

_MULTIPLIERS = numpy.uint64(0xD2511F53), numpy.uint64(0xCD9E8D57)
_WEYL = numpy.uint64(0x9E3779B9), numpy.uint64(0xBB67AE85)
_LOW, _SHIFT = numpy.uint64(0xFFFFFFFF), numpy.uint64(32)

Words = NDArray[numpy.uint64]
"""32 bits each; the upper half is 0."""


def philox(counter: tuple[Words, Words, Words, Words], key: tuple[Words, Words]) -> tuple[Words, Words, Words, Words]:
    """Philox4x32-10 (Salmon et al. 2011, section 3.3), element by element; what is given is broadcast."""
    x, y, z, w = counter
    key0, key1 = key
    for _ in range(10):
        a, b = _MULTIPLIERS[0] * x, _MULTIPLIERS[1] * z
        x, y, z, w = (b >> _SHIFT) ^ y ^ key0, b & _LOW, (a >> _SHIFT) ^ w ^ key1, a & _LOW
        key0, key1 = (key0 + _WEYL[0]) & _LOW, (key1 + _WEYL[1]) & _LOW
    return x, y, z, w


def world_keys(seed: int, first: int, count: int) -> Words:
    """(count) seeds of the worlds `first`, `first + 1`, ...: functions of the seed, 0 to 2**64 - 1, and of a world's
    index alone, so that a world has the same wherever a batch is split.
    """
    index = numpy.arange(first, first + count, dtype=numpy.uint64)
    zero = numpy.zeros_like(index)
    counter = (index, zero + numpy.uint64(KEYS), zero, zero)
    low, high, _, _ = philox(counter, (numpy.uint64(seed % WORDS) + zero, numpy.uint64(seed // WORDS) + zero))
    return low | (high << _SHIFT)


def uniforms(keys: Words, episode: NDArray[Any], step: NDArray[Any], size: int, stream: int = 0) -> NDArray[numpy.float32]:
    """(worlds, size) numbers in [0, 1) for worlds of these keys (worlds), in these episodes and at these steps
    (worlds). At step 0 they are those of cairn.random_uniforms(key, episode, 17 + stream, i), four for each i.
    """
    index = numpy.arange((size + 3) // 4, dtype=numpy.uint64)
    key, episode, step = (a.astype(numpy.uint64)[:, None] for a in (keys, episode, step))
    counter = (index + numpy.zeros_like(key), numpy.uint64(DRAWS + stream) + numpy.zeros_like(key), episode & _LOW, step & _LOW)
    words = numpy.stack(philox(counter, (key & _LOW, key >> _SHIFT)), axis=-1).reshape(len(keys), -1)[:, :size]
    return (words >> numpy.uint64(8)).astype(numpy.float32) * numpy.float32(2.0**-24)
