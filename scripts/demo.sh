#!/usr/bin/env bash
# Builds Cairn and lets 3,000 boxes fall into a bin, on the GPU if there is one; writes a picture of the pile.
#   scripts/demo.sh [SCENE] [OPTION of `cairn run`...]     the default scene is pile:count=3000
# Environment: CAIRN_CUDA=ON             builds CUDA code where there is no GPU, too
#              CAIRN_CUDA_ARCHITECTURES  what it is built for (the GPU's own)
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
. scripts/architecture.sh
# a program with CUDA code takes several times as long to build
cuda=(-UCAIRN_CUDA)
[ "$CAIRN_GPU" != none ] || cuda=(-DCAIRN_CUDA=OFF)
[ -z "${CAIRN_CUDA:-}" ] || cuda=(-DCAIRN_CUDA="$CAIRN_CUDA")
cmake --preset release "${cuda[@]}" -DCAIRN_CUDA_ARCHITECTURES="$CAIRN_CUDA_ARCHITECTURES" >/dev/null
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
