#!/usr/bin/env bash
# Builds the fuzz targets with clang and runs each.   scripts/fuzz.sh [SECONDS] [TARGET...]     default: 60 s, all of them
# What libFuzzer finds lies in build/fuzz/findings/, its corpus in build/fuzz/corpus/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
[ $# -eq 0 ] || shift
scripts/setup.sh clang



targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for program in build/fuzz/bin/fuzz_*; do targets+=("$(basename "$program")"); done
fi
for target in "${targets[@]}"; do
  seeds=()
  [ ! -d "tests/fuzz/corpus/${target#fuzz_}" ] || seeds=("tests/fuzz/corpus/${target#fuzz_}")
  [ ! -f "tests/fuzz/$target.dict" ] || seeds+=("-dict=tests/fuzz/$target.dict")
  mkdir -p "build/fuzz/corpus/$target" build/fuzz/findings
  echo "fuzz: $target for $seconds s"
  "build/fuzz/bin/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -print_funcs=0 -artifact_prefix="build/fuzz/findings/$target-" "build/fuzz/corpus/$target" "${seeds[@]}" 2>&1 |
    grep -vE '^#[0-9]+.*(NEW|REDUCE|RELOAD|pulse)|# Uses:|commended dictionary'
done
echo "fuzz: clean"
