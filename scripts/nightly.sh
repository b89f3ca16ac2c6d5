#!/usr/bin/env bash
# What takes too long for each push. Goes through all of it and tells at the end what failed. All parts but the first five want a
# CUDA toolkit, and are meant for a machine without a GPU.
#   scripts/nightly.sh [tidy] [python] [clang] [sanitize] [fuzz] [full] [modes] [ptxas] [rehearsal]     those parts, or all
#       tidy       clang-tidy of the sources that commits of the last day changed
#       python     the Python package, built without CUDA, and its tests; a dog learns to walk
#       clang      the short tests on the CPU, compiled by clang++, each file alone: the bits are those of g++
#       sanitize   the same with the address and undefined-behaviour sanitizers (cmake --workflow --preset nightly)
#       fuzz       the fuzz targets, a minute each
#       full       all tests of CUDA code on the emulated device, compiled as it would be for a real one
#       modes      the short ones with the device's checks on: shuffled order, late streams, memory that nobody wrote, races
#       ptxas      the CUDA code for each architecture; registers, stack and spills of every kernel against scripts/registers.csv
#       rehearsal  the run on a machine with a GPU, rehearsed without one (scripts/rehearse.sh)
# Environment: CAIRN_NIGHTLY_SEEDS  orders of blocks, warps and lanes to try (3)
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/parts.sh
take_parts nightly "tidy python clang sanitize fuzz full modes ptxas rehearsal" "$@"

scripts/setup.sh
. scripts/architecture.sh
if [ -z "$CAIRN_NVCC" ] && { wanted full || wanted modes || wanted ptxas || wanted rehearsal; }; then
  echo "nightly: no nvcc found" >&2
  exit 2
fi
logs=build/nightly
mkdir -p $logs

. scripts/findings.sh
failures=()
# a command's output goes to a file; a failure, or a finding of the device, is kept for the end
record() {
  local name=$1 seconds=$SECONDS
  shift
  if ! "$@" >"$logs/$name.txt" 2>&1; then
    echo "nightly: $name FAILED; the end of $logs/$name.txt:"
    tail -n 15 "$logs/$name.txt"
    failures+=("$name")
  elif grep -q 'no CUDA device' "$logs/$name.txt"; then
    echo "nightly: $name was skipped; see $logs/$name.txt"
    failures+=("$name")
  elif [[ $name != ptx_device ]] && findings "$logs/$name.txt" >"$logs/findings.txt"; then
    echo "nightly: $name has findings of the device, in $logs/$name.txt:"
    cut -c 1-300 "$logs/findings.txt" | head -n 5
    failures+=("$name")
  else
    echo "nightly: $name passed in $((SECONDS - seconds)) s"
  fi
}

if wanted tidy; then
  mapfile -t changed < <(git log --since=1.day --name-only --diff-filter=d --format= -- 'src/*.cpp' 'tools/cairn/*.cpp' \
    'scenes/*.cpp' 'tests/*.cpp' ':!tests/fuzz' | sort -u)
  # a file may be gone again
  mapfile -t changed < <(git ls-files -- "${changed[@]:-none}")
  [ ${#changed[@]} -eq 0 ] || record tidy scripts/lint.sh tidy "${changed[@]}"
fi
if wanted python; then
  record python env CAIRN_LONG=1 CAIRN_PYTHON_CMAKE=-DCAIRN_CUDA=OFF scripts/python_test.sh
fi
# all but the tests that take minutes each
workflow() { CTEST_PARALLEL_LEVEL=$(nproc) cmake --workflow --preset "$1"; }
if wanted clang; then
  scripts/setup.sh clang
  record clang workflow nightly_clang
  # every scene by every solver, with materials that bounce and roll and direct solution; every block of a heap that fails
  record contract env CAIRN_LONG=1 ctest --preset clang --parallel "$(nproc)" -L contract
  record long env CAIRN_LONG=1 ctest --preset clang --parallel "$(nproc)" \
    -R 'Failing|BatchWorlds|ClosingFuzz|CcdOfEveryKind|PartsOf|Floats|add_subdirectory'
fi
if wanted sanitize; then
  record sanitize workflow nightly
fi
if wanted fuzz; then
  record fuzz scripts/fuzz.sh 60
fi

if wanted full || wanted modes; then
  cmake --preset ptx -DCAIRN_DEVELOPER=ON -DCAIRN_CUDA_QUICK=OFF >$logs/configure.txt
  cmake --build build/ptx --parallel "$(nproc)" >$logs/build.txt || { tail -n 30 $logs/build.txt; exit 1; }
fi
tests() { ctest --test-dir build/ptx --verbose --no-tests=error --parallel "$(nproc)" "$@"; }
if wanted full; then
  record ptx_device tests -L ptx_device
  record full tests -C full -L gpu
fi
if wanted modes; then
  for ((seed = 1; seed <= ${CAIRN_NIGHTLY_SEEDS:-3}; ++seed)); do
    record seed_$seed env PTX_DEVICE_SEED=$seed PTX_DEVICE_LATE=$((seed % 2)) ctest --test-dir build/ptx --verbose -L gpu_short \
      --no-tests=error --parallel "$(nproc)"
  done
  record reads env PTX_DEVICE_INITCHECK=1 PTX_DEVICE_POISON_ZERO=1 build/ptx/bin/cairn_test_parity_gpu \
    --gtest_filter='Brief/*:GpuGrains*'
  record races env PTX_DEVICE_RACECHECK=1 build/ptx/bin/cairn_test_parity_gpu --gtest_filter='Gpu/*:Brief/*'
fi
# device code alone, and again where it is there: ptxas tells of a kernel when it makes it
assemble() {
  local build=build/ptxas_$1 objects
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCAIRN_CUDA=ON -DCAIRN_CUDA_ARCHITECTURES=$1 \
    -DCMAKE_CUDA_FLAGS=-Xptxas=-v -DCAIRN_TESTS=OFF -DCAIRN_TOOLS=OFF -DCAIRN_BENCHMARKS=OFF -DCAIRN_C_API=OFF || return
  mapfile -t objects < <(ninja -C $build -t targets all | sed -n 's/\(.*\.cu\.o\): .*/\1/p')
  [ ${#objects[@]} -gt 0 ] || { echo "no device code in $build"; return 1; }
  rm -f "${objects[@]/#/$build/}"
  ninja -C $build -j "$(nproc)" --verbose "${objects[@]}"
}
if wanted ptxas; then
  reports=()
  known=$("$CAIRN_NVCC" --list-gpu-arch)
  for architecture in $(sed -n 's/^  set(architectures \([0-9 ]*\))$/\1/p' cmake/cairn_cuda.cmake); do
    [[ $known$'\n' == *compute_$architecture$'\n'* ]] || continue
    record ptxas_$architecture assemble $architecture
    reports+=("$logs/ptxas_$architecture.txt")
  done
  record registers scripts/registers.py "${reports[@]}"
fi
if wanted rehearsal; then
  record rehearsal scripts/rehearse.sh
fi

if [ ${#failures[@]} -gt 0 ]; then
  echo "nightly: FAILED: ${failures[*]}; see $logs/"
  exit 1
fi
echo "nightly: ${parts[*]} passed"
