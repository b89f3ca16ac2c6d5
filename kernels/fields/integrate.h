#pragma once
// Particle updates of the integrators. Each functor writes data of particle i only. One thread per particle.

#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Positions and velocities of all particles.
template <class T>
struct Motion {
  Vec3T<T>* x;  ///< [m]   (count)
  Vec3T<T>* v;  ///< [m/s] (count)
};

/// to[i] = value
template <class V>
struct Fill {
  V* to;    ///< [1] (count)
  V value;  ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const { to[i] = value; }
};

/// a = F / m, 0 for held particles.
template <class T>
struct Accelerate {
  const Vec3T<T>* force;  ///< [N]    (count)
  const T* inv_mass;      ///< [1/kg] (count) 0: held
  Vec3T<T>* a;            ///< [m/s^2] (count)
  CAIRN_HD void operator()(std::uint32_t i) const {
    // a held particle stays held under any force
    a[i] = inv_mass[i] > T(0) ? inv_mass[i] * force[i] : Vec3T<T>{};
  }
};

/// A stage of an explicit Runge-Kutta method in which each stage starts from the rates of the one before: sum += weight
/// rates, then the next stage's state = start + ahead rates, or after the last one, start + h sum.
template <class T>
struct RungeKuttaStage {
  Motion<T> start;
  const Vec3T<T>* v;  ///< [m/s]   (count) at this stage's state
  const Vec3T<T>* a;  ///< [m/s^2] (count) the same
  Motion<T> sum;      ///< of velocities and accelerations
  Motion<T> to;       ///< which may be this stage's state
  T weight;           ///< [1] of these rates
  T ahead;            ///< [s]
  bool first;         ///< [1] the sum starts here
  bool last;          ///< [1] `ahead` is the step, and multiplies the sum

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Vec3T<T> dx = v[i], dv = a[i];
    const Vec3T<T> sx = first ? weight * dx : fma(weight, dx, sum.x[i]);
    const Vec3T<T> sv = first ? weight * dv : fma(weight, dv, sum.v[i]);
    sum.x[i] = sx;
    sum.v[i] = sv;
    to.x[i] = fma(ahead, last ? sx : dx, start.x[i]);
    to.v[i] = fma(ahead, last ? sv : dv, start.v[i]);
  }
};

/// v' = v + h a, x' = x + h v'.
template <class T>
struct SymplecticEuler {
  Motion<T> from, to;
  const Vec3T<T>* a;  ///< [m/s^2] (count)
  T h;                ///< [s]
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Vec3T<T> v = fma(h, a[i], from.v[i]);
    to.v[i] = v;
    to.x[i] = fma(h, v, from.x[i]);
  }
};

/// x' = x + h (v + h/2 a), and v + h a for forces that need a velocity there.
template <class T>
struct VerletBegin {
  Motion<T> from, to;
  const Vec3T<T>* a;  ///< [m/s^2] (count)
  T h;                ///< [s]
  CAIRN_HD void operator()(std::uint32_t i) const {
    to.x[i] = fma(h, fma(T(0.5) * h, a[i], from.v[i]), from.x[i]);
    to.v[i] = fma(h, a[i], from.v[i]);
  }
};

/// v' = v + h/2 (a + a').
template <class T>
struct VerletEnd {
  Motion<T> from, to;
  const Vec3T<T>* before;  ///< [m/s^2] (count) a
  const Vec3T<T>* after;   ///< [m/s^2] (count) a'
  T h;                     ///< [s]
  CAIRN_HD void operator()(std::uint32_t i) const { to.v[i] = fma(T(0.5) * h, before[i] + after[i], from.v[i]); }
};

}  // namespace cairn::kernels
