#pragma once
// A tree over boxes, for meshes and pictures.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/common/solids.h"

namespace cairn::shape {

/// The bounds of all that it takes.
struct Bounds {
  static constexpr float kMax = std::numeric_limits<float>::max();
  Vec3 lower{kMax, kMax, kMax}, upper{-kMax, -kMax, -kMax};  ///< [m]

  void take(const Bounds& b) {
    lower = kernels::min(lower, b.lower);
    upper = kernels::max(upper, b.upper);
  }
  void take(Vec3 p) { take({p, p}); }
};

/// The order of the boxes in its leaves; `first` of a leaf counts in that order.
struct BoxTree {
  std::vector<kernels::MeshNode> nodes;  ///< the root first
  std::vector<std::uint32_t> order;      ///< [1] (boxes)
};

/// [1] Below this depth halves are equal, so that 2^n boxes take n more levels.
inline constexpr int kFreeDepth = 20;

/// `leaf` [1] is the max number of boxes of a leaf.
BoxTree grow_tree(std::span<const Bounds> boxes, std::uint32_t leaf);

}  // namespace cairn::shape
