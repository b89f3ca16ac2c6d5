#pragma once

#include "cairn/particle_view.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// A spring at one of its ends.
template <class T>
struct SpringEnd {
  std::uint32_t other;  ///< [1] particle
  T stiffness;          ///< [N/m]
  T damping;            ///< [kg/s]
  T rest_length;        ///< [m]
};

/// For each spring of i: (k (l - L) + c (n . dv)) n, n from i to the other end, at distance l. Springs whose ends
/// coincide have no force. The derivative leaves out that a compressed spring yields sideways, and that the damper
/// turns. So it is symmetric and never positive, as conjugate gradients need it (Choi and Ko, "Stable but responsive
/// cloth", SIGGRAPH 2002), and Newton's method still ends at the same place. Gathers; both ends of a spring are
/// opposite to the bit.
template <class T>
struct SpringForce {
  const SpringEnd<T>* end;     ///< [1] (2 springs) by particle, then by spring
  const std::uint32_t* begin;  ///< [1] (count + 1)

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    Vec3T<T> sum{};
    for (std::uint32_t e = begin[i]; e < begin[i + 1]; ++e) {
      const SpringEnd<T> s = end[e];
      const Vec3T<T> d = p.position[s.other] - p.position[i];
      const T l = length(d);
      if (!(l > T(0))) continue;
      const T rate = dot(d, p.velocity[s.other] - p.velocity[i]) / l;
      const T pull = fma(s.stiffness, l - s.rest_length, s.damping * rate);
      sum = sum + (pull / l) * d;
    }
    return sum;
  }

  /// Half of each spring's energy.
  CAIRN_HD T potential(const ParticleView<T>& p, std::uint32_t i) const {
    T sum{};
    for (std::uint32_t e = begin[i]; e < begin[i + 1]; ++e) {
      const T stretch = length(p.position[end[e].other] - p.position[i]) - end[e].rest_length;
      sum = fma(T(0.25) * end[e].stiffness * stretch, stretch, sum);
    }
    return sum;
  }

  CAIRN_HD Vec3T<T> derivative(const ParticleView<T>& p, std::uint32_t i, const Vec3T<T>* dx,
                               const Vec3T<T>* dv) const {
    Vec3T<T> sum{};
    for (std::uint32_t e = begin[i]; e < begin[i + 1]; ++e) {
      const SpringEnd<T> s = end[e];
      const Vec3T<T> d = p.position[s.other] - p.position[i], ddx = dx[s.other] - dx[i], ddv = dv[s.other] - dv[i];
      const T l = length(d);
      if (!(l > T(0))) {
        if (!(s.rest_length > T(0))) sum = fma(s.stiffness, ddx, sum);
        continue;
      }
      const T inv = T(1) / l;
      const Vec3T<T> n = inv * d;
      const T across = s.stiffness * max(T(1) - s.rest_length * inv, T(0));
      const T along = fma(s.stiffness - across, dot(n, ddx), s.damping * dot(n, ddv));
      sum = sum + fma(along, n, across * ddx);
    }
    return sum;
  }
};

}  // namespace cairn::kernels
