"""All public calls of C++'s World are there, each of its overloads too."""

import collections
import pathlib
import re

import pytest

import cairn

ROOT = pathlib.Path(__file__).parents[2]
STUB = pathlib.Path(cairn.__file__).with_name("_core.pyi")

# How many overloads Python has where C++ has others, and why.
OTHERWISE = {
    "World": {
        "read_states": 1,  # of all, or of the world that is named
        "write_states": 1,  # the same
        "arrays": 1,  # a property; C++ has it for const Worlds, too
        "queries": 1,  # the same
        "articulations": 1,
        "particles": 1,
        "scales": 1,
    },
    "WorldArticulations": {},
    "WorldParticles": {},
    "WorldScales": {},
    "Queries": {},
    "DeviceArrays": {
        "keep": 0,  # each Array that is handed to numpy or by DLPack keeps
    },
}


def calls(header: str, name: str) -> collections.Counter[str]:
    """How often a class of a header declares each of its public calls."""
    text = (ROOT / "include/cairn" / header).read_text()
    text = re.sub(r"//[^\n]*", "", text)
    text = text[text.index(f"class {name} {{") :]
    text = text[: text.index(" private:")]
    declared = re.findall(r"^  (?:static )?[\w:<>,&* ]*?[ &*>]([a-z_]+)\(", text, re.M)
    return collections.Counter(c for c in declared if c != "operator")


def bound(name: str) -> collections.Counter[str]:
    text = STUB.read_text()
    text = text[text.index(f"class {name}:") :]
    end = re.search(r"^(?:class|def) ", text[1:], re.M)
    return collections.Counter(re.findall(r"^    def (\w+)\(", text[: end.start() + 1 if end else len(text)], re.M))


@pytest.mark.parametrize(
    ("header", "name", "least"),
    [
        ("world.h", "World", 75),
        ("world_articulations.h", "WorldArticulations", 6),
        ("world_particles.h", "WorldParticles", 10),
        ("world_scales.h", "WorldScales", 6),
        ("queries.h", "Queries", 8),
        ("device_arrays.h", "DeviceArrays", 12),
    ],
)
def test_every_call_has_its_overloads(header, name, least):
    cpp, python, otherwise = calls(header, name), bound(name), OTHERWISE[name]
    assert len(cpp) >= least
    wanted = {call: otherwise.get(call, count) for call, count in cpp.items()}
    assert {call: python[call] for call in wanted} == wanted
    assert set(otherwise) <= set(cpp)
