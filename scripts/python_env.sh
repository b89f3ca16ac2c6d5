#!/usr/bin/env bash
# A venv with what the Python package is built and tested with (pyproject.toml):   scripts/python_env.sh FOLDER
# Prints the options that cmake needs to build the package with it. PYTHON names the interpreter.
# Exit codes: 0 good, 2 it can't be made here; stderr says why.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:?a folder}")
python=${PYTHON:-python3}

# of 3.11, whose headers and venv are there
usable() {
  command -v "$python" >/dev/null && "$python" - <<'CHECK' 2>/dev/null
import ensurepip, os, sys, sysconfig, venv
sys.exit(sys.version_info < (3, 11) or not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
CHECK
}
usable || { [ -n "${PYTHON:-}" ] || scripts/setup.sh python3-dev python3-venv >&2; } || true
usable || { echo "python_env: no Python of 3.11 or later with its headers" >&2; exit 2; }

[ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
mapfile -t needed < <("$folder/bin/python" - <<'LIST'
import tomllib
with open("pyproject.toml", "rb") as file:
    of = tomllib.load(file)
project = of["project"]
print(*of["build-system"]["requires"], *project["dependencies"], *project["optional-dependencies"]["test"], sep="\n")
LIST
)
"$folder/bin/pip" install -q --disable-pip-version-check "${needed[@]}" >&2 ||
  { echo "python_env: pip can't install ${needed[*]}" >&2; exit 2; }
echo "-DCAIRN_PYTHON=ON"
echo "-DPython_EXECUTABLE=$folder/bin/python"
echo "-Dnanobind_DIR=$("$folder/bin/python" -m nanobind --cmake_dir)"
