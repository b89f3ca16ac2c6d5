#pragma once
// Forces on one particle at a time, from springs, and between near particles. Each is a functor in the form of
// include/cairn/field.h: gathers, writes nothing.

#include "cairn/particle_view.h"
#include "kernels/common/exact.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// m g.
template <class T>
struct GravityForce {
  Vec3T<T> g;  ///< [m/s^2]
  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const { return p.mass[i] * g; }
  CAIRN_HD T potential(const ParticleView<T>& p, std::uint32_t i) const { return -(p.mass[i] * dot(g, p.position[i])); }
  CAIRN_HD Vec3T<T> derivative(const ParticleView<T>&, std::uint32_t, const Vec3T<T>*, const Vec3T<T>*) const {
    return {};
  }
};

/// -(linear + quadratic |u|) u with u = v - wind - gust sin(rate t).
template <class T>
struct DragForce {
  T linear, quadratic;  ///< [kg/s, kg/m]
  Vec3T<T> wind, gust;  ///< [m/s]
  T gust_rate;          ///< [rad/s]

  CAIRN_HD Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const {
    const Vec3T<T> u = slip(p, i);
    return -fma(quadratic, length(u), linear) * u;
  }
  CAIRN_HD Vec3T<T> derivative(const ParticleView<T>& p, std::uint32_t i, const Vec3T<T>*, const Vec3T<T>* dv) const {
    const Vec3T<T> u = slip(p, i);
    const T speed = length(u);
    const Vec3T<T> along = -fma(quadratic, speed, linear) * dv[i];
    return speed > T(0) ? fma(-quadratic * (dot(u, dv[i]) / speed), u, along) : along;
  }

 private:
  CAIRN_HD Vec3T<T> slip(const ParticleView<T>& p, std::uint32_t i) const {
    return p.velocity[i] - fma(static_cast<T>(sincos(gust_rate * p.time).sin), gust, wind);
  }
};

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
/// cloth", SIGGRAPH 2002), and Newton's method still ends at the same place. The forces on both ends of a spring are
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

// Forces between particles that are near each other. The grid finds them (include/cairn/particle_view.h), and the sums
// are in order of cell, then index.

/// 4 epsilon ((sigma/r)^12 - (sigma/r)^6), shifted by force (M. P. Allen and D. J. Tildesley, "Computer Simulation of
/// Liquids", section 5.2.3). Both ends of a pair are opposite to the bit.
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
/// mean position; times mass.
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
