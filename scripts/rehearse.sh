#!/usr/bin/env bash
# Rehearses the first run on a machine with a GPU, on one with a CUDA toolkit and without a GPU: copies the last commit and the
# packed libraries into a folder without .git, and runs scripts/gpu.sh there, without a network where the system allows that.
# Programs run on the emulated device (tools/ptx_device); stand-ins for nvidia-smi and compute-sanitizer lie in scripts/rehearsal.
#   scripts/rehearse.sh [test] [sanitize] [bench]     those parts of gpu.sh, or all; its exit code, and 1
#       where the libraries of that machine were used in place of the packed ones
# Environment: CAIRN_REHEARSAL  folder of the copy, its build and the results (build/rehearsal); a build that is there goes on.
#              And that of gpu.sh, whose suite, limit and filters are by default what an interpreter can do in minutes;
#              CAIRN_CMAKE=-DCAIRN_GPU_TESTS_ONLY=OFF builds all tests, as gpu.sh by itself does
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(realpath -m "${CAIRN_REHEARSAL:-build/rehearsal}")
copy=$folder/cairn
mkdir -p "$copy"
# files that are there and didn't change stay as they are, so that they aren't built again
GIT_INDEX_FILE=$folder/index git --work-tree="$copy" read-tree -u --reset HEAD
[ -d "$copy/.deps" ] || { scripts/gpu.sh --pack "$copy/.deps.part" && mv "$copy/.deps.part" "$copy/.deps"; }
CAIRN_COMMIT=$(git describe --always --exclude '*')

export CAIRN_COMMIT CAIRN_DEPS=.deps CAIRN_RESULTS=${CAIRN_RESULTS:-$folder/results}
export CAIRN_CMAKE="-DCAIRN_PTX_DEVICE=ON -DCAIRN_CUDA_QUICK=ON -DCAIRN_GPU_TESTS_ONLY=ON ${CAIRN_CMAKE:-}"
export CAIRN_SANITIZE_FILTER=${CAIRN_SANITIZE_FILTER:-'Gpu/Exec*:*GpuStages*wall*:PictureGpu*'}
export CAIRN_BENCH_SUITE=${CAIRN_BENCH_SUITE:-quick} CAIRN_BENCH_LIMIT=${CAIRN_BENCH_LIMIT:-10}
# of cairn_benchmarks
export BENCHMARK_FILTER=${BENCHMARK_FILTER:-'tower|n:256/threads:1'}
# the copy lies in a repository, and must not find it
export GIT_CEILING_DIRECTORIES=$folder
offline=()
if unshare --map-root-user --net true 2>/dev/null; then
  offline=(unshare --map-root-user --net)
fi
cd "$copy"
code=0
PATH=$copy/scripts/rehearsal:$PATH "${offline[@]}" scripts/gpu.sh "$@" || code=$?
# what this machine has by itself would hide that something isn't packed
if grep -E '^(CAIRN_[a-z0-9_]+_(INCLUDE|LIBRARY)|GTest_DIR):' "${CAIRN_BUILD:-build/gpu}/CMakeCache.txt" |
  grep -v "=$copy/.deps/"; then
  echo "rehearse: FAILED: these aren't the packed ones; after a change of gpu.sh --pack, remove $copy/.deps"
  code=1
fi
exit $code
