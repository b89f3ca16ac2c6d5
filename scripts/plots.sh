#!/usr/bin/env bash
# Draws the plots again that are made from figures in git (docs/plots.md):   scripts/plots.sh [TEXT]
# TEXT picks the plots that have it in their names. PYTHON names an interpreter that has matplotlib and can import cairn
# (build/venv/bin/python, with the package that scripts/test.sh builds).
# Exit codes: 0 good; else that of the first plot that can't be drawn.
set -euo pipefail
cd "$(dirname "$0")/.."
results=benchmarks/results

# the plot, and its figures where they don't lie beside it
plots=(
  "docs/lab.svg $results/lab-cpu-2026-12-01.json"
  "$results/bench-cpu-batch-2026-11-20.svg"
  "$results/bench-cpu-piles-2026-11-20.svg"
  "$results/peers-intel-r-xeon-r-processor-2026-11-20-numerics-4.svg"
)

python=${PYTHON:-build/venv/bin/python}
for package in build/ptx/python build/release/python; do
  [ ! -f "$package/cairn/_core.pyi" ] || built=$package
done
export PYTHONPATH=${PYTHONPATH:-${built:-}}

for entry in "${plots[@]}"; do
  read -r plot figures <<<"$entry"
  [[ $plot == *"${1:-}"* ]] || continue
  "$python" -m cairn.plot "${figures:-${plot%.svg}.json}" -o "$plot"
  echo "$plot"
done
