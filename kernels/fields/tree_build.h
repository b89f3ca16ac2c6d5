#pragma once
// Builds the tree of kernels/fields/gravity.h from positions and masses.

#include "kernels/fields/gravity.h"
#include "kernels/queries/query_tree.h"

namespace cairn::kernels {

/// Resets the bounds. Once.
struct TreeClear {
  std::uint32_t* bounds;  ///< [1] (6)
  CAIRN_HD void operator()() const {
    for (int axis = 0; axis < 3; ++axis) {
      bounds[axis] = 0xffffffffu;
      bounds[3 + axis] = 0;
    }
  }
};

/// Integer min and max. One thread per particle.
template <class T>
struct TreeBound {
  MassTree<T> tree;
  const Vec3T<T>* x;  ///< [m] (count)
  CAIRN_HD void operator()(std::uint32_t i) const {
    const float at[3] = {static_cast<float>(x[i].x), static_cast<float>(x[i].y), static_cast<float>(x[i].z)};
    for (int axis = 0; axis < 3; ++axis) {
      if (!finite(at[axis])) continue;
      atomic_min(&tree.bounds[axis], ordered(at[axis]));
      atomic_max(&tree.bounds[3 + axis], ordered(at[axis]));
    }
  }
};

/// Place along a Hilbert curve of a point of a cube of 2^21 points a side (J. Skilling, "Programming the Hilbert
/// curve", 2004): from the largest octant down, swaps and mirrors of the axes within it; then a Gray code undone.
CAIRN_HD std::uint64_t hilbert_place(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  constexpr std::uint32_t kTop = 1u << 20;
  std::uint32_t at[3] = {x, y, z};
  for (std::uint32_t bit = kTop; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t swapped = (at[0] ^ at[axis]) & below;
      if ((at[axis] & bit) != 0) {
        at[0] ^= below;
      } else {
        at[0] ^= swapped;
        at[axis] ^= swapped;
      }
    }
  }
  at[1] ^= at[0];
  at[2] ^= at[1];
  std::uint32_t gray = 0;
  for (std::uint32_t bit = kTop; bit > 1; bit >>= 1) gray ^= (at[2] & bit) != 0 ? bit - 1 : 0;
  return spread_bits(at[0] ^ gray) << 2 | spread_bits(at[1] ^ gray) << 1 | spread_bits(at[2] ^ gray);
}

/// The lower or upper word of a position along the curve, with 21 bits per axis in the cube around all particles. It is
/// that of the particle at place i of the order so far. Writes key[i]. One thread per place.
template <class T>
struct TreeCode {
  MassTree<T> tree;
  const Vec3T<T>* x;  ///< [m] (count)
  bool upper;         ///< [1]

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!upper) tree.order[i] = i;
    const Vec3T<T> at = x[tree.order[i]];
    double low[3], span = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = static_cast<double>(unordered(tree.bounds[axis]));
      span = max(span, static_cast<double>(unordered(tree.bounds[3 + axis])) - low[axis]);
    }
    const double place[3] = {static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.z)};
    std::uint32_t step[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
      // a position that isn't finite is at the start
      const double share = span > 0.0 ? clamp((place[axis] - low[axis]) / span, 0.0, 1.0) : 0.0;
      if (share >= 0.0) step[axis] = static_cast<std::uint32_t>(share * 2097151.0);
    }
    const std::uint64_t code = hilbert_place(step[0], step[1], step[2]);
    tree.key[i] = static_cast<std::uint32_t>(upper ? code >> 32 : code);
  }
};

/// Writes node i of a level from its parts, in order: mass, centre, then moments and radius about it. One thread per
/// node.
template <class T>
struct TreeSum {
  MassTree<T> tree;
  const Vec3T<T>* x;    ///< [m]  (count)
  const T* mass;        ///< [kg] (count)
  std::uint32_t count;  ///< [1] particles
  std::uint32_t level;  ///< [1]

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t below = level == 0 ? count : tree.size[level - 1];
    const std::uint32_t first = kTreeFan * i, n = below - first < kTreeFan ? below - first : kTreeFan;
    MassNode<T> sum{};
    Vec3T<T> moment{};
    const Vec3T<T> from = part(first).centre;
    for (std::uint32_t c = 0; c < n; ++c) {
      const MassNode<T> p = part(first + c);
      sum.mass += p.mass;
      moment = fma(p.mass, p.centre - from, moment);
    }
    // a body that a World's fields name may have lost its mass
    sum.centre = sum.mass > T(0) ? fma(T(1) / sum.mass, moment, from) : from;
    for (std::uint32_t c = 0; c < n; ++c) {
      const MassNode<T> p = part(first + c);
      const Vec3T<T> r = p.centre - sum.centre;
      add(sum.second, p.second, p.mass, r);
      sum.radius = max(sum.radius, length(r) + p.radius);
    }
    tree.node[tree.begin[level] + i] = sum;
  }

 private:
  /// Second moments of a part at r.
  CAIRN_HD static void add(Sym3T<T>& sum, const Sym3T<T>& own, T m, Vec3T<T> r) {
    sum.xx = fma(m * r.x, r.x, sum.xx + own.xx);
    sum.yy = fma(m * r.y, r.y, sum.yy + own.yy);
    sum.zz = fma(m * r.z, r.z, sum.zz + own.zz);
    sum.xy = fma(m * r.x, r.y, sum.xy + own.xy);
    sum.xz = fma(m * r.x, r.z, sum.xz + own.xz);
    sum.yz = fma(m * r.y, r.z, sum.yz + own.yz);
  }
  CAIRN_HD MassNode<T> part(std::uint32_t c) const {
    if (level != 0) return tree.node[tree.begin[level - 1] + c];
    const std::uint32_t i = tree.order[c];
    return {x[i], mass[i], T(0), {}};
  }
};

}  // namespace cairn::kernels
