#pragma once
// Words of articulations in lanes, and their types.

#include <cstddef>
#include <cstdint>

#include "kernels/articulations/inertia.h"
#include "kernels/common/team.h"

namespace cairn::kernels::articulate {

/// Words of one articulation, `stride` apart: neighbours in a batch have theirs side by side.
template <class T>
struct LaneT;
template <>
struct LaneT<double> {
  double* at;            ///< [1] word 0
  std::uint32_t stride;  ///< [1]
  CAIRN_HD double& operator[](std::uint32_t word) const { return at[std::size_t{word} * stride]; }
  CAIRN_HD LaneT from(std::uint32_t word) const { return {at + std::size_t{word} * stride, stride}; }
  /// f(i) for each articulation of this type, and the lane of the i-th.
  template <class F>
  CAIRN_HD static double each(const F& f) {
    return f(0u);
  }
  CAIRN_HD LaneT one(std::uint32_t) const { return *this; }
};
using Lane = LaneT<double>;

CAIRN_HD Lane lane_of(double* data, std::uint32_t words, std::uint32_t lanes, std::uint32_t i) {
  return {data + std::size_t{i / lanes} * words * lanes + i % lanes, lanes};
}

template <class Team, class T>
CAIRN_HD void copy(const Team& team, LaneT<T> from, LaneT<T> to, std::uint32_t words) {
  team.each(words, [&](std::uint32_t w) { to[w] = from[w]; });
}
CAIRN_HD void copy(Lane from, Lane to, std::uint32_t words) { copy(Alone{}, from, to, words); }

template <class T>
CAIRN_HD Vec3T<T> load_vec(LaneT<T> l) {
  return {l[0], l[1], l[2]};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, Vec3T<T> v) {
  l[0] = v.x;
  l[1] = v.y;
  l[2] = v.z;
}
template <class T>
CAIRN_HD QuatT<T> load_quat(LaneT<T> l) {
  return {l[0], l[1], l[2], l[3]};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const QuatT<T>& q) {
  l[0] = q.x;
  l[1] = q.y;
  l[2] = q.z;
  l[3] = q.w;
}
template <class T>
CAIRN_HD MotionT<T> load_motion(LaneT<T> l) {
  return {load_vec(l), load_vec(l.from(3))};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const MotionT<T>& m) {
  store(l, m.w);
  store(l.from(3), m.v);
}
template <class T>
CAIRN_HD ForceT<T> load_force(LaneT<T> l) {
  return {load_vec(l), load_vec(l.from(3))};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const ForceT<T>& f) {
  store(l, f.n);
  store(l.from(3), f.f);
}
template <class T>
CAIRN_HD MatrixT<T> load_matrix(LaneT<T> l) {
  return {load_vec(l), load_vec(l.from(3)), load_vec(l.from(6))};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const MatrixT<T>& m) {
  store(l, m.x);
  store(l.from(3), m.y);
  store(l.from(6), m.z);
}
template <class T>
CAIRN_HD RigidInertiaT<T> load_rigid(LaneT<T> l) {
  return {l[0], load_vec(l.from(1)), {l[4], l[5], l[6], l[7], l[8], l[9]}};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const RigidInertiaT<T>& a) {
  l[0] = a.mass;
  store(l.from(1), a.moment);
  const T i[]{a.i.xx, a.i.yy, a.i.zz, a.i.xy, a.i.xz, a.i.yz};
  for (std::uint32_t w = 0; w < 6; ++w) l[4 + w] = i[w];
}
template <class T>
CAIRN_HD TransformT<T> load_transform(LaneT<T> l) {
  return {load_matrix(l), load_vec(l.from(9))};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const TransformT<T>& x) {
  store(l, x.r);
  store(l.from(9), x.p);
}
template <class T>
CAIRN_HD SymmetricT<T> load_symmetric(LaneT<T> l) {
  return {l[0], l[1], l[2], l[3], l[4], l[5]};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const SymmetricT<T>& m) {
  l[0] = m.xx;
  l[1] = m.yy;
  l[2] = m.zz;
  l[3] = m.xy;
  l[4] = m.xz;
  l[5] = m.yz;
}
template <class T>
CAIRN_HD ArticulatedInertiaT<T> load_inertia(LaneT<T> l) {
  return {load_symmetric(l), load_matrix(l.from(6)), load_symmetric(l.from(15))};
}
template <class T>
CAIRN_HD void store(LaneT<T> l, const ArticulatedInertiaT<T>& a) {
  store(l, a.i);
  store(l.from(6), a.h);
  store(l.from(15), a.m);
}

}  // namespace cairn::kernels::articulate
