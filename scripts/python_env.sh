#!/usr/bin/env bash
# A venv with what the Python package is built and tested with (pyproject.toml):   scripts/python_env.sh FOLDER [more]
# Prints the options that cmake needs to build the package with it. PYTHON names the interpreter of a new venv. With `more` it puts into
# that venv what some tests are left out without, which takes minutes, and prints nothing.
# Exit codes: 0 good, 2 it can't be made here; stderr says why.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:?a folder}")
python=${PYTHON:-python3}

cannot() {
  echo "python_env: $1" >&2
  exit 2
}

# of 3.11, whose headers and venv are there
usable() {
  command -v "$python" >/dev/null && "$python" - <<'CHECK' 2>/dev/null
import ensurepip, os, sys, sysconfig, venv
sys.exit(sys.version_info < (3, 11) or not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
CHECK
}
usable || { [ -n "${PYTHON:-}" ] || scripts/setup.sh python3-dev python3-venv >&2; } || true
usable || cannot "no Python of 3.11 or later with its headers and venv"

"$folder/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear "$folder" >&2 ||
  cannot "$python -m venv $folder failed"
install() { "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@" >&2; }
listed() {
  "$folder/bin/python" - "$1" <<'LIST'
import sys, tomllib
with open("pyproject.toml", "rb") as file:
    of = tomllib.load(file)
extras = of["project"]["optional-dependencies"]
more = [name for extra in extras if extra != "test" for name in extras[extra]]
needed = [*of["build-system"]["requires"], *of["project"]["dependencies"], *extras["test"]]
print(*(needed if sys.argv[1] == "needed" else [name for name in more if name not in needed]), sep="\n")
LIST
}
if [ "${2:-}" = more ]; then
  mapfile -t more < <(listed more)
  # one by one only where one can't be had
  install "${more[@]}" 2>/dev/null && exit 0
  for name in "${more[@]}"; do
    install "$name" || echo "python_env: without $name; tests that want it are skipped" >&2
  done
  exit 0
fi
mapfile -t needed < <(listed needed)
install "${needed[@]}" || cannot "pip can't install ${needed[*]}"
echo "-DCAIRN_PYTHON=ON"
echo "-DPython_EXECUTABLE=$folder/bin/python"
echo "-Dnanobind_DIR=$("$folder/bin/python" -m nanobind --cmake_dir)"
