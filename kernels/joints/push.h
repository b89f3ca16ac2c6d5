#pragma once
// Velocity changes by the impulses of joints' rows: of one joint, or of eight.

#include "kernels/common/body_pack.h"
#include "kernels/common/joints.h"

namespace cairn::kernels {

CAIRN_HD void load_way(const JointRow* const (&from)[1], JointWayT<float>& to) { to = *from[0]; }
CAIRN_HD void store3(Vec3* to, const Vec3& v) { *to = v; }
template <std::uint32_t kWords>
CAIRN_HD void store_words(float* const (&to)[1], std::uint32_t, const float* from) {
  for (std::uint32_t i = 0; i < kWords; ++i) to[0][i] = from[i];
}
CAIRN_HD void store_way(JointRow* const (&to)[1], std::uint32_t, const JointWayT<float>& way) {
  static_cast<JointWayT<float>&>(*to[0]) = way;
}
CAIRN_HD void store_push(JointPushT<float>* const (&to)[1], std::uint32_t, const JointPushT<float>& push) {
  *to[0] = push;
}

#if CAIRN_BODY_PACKS
/// [1] Floats of a way, and of a push.
inline constexpr std::uint32_t kWayWords = sizeof(JointWayT<float>) / sizeof(float);
inline constexpr std::uint32_t kPushWords = sizeof(JointPushT<float>) / sizeof(float);

CAIRN_HD void load_way(const JointRow* const (&from)[kPackLanes], JointWayT<Pack>& to) {
  const float* words[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) words[i] = &from[i]->linear_a.x;
  gather_words<kWayWords>(words, &to.linear_a.x);
}
/// Of those lanes.
CAIRN_HD void store_way(JointRow* const (&to)[kPackLanes], std::uint32_t lanes, const JointWayT<Pack>& way) {
  float* words[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) words[i] = &to[i]->linear_a.x;
  store_words<kWayWords>(words, lanes, &way.linear_a.x);
}
CAIRN_HD void store_push(JointPushT<float>* const (&to)[kPackLanes], std::uint32_t lanes,
                         const JointPushT<Pack>& push) {
  float* words[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) words[i] = &to[i]->v_a.x;
  store_words<kPushWords>(words, lanes, &push.v_a.x);
}
#endif

template <class T>
CAIRN_HD JointPushT<T> operator-(const JointPushT<T>& p, const JointPushT<T>& q) {
  return {p.v_a - q.v_a, p.w_a - q.w_a, p.v_b - q.v_b, p.w_b - q.w_b};
}
template <class Mask, class T>
CAIRN_HD JointPushT<T> select(Mask mask, const JointPushT<T>& p, const JointPushT<T>& q) {
  return {select(mask, p.v_a, q.v_a), select(mask, p.w_a, q.w_a), select(mask, p.v_b, q.v_b),
          select(mask, p.w_b, q.w_b)};
}

/// `push` plus the velocity changes by an impulse l along a row, of bodies with these inverse masses.
template <class T>
CAIRN_HD JointPushT<T> with_push(const JointWayT<T>& way, T l, T inv_mass_a, T inv_mass_b, const JointPushT<T>& push) {
  return {fma(l * inv_mass_a, way.linear_a, push.v_a), fma(l, way.turn_a, push.w_a),
          fma(l * inv_mass_b, way.linear_b, push.v_b), fma(l, way.turn_b, push.w_b)};
}

/// f(lanes with such a row, way) for the rows of each lane's joint: the first of each, then the second.
template <class T, class F>
CAIRN_HD void each_way(JointRow* const (&first)[kLanesOf<T>], const std::uint32_t (&count)[kLanesOf<T>], const F& f) {
  constexpr std::uint32_t kLanes = kLanesOf<T>;
  for (std::uint32_t r = 0; r < kJointAxes; ++r) {
    const JointRow* row[kLanes];
    float has[kLanes];
    bool any = false;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const bool here = r < count[i];
      has[i] = here ? 1.0f : 0.0f;
      row[i] = first[i] + (here ? r : 0);
      any = any || here;
    }
    if (!any) return;
    JointWayT<T> way;
    load_way(row, way);
    f(from_lanes<T>(has) > T(0.0f), way);
  }
}

}  // namespace cairn::kernels
