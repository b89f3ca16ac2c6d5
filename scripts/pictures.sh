#!/usr/bin/env bash
# Draws the pictures of README.md and docs/ again, in some minutes on two cores.   scripts/pictures.sh [NAME...]
#   scripts/pictures.sh heap rain       those alone
#   scripts/pictures.sh gallery         docs/gallery.md with its pictures
# Needs build/release/bin/cairn (scripts/demo.sh builds it) or CAIRN, a path of the program; and ffmpeg. The gallery's depth picture
# needs a Python with the package cairn, too (CAIRN_PYTHON, else python3), and stays as it was without.
set -euo pipefail
cd "$(dirname "$0")/.."
cairn=${CAIRN:-build/release/bin/cairn}

# name, and how it is made; the pages beside them say the same
pictures=(
  "heap       repose:count=3000,friction=0.8,rolling=0.2 --seconds 3"
  "rain       rain:count=1000 --seconds 10 --size 640x360"
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
# docs/gallery.md: name, how it is made, what it shows
gallery=(
  "cards       cards --seconds 2|A house of 15 cards that friction holds"
  "arch        arch:blocks=15,thickness=0.15 --seconds 2|Wedges without mortar"
  "pile        pile:count=400 --seconds 5|Boxes of all sizes in a bin, whose near walls are drawn as glass"
  "hulls       hulls:count=200 --seconds 4|Convex hulls of 32 forms"
  "shapes      shapes --seconds 1|Every shape, on a plane, a mesh and a height field"
  "ragdolls    ragdolls:count=4 --seconds 0.9|Figures of 15 bodies, with the marks of their joints"
  "bridge      bridge --seconds 2|Planks on hinges that hang from cables of rods"
  "quadrupeds  quadrupeds --seconds 2|Robots in reduced coordinates, on the drives of their joints"
  "rope        rope --seconds 0.6|A rope of particles with a crate at its end"
  "cloth       cloth --seconds 1|Boxes on a cloth that is held by its corners"
  "flag        flag --seconds 4|A flag in a field of gusty wind"
  "jelly       jelly:count=3 --seconds 1|Soft cubes that fall onto each other"
  "dam_break   dam_break:side=14 --seconds 0.45|Water in a tank, and boxes that swim"
  "grains      grains:count=2000 --seconds 3|Balls poured into a bin"
  "rubble      rubble --seconds 6|Boulders that a field of their own gravity drew together"
  "batch       cards:friction=0.3 --seconds 1.2 --worlds 9 --grid 3x3|Nine worlds that are stepped together; of each the cards begin to slide"
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
if wanted gallery "$@"; then
  mkdir -p docs/gallery
  drawn=$(mktemp --suffix .png)
  trap 'rm -rf "${parts:-}" "$drawn" "$drawn.json"' EXIT
  {
    echo "# Gallery"
    echo
    echo "Built-in scenes ([scenes.md](scenes.md)) as \`cairn run\` draws them, each with its command: rigid bodies, joints, robots, particles, fluids, grains, fields, batches. \`scripts/pictures.sh gallery\` makes the pictures and this page."
    for entry in "${gallery[@]}"; do
      read -r name scene <<<"${entry%%|*}"
      draw "$scene" --size 480x270 --picture "$drawn" >&2
      ffmpeg -v error -y -i "$drawn" -filter_complex "split[a][b];[a]palettegen[p];[b][p]paletteuse" "docs/gallery/$name.png"
      printf '\n![%s](gallery/%s.png)\n\n*%s: `cairn run %s --picture %s.png`*\n' "${entry#*|}" "$name" "${entry#*|}" "$scene" "$name"
    done
    echo
    what="What depth cameras of [sensors](sensors.md) measure: near is bright, and which body each pixel met"
    printf '![%s](gallery/depth.png)\n\n*%s: ' "${what/\[sensors\](sensors.md)/sensors}" "$what"
    echo '`cairn scenes quadrupeds --write quadrupeds.json; python scripts/depth_picture.py quadrupeds.json 2 depth.png`*'
    "$cairn" scenes quadrupeds --write "$drawn.json" >&2
    "${CAIRN_PYTHON:-python3}" scripts/depth_picture.py "$drawn.json" 2 docs/gallery/depth.png >&2 ||
      echo "pictures: docs/gallery/depth.png stays as it was: CAIRN_PYTHON names no Python with the package cairn" >&2
  } >docs/gallery.md
fi
if wanted wrecking "$@"; then
  draw "wrecking:pyramids=5,rows=10 --seconds 4" --video docs/wrecking.webp --fps 20 --size 640x360 --orbit 12
fi
