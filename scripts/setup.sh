#!/usr/bin/env bash
# Installs what this machine lacks to build Cairn; says nothing where all is there.
#   scripts/setup.sh [PACKAGE...]     further Debian packages, such as clang
# Exit codes: 0 all is there, 2 something is missing that this script can't install.
set -euo pipefail

packages=(cmake ninja-build g++ libgtest-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev libxxhash-dev libzstd-dev
  libstb-dev libqhull-dev librapidcheck-dev "$@")

version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# a machine without apt-get, or prepared with scripts/gpu.sh --pack, needs only the tools; the libraries are cmake's to find
check_tools() {
  local missing=()
  command -v cmake >/dev/null || missing+=("cmake 3.25 or newer")
  command -v ninja >/dev/null || missing+=("ninja")
  command -v "${CXX:-c++}" >/dev/null || missing+=("a C++20 compiler: g++ 11 or clang 14, or newer")
  if [ ${#missing[@]} -gt 0 ]; then
    echo "setup: this script installs packages of Debian and Ubuntu only; here, please install:" >&2
    printf '  - %s\n' "${missing[@]}" \
      "the development files of GoogleTest, Google Benchmark, RapidCheck, CLI11, nlohmann-json, xxHash, zstd, stb, qhull" >&2
    exit 2
  fi
}

check_cmake() {
  local version
  version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  if ! version_at_least "$version" 3.25; then
    echo "setup: cmake is $version, and Cairn needs 3.25 or newer; python3 -m pip install cmake gives one" >&2
    exit 2
  fi
}

if [ -n "${CAIRN_DEPS:-}" ] || ! command -v apt-get >/dev/null; then
  check_tools
  check_cmake
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  # a tool that came from elsewhere than its package will do
  case $package in
    cmake) command -v cmake >/dev/null && continue ;;
    ninja-build) command -v ninja >/dev/null && continue ;;
    g++) command -v "${CXX:-g++}" >/dev/null && continue ;;
    clang) command -v clang++ >/dev/null && continue ;;
  esac
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: missing packages, and neither root nor sudo to install them: apt-get install ${missing[*]}" >&2
      exit 2
    fi
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
    --no-install-recommends "${missing[@]}" >/dev/null
fi
check_cmake
