#!/usr/bin/env bash
# Builds Cairn with its tests and runs them.   scripts/test.sh [CTEST OPTION...]     for example: scripts/test.sh -R Tower
# Where there is a CUDA toolkit and no GPU, CUDA code runs on the emulated device (tools/ptx_device, build/ptx): the tests labelled
# gpu_short, or with CAIRN_GPU_TESTS=all those labelled gpu_full, too (docs/building.md). Where there is Python with its headers, and pip
# reaches its packages, the Python package is built and tested, too (docs/python.md).
# Environment: CAIRN_CUDA_ARCHITECTURES  what the CUDA code is built for, where there is a GPU (its own)
#              CAIRN_GPU_TESTS=all       all tests of the emulated device but the scenes in full size
#              CI=true                   warnings are errors, the Python package isn't left out, and device code is compiled quickly
#                                        rather than well
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
. scripts/architecture.sh
if [ "$CAIRN_GPU" = none ] && [ -n "$CAIRN_NVCC" ]; then
  preset=ptx
  options=()
else
  preset=release
  options=(-DCAIRN_CUDA_ARCHITECTURES="$CAIRN_CUDA_ARCHITECTURES")
fi
[ "${CI:-}" != true ] || options+=(-DCAIRN_DEVELOPER=ON -DCAIRN_CUDA_QUICK=ON)
if for_python=$(scripts/python_env.sh build/venv); then
  mapfile -t -O ${#options[@]} options <<<"$for_python"
  # it waits for the network, and nothing needs it before the tests
  scripts/python_env.sh build/venv more &
elif [ "${CI:-}" = true ]; then
  exit 2
else
  options+=(-DCAIRN_PYTHON=OFF)
  echo "test: the Python package is left out"
fi
configuration=Release
[ "${CAIRN_GPU_TESTS:-}" != all ] || configuration=full

cmake --preset $preset "${options[@]}"
cmake --build build/$preset --parallel "$(nproc)"
wait
# last, so that ctest's verdict is the script's last line and its exit code
exec ctest --test-dir build/$preset --output-on-failure --no-tests=error --parallel "$(nproc)" -C $configuration "$@"
