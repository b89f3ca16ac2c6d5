#!/usr/bin/env bash
# Looks at the form of the code: clang-format (version 14) of all of it and names of files, which CI does; and clang-tidy.
#   scripts/lint.sh                     names the files that clang-format would change, those with one name in a tree, and
#                                       namespaces that several folders of tests have
#   scripts/lint.sh format              changes them
#   scripts/lint.sh tidy [FILE...]      clang-tidy of these source files, or all (an hour on two cores)
# Exit codes: 0 all is well, 1 something isn't, 2 a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-check}
[ $# -eq 0 ] || shift
sources=('*.h' '*.cuh' '*.inl' '*.cpp' '*.cu')

find_format() {
  local tool
  for tool in clang-format-14 clang-format; do
    ! "$tool" --version 2>/dev/null | grep -q 'version 14\.' || { echo "$tool"; return; }
  done
}

case $mode in
  check | format)
    format=$(find_format)
    if [ -z "$format" ]; then
      scripts/setup.sh clang-format-14
      format=$(find_format)
    fi
    options=(--dry-run -Werror)
    [ "$mode" = check ] || options=(-i)
    if [ -z "$format" ]; then
      echo "lint: no clang-format of version 14; python3 -m pip install clang-format==14.0.6 gives one" >&2
      exit 2
    fi
    if ! git ls-files -z "${sources[@]}" | xargs -0 -P "$(nproc)" -n 40 "$format" "${options[@]}"; then
      echo "lint: scripts/lint.sh format puts it right" >&2
      exit 1
    fi
    # include/cairn/c has a file for each of include/cairn
    for tree in kernels src tests tools docs python; do
      twice=$(git ls-files "$tree" | sed 's|.*/||' | grep -vE '^(README\.md|CMakeLists\.txt|__init__\.py|__main__\.py)$' | sort | uniq -d)
      if [ -n "$twice" ]; then
        echo "lint: $tree has more than one" $twice >&2
        exit 1
      fi
    done
    # attributes.h comes with the others
    for header in $(git ls-files 'include/cairn/*.h' 'include/cairn/c/*.h' | grep -vE '/(attributes|cairn|cairn_c)\.h$'); do
      whole=include/cairn/cairn.h
      [[ $header != include/cairn/c/* ]] || whole=include/cairn/cairn_c.h
      if ! grep -q "\"${header#include/}\"" $whole; then
        echo "lint: $whole lacks ${header#include/}" >&2
        exit 1
      fi
    done
    version=$(sed -n 's/.*kVersion = "\(.*\)";/\1/p' include/cairn/version.h)
    if ! grep -qx "version: $version" CITATION.cff; then
      echo "lint: CITATION.cff doesn't say version $version" >&2
      exit 1
    fi
    # one program has the tests of several folders; what these two hold is there for several
    twice=$(git grep -E '^namespace [a-z0-9_:]+ \{' -- 'tests/*' |
      sed -E 's|^tests/([^/]+)/[^:]*:namespace ([a-z0-9_:]+) .*|\2 \1|' | sort -u | cut -d ' ' -f 1 | uniq -d |
      grep -vxE 'cairn::(testing_support|exec_cases)' || true)
    if [ -n "$twice" ]; then
      echo "lint: folders of tests share the namespace" $twice "and would see each other's names" >&2
      exit 1
    fi
    ;;
  tidy)
    scripts/setup.sh clang-tidy
    cmake --preset dev -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    files=("$@")
    [ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files 'src/*.cpp' 'tools/*.cpp' 'scenes/*.cpp' 'tests/*.cpp' 'benchmarks/*.cpp')
    printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 4 clang-tidy -p build/dev --quiet --warnings-as-errors='*'
    ;;
  *)
    echo "lint: no mode is called $mode; there are check, format and tidy" >&2
    exit 2
    ;;
esac
