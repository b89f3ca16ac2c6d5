#!/usr/bin/env bash
# Builds Cairn and lets 3,000 boxes fall into a bin, on the GPU if there is one; writes a picture of the pile.
#   scripts/demo.sh [SCENE] [OPTION of `cairn run`...]     the default scene is pile:count=3000
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
# only for the GPU that is here
capability=""
if command -v nvidia-smi >/dev/null; then
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -dc 0-9) || capability=""
fi
cmake --preset release -DCAIRN_CUDA_ARCHITECTURES="${CAIRN_CUDA_ARCHITECTURES:-${capability:-90}}" >/dev/null
cmake --build build/release --parallel "$(nproc)" --target cairn_cli

scene=${1:-pile:count=3000}
[ $# -eq 0 ] || shift
picture=$PWD/pile.png
code=0
build/release/bin/cairn run "$scene" --seconds 10 --device best --picture "$picture" "$@" || code=$?
# 1 says that the run raised a status bit, which the summary names; the picture is there all the same
if [ $code -gt 1 ]; then exit $code; fi
echo "The picture of the pile is in $picture"
exit $code
