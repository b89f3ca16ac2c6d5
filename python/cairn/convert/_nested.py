"""Models within models of MJCF: refuses those that mujoco can't read the end of, before it tries."""

from __future__ import annotations

import html
import os
import pathlib
import re
from collections.abc import Iterator

import cairn

MAX_DEPTH = 100  # of models within models; mujoco reads each on the stack
MAX_MODELS = 1000  # in all, each as often as it is named

# elements that name a file, whatever is around them: mujoco's reader takes text that isn't XML to others, too
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ELEMENT = re.compile(r"""<(model|include)\b((?:[^"'>]|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
FILE = re.compile(r"""\bfile\s*=\s*("[^"]*"|'[^']*')""")


def refuse_circles(path: str, folder: str) -> None:
    """Of a file whose models are named from a folder. Raises InvalidArgument where one has itself inside."""
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
        known[here] = depth + 1, count
    depth, count = known[here]
    if len(above) + depth > MAX_DEPTH or count > MAX_MODELS:
        name = os.path.basename(path)
        raise cairn.InvalidArgument(
            f"models within models: more than {MAX_DEPTH} deep or {MAX_MODELS} in all, at {name}"
        )
    return known[here]


def _models(path: str, folder: str) -> Iterator[str]:
    """Files of <model file="..."/> that a file and what it includes have."""
    left, seen = [path], {os.path.realpath(path)}
    while left:
        text = left.pop()
        for kind, name in _named(text):
            if kind == "model":
                yield os.path.join(folder, name)
                continue
            # as mujoco looks for them: from the model's folder, and else from that of what includes it
            places = (os.path.join(start, name) for start in (folder, os.path.dirname(text)))
            found = next((place for place in places if os.path.isfile(place)), None)
            if found is not None and os.path.realpath(found) not in seen:
                seen.add(os.path.realpath(found))
                left.append(found)


def _named(path: str) -> Iterator[tuple[str, str]]:
    """Kinds of the elements of a file that name files, and these."""
    try:
        text = pathlib.Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return  # which mujoco says better
    for kind, attributes in ELEMENT.findall(COMMENT.sub("", text)):
        for name in FILE.findall(attributes):
            yield kind.lower(), html.unescape(name[1:-1]).replace("\\", "/")
