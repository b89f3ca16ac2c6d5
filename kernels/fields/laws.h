#pragma once
// Forces on one particle at a time. Each is a functor in the form of include/cairn/field.h: gathers, writes nothing.

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

}  // namespace cairn::kernels
