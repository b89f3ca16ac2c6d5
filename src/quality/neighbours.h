#pragma once
// Overlapping boxes: a hierarchical hash grid on the host (after Eitz and Lixu, Hierarchical Spatial Hashing, 2007).
// Linear in the number of boxes plus overlaps, for any mixture of sizes.

#include <cstdint>
#include <functional>
#include <span>

#include "src/quality/math.h"

namespace cairn::quality {

/// An axis-aligned box.
struct Bounds {
  reference::Vec3 centre;  ///< [m]
  reference::Vec3 half;    ///< [m] half extents, none negative
};

/// Calls `f` once for each pair of boxes that touch or overlap, with the indices in no particular order. All must be
/// finite.
void for_each_overlap(std::span<const Bounds> boxes, const std::function<void(std::uint32_t, std::uint32_t)>& f);

}  // namespace cairn::quality
