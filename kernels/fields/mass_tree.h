#pragma once
// The tree of masses: particles along a Hilbert curve, in leaves of eight consecutive ones, nodes of eight leaves, and
// so on to one. Its shape depends on their count only, so that building it takes no decision, and all its sums have one
// order. A Hilbert curve never jumps. Along a Morton curve groups lie across its jumps, and 100,000 particles took 1.7
// to 3 times as long.

#include "cairn/particle_view.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kTreeFan = 8;      ///< [1] parts of a node, particles of a leaf
inline constexpr std::uint32_t kTreeLevels = 11;  ///< [1] 8^11 > 2^32

/// Far-field data of a group of particles.
template <class T>
struct MassNode {
  Vec3T<T> centre;           ///< [m] of mass
  T mass;                    ///< [kg]
  T radius;                  ///< [m] about the centre, contains all of it
  T xx, yy, zz, xy, xz, yz;  ///< [kg m^2] second moments about the centre
  CAIRN_HD void add_moment(T m, Vec3T<T> r) {
    xx = fma(m * r.x, r.x, xx);
    yy = fma(m * r.y, r.y, yy);
    zz = fma(m * r.z, r.z, zz);
    xy = fma(m * r.x, r.y, xy);
    xz = fma(m * r.x, r.z, xz);
    yz = fma(m * r.y, r.z, yz);
  }
};

template <class T>
struct MassTree {
  MassNode<T>* node;                 ///< [1] (nodes) the leaves, then level by level
  std::uint32_t* order;              ///< [1] (count) particle at each place of the curve
  std::uint32_t* key;                ///< [1] (count) of a sort
  std::uint32_t* sorted_key;         ///< [1] (count)
  std::uint32_t* sorted;             ///< [1] (count) order of a sort
  std::uint32_t* bounds;             ///< [1] (6) lowest and highest position, as ordered integers
  std::uint32_t begin[kTreeLevels];  ///< [1] first node of each level
  std::uint32_t size[kTreeLevels];   ///< [1] nodes of each level
  std::uint32_t levels;              ///< [1]
};

}  // namespace cairn::kernels
