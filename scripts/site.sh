#!/usr/bin/env bash
# Makes the docs a site in FOLDER (build/site):   scripts/site.sh [FOLDER]
# Pages are docs/*.md, README.md, the examples as notebooks with what they print, and a reference of the Python package,
# which must have been built (scripts/test.sh builds it). A link that leads nowhere, a page without a place in the
# navigation, and an example that fails are errors.
# Environment: CAIRN_PACKAGE  folder of the built package (build/release/python or build/ptx/python)
#              PYTHON         an interpreter that can import it (build/venv/bin/python). What the site needs beside
#                             that is installed into its environment (pyproject.toml)
# Exit codes: 0 the site is made, 1 something in it is wrong, 2 it can't be made here.
set -euo pipefail
cd "$(dirname "$0")/.."
site=$(realpath -m "${1:-build/site}")
python=${PYTHON:-build/venv/bin/python}

cannot() {
  echo "site: $1" >&2
  exit 2
}

for package in ${CAIRN_PACKAGE:-build/release/python build/ptx/python}; do
  [ ! -f "$package/cairn/_core.pyi" ] || break
done
[ -f "$package/cairn/_core.pyi" ] || cannot "no built package in $package: scripts/test.sh builds it"
command -v "$python" >/dev/null || cannot "no interpreter $python: scripts/test.sh makes it, or PYTHON names one"
export PYTHONPATH=$(realpath "$package")
export CAIRN_PACKAGE=$PYTHONPATH
"$python" -c 'import cairn' || cannot "$python can't import the package in $package"
if ! "$python" -c 'import jupytext, material, mkdocs, mkdocstrings_handlers.python' 2>/dev/null; then
  mapfile -t needed < <("$python" -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["project"]["optional-dependencies"]["site"], sep="\n")')
  "$python" -m pip install -q --disable-pip-version-check "${needed[@]}" || cannot "pip can't install ${needed[*]}"
fi
export NO_MKDOCS_2_WARNING=1  # the theme's, about a version that isn't taken
exec "$python" -m mkdocs build --quiet --strict --config-file scripts/site/mkdocs.yml --site-dir "$site"
