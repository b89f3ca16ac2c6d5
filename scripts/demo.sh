#!/usr/bin/env bash
# Builds Cairn and lets 3,000 boxes fall into a bin, on the GPU if there is one; writes a picture of the pile.
#   scripts/demo.sh [SCENE] [OPTION of `cairn run`...]     the default scene is pile:count=3000
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
. scripts/architecture.sh
cmake --preset release -DCAIRN_CUDA_ARCHITECTURES="$CAIRN_CUDA_ARCHITECTURES" >/dev/null
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
