#pragma once
// The order and place of the rows: by class and colour, those with most points first, each colour at a multiple of
// kRowAlign.

#include "kernels/color/color.h"

namespace cairn::kernels {

/// Row key bits: colour of both classes, and 4 - points below it, so that rows of a block are alike.
inline constexpr int kRowKeyBits = 10;
inline constexpr std::uint32_t kNoRow = (1u << kRowKeyBits) - 1;
static_assert((kColorCount << 2) < kNoRow);

/// Writes row_key[i], and what the report adds up: the points of an active manifold and whether it was recycled. One
/// thread per pair.
struct ColorKey {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;
  std::uint32_t* row_key;
  std::uint32_t* points;    ///< [1] (pairs) of active manifolds
  std::uint32_t* recycled;  ///< [1] (pairs) 1 if active and recycled

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    const bool active = (m.flags & kManifoldActive) != 0;
    points[i] = active ? m.count : 0;
    recycled[i] = active && (m.flags & kManifoldRecycled) != 0 ? 1 : 0;
    if (!active) {
      row_key[i] = kNoRow;
      return;
    }
    const EdgeEnds e = ends_of(pairs.key[i], bodies, shapes);
    const std::uint32_t color = (e.push_a && e.push_b ? 0 : kColorsPerClass) + m.color;
    row_key[i] = color << 2 | (4 - m.count);
  }
};

/// Where each colour begins in the sorted rows. Writes color_begin of the colours that end at entry i. One thread per
/// pair.
struct ColorBegin {
  const std::uint32_t* sorted_row_key;
  const std::uint32_t* count;  ///< [1] one number: pairs
  StepState* state;

  CAIRN_HD static std::uint32_t color_of(std::uint32_t key) { return key == kNoRow ? kColorCount : key >> 2; }

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t color = color_of(sorted_row_key[i]);
    const std::uint32_t first = i == 0 ? 0 : color_of(sorted_row_key[i - 1]) + 1;
    for (std::uint32_t c = first; c <= color; ++c) state->color_begin[c] = i;
    if (i + 1 == *count) {
      for (std::uint32_t c = color + 1; c <= kColorCount; ++c) state->color_begin[c] = i + 1;
    }
  }
};

/// The row slot of entry i of row_order.
CAIRN_HD std::uint32_t row_slot(const PairWork& work, const StepState* state, std::uint32_t i) {
  const std::uint32_t color = work.sorted_row_key[i] >> 2;
  return state->color_row[color] + (i - state->color_begin[color]);
}

/// First row slot of each colour, aligned. Once.
struct ColorRows {
  StepState* state;

  CAIRN_HD void operator()() const {
    std::uint32_t slot = 0;
    for (std::uint32_t c = 0; c < kColorCount; ++c) {
      state->color_row[c] = slot;
      const std::uint32_t rows = state->color_begin[c + 1] - state->color_begin[c];
      slot += (rows + kRowAlign - 1) / kRowAlign * kRowAlign;
    }
    state->color_row[kColorCount] = state->row_count = slot;
    state->manifolds = state->color_begin[kColorCount];
  }
};

}  // namespace cairn::kernels
