#!/usr/bin/env bash
# Builds Cairn with its tests and runs them.   scripts/test.sh [CTEST OPTION...]     for example: scripts/test.sh -R Tower
# Environment: CAIRN_CUDA_ARCHITECTURES  what the CUDA code is built for, where a toolkit is found (that of the GPU here, or 90)
#              CI=true                   warnings are errors, and device code is compiled quickly rather than well
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
. scripts/architecture.sh
options=()
[ "${CI:-}" != true ] || options+=(-DCAIRN_DEVELOPER=ON -DCAIRN_CUDA_QUICK=ON)

cmake --preset release -DCAIRN_CUDA_ARCHITECTURES="$CAIRN_CUDA_ARCHITECTURES" "${options[@]}"
cmake --build build/release --parallel "$(nproc)"
# last, so that ctest's verdict is the script's last line and its exit code
exec ctest --test-dir build/release --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
