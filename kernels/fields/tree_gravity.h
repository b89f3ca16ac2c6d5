#pragma once

#include "kernels/fields/mass_tree.h"
#include "kernels/fields/pair_gravity.h"

namespace cairn::kernels {

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
          const Vec3T<T> md = moment(n, d);
          const T trace = n.xx + n.yy + n.zz;
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
          const T second = fma(T(3) * inv, dot(d, moment(n, d)), -(n.xx + n.yy + n.zz));
          sum = fma(inv1, fma(T(0.5) * inv, second, n.mass), sum);
        },
        [&](std::uint32_t j, Vec3T<T> d) {
          const T r2 = dot(d, d, softening_squared);
          if (j != i && r2 > T(0)) sum += p.mass[j] / sqrt(r2);
        });
    return T(-0.5) * constant * p.mass[i] * sum;
  }

 private:
  CAIRN_HD static Vec3T<T> moment(const MassNode<T>& n, Vec3T<T> d) {
    return {fma(n.xx, d.x, fma(n.xy, d.y, n.xz * d.z)), fma(n.xy, d.x, fma(n.yy, d.y, n.yz * d.z)),
            fma(n.xz, d.x, fma(n.yz, d.y, n.zz * d.z))};
  }

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
