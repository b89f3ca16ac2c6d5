"""A look at the text of MJCF before mujoco reads it: what would end the process is refused, and not read."""

from __future__ import annotations

import html
import math
import os
import pathlib
import re
from collections.abc import Iterator

import cairn

MAX_DEPTH = 100  # of models within models; mujoco reads each on the stack
MAX_MODELS = 1000  # in all, each as often as it is named

# attributes whose product mujoco makes room for at once, and what memory has room for
COUNTS = {
    "hfield": (("nrow", "ncol"), 100_000_000),
    "texture": (("width", "height"), 100_000_000),
    "replicate": (("count",), 1_000_000),
    "flexcomp": (("count",), 1_000_000),
    "composite": (("count",), 1_000_000),
}
SIZES = re.compile("n(key|userdata|user_[a-z]+)")  # of the element size, each
MAX_SIZE = 1_000_000

# elements, whatever is around them: mujoco's reader takes text that isn't XML to others, too
KINDS = "|".join(("model", "include", "size", *COUNTS))
ELEMENT = re.compile(rf"<({KINDS})\b", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""\s*([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")


def look_at(path: str, folder: str) -> None:
    """Of a file whose models are named from a folder. Raises InvalidArgument where one has itself inside, and for
    counts that there is no memory for."""
    _count(path, folder, [], {})


def _count(path: str, folder: str, above: list[str], known: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """How deep the models of a file go, and how many there are with itself."""
    here = os.path.realpath(path)
    chain = [*above, here]
    if here in above:
        circle = " -> ".join(os.path.basename(each) for each in chain[above.index(here) :])
        raise cairn.InvalidArgument(f"models name each other in a circle: {circle}")
    if here not in known:
        depth, count = 0, 1
        for model in _models(path, folder) if len(chain) <= MAX_DEPTH else ():
            deeper, more = _count(model, os.path.dirname(model), chain, known)
            depth, count = max(depth, deeper), count + more
            if count > MAX_MODELS:
                break
        known[here] = depth + 1, count
    depth, count = known[here]
    if len(above) + depth > MAX_DEPTH or count > MAX_MODELS:
        name = os.path.basename(path)
        raise cairn.InvalidArgument(
            f"models within models: more than {MAX_DEPTH} deep or {MAX_MODELS} in all, at {name}"
        )
    return known[here]


def _models(path: str, folder: str) -> Iterator[str]:
    """Files of <model file="..."/> that a file and what it includes have, whose counts are looked at, too."""
    left, seen = [path], {os.path.realpath(path)}
    while left:
        text = left.pop()
        for kind, attributes in _elements(text):
            _refuse_counts(kind, attributes)
            name = attributes.get("file", "").replace("\\", "/")
            if kind == "model" and name:
                yield os.path.join(folder, name)
            if kind != "include" or not name:
                continue
            # as mujoco looks for them: from the model's folder, and else from that of what includes it
            places = (os.path.join(start, name) for start in (folder, os.path.dirname(text)))
            found = next((place for place in places if os.path.isfile(place)), None)
            if found is not None and os.path.realpath(found) not in seen:
                seen.add(os.path.realpath(found))
                left.append(found)


def _elements(path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Kinds and attributes of the elements of a file that are looked at."""
    try:
        text = pathlib.Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return  # which mujoco says better
    text = _without_comments(text)
    # one by one, in a time that grows as the text does
    for element in ELEMENT.finditer(text):
        attributes, end = {}, element.end()
        while (attribute := ATTRIBUTE.match(text, end)) is not None:
            attributes[attribute[1]] = html.unescape(attribute[2][1:-1])
            end = attribute.end()
        yield element[1].lower(), attributes


def _without_comments(text: str) -> str:
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join((*kept, text[at:]))


def _refuse_counts(kind: str, attributes: dict[str, str]) -> None:
    names, most = COUNTS.get(kind, ((), 0))
    words = [word for name in names for word in attributes.get(name, "").split()]
    counts = {" x ".join(names): math.prod(_number(word) for word in words)}
    if kind == "size":
        most, counts = MAX_SIZE, {name: _number(of) for name, of in attributes.items() if SIZES.fullmatch(name)}
    for name, count in counts.items():
        if count > most > 0:
            called = f' "{attributes["name"]}"' if "name" in attributes else ""
            raise cairn.InvalidArgument(f"{kind}{called}: {name} is {count:g}, and must be at most {most}")


def _number(word: str) -> float:
    """1 of what is none, which mujoco says better."""
    try:
        return float(word)
    except ValueError:
        return 1.0
