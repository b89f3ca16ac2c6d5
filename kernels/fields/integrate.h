#pragma once
// Particle updates of the integrators, and acceptance of a step. Each functor writes data of particle i only, unless
// stated otherwise. One thread per particle.

#include "kernels/common/atomic.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Positions and velocities of all particles.
template <class T>
struct Motion {
  Vec3T<T>* x;  ///< [m]   (count)
  Vec3T<T>* v;  ///< [m/s] (count)
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

/// v' = v + share way, x' = x + h v': symplectic Euler's step, and a trial of implicit Euler's, whose share may be 0
/// while there is no way yet.
template <class T, bool kMayStay>
struct StepAlong {
  const Vec3T<T>* x;    ///< [m]   (count)
  const Vec3T<T>* v;    ///< [m/s] (count)
  const Vec3T<T>* way;  ///< [m/s] (count), or accelerations
  T share;              ///< [1]   of the way, or the step [s]
  T h;                  ///< [s]
  Motion<T> to;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Vec3T<T> w = kMayStay && share == T(0) ? v[i] : fma(share, way[i], v[i]);
    to.v[i] = w;
    to.x[i] = fma(h, w, x[i]);
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

/// Result of a run of steps.
struct OdeState {
  std::uint32_t seen;   ///< [1] first particle of the step's end that isn't finite, or kNone
  std::uint32_t bad;    ///< [1] that of the first step that had one
  std::uint32_t hit;    ///< [1] first particle of an event, or kNone
  std::uint32_t steps;  ///< [1] taken since this was read
};

/// Integer min.
template <class T>
struct CheckFinite {
  Motion<T> of;
  std::uint32_t* seen;  ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!finite(of.x[i]) || !finite(of.v[i])) atomic_min(seen, i);
  }
};

/// Accepts a step unless a particle at its end isn't finite. Then all further steps change nothing until the host has
/// read it. Once.
struct SettleStep {
  OdeState* state;
  CAIRN_HD void operator()() const {
    if (state->bad == kNone) state->bad = state->seen;
    if (state->bad == kNone) ++state->steps;
    state->seen = kNone;
  }
};
template <class T>
struct Commit {
  Motion<T> from, to;
  const std::uint32_t* bad;  ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (*bad != kNone) return;
    to.x[i] = from.x[i];
    to.v[i] = from.v[i];
  }
};

/// Integer min over the particles whose value has changed sign.
struct CheckEvent {
  const double* before;  ///< [1] (count)
  const double* after;   ///< [1] (count)
  bool falling, rising;  ///< [1]
  std::uint32_t* hit;    ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const {
    const bool fell = falling && before[i] > 0.0 && after[i] <= 0.0;
    const bool rose = rising && before[i] < 0.0 && after[i] >= 0.0;
    if (fell || rose) atomic_min(hit, i);
  }
};

}  // namespace cairn::kernels
