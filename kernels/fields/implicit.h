#pragma once
// Implicit Euler's equations. Each functor writes data of particle i only. One thread per particle.

#include "kernels/fields/integrate.h"

namespace cairn::kernels {

/// r = h F - m (v' - v), 0 for held particles.
template <class T>
struct ImplicitResidual {
  const Vec3T<T>* force;  ///< [N]    (count) at the trial state
  const Vec3T<T>* v;      ///< [m/s]  (count) at the step's start
  const Vec3T<T>* trial;  ///< [m/s]  (count) v'
  const T* mass;          ///< [kg]   (count)
  const T* inv_mass;      ///< [1/kg] (count) 0: held
  T h;                    ///< [s]
  Vec3T<T>* r;            ///< [N s]  (count)
  CAIRN_HD void operator()(std::uint32_t i) const {
    r[i] = inv_mass[i] > T(0) ? fma(h, force[i], mass[i] * (v[i] - trial[i])) : Vec3T<T>{};
  }
};

/// to = s a
template <class T>
struct Scale {
  const Vec3T<T>* a;  ///< [1] (count)
  T s;                ///< [1]
  Vec3T<T>* to;       ///< [1] (count)
  CAIRN_HD void operator()(std::uint32_t i) const { to[i] = s * a[i]; }
};

/// to = s a + b
template <class T>
struct ScaleAdd {
  const Vec3T<T>* a;  ///< [1] (count)
  T s;                ///< [1]
  const Vec3T<T>* b;  ///< [1] (count)
  Vec3T<T>* to;       ///< [1] (count)
  CAIRN_HD void operator()(std::uint32_t i) const { to[i] = fma(s, a[i], b[i]); }
};

/// to = by m a, or by a / m: momenta, and the preconditioner of conjugate gradients.
template <class T>
struct ByMass {
  const Vec3T<T>* a;  ///< [1] (count)
  const T* by;        ///< [1] (count) masses, or their inverses, which are 0 for held particles
  Vec3T<T>* to;       ///< [1] (count)
  CAIRN_HD void operator()(std::uint32_t i) const { to[i] = by[i] * a[i]; }
};

/// to = m p - h (dF + difference s), the matrix (M - h D - h^2 K) on p, where dF is the exact change of the force along
/// (h p, p), and `difference` that of two forces on either side. 0 for held particles.
template <class T>
struct ImplicitProduct {
  const Vec3T<T>* p;       ///< [m/s]  (count)
  const Vec3T<T>* change;  ///< [N]    (count) dF
  const Vec3T<T>* plus;    ///< [N]    (count) null: all of it is in `change`
  const Vec3T<T>* minus;   ///< [N]    (count)
  T per_difference;        ///< [1]
  const T* mass;           ///< [kg]   (count)
  const T* inv_mass;       ///< [1/kg] (count)
  T h;                     ///< [s]
  Vec3T<T>* to;            ///< [N s]  (count)
  CAIRN_HD void operator()(std::uint32_t i) const {
    Vec3T<T> d = change[i];
    if (plus != nullptr) d = fma(per_difference, plus[i] - minus[i], d);
    to[i] = inv_mass[i] > T(0) ? fma(-h, d, mass[i] * p[i]) : Vec3T<T>{};
  }
};

}  // namespace cairn::kernels
