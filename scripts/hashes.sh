#!/usr/bin/env bash
# Builds the command line with both compilers, at three optimisation levels, for two architectures, runs short scenes with
# 1, 2, 3 and 5 threads, and compares the hashes of the state. Exit code 1 where any two differ.
#   scripts/hashes.sh [--quick] [SCENE...]     --quick takes 3 of the 12 builds, those that differ most
set -euo pipefail
cd "$(dirname "$0")/.."

builds=()
if [ "${1:-}" = --quick ]; then
  shift
  builds=("g++ 3 x86-64-v3" "clang++ 2 x86-64-v3" "g++ 1 x86-64")
else
  for compiler in g++ clang++; do
    for level in 1 2 3; do
      for arch in x86-64 x86-64-v3; do builds+=("$compiler $level $arch"); done
    done
  done
fi
scenes=("$@")
if [ ${#scenes[@]} -eq 0 ]; then
  scenes=(tower:height=10 wall:base=8 pyramid:base=5 lattice:n=5 pile:count=150 heavy:height=5,ratio=100
    slope:height=3,tan=0.3 spinner rain:count=150 shapes arch cards hulls:count=60 terrain:count=60,size=32
    gravel:count=60,ratio=100 ragdolls:count=4 chain:links=20 bridge:planks=6 four_bar screw_jack gear_train wheel_drop quadrupeds:count=3
    delta rope:sweeps=4 cloth:side=12 cloth:side=12,breaking_force=40 jelly jelly:cluster=2 dam_break:side=6 flag:rows=8 rubble:count=60 grains:count=150,rolling=0.1)
fi
jointed="ragdolls chain bridge four_bar screw_jack gear_train wheel_drop quadrupeds delta"
solvers=(own soft_step xpbd jacobi sequential_impulse avbd) # own: the scene's
threads=(1 2 3 5)
steps=${CAIRN_HASH_STEPS:-90}

scripts/setup.sh clang
failed=0 count=0
declare -A first  # scene and solver -> the hash that the first build gave
for build in "${builds[@]}"; do
  read -r compiler level arch <<<"$build"
  folder=build/hashes/$compiler-O$level-$arch
  cmake -S . -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCAIRN_OPTIMIZE="$level" \
    -DCAIRN_ARCH="$arch" -DCAIRN_CUDA=OFF -DCAIRN_TESTS=OFF -DCAIRN_BENCHMARKS=OFF >/dev/null
  cmake --build "$folder" --parallel "$(nproc)" --target cairn_cli >"$folder/build.log" || { cat "$folder/build.log"; exit 1; }

  for scene in "${scenes[@]}"; do
    for solver in "${solvers[@]}"; do
      # avbd knows no joints
      if [ "$solver" = avbd ] && [[ " $jointed " == *" ${scene%%:*} "* ]]; then continue; fi
      # nor Jacobi sweeps articulations
      if [ "$solver" = jacobi ] && [[ " quadrupeds delta " == *" ${scene%%:*} "* ]]; then continue; fi
      for n in "${threads[@]}"; do
        # a status bit (exit code 1) is no matter here: the hash is what counts
        code=0
        count=$((count + 1))
        method=(--solver "$solver")
        [ "$solver" != jacobi ] || method=(--solver xpbd --set sweep=jacobi)
        [ "$solver" != own ] || method=()
        answer=$("$folder/bin/cairn" run "$scene" --device cpu --threads "$n" "${method[@]}" --steps "$steps" --json) ||
          code=$?
        hash=$(sed -n 's/^ *"hash": *"\([0-9a-f]\{16\}\)",*$/\1/p' <<<"$answer")
        key="$scene $solver"
        verdict=""
        if [ $code -gt 1 ]; then
          verdict="EXIT $code"
        elif [ -z "$hash" ]; then
          verdict="NO HASH"
        elif [ -z "${first[$key]:-}" ]; then
          first[$key]=$hash
          verdict=first
        elif [ "$hash" != "${first[$key]}" ]; then
          verdict=DIFFERS
        fi
        [ -n "$verdict" ] || continue
        [ "$verdict" = first ] || failed=1
        printf '%-8s %-28s %-18s %-18s %s\n' "$verdict" "$scene" "$solver" "$hash" "$compiler -O$level $arch, $n threads"
      done
    done
  done
  printf '%-8s %s\n' done "$compiler -O$level $arch"
done

if [ $failed -ne 0 ]; then
  echo "hashes: of $count runs, some differ"
  exit 1
fi
echo "hashes: ${#scenes[@]} scenes, ${#solvers[@]} solvers, $steps steps: the same in all $count runs" \
  "(${#builds[@]} builds, threads ${threads[*]})"
