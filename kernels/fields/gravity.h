#pragma once
// Gravity over all pairs, and by the tree of masses.

#include "cairn/particle_view.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// G d / (d^2 + s^2)^(3/2) of a mass of 1 kg at d; nothing at distance 0.
template <class T>
CAIRN_HD Vec3T<T> pull_of(T constant, Vec3T<T> d, T softening_squared, T mass, Vec3T<T> sum) {
  const T r2 = dot(d, d, softening_squared);
  if (!(r2 > T(0))) return sum;
  return fma(constant * mass / (r2 * sqrt(r2)), d, sum);
}

/// Over all pairs. Sums tiles of kTile particles, and then the tiles, by index: rounding grows with the number of tiles
/// and not of particles, and the data that a group of threads reads at a time stays in the cache. Gathers.
template <class T>
struct AllPairsGravity {
  T constant;           ///< [m^3/(kg s^2)]
  T softening_squared;  ///< [m^2]
  static constexpr std::uint32_t kTile = 256;

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    const Vec3T<T> x = p.position[i];
    Vec3T<T> sum{};
    for (std::uint32_t first = 0; first < p.count; first += kTile) {
      const std::uint32_t end = p.count - first < kTile ? p.count : first + kTile;
      Vec3T<T> tile{};
      for (std::uint32_t j = first; j < end; ++j) {
        if (j != i) tile = pull_of(constant, p.position[j] - x, softening_squared, p.mass[j], tile);
      }
      sum = sum + tile;
    }
    return p.mass[i] * sum;
  }

  CAIRN_HD T potential(const ParticleView<T>& p, std::uint32_t i) const {
    T sum{};
    for (std::uint32_t first = 0; first < p.count; first += kTile) {
      const std::uint32_t end = p.count - first < kTile ? p.count : first + kTile;
      T tile{};
      for (std::uint32_t j = first; j < end; ++j) {
        const Vec3T<T> d = p.position[j] - p.position[i];
        const T r2 = dot(d, d, softening_squared);
        if (j != i && r2 > T(0)) tile += p.mass[j] / sqrt(r2);
      }
      sum += tile;
    }
    return T(-0.5) * constant * p.mass[i] * sum;
  }

  CAIRN_HD Vec3T<T> derivative(const ParticleView<T>& p, std::uint32_t i, const Vec3T<T>* dx, const Vec3T<T>*) const {
    Vec3T<T> sum{};
    for (std::uint32_t j = 0; j < p.count; ++j) {
      const Vec3T<T> d = p.position[j] - p.position[i], dd = dx[j] - dx[i];
      const T r2 = dot(d, d, softening_squared);
      if (j == i || !(r2 > T(0))) continue;
      const T pull = constant * p.mass[j] / (r2 * sqrt(r2));
      sum = fma(pull, fma(T(-3) * (dot(d, dd) / r2), d, dd), sum);
    }
    return p.mass[i] * sum;
  }
};

// The tree of masses: particles along a Hilbert curve, in leaves of eight consecutive ones, nodes of eight leaves, and
// so on to one. Its shape depends on their count only, so that building it takes no decision, and all its sums have one
// order. A Hilbert curve never jumps. Along a Morton curve groups lie across its jumps, and 100,000 particles took 1.7
// to 3 times as long.

inline constexpr std::uint32_t kTreeFan = 8;      ///< [1] parts of a node, particles of a leaf
inline constexpr std::uint32_t kTreeLevels = 11;  ///< [1] 8^11 > 2^32

/// Far-field data of a group of particles.
template <class T>
struct MassNode {
  Vec3T<T> centre;  ///< [m] of mass
  T mass;           ///< [kg]
  T radius;         ///< [m] about the centre, contains all of it
  Sym3T<T> second;  ///< [kg m^2] moments about the centre
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

/// Gravity by the tree (J. Barnes and P. Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324,
/// 1986): a node whose radius is below the opening angle times its distance acts by the first terms of the expansion of
/// -G m / sqrt(d^2 + s^2) about its centre of mass: mass and second moments M. With w = d^2 + s^2:
///   u = m / w^(1/2) + (3 d.M d / w^(5/2) - tr M / w^(3/2)) / 2,  force G m_i grad u.
/// The radius is about the centre of mass, as in J. K. Salmon and M. S. Warren ("Skeletons from the treecode closet",
/// 1994), so that no particle is ever inside the node that represents it. Depth first, in one order, without a stack.
/// Gathers.
template <class T>
struct TreeGravity {
  MassTree<T> tree;
  T constant;           ///< [m^3/(kg s^2)]
  T softening_squared;  ///< [m^2]
  T opening_squared;    ///< [1]

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    const Vec3T<T> x = p.position[i];
    Vec3T<T> sum{};
    go(
        p, x,
        [&](const MassNode<T>& n, Vec3T<T> d, T w) {
          const T inv = T(1) / w, inv3 = inv * sqrt(inv);
          const Vec3T<T> md = n.second * d;
          const T trace = n.second.xx + n.second.yy + n.second.zz;
          // the slope of u by the position of the particle, with d the vector to the node
          const T radial = fma(inv, fma(T(7.5) * inv, dot(d, md), T(-1.5) * trace), n.mass);
          sum = fma(constant * inv3, fma(radial, d, (T(-3) * inv) * md), sum);
        },
        [&](std::uint32_t j, Vec3T<T> d) {
          if (j != i) sum = pull_of(constant, d, softening_squared, p.mass[j], sum);
        });
    return p.mass[i] * sum;
  }

  CAIRN_HD T potential(const ParticleView<T>& p, std::uint32_t i) const {
    T sum{};
    go(
        p, p.position[i],
        [&](const MassNode<T>& n, Vec3T<T> d, T w) {
          const T inv = T(1) / w, inv1 = sqrt(inv);
          const T second = fma(T(3) * inv, dot(d, n.second * d), -(n.second.xx + n.second.yy + n.second.zz));
          sum = fma(inv1, fma(T(0.5) * inv, second, n.mass), sum);
        },
        [&](std::uint32_t j, Vec3T<T> d) {
          const T r2 = dot(d, d, softening_squared);
          if (j != i && r2 > T(0)) sum += p.mass[j] / sqrt(r2);
        });
    return T(-0.5) * constant * p.mass[i] * sum;
  }

 private:
  /// Calls far(node, vector to it, w) or near(particle, vector to it), so that each particle is covered once.
  template <class Far, class Near>
  CAIRN_HD void go(const ParticleView<T>& p, Vec3T<T> x, Far far, Near near) const {
    std::uint32_t level = tree.levels - 1, at = 0;
    for (;;) {
      const MassNode<T>& n = tree.node[tree.begin[level] + at];
      const Vec3T<T> d = n.centre - x;
      const T r2 = dot(d, d);
      if (n.radius * n.radius < opening_squared * r2) {
        far(n, d, r2 + softening_squared);
      } else if (level != 0) {
        --level;
        at *= kTreeFan;
        continue;
      } else {
        const std::uint32_t first = kTreeFan * at;
        for (std::uint32_t s = first; s < p.count && s < first + kTreeFan; ++s) {
          const std::uint32_t j = tree.order[s];
          near(j, p.position[j] - x);
        }
      }
      // the next on this level, or the next of the ancestor of which this was the last part
      while (++at % kTreeFan == 0 || at == tree.size[level]) {
        if (++level == tree.levels) return;
        at = (at - 1) / kTreeFan;
      }
    }
  }
};

}  // namespace cairn::kernels
