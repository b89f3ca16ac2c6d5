"""What a chart shows, from the figures in a file."""

from __future__ import annotations

import dataclasses
import pathlib
import statistics
from collections.abc import Iterable
from typing import TypeVar

from ._record import Record, parse

T = TypeVar("T")

SHARE_SHOWN = 0.02
"""[1] of a step: stages that take less in every row are drawn as one"""
REST = "the rest"


@dataclasses.dataclass
class Line:
    """Points joined by a line, x ascending."""

    name: str
    x: list[float] = dataclasses.field(default_factory=list)
    y: list[float] = dataclasses.field(default_factory=list)
    bound: list[bool] = dataclasses.field(default_factory=list)
    """of each point: whether the figure is at least y, rather than y"""
    note: str = ""
    """written beside the last point"""

    def add(self, x: float, y: float, bound: bool = False) -> None:
        """Puts a point behind those of the same x."""
        at = sum(other <= x for other in self.x)
        self.x.insert(at, x)
        self.y.insert(at, y)
        self.bound.insert(at, bound)


@dataclasses.dataclass
class Panel:
    """Two logarithmic axes."""

    title: str
    x_label: str
    y_label: str
    lines: list[Line] = dataclasses.field(default_factory=list)
    zero_below: float | None = None
    """the y axis is linear below it, so that it has a place for 0; None: all y are above 0"""

    def line(self, name: str) -> Line:
        """The line of that name, which is made where there is none."""
        for line in self.lines:
            if line.name == name:
                return line
        self.lines.append(Line(name))
        return self.lines[-1]


@dataclasses.dataclass
class Bars:
    """Bars of equal length, cut into named parts."""

    title: str
    parts: list[str]
    labels: list[str]
    """of each bar"""
    shares: list[list[float]]
    """[1]  (bars, parts); a bar's sum is 1"""


@dataclasses.dataclass
class Chart:
    title: str
    panels: list[Panel]
    bars: Bars | None = None


def read(path: str | pathlib.Path) -> Chart:
    """The chart of a file's figures.

    Raises OSError where the file can't be read, and InvalidArgument, which names the file and the key, where it isn't
    what `cairn bench`, `cairn lab` or benchmarks/peers/compare.py writes, or holds no figure.
    """
    return chart_of(parse(path))


def chart_of(file: Record) -> Chart:
    """As `read`, of a file that has been parsed."""
    if "cairn_bench" in file:
        chart = bench(file)
    elif "verdicts" in file:
        chart = verdicts(file)
    elif "scenes" in file and "window" in file:
        chart = peers(file)
    elif "rows" in file and "seeds" in file:
        chart = lab(file)
    else:
        raise file.wrong("is no file of cairn bench, cairn lab or benchmarks/peers/compare.py")
    chart.panels = [panel for panel in chart.panels if panel.lines]
    if not chart.panels:
        raise file.wrong("holds no figure that can be drawn")
    return chart


def bench(file: Record) -> Chart:
    """Time over bodies of one world, throughput over worlds, and the share of each stage."""
    one = Panel("one world", "bodies", "ms a step")
    many = Panel("many worlds", "worlds", "body-steps a second")
    labels, stages = [], []
    for row in file["rows"]:
        if "not_run" in row or "no_figure" in row:
            continue
        scene, worlds, substeps = row["scene"].text(), row["worlds"].number(), row["substeps"].number()
        if worlds == 1:
            line = one.line(f"{scene.partition(':')[0]}, {substeps:g} substeps")
            line.add(positive(row["dynamic_bodies"]), positive(row["queued_ms_per_step"]))
        else:
            many.line(scene).add(worlds, positive(row["body_steps_per_second"]))
        took = {name: value.number() for name, value in row["stages"].items()}
        if sum(took.values()) > 0:
            labels.append(scene if worlds == 1 else f"{scene} x {worlds:g}")
            stages.append(took)
    commit = file["commit"].text()
    title = f"Cairn {file['version'].text()}{', ' + commit if commit else ''}, {file['date'].text()}"
    return Chart(f"{title}: {file['description'].text()}", [one, many], shares(labels, stages))


def positive(value: Record) -> float:
    """On a logarithmic axis."""
    if value.number() == 0:
        raise value.wrong("must be over 0")
    return value.number()


def shares(labels: list[str], stages: list[dict[str, float]]) -> Bars | None:
    """Of the stages of a step, in their order; None without a row."""
    if not labels:
        return None
    shown = [
        name
        for name in unique(name for took in stages for name in took)
        if any(took.get(name, 0) >= SHARE_SHOWN * sum(took.values()) for took in stages)
    ]
    rows = []
    for took in stages:
        total = sum(took.values())
        parts = [took.get(name, 0) / total for name in shown]
        rows.append([*parts, max(0.0, 1 - sum(parts))])
    return Bars("stages of a step", [*shown, REST], labels, rows)


def lab(file: Record) -> Chart:
    """A panel a challenge: the largest that is held over the passes, a line a solver."""
    panels: dict[str, Panel] = {}
    for row in file["rows"]:
        name = row["challenge"].text()
        counts = row["counts"].text() if "counts" in row else "largest that is held"
        panel = panels.setdefault(name, Panel(name, "contact passes a step", counts, zero_below=1))
        limit = row["limit"].number()
        panel.line(row["solver"].text()).add(positive(row["passes"]), limit, limit == row["cap"].number())
    return Chart(f"What each solver holds for {file['seconds'].number():g} s", list(panels.values()))


def verdicts(file: Record) -> Chart:
    """A panel a margin: the share of wrong verdicts of all families over the passes, a line a solver."""
    rows = list(file["verdicts"])
    panels = []
    for margin in unique(row["margin"].number() for row in rows):
        panel = Panel(f"{margin:g} % beside the limit", "contact passes a step", "wrong verdicts, %")
        of_margin = [row for row in rows if row["margin"].number() == margin]
        for solver in unique(row["solver"].text() for row in of_margin):
            of_solver = [row for row in of_margin if row["solver"].text() == solver]
            for passes in unique(positive(row["passes"]) for row in of_solver):
                judged = [row for row in of_solver if row["passes"].number() == passes]
                cases = sum(row[key].number() for row in judged for key in ("standing", "falling"))
                right = sum(row[key].number() for row in judged for key in ("stood", "fell"))
                if cases == 0 or right > cases:
                    raise judged[0].wrong(f"{right:g} right verdicts of {cases:g}")
                panel.line(solver).add(passes, 100 * (cases - right) / cases)
                panel.zero_below = max(panel.zero_below or 0, 100 / cases)  # one wrong verdict
        panels.append(panel)
    return Chart("Structures whose answer is known", panels)


def peers(file: Record) -> Chart:
    """A panel a scene: mean penetration when the timing window ends over the time of a step, a point an engine."""
    panels = []
    for scene, record in file["scenes"].items():
        title = f"{scene} ({record['bodies'].number():g} bodies)"
        panel = Panel(title, "ms a step, one thread", "mean penetration at 4 s, mm")
        for engine, by_threads in record["times"].items():
            times = [ms.number() for ms in by_threads["1"]["cpu_ms"]] if "1" in by_threads else []
            judged = [of_seed[engine] for _, of_seed in record["quality"].items() if engine in of_seed]
            middles = [q["middle"] for q in judged if "middle" in q and q["middle"]["finite"].flag()]
            depths = [1e3 * middle["mean_penetration"].number() for middle in middles]
            # what never came to the window's end or blew up is in the table alone
            if not times or not depths or not all(q["end"]["finite"].flag() for q in judged):
                continue
            line = panel.line(engine)
            line.add(statistics.median(times), statistics.median(depths))
            fell = max(q["end"]["fallen"].number() for q in judged)
            line.note = f"{fell:g} fell" if fell else ""
        panels.append(panel)
    return Chart(f"{file['processor'].text()}, {file['date'].text()}: lower left is better", panels)


def unique(values: Iterable[T]) -> list[T]:
    """Each once, in the order of their first."""
    return list(dict.fromkeys(values))
