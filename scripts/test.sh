#!/usr/bin/env bash
# Builds Cairn with its tests and runs them.   scripts/test.sh [CTEST OPTION...]     for example: scripts/test.sh -R Tower
# Environment: CAIRN_CUDA_ARCHITECTURES  what the CUDA code is built for, where a toolkit is found (CI=true: 90)
#              CI=true                   warnings are errors
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
options=()
if [ "${CI:-}" = true ]; then
  CAIRN_CUDA_ARCHITECTURES=${CAIRN_CUDA_ARCHITECTURES:-90}
  options+=(-DCAIRN_DEVELOPER=ON)
fi
if [ -n "${CAIRN_CUDA_ARCHITECTURES:-}" ]; then
  options+=("-DCAIRN_CUDA_ARCHITECTURES=$CAIRN_CUDA_ARCHITECTURES")
fi

cmake --preset release "${options[@]}"
cmake --build build/release --parallel "$(nproc)"
# last, so that ctest's verdict is the script's last line and its exit code
exec ctest --test-dir build/release --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
