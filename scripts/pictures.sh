#!/usr/bin/env bash
# Draws the pictures of README.md and docs/ again, in some minutes on two cores.   scripts/pictures.sh [NAME...]
#   scripts/pictures.sh cloth heap      those alone
# Needs build/release/bin/cairn (scripts/demo.sh builds it) or CAIRN, a path of the program; and ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
cairn=${CAIRN:-build/release/bin/cairn}

# name, and how it is made; the pages beside them say the same
pictures=(
  "cloth      cloth --seconds 3"
  "dam_break  dam_break:side=14 --seconds 0.45"
  "heap       repose:count=3000,friction=0.8,rolling=0.2 --seconds 3"
  "rain       rain:count=1000 --seconds 10 --size 640x360"
  "rubble     rubble --seconds 6"
)
# side by side in scenes.png
tiles=(
  "arch --seconds 2"
  "wrecking:pyramids=5,rows=10 --seconds 1.5"
  "quadrupeds --seconds 2"
  "cloth --seconds 3"
  "dam_break:side=14 --seconds 0.45"
  "terrain:count=200,size=24 --seconds 4"
)

wanted() { [ $# -eq 1 ] || [[ " ${*:2} " == *" $1 "* ]]; }
draw() { "$cairn" run $1 --device cpu "${@:2}" >/dev/null || [ $? -eq 1 ]; } # scene and time are words

for picture in "${pictures[@]}"; do
  read -r name scene <<<"$picture"
  ! wanted "$name" "$@" || draw "$scene" --picture "docs/$name.png"
done
if wanted scenes "$@"; then
  parts=$(mktemp -d)
  trap 'rm -r "$parts"' EXIT
  for i in "${!tiles[@]}"; do
    draw "${tiles[i]}" --size 480x270 --picture "$parts/$i.png"
  done
  # 256 colours, of which no picture has all
  ffmpeg -v error -y -i "$parts/%d.png" -filter_complex \
    "tile=3x2:padding=4:color=white,split[a][b];[a]palettegen[p];[b][p]paletteuse" docs/scenes.png
fi
if wanted wrecking "$@"; then
  draw "wrecking:pyramids=5,rows=10 --seconds 4" --video docs/wrecking.webp --fps 20 --size 640x360 --orbit 12
fi
