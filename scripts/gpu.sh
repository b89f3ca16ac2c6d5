#!/usr/bin/env bash
# All that a machine with a CUDA device is for: builds Cairn for the device, runs the tests labelled `gpu`, again under
# compute-sanitizer, then the benchmarks, and collects what they say under benchmarks/results/<gpu>-<date>-<commit>/.
#   scripts/gpu.sh [test] [sanitize] [bench]     those parts, or all; exit code 1 where one failed, 3 where nothing
#       failed but compute-sanitizer doesn't work on this machine
#   scripts/gpu.sh --pack [FOLDER]
#       on a machine with the packages: copies the libraries that the build needs into FOLDER (.deps), for one without
#       them and without a network. There: CAIRN_DEPS=.deps scripts/gpu.sh
# Environment: CAIRN_DEPS         the folder made by --pack
#              CAIRN_BUILD        build folder (build/gpu)
#              CAIRN_COMMIT       the commit's name, where the copy has no .git
#              CAIRN_RESULTS      where results go, in place of benchmarks/results/...; and, as one file, CAIRN_RESULTS.tgz
#              CAIRN_DEVELOPER    ON: warnings are errors (OFF)
#              CAIRN_CMAKE        more options for cmake, as in "-DCAIRN_ARCH=x86-64"
#              CAIRN_BENCH_SUITE  suite of cairn bench (full), and CAIRN_BENCH_LIMIT, seconds for a row (40)
#              CAIRN_SANITIZE_TOOLS   of compute-sanitizer (memcheck racecheck initcheck)
#              CAIRN_SANITIZE_FILTER  GoogleTest filter of the tests that run under it (short ones, every stage)
set -euo pipefail
cd "$(dirname "$0")/.."

pack() {
  local folder=$1 include lib name
  scripts/setup.sh
  rm -rf "$folder"
  mkdir -p "$folder/include" "$folder/lib" "$folder/src"
  for name in CLI nlohmann xxhash.h xxh3.h zstd.h stb libqhull_r rapidcheck rapidcheck.h benchmark; do
    include=/usr/include/$name
    [ -e "$include" ] || { echo "gpu: --pack: no $include" >&2; exit 2; }
    cp -rL "$include" "$folder/include/"
  done
  for name in librapidcheck libbenchmark libzstd libqhull_r; do
    lib=$(find /usr/lib -name "$name.so" -o -name "$name.a" | head -n 1)
    [ -n "$lib" ] || { echo "gpu: --pack: no $name under /usr/lib" >&2; exit 2; }
    # a shared library is there under each of its names
    cp -L "${lib%.*}".* "$folder/lib/"
  done
  # GoogleTest as sources, since its cmake files name the folders of this machine
  cp -rL /usr/src/googletest "$folder/src/"
  echo "gpu: packed into $folder ($(du -sh "$folder" | cut -f 1)); there: CAIRN_DEPS=$folder scripts/gpu.sh"
}

if [ "${1:-}" = --pack ]; then
  pack "${2:-.deps}"
  exit 0
fi
. scripts/parts.sh
take_parts gpu "test sanitize bench" "$@"

if ! nvidia-smi --query-gpu=name --format=csv,noheader >/dev/null 2>&1; then
  echo "gpu: nvidia-smi shows no CUDA device" >&2
  exit 2
fi
scripts/setup.sh
query() { nvidia-smi --query-gpu="$1" --format=csv,noheader | sed -n 1p; }
gpu=$(query name)
slug=$(tr '[:upper:] ' '[:lower:]-' <<<"$gpu" | tr -cd 'a-z0-9-')
commit=${CAIRN_COMMIT:-$(git describe --always --dirty --exclude '*' 2>/dev/null || echo unknown)}
results=${CAIRN_RESULTS:-benchmarks/results/$slug-$(date -u +%Y-%m-%d)-$commit}
build=${CAIRN_BUILD:-build/gpu}
mkdir -p "$results"
# one file, however this ends
[ -z "${CAIRN_RESULTS:-}" ] || trap 'tar czf "$results.tgz" -C "$(dirname "$results")" "$(basename "$results")"' EXIT

generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
read -ra more <<<"${CAIRN_CMAKE:-}"
cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DCAIRN_CUDA=ON \
  -DCAIRN_DEVELOPER="${CAIRN_DEVELOPER:-OFF}" \
  -DCAIRN_CUDA_ARCHITECTURES="$(query compute_cap | tr -d .)" -DCMAKE_CUDA_FLAGS=-lineinfo "${more[@]}" \
  >"$results/configure.log" 2>&1 ||
  { cat "$results/configure.log"; echo "gpu: cmake FAILED; see $results/configure.log" >&2; exit 1; }
if ! cmake --build "$build" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" >"$results/build.log" 2>&1; then
  # not the warnings in front of them
  grep -A 20 -E '^FAILED|(error|fatal) *:|\*\*\*' "$results/build.log" | head -n 100 || tail -n 20 "$results/build.log"
  echo "gpu: the build FAILED; see $results/build.log" >&2
  exit 1
fi

# compute-sanitizer comes with the toolkit, which need not be on the PATH
nvcc=$(sed -n 's/^CAIRN_NVCC:[A-Z]*=//p' "$build/CMakeCache.txt")
PATH=$PATH:$(dirname "$nvcc")
{
  echo "gpu:      $gpu, compute capability $(query compute_cap), $(query memory.total), driver $(query driver_version)"
  echo "clocks:   SM $(query clocks.sm) of $(query clocks.max.sm), memory $(query clocks.mem)"
  echo "toolkit:  $(nvcc --version 2>/dev/null | sed -n 's/.*\(release [0-9.]*\).*/\1/p')"
  echo "cpu:      $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads"
  echo "compiler: $("${CXX:-c++}" --version | head -n 1)"
  echo "commit:   $commit"
  echo "date:     $(date -u +%Y-%m-%dT%H:%MZ)"
} >"$results/machine.txt"
"$build/bin/cairn" info | tee -a "$results/machine.txt"
if ! grep -q '^ *cuda:0' "$results/machine.txt"; then
  echo "gpu: nvidia-smi shows a device and Cairn doesn't: is the driver older than the toolkit?" >&2
  exit 1
fi

failures=()
unsupported=()
# what is a failure whatever the exit code: a skipped test, for there is a device; a benchmark that gave up, with which Google
# Benchmark ends with 0; what compute-sanitizer counts
bad='SKIPPED|\*\*\*Skipped|ERROR OCCURRED|SUMMARY:(.*[^0-9])?[1-9][0-9]* error'
# a command's output goes to a file and its last lines to the screen; a failure is kept for the end
record() {
  local name=$1 seconds=$SECONDS code=0
  shift
  "$@" >"$results/$name.txt" 2>&1 || code=$?
  if [ $code -ne 0 ]; then
    echo "gpu: $name FAILED (exit code $code) after $((SECONDS - seconds)) s; the end of $results/$name.txt:"
    tail -n 30 "$results/$name.txt"
    failures+=("$name")
  elif grep -qE "$bad" "$results/$name.txt"; then
    echo "gpu: $name FAILED: $(grep -m 1 -E "$bad" "$results/$name.txt"); see $results/$name.txt"
    failures+=("$name")
  else
    echo "gpu: $name passed in $((SECONDS - seconds)) s"
  fi
}

if wanted test; then
  # one process at a time: of thirteen at once on an H200 each waits for the others' turns
  record ctest ctest --test-dir "$build" -L gpu --verbose --no-tests=error
fi

if wanted sanitize; then
  filter=${CAIRN_SANITIZE_FILTER:-'Gpu/Exec*:*GpuStages*wall*:GpuParity.steps_that*:PictureGpu*'}
  # a program without a fault, to tell faults of ours from machines on which compute-sanitizer can't watch kernels
  probe=$build/bin/cairn_probe
  if ! "$probe" >"$results/probe.txt" 2>&1; then
    echo "gpu: sanitize FAILED: the probe doesn't run even by itself; see $results/probe.txt"
    failures+=(sanitize)
  elif ! compute-sanitizer --error-exitcode 9 "$probe" >"$results/probe.txt" 2>&1 ||
    ! grep -q 'ERROR SUMMARY: 0 errors' "$results/probe.txt" || grep -qi 'not supported' "$results/probe.txt"; then
    echo "gpu: sanitize: not supported here; compute-sanitizer says of a program without a fault:"
    tail -n 5 "$results/probe.txt"
    unsupported+=(sanitize)
  else
    checked=0
    for tool in ${CAIRN_SANITIZE_TOOLS:-memcheck racecheck initcheck}; do
      # CUB's kernels are many, slow to check and not ours
      exclude=()
      [ "$tool" != racecheck ] || exclude=(--kernel-name-exclude kernel_substring=cub)
      for program in "$build"/bin/cairn_test_*; do
        # a program without such tests has nothing to check. Not grep -q: it would stop reading, and the pipe would fail
        "$program" --gtest_list_tests --gtest_filter="$filter" | grep '^  ' >/dev/null || continue
        checked=$((checked + 1))
        record "$tool-$(basename "$program")" compute-sanitizer --tool "$tool" "${exclude[@]}" --error-exitcode 9 \
          --print-limit 20 "$program" --gtest_filter="$filter"
      done
    done
    [ $checked -gt 0 ] || { echo "gpu: no test matches what compute-sanitizer should run"; failures+=(sanitize); }
  fi
fi

if wanted bench; then
  # the whole suite, in minutes: a row that takes longer than the limit says so and stops
  record bench "$build/bin/cairn" bench --device cuda:0 --suite "${CAIRN_BENCH_SUITE:-full}" \
    --limit "${CAIRN_BENCH_LIMIT:-40}" --commit "$commit" --json "$results/bench.json"
  if [ -x "$build/bin/cairn_benchmarks" ]; then
    record stages "$build/bin/cairn_benchmarks" --benchmark_out="$results/stages.json" --benchmark_out_format=json
    [[ " ${failures[*]} " == *" stages "* ]] || grep -q '^step/.*cuda:0' "$results/stages.txt" ||
      { echo "gpu: stages FAILED: none of them ran on the device; see $results/stages.txt"; failures+=(stages); }
  fi
fi

if [ ${#failures[@]} -gt 0 ]; then
  echo "gpu: FAILED: ${failures[*]}; see $results/"
  exit 1
fi
if [ ${#unsupported[@]} -gt 0 ]; then
  echo "gpu: nothing failed, but not supported here: ${unsupported[*]}; results in $results/"
  exit 3
fi
echo "gpu: ${parts[*]} passed; results in $results/"
