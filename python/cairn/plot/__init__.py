"""Charts of the figures that the command line measures, drawn by matplotlib: `pip install matplotlib`.

    python -m cairn.plot bench.json -o bench.svg

draws what `cairn bench --json`, `cairn lab --json` and benchmarks/peers/compare.py write. docs/plots.md has more.
"""

from ._charts import Bars, Chart, Line, Panel, read
from ._draw import draw, save

__all__ = ["Bars", "Chart", "Line", "Panel", "draw", "read", "save"]
