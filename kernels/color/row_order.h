#pragma once
// The order and place of the rows: by part and colour, those with most points first, each colour at a multiple of
// kRowAlign. A row with one dynamic body takes the first colour behind those of its body's other rows. Each body has
// its rows in the same order as if all such rows came last, so no bit differs, and sweeps have fewer colours. Where some
// row of two dynamic bodies has no colour, all such rows do come last.

#include "kernels/color/color.h"
#include "kernels/common/direct.h"

namespace cairn::kernels {

/// Row key bits below the part's: colour, those of the second class behind the first's, and below it 4 - points, so
/// that rows of a block are alike. Pairs without a row are in a part past the last.
inline constexpr int kRowKeyBits = 10;
static_assert((kColorCount << 2) <= 1u << kRowKeyBits);

/// The band of a row key; bands() for a pair without a row.
CAIRN_HD std::uint32_t band_of(std::uint32_t row_key) {
  return Parts::band_of(row_key >> kRowKeyBits, row_key >> 2 & ((1u << (kRowKeyBits - 2)) - 1));
}
struct BandOf {
  CAIRN_HD std::uint32_t operator()(std::uint32_t row_key) const { return band_of(row_key); }
};

/// Writes row_key[i] and terms of the report's sums: the points of an active manifold, and whether it was recycled.
/// Records the colours of rows of two dynamic bodies: integer or. One thread per pair.
struct ColorKey {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;
  Parts parts;
  Direct direct;  ///< if parts have one for it
  std::uint32_t* row_key;
  std::uint32_t* points;    ///< [1] (pairs) of active manifolds
  std::uint32_t* recycled;  ///< [1] (pairs) 1 if active and recycled
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    const bool active = (m.flags & kManifoldActive) != 0;
    points[i] = active ? m.count : 0;
    recycled[i] = active && (m.flags & kManifoldRecycled) != 0 ? 1 : 0;
    if (!active) {
      row_key[i] = parts.count << kRowKeyBits;
      return;
    }
    row_key[i] = part_of(i) << kRowKeyBits | color_of_row(i) << 2 | (4 - m.count);
  }

 private:
  CAIRN_HD std::uint32_t color_of_row(std::uint32_t i) const {
    const EdgeEnds e = colored_ends_of(pairs, i, bodies, shapes);
    const std::uint32_t color = pairs.manifold[i].color;
    if (e.push_a && e.push_b) {
      if (color < kMaskColors) note_color(std::uint64_t{1} << color);
      return color;
    }
    const std::uint32_t last = kColorsPerClass + color;
    if (color == kMaskColors || state->counts.overflow_rows != 0) return last;
    const std::uint32_t body = e.push_a ? e.a : e.b;
    const std::uint64_t before = bodies.static_color_mask[body] & ((std::uint64_t{1} << color) - 1);
    const std::uint32_t behind = bit_width(bodies.color_mask[body]) + popcount(before);
    return behind < kMaskColors ? behind : last;
  }
  /// If the load misses another thread's bit, this one sets it again.
  CAIRN_HD void note_color(std::uint64_t bit) const {
    if ((atomic_load(&state->counts.colors) & bit) == 0) atomic_or(&state->counts.colors, bit);
  }
  CAIRN_HD std::uint32_t part_of(std::uint32_t i) const {
    const EdgeEnds e = awake_ends_of(pairs, i, bodies, shapes);
    if (parts.has_direct() && direct.has(e.push_a ? e.a : e.b)) return parts.swept;
    return parts.of_world[bodies.world[e.a]];
  }
};

/// Row slots of each band, padding included; next, color_row holds their exclusive sum. Records the rows of two dynamic
/// bodies that have no colour, and the wide colours of part 0. Writes color_row[i]. Integer max. One thread per band,
/// and one past the last.
struct ColorSize {
  static constexpr bool kLittleWork = true;  ///< too little for another thread
  Parts parts;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t rows = i != parts.bands() ? parts.color_begin[i + 1] - parts.color_begin[i] : 0;
    parts.color_row[i] = (rows + kRowAlign - 1) / kRowAlign * kRowAlign;
    if (rows == 0) return;
    const std::uint32_t color = i % kColorCount;
    if (color == kMaskColors) atomic_max(&state->counts.overflow_rows, rows);
    if (i < kColorCount && rows > kWideRows) {
      const std::uint32_t color_class = i / kColorsPerClass;
      atomic_max(&state->wide_colors[color_class], i % kColorsPerClass + 1);
    }
  }
};

/// Compares the counts of row slots, and of places of directly solved islands, with the capacities. Once.
struct ColorCheck {
  Parts parts;
  std::uint32_t row_capacity;
  const std::uint32_t* direct_places;                        ///< [1] one number, if there is a part for them
  std::uint32_t direct_place_capacity, direct_row_capacity;  ///< [1]
  StepState* state;

  CAIRN_HD void operator()() const {
    state->counts.manifolds = parts.color_begin[parts.bands()];
    if (parts.has_direct()) {
      state->direct_places = *direct_places;
      state->direct_rows = state->row_count - parts.color_row[Parts::band_of(parts.swept, 0)];
    }
    const bool room = state->row_count <= row_capacity && state->direct_places <= direct_place_capacity &&
                      state->direct_rows <= direct_row_capacity;
    if (!room) state->overflow = 1;
  }
};

/// The row slot of entry i of row_order.
CAIRN_HD std::uint32_t row_slot(const PairWork& work, const Parts& parts, std::uint32_t i) {
  const std::uint32_t band = band_of(work.sorted_row_key[i]);
  return parts.color_row[band] + (i - parts.color_begin[band]);
}

}  // namespace cairn::kernels
