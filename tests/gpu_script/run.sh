#!/usr/bin/env bash
# What scripts/gpu.sh makes of faults: runs it with stand-ins for every program that it starts, with one fault at a time, and
# compares exit code and message. Takes seconds; needs neither a GPU nor a toolkit. For the run itself, see scripts/rehearse.sh.
#   tests/gpu_script/run.sh       exit code 1 where one isn't as expected
set -euo pipefail
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/bin"
cp -r scripts "$copy/"

# one program that stands for all; $broken says what is wrong
cat >"$copy/bin/program" <<'END'
#!/usr/bin/env bash
case $(basename "$0")" $*" in
  cmake*--version) echo "cmake version 3.25.0" ;;
  cmake*-S*)
    [ "$broken" != configure ] || { echo "CMake Error: no CUDA"; exit 1; }
    mkdir -p build/gpu/bin
    echo "CAIRN_NVCC:FILEPATH=/nowhere/nvcc" >build/gpu/CMakeCache.txt
    for name in cairn cairn_probe cairn_test_parity_gpu cairn_test_world cairn_benchmarks; do cp "$0" build/gpu/bin/$name; done ;;
  cmake*--build*)
    [ "$broken" != killed ] || { echo "Killed"; exit 1; }
    [ "$broken" != build ] || { yes "errors.h: warning: so it goes" | head -n 200; echo "world.cpp:1:1: error: what is it?"; exit 1; } ;;
  nvidia-smi*)
    [ "$broken" != no_device ] || { echo "NVIDIA-SMI has failed"; exit 9; }
    exec scripts/rehearsal/nvidia-smi "$@" ;;
  ctest*)
    [ "$broken" != test ] || { echo "1 test failed"; exit 8; }
    [ "$broken" != skipped ] || echo "GpuParity.holds ...***Skipped"
    [ "$broken" != no_tests ] || { echo "No tests were found!!!"; exit 8; } ;;
  compute-sanitizer*)
    [ "$broken" != unsupported ] || { echo "Error: device not supported"; exit 1; }
    exec scripts/rehearsal/compute-sanitizer "$@" ;;
  "cairn info") [ "$broken" = blind ] || echo "  cuda:0   a device" ;;
  "cairn bench"*)
    [ "$broken" != bench ] || { echo "no figure: the state is not finite"; exit 3; } ;;
  cairn_probe*) [ "$broken" != probe ] || { echo "probe: no kernel image"; exit 1; } ;;
  cairn_test_parity_gpu*--gtest_list_tests*) [ "$broken" = no_match ] || echo "  sorts" ;;
  cairn_test_parity_gpu*)
    [ "$broken" != finding ] || echo "ptx-device: FAULT: past the end"
    [ "$broken" != hazard ] || echo "RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)" ;;
  cairn_benchmarks*)
    [ "$broken" = no_stages ] || echo "step/tower/cuda:0 1 ms"
    [ "$broken" != gives_up ] || echo "step/pile/cuda:0 ERROR OCCURRED: 'two runs ended with different bits'" ;;
esac
END
chmod +x "$copy/bin/program"
for name in cmake ninja ctest nvidia-smi compute-sanitizer nvcc; do ln -s program "$copy/bin/$name"; done

wrong=0
# expect FAULT CODE MESSAGE [PART...]
expect() {
  local name=$1 code=$2 message=$3 got=0
  shift 3
  rm -rf "$copy/build" "$copy/results" "$copy/results.tgz"
  (cd "$copy" && broken=$name CAIRN_DEPS=$copy CAIRN_COMMIT=none CAIRN_RESULTS=$copy/results PATH=$copy/bin:$PATH \
    scripts/gpu.sh "$@" >"$copy/said.txt" 2>&1) || got=$?
  local collected=yes
  # before there is a device and a part to run, there are no results
  if [ "$code" -ne 2 ]; then tar tzf "$copy/results.tgz" results/configure.log >/dev/null 2>&1 || collected=no; fi
  if [ $got -eq "$code" ] && grep -qF -- "$message" "$copy/said.txt" && [ $collected = yes ]; then
    echo "$name: as expected"
  else
    echo "$name: exit code $got, expected $code with '$message'; results collected: $collected. It said:"
    cat "$copy/said.txt"
    wrong=1
  fi
}
expect nothing 0 "gpu: test sanitize bench passed"
expect nothing 0 "gpu: test passed" test
expect nothing 2 "no part is called tests" tests
expect no_device 2 "shows no CUDA device"
expect configure 1 "gpu: cmake FAILED"
expect build 1 "world.cpp:1:1: error:"
expect killed 1 "gpu: the build FAILED"
expect blind 1 "and Cairn doesn't"
expect test 1 "gpu: ctest FAILED (exit code 8)"
expect skipped 1 "gpu: FAILED: ctest;"
expect no_tests 1 "gpu: FAILED: ctest;"
expect probe 1 "gpu: FAILED: sanitize;"
expect unsupported 3 "not supported here: sanitize"
expect finding 1 "gpu: FAILED: memcheck-cairn_test_parity_gpu racecheck-cairn_test_parity_gpu initcheck-cairn_test_parity_gpu;"
expect hazard 1 "gpu: memcheck-cairn_test_parity_gpu FAILED: RACECHECK SUMMARY: 2 hazards"
expect no_match 1 "gpu: FAILED: sanitize;"
expect bench 1 "gpu: FAILED: bench;"
expect gives_up 1 "gpu: FAILED: stages;"
expect no_stages 1 "gpu: FAILED: stages;"
exit $wrong
