#!/bin/bash
# Installs the Python package into a fresh venv and runs its tests: scripts/python_test.sh [FOLDER]. FOLDER (build/python)
# keeps the venv and the build, so that a second run is short. PYTHON names the interpreter; CAIRN_CLI a command line, whose
# hashes are compared.
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/python}")
mkdir -p "$folder"
rm -rf "$folder/venv"
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q ".[$(scripts/python_extras.py)]" -C build-dir="$folder/build" ${CAIRN_PYTHON_CMAKE:+-C cmake.args="$CAIRN_PYTHON_CMAKE"}
if [ -z "${CAIRN_CLI:-}" ] && [ -x build/release/bin/cairn ]; then
  export CAIRN_CLI=$PWD/build/release/bin/cairn
fi
# not from python/, where the sources would be taken for the package
exec "$folder/venv/bin/pytest" -q -rs -p no:cacheprovider python/tests
