"""What the headers of C++ declare is there in Python: all classes with each overload of their calls, all structs and enums
with lists, all functions. What isn't is named here, with the reason."""

import collections
import pathlib
import re

import pytest

import cairn
from cairn import _structs

ROOT = pathlib.Path(__file__).parents[2]
STUB = pathlib.Path(cairn.__file__).with_name("_core.pyi")


def without_details(text: str) -> str:
    text = re.sub(r"^namespace (\w*detail|attributes) {.*?^}  // namespace \1$", "", text, flags=re.M | re.S)
    return re.sub(r"//[^\n]*", "", text)


HEADERS = {
    path.name: without_details(path.read_text())
    for path in sorted((ROOT / "include/cairn").glob("*.h"))
    # C; and functions of vectors, which numpy has
    if path.name not in ("cairn_c.h", "math.h")
}

# Classes that Python lacks.
NO_CLASS = {
    "Field": "a functor that is compiled with the program; ready-made ones are cairn.FieldLaw",
    "Event": "the same",
    **dict.fromkeys(
        ["Error", "InvalidArgument", "CapacityError", "DeviceError", "SceneFileError", "SnapshotError"],
        "an exception, which Python has with its bases (test_world.py)",
    ),
}

# How many overloads Python has where C++ has others, and why.
OTHERWISE = {
    "World": {
        "read_states": 1,  # of all, or of the world that is named
        "write_states": 1,  # the same
        "arrays": 1,  # a property; C++ has it for const Worlds, too
        "queries": 1,  # the same, like the next three
        "articulations": 1,
        "particles": 1,
        "scales": 1,
        "step": 3,  # and of several steps
    },
    "DeviceArrays": {
        "keep": 0,  # each Array that is handed to numpy or by DLPack keeps
    },
    "ParticleSystem": {"add": 1},  # of Field: see NO_CLASS
    "BodyFields": {"add": 1},  # the same
    "ConvexHull": {"data": 0},  # the library's own
    "TriangleMesh": {"data": 0},
    "HeightField": {"data": 0},
}

# Structs without a list: values that Python has in a form of its own.
NO_STRUCT = {
    "Vec3T": "a tuple",
    "QuatT": "a tuple",
    "BodyHandle": "a class of its own (test_values.py), like the other handles",
    "JointHandle": "",
    "ArticulationHandle": "",
    "ParticlesHandle": "",
    "ParticleStates": "a NamedTuple of arrays",
    "ParticleRates": "the same",
    "Image": "an array (height, width, 3)",
    "Surface": "two arrays",
    "ArrayView": "numpy's, or another of DLPack",
    "NamedArray": "cairn.Array",
    "SceneFileOptions": "arguments of load_scene and parse_scene",
    "FieldJob": "of functors that are compiled with the program",
    "FieldCode": "",
    "ParticleView": "",
    "NearGrid": "",
    "AttributeRange": "of the lists themselves",
    "TypedList": "",
    "AttributeInfo": "",
    "Attribute": "",
}

# Functions that Python lacks.
NO_FUNCTION = {
    "bytes_of": "numpy's itemsize",
    "element_name": "Array.dtype",
    "dense_view": "numpy's arrays are views already",
    "view": "the same",
    "to_dlpack": "Array.__dlpack__",
    "element_of": "numpy's dtype",
    "stage_name": "str(cairn.Stage)",
    "word_of": "enums are words",
    "between": "of the lists of members",
    "over": "the same",
    "name_of_member": "the same",
    "all_differ": "the same",
    "attribute": "the same",
    "attribute_list": "the same",
    "info_of": "the same",
    "joint_axis": "the same",
    "joint_force_attributes": "the same",
    "rate_array": "the same",
}


def declared(text: str, name: str) -> collections.Counter[str]:
    """How often a class declares each of its public calls."""
    text = text[re.search(rf"^class {name}\b[^;{{]*{{", text, re.M).end() :]
    text = text[: re.search(r"^ private:|^};", text, re.M).start()]
    found = re.findall(r"^  (?:static )?[\w:<>,&* ]*?[ &*>]([a-z_]\w*)\(", text, re.M)
    return collections.Counter(c for c in found if c != "operator")


def bound(name: str) -> collections.Counter[str]:
    text = STUB.read_text()
    text = text[text.index(f"class {name}:") :]
    end = re.search(r"^(?:class|def|@overload) ", text[1:], re.M)
    return collections.Counter(re.findall(r"^    def (\w+)\(", text[: end.start() + 1 if end else len(text)], re.M))


CLASSES = {
    name: text
    for text in HEADERS.values()
    for name in re.findall(r"^class (\w+)\b[^;{]*{", text, re.M)
    if name not in NO_CLASS
}


def test_the_classes_are_found():
    assert {"World", "Scene", "Snapshot", "Recording", "Queries", "DeviceArrays", "Articulations"} < CLASSES.keys()
    assert {"ParticleSystem", "BodyFields", "Muscle", "Drag", "Track", "PoseTrack", "QualityMeter"} < CLASSES.keys()
    assert len(declared(CLASSES["World"], "World")) >= 60 and set(OTHERWISE) <= CLASSES.keys()


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_call_has_its_overloads(name):
    cpp, python, otherwise = declared(CLASSES[name], name), bound(name), OTHERWISE.get(name, {})
    assert cpp
    wanted = {call: otherwise.get(call, count) for call, count in cpp.items()}
    assert {call: python[call] for call in wanted} == wanted
    assert set(otherwise) <= set(cpp)


def functions() -> collections.Counter[str]:
    """How often the headers declare each function in the namespace."""
    found: collections.Counter[str] = collections.Counter()
    for text in HEADERS.values():
        found.update(re.findall(r"^(?! )[\w:<>,&* ]+?[ &*>]([a-z_]\w*)\(", text, re.M))
    return collections.Counter({name: count for name, count in found.items() if name not in NO_FUNCTION})


def test_every_function_has_its_overloads():
    cpp = functions()
    assert {"load_scene", "replay", "mass_properties", "virtual_force", "follow", "repaired"} < cpp.keys()
    python = collections.Counter(re.findall(r"^def (\w+)\(", STUB.read_text(), re.M))
    assert {name: python[name] for name in cpp} == dict(cpp)


def test_every_struct_and_enum_is_there():
    words = set()
    for text in HEADERS.values():
        # those of the namespace alone: their inner ones are theirs
        words |= set(re.findall(r"^(?:struct|enum class) (\w+)\b[^;<]*{", text, re.M))
    inner = {"EnumWords", "Undescribed", "VariantWords", "WordsUpTo"}
    lacking = words - set(_structs.__all__) - set(dir(cairn)) - NO_STRUCT.keys() - inner
    assert lacking == NO_ENUM
    assert not set(_structs.__all__) & NO_STRUCT.keys()


def test_enums_are_given_back_as_such():
    """Words are taken in the place of an enum, and never given."""
    text = STUB.read_text()
    assert "method: cairn._structs.Integrator | str" in text
    assert "-> cairn._structs.Precision:" in text and not re.search(r"-> [^\n]*\| str", text)


# Enums that have no words.
NO_ENUM = {
    "ElementType",  # Array.dtype
    "ErrorCode",  # the classes of exceptions
    "RandomStream",  # a number: those from 16 on are the program's own
}


def test_what_is_left_out_is_declared():
    text = "\n".join(HEADERS.values())
    for name in [*NO_CLASS, *NO_STRUCT, *NO_ENUM]:
        assert re.search(rf"(?:class|struct) {name}\b", text), name
    for name in NO_FUNCTION:
        assert re.search(rf"\b{name}\(", text), name
