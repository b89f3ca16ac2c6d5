#!/usr/bin/env bash
# Compares Cairn with Bullet, ODE and MuJoCo on this machine, and with Box3D and Jolt where their sources are: gets and
# builds what that needs, then runs compare.py.
#   benchmarks/peers/run.sh [options of compare.py, such as --rounds 3 --scenes lattice:n=16]
# Environment: CAIRN_PEERS_BUILD (build folder, default build/peers), CAIRN_JOBS (parallel compilers, default all),
# CAIRN_PEERS_BOX3D and CAIRN_PEERS_JOLT (folders with the sources of Box3D and of Jolt Physics).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(realpath -m "${CAIRN_PEERS_BUILD:-$root/build/peers}")
jobs=${CAIRN_JOBS:-$(nproc)}
mkdir -p "$build"

"$root/scripts/setup.sh" libbullet-dev libode-dev pkg-config dpkg-dev python3-venv util-linux

# Bullet's source from the system's own package sources. The lists live in the build folder, so that the system's stay
# as they are and no root is needed: each Debian or Ubuntu entry is taken once more, for source packages.
fetch_bullet() {
  local apt=$build/apt
  mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -nE '/^deb .*(debian|ubuntu)/s/^deb /deb-src /p' "$file" >"$apt/parts/$(basename "$file" .list).list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    if grep -qsE '(debian|ubuntu)-archive-keyring' "$file"; then
      sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/$(basename "$file")"
    fi
  done
  local options=(-o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$apt/parts"
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)")
  # a mirror without source packages fails the update, and another may still have Bullet
  apt-get "${options[@]}" -qq update || true
  (cd "$apt" && apt-get "${options[@]}" -qq source --download-only bullet) &&
    rm -rf "$build/bullet" && # apt has checked the hashes against the signed release
    dpkg-source --no-copy -x "$apt"/bullet_*.dsc "$build/bullet" >"$apt/unpack.log" 2>&1 &&
    touch "$build/bullet/.complete"
}

bullet=()
if [ ! -f "$build/bullet/.complete" ] && command -v apt-get >/dev/null && ! fetch_bullet; then
  echo "peers: Bullet's source package can't be had" >&2
fi
if [ -f "$build/bullet/.complete" ]; then
  bullet=("-DCAIRN_PEERS_BULLET_SOURCE=$build/bullet")
else
  cat >&2 <<'NOTE'
peers: NOTE: taking the packaged libbullet, a build for plain x86-64 on one thread, while Cairn is built for x86-64-v3.
peers: NOTE: its times are no fair measure. Bullet 3.24's source in bullet/ of the build folder,
peers: NOTE: with an empty file .complete in it, would be taken.
NOTE
  bullet=("-DCAIRN_PEERS_BULLET_SOURCE=")
fi

sources=()
for engine in BOX3D JOLT; do
  name=CAIRN_PEERS_$engine
  sources+=("-D${name}_SOURCE=${!name:+$(realpath "${!name}")}")
done
cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release "${bullet[@]}" "${sources[@]}" >"$build/configure.log" || {
  cat "$build/configure.log" >&2
  exit 2
}
cmake --build "$build" --parallel "$jobs" >"$build/build.log" 2>&1 || {
  tail -n 40 "$build/build.log" >&2
  exit 2
}

python=$build/venv/bin/python
[ -x "$python" ] || python3 -m venv "$build/venv"
"$python" -c 'import mujoco' 2>/dev/null || "$python" -m pip install --quiet mujoco numpy

exec "$python" "$here/compare.py" --build "$build" --results "$root/benchmarks/results" --python "$python" "$@"
