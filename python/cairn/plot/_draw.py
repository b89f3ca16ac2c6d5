"""Charts as SVG and PNG, by matplotlib. The same chart gives the same bytes with the same matplotlib."""

from __future__ import annotations

import io
import math
import pathlib
from typing import TYPE_CHECKING, Any

from .._core import InvalidArgument
from .._packages import package
from .._whole_files import explained, write_whole
from ._charts import REST, Bars, Chart, Panel, unique

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which eyes of all kinds tell apart, and lighter ones of the same
COLORS = [
    *("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7a7a00", "#444444"),
    *("#7fb8d8", "#f2cf80", "#7fceb9", "#eaae7f", "#e5bcd3", "#bcbc7f"),
]
REST_COLOR = "#d0d0d0"
MARKERS = "osD^vPX*hd"
ACROSS, LEGEND_COLUMNS = 2, 2  # panels beside each other, and names in a panel's legend
WIDTH, PANEL_HEIGHT, BAR_HEIGHT, LEGEND_LINE = 11.0, 3.4, 0.24, 0.24  # [in]
SETTINGS: dict[str, Any] = {
    # text stays text, and names in the SVG don't change from run to run
    "svg.fonttype": "none",
    "svg.hashsalt": "cairn",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "legend.frameon": False,
    "figure.dpi": 110,
}
FORMATS = {".svg": "svg", ".png": "png"}


def matplotlib() -> Any:
    for module in ("matplotlib.figure", "matplotlib.ticker"):
        package(module, "plots need")
    return package("matplotlib", "plots need")


def draw(chart: Chart) -> Figure:
    """A figure of matplotlib: panels two beside each other, the bars below them, and what colours mean.

    Raises ModuleNotFoundError without matplotlib.
    """
    with matplotlib().rc_context(SETTINGS):
        names = [unique(line.name for line in panel.lines) for panel in chart.panels]
        common = chart.bars is None  # colours of all panels, and one legend
        if common:
            names = [unique(name for some in names for name in some)] * len(names)
        rows = math.ceil(len(chart.panels) / ACROSS)
        legend = LEGEND_LINE * (1 if common else math.ceil(max(map(len, names)) / LEGEND_COLUMNS))
        heights = [PANEL_HEIGHT + (0 if common else legend) for _ in range(rows)]
        if chart.bars:
            heights.append((len(chart.bars.labels) + 1) * BAR_HEIGHT + 1.2)
        figure = matplotlib().figure.Figure(
            figsize=(WIDTH, sum(heights) + 0.5 + (legend if common else 0)), layout="constrained"
        )
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
        figure.suptitle(chart.title, x=0.01, ha="left", fontsize=11)
        grid = figure.add_gridspec(len(heights), ACROSS, height_ratios=heights)
        for i, panel in enumerate(chart.panels):
            across = slice(None) if len(chart.panels) == 1 and chart.bars else i % ACROSS
            axes = figure.add_subplot(grid[i // ACROSS, across])
            draw_panel(axes, panel, names[i])
            if not common:
                axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), ncols=LEGEND_COLUMNS, borderaxespad=0)
        if common and len(names[0]) > 1:
            handles = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
            figure.legend([handles[name] for name in names[0]], names[0], loc="outside lower left", ncols=6)
        if chart.bars:
            draw_bars(figure.add_subplot(grid[rows, :]), chart.bars)
        return figure  # type: ignore[no-any-return]


def draw_panel(axes: Axes, panel: Panel, names: list[str]) -> None:
    """`names` says which line has which colour."""
    axes.set_title(panel.title, loc="left", fontsize=9, fontweight="bold")
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.set_axisbelow(True)
    for line in panel.lines:
        k = names.index(line.name)
        color, marker = COLORS[k % len(COLORS)], MARKERS[k % len(MARKERS)]
        # lines that lie on each other: later ones are smaller, and don't hide what is below
        size = max(3.0, 7.5 - 0.8 * k)
        axes.plot(
            line.x,
            line.y,
            label=line.name,
            color=color,
            marker=marker,
            markersize=size,
            linewidth=max(1.0, 2.4 - 0.25 * k),
        )
        if line.note:
            axes.annotate(line.note, (line.x[-1], line.y[-1]), xytext=(6, 4), textcoords="offset points", color=color)
    for x, y in unique(
        (x, y) for line in panel.lines for x, y, bound in zip(line.x, line.y, line.bound, strict=True) if bound
    ):
        axes.annotate("≥", (x, y), xytext=(0, 6), textcoords="offset points", ha="center", color="#444444")
    all_x = sorted({x for line in panel.lines for x in line.x})
    all_y = [y for line in panel.lines for y in line.y]
    few = len(all_x) <= 4 and all(x == round(x) for x in all_x)  # counts, which have their own ticks
    axes.set_xscale("log")
    axes.set_xlim(all_x[0] / 1.3, all_x[-1] * 1.3)
    set_ticks(axes.xaxis, all_x if few else ticks(all_x[0], all_x[-1]))
    above = [y for y in all_y if y > 0] or [panel.zero_below or 1.0]
    places = ticks(min(above), max(above))
    low, high = min(above) / 1.5, max(above) * 1.5
    if sum(low <= place <= high for place in places) < 2:  # too few to read a scale from
        low, high = places[0] / 1.1, places[-1] * 1.1
    if min(all_y) > 0:
        axes.set_yscale("log")
        axes.set_ylim(low, high)
    else:
        least = panel.zero_below or 1.0
        axes.set_yscale("symlog", linthresh=least, linscale=0.3)
        axes.set_ylim(-0.2 * least, high)
        places = [0, *(place for place in ticks(least, max(above)) if place >= least)]
    set_ticks(axes.yaxis, places)


def ticks(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, ... from below the values to above them; decades alone where the values span more than three."""
    first, last = math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1
    steps = (1, 2, 5) if high <= 1000 * low else (1,)
    values = [float(f"{step}e{e}") for e in range(first, last + 1) for step in steps]
    return values[
        max(i for i, v in enumerate(values) if v < low) : min(i for i, v in enumerate(values) if v > high) + 1
    ]


def set_ticks(axis: Any, values: list[float]) -> None:
    axis.set_major_locator(matplotlib().ticker.FixedLocator(values))
    axis.set_major_formatter(matplotlib().ticker.FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_locator(matplotlib().ticker.NullLocator())


def number(value: float) -> str:
    """0.01, 1, 5000, 20k, 5M"""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 10 * factor or (value >= factor and factor > 1e3):
            return f"{value / factor:g}{prefix}"
    return f"{value:g}"


def draw_bars(axes: Axes, bars: Bars) -> None:
    axes.set_title(bars.title, loc="left", fontsize=9, fontweight="bold")
    places = range(len(bars.labels))
    start = [0.0] * len(bars.labels)
    for k, part in enumerate(bars.parts):
        width = [100 * row[k] for row in bars.shares]
        color = REST_COLOR if part == REST else COLORS[k % len(COLORS)]
        axes.barh(places, width, left=start, height=0.8, color=color, edgecolor="white", linewidth=0.3, label=part)
        start = [a + b for a, b in zip(start, width, strict=True)]
    axes.set_yticks(list(places), bars.labels)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of a step")
    axes.set_axisbelow(True)
    axes.grid(axis="y", visible=False)
    axes.margins(y=0.01)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, ncols=1 if len(bars.labels) > 8 else 2)


def save(figure: Figure, path: str | pathlib.Path) -> None:
    """Writes a figure to a .svg or .png file, whole or not at all.

    Raises InvalidArgument for another ending, and OSError where it can't be written.
    """
    path = pathlib.Path(path)
    if path.suffix not in FORMATS:
        raise InvalidArgument(f"{path}: must end in {' or '.join(FORMATS)}")
    content = io.BytesIO()
    # no date and no version of matplotlib: the same figures give the same file
    metadata = {"Date": None, "Creator": None} if path.suffix == ".svg" else {"Software": None}
    with matplotlib().rc_context(SETTINGS):
        figure.savefig(content, format=FORMATS[path.suffix], metadata=metadata)
    with explained("a plot can't be written", path):
        write_whole(path, content.getvalue(), replace=True)
