"""Pages of the site that don't lie in docs/: the README, files that pages link to, examples and the reference.

docs/*.md stay as a Git host shows them: what MkDocs wants otherwise is changed here on the way.
"""

import pathlib
import posixpath
import re
import subprocess
import sys
from typing import Any

import jupytext
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"[-*] |\d+\. ")
LANGUAGES = {".h": "cpp", ".inl": "cpp", ".cpp": "cpp", ".c": "c", ".py": "python", ".cmake": "cmake", ".json": "json"}
CELL = re.compile(r"^# %%", re.MULTILINE)
REFERENCE = {
    "classes": (
        "Classes and functions",
        "What is compiled: a Scene, a World, and what belongs to them.",
        ["cairn._core"],
    ),
    "structs": (
        "Structs and enums",
        "Plain values, made from the lists of members in C++.",
        ["cairn._structs", "cairn._values"],
    ),
    "sweep": ("Sweeps", "Studies of many worlds ([sweeps](../sweeps.md)).", ["cairn._sweep", "cairn._sweep_study"]),
    "convert": ("cairn.convert", "Robots from files ([robots](../robots.md)).", ["cairn.convert"]),
    "envs": ("cairn.envs", "Vector environments of Gymnasium ([learning](../learning.md)).", ["cairn.envs"]),
    "plot": ("cairn.plot", "Charts of figures ([plots](../plots.md)).", ["cairn.plot"]),
}

places: dict[str, str] = {}
"""of each page made from a file of the repository: the file's path, by the page's"""


def page_of(path: str) -> str:
    """The site's path of a file of the repository."""
    if path == "README.md":
        return "index.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"repository/{path}" if path.endswith(".md") else f"repository/{path}.md"


def target(link: str, path: str) -> str | None:
    """The path in the repository that a link in the file `path` leads to; None where it leads elsewhere."""
    if ":" in link or link.startswith("/"):
        return None
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
    return wanted if (ROOT / wanted).exists() and not wanted.startswith("..") else None


def lines_of(text: str) -> list[tuple[str, bool]]:
    """Each line, and whether it is text rather than a code block's.

    What is indented in a list is so twice as far: Python-Markdown wants four spaces where others take two.
    """
    lines, fence, in_list = [], "", False
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if not fence and line[:1].strip():
            in_list = ITEM.match(line) is not None
        indent = line[: len(line) - len(line.lstrip())]
        text_line = not fence and not mark and (in_list or len(indent) < 4)
        lines.append((indent + line if in_list else line, text_line))
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
    return lines


def linked(path: str) -> set[str]:
    """Files of the repository that a page links to."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = (target(link[2], path) for line, outside in lines_of(text) if outside for link in LINK.finditer(line))
    return {file for file in found if file}


def adapted(text: str, path: str) -> str:
    """Links lead to pages of the site, and a list or table right below a line of text has a blank line before it."""
    here = posixpath.dirname(page_of(path))

    def moved(match: re.Match[str]) -> str:
        to = target(match[2], path)
        return match[0] if to is None else match[1] + posixpath.relpath(page_of(to), here or ".") + match[3]

    out: list[str] = []
    for line, outside in lines_of(text):
        if outside:
            for start in (re.compile(r"\|"), ITEM):
                if start.match(line) and out and out[-1][:1].strip() and not start.match(out[-1]):
                    out.append("")
            line = LINK.sub(moved, line)
        out.append(line)
    return "\n".join(out)


def source_page(path: str) -> str:
    """A file as a page of code, and a folder as a list of its files."""
    if (ROOT / path).is_dir():
        files = sorted(file.name + ("/" if file.is_dir() else "") for file in (ROOT / path).iterdir())
        return f"# {path}\n\n" + "".join(f"- `{name}`\n" for name in files)
    code = (ROOT / path).read_text(encoding="utf-8")
    return f"# {path}\n\n`````{LANGUAGES.get(pathlib.Path(path).suffix, 'text')}\n{code}\n`````\n"


def printed(example: pathlib.Path) -> str:
    """What an example prints; a sentence where a package that it needs is missing."""
    ran = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        return f"It prints\n\n```text\n{ran.stdout}```\n"
    missing = re.search(r"^ModuleNotFoundError: (?!.*cairn\.).*$", ran.stderr, re.MULTILINE)
    if not missing:
        raise PluginError(f"{example}: fails:\n{ran.stderr}")
    return f"(It wasn't run for this page: {missing[0]}.)\n"


def examples(config: Any) -> list[File]:
    """A page and a notebook of each example that has cells, and a page that lists them."""
    made, index = [], "# Examples\n\nEach is a script in `python/examples`, and a notebook to download.\n\n"
    for path in sorted((ROOT / "python/examples").glob("*.py")):
        if not CELL.search(path.read_text(encoding="utf-8")):
            continue
        notebook = jupytext.read(path, fmt="py:percent")
        notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
        for number, cell in enumerate(notebook.cells):
            cell["id"] = f"cell-{number}"  # the same in each build
        made.append(
            File.generated(config, f"examples/{path.stem}.ipynb", content=jupytext.writes(notebook, fmt="ipynb"))
        )
        cells = [
            cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```" for cell in notebook.cells
        ]
        title = notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
        cells.insert(1, f"[{path.stem}.ipynb]({path.stem}.ipynb) is this page as a notebook.")
        made.append(File.generated(config, f"examples/{path.stem}.md", content="\n\n".join([*cells, printed(path)])))
        index += f"- [{title}]({path.stem}.md)\n"
    return [File.generated(config, "examples/index.md", content=index), *made]


def reference(config: Any) -> list[File]:
    made, index = [], "# Reference\n\nAll names but those of the last three pages are in `cairn` itself.\n\n"
    for name, (title, about, modules) in REFERENCE.items():
        content = f"# {title}\n\n{about}\n\n" + "".join(f"::: {module}\n\n" for module in modules)
        made.append(File.generated(config, f"reference/{name}.md", content=content))
        index += f"- [{title}]({name}.md)\n"
    return [File.generated(config, "reference/index.md", content=index), *made]


def on_files(files: Files, config: Any) -> Files:
    todo = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/peers/README.md"}
    todo |= {f"docs/{file.src_uri}" for file in files if file.src_uri.endswith(".md")}
    done: set[str] = set()
    while todo:
        path = todo.pop()
        done.add(path)
        if path.endswith(".md"):
            places[page_of(path)] = path
            todo |= linked(path) - done
        if path.startswith("docs/"):
            continue
        content = (ROOT / path).read_text(encoding="utf-8") if path.endswith(".md") else source_page(path)
        files.append(File.generated(config, page_of(path), content=content))
    made = [*examples(config), *reference(config)]
    for file in made:
        files.append(file)
    config.nav = with_pages(config.nav, made)
    return files


def with_pages(nav: Any, pages: list[File]) -> Any:
    """Of a part of the navigation; a folder's name stands for the pages made in it."""
    if isinstance(nav, list):
        return [with_pages(entry, pages) for entry in nav]
    if isinstance(nav, dict):
        return {title: with_pages(entry, pages) for title, entry in nav.items()}
    if not nav.endswith("/"):
        return nav
    return [page.src_uri for page in pages if page.src_uri.startswith(nav) and page.src_uri.endswith(".md")]


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    path = places.get(page.file.src_uri)
    return adapted(markdown, path) if path else markdown
