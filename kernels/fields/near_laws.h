#pragma once
// Forces between particles that are near each other. The grid finds them (include/cairn/particle_view.h), and the sums
// are in order of cell, then index.

#include "cairn/particle_view.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// 4 epsilon ((sigma/r)^12 - (sigma/r)^6), shifted by force (M. P. Allen and D. J. Tildesley, "Computer Simulation of
/// Liquids", section 5.2.3). Gathers; both ends of a pair are opposite to the bit.
template <class T>
struct LennardJonesForce {
  T sigma_squared;  ///< [m^2]
  T epsilon;        ///< [J]
  T cut_off;        ///< [m]
  T cut_force;      ///< [N] -dU/dr of the plain law at the cut-off
  T cut_potential;  ///< [J] its U there

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    Vec3T<T> sum{};
    p.each_near(i, [&](std::uint32_t, Vec3T<T> d, T r2) {
      const T inv = T(1) / r2, s2 = sigma_squared * inv, s6 = s2 * s2 * s2;
      // of -dU/dr over r
      const T push = fma(T(24) * epsilon * inv * s6, fma(T(2), s6, T(-1)), -(cut_force * sqrt(inv)));
      sum = fma(-push, d, sum);
    });
    return sum;
  }
  CAIRN_HD T potential(const ParticleView<T>& p, std::uint32_t i) const {
    T sum{};
    p.each_near(i, [&](std::uint32_t, Vec3T<T>, T r2) {
      const T s2 = sigma_squared / r2, s6 = s2 * s2 * s2;
      const T u = fma(T(4) * epsilon * s6, s6 - T(1), fma(cut_force, sqrt(r2) - cut_off, -cut_potential));
      sum = fma(T(0.5), u, sum);
    });
    return sum;
  }
  CAIRN_HD Vec3T<T> derivative(const ParticleView<T>& p, std::uint32_t i, const Vec3T<T>* dx, const Vec3T<T>*) const {
    Vec3T<T> sum{};
    p.each_near(i, [&](std::uint32_t j, Vec3T<T> d, T r2) {
      const T inv = T(1) / r2, s2 = sigma_squared * inv, s6 = s2 * s2 * s2;
      // the three parts of the push, in proportion to r^-14, r^-8 and r^-1
      const T far = T(24) * epsilon * inv * s6, repel = T(2) * far * s6, flat = cut_force * sqrt(inv);
      const Vec3T<T> dd = dx[j] - dx[i];
      const T turn = inv * dot(d, dd) * fma(T(14), repel, fma(T(-8), far, -flat));
      sum = fma(turn, d, fma(-(repel - far - flat), dd, sum));
    });
    return sum;
  }
};

/// Steering of flocks (C. W. Reynolds, "Flocks, herds, and schools: a distributed behavioral model", SIGGRAPH 1987):
/// separation (1 - r/R_s) from each that is closer than R_s, the difference to the mean velocity, and the vector to the
/// mean position; times mass. Gathers.
template <class T>
struct BoidsForce {
  T separation_radius;     ///< [m]
  T separation;            ///< [m/s^2]
  T alignment, cohesion;   ///< [1/s, 1/s^2]
  T cruise_speed, cruise;  ///< [m/s, 1/s]

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    Vec3T<T> away{}, velocity{}, centre{};
    std::uint32_t n = 0;
    const Vec3T<T> v = p.velocity[i];
    p.each_near(i, [&](std::uint32_t j, Vec3T<T> d, T r2) {
      ++n;
      velocity = velocity + (p.velocity[j] - v);
      centre = centre + d;
      const T r = sqrt(r2);
      if (r > T(0) && r < separation_radius) away = fma(T(1) / separation_radius - T(1) / r, d, away);
    });
    Vec3T<T> a{};
    if (n != 0) {
      const T share = T(1) / static_cast<T>(n);
      a = fma(separation, away, fma(alignment * share, velocity, (cohesion * share) * centre));
    }
    const T speed = length(v);
    if (speed > T(0)) a = fma(cruise * (cruise_speed / speed - T(1)), v, a);
    return p.mass[i] * a;
  }
};

}  // namespace cairn::kernels
