#pragma once
// Acceptance of a step. One thread per particle unless stated otherwise.

#include "kernels/common/atomic.h"
#include "kernels/common/index.h"
#include "kernels/fields/integrate.h"

namespace cairn::kernels {

/// True for all but infinities and NaN: their difference from themselves is NaN.
template <class T>
CAIRN_HD bool all_finite(Vec3T<T> a) {
  const Vec3T<T> z = a - a;
  return z.x == T(0) && z.y == T(0) && z.z == T(0);
}

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
    if (!all_finite(of.x[i]) || !all_finite(of.v[i])) atomic_min(seen, i);
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
