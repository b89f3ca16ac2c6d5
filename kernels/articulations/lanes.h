#pragma once
// Words of articulations in lanes, and what they hold.

#include <cstddef>
#include <cstdint>

#include "kernels/articulations/inertia.h"
#include "kernels/common/team.h"

namespace cairn::kernels::articulate {

/// Words of one articulation, that stand `stride` apart: neighbours in a batch have theirs side by side.
struct Lane {
  double* at;            ///< [1] word 0
  std::uint32_t stride;  ///< [1]
  CAIRN_HD double& operator[](std::uint32_t word) const { return at[std::size_t{word} * stride]; }
  CAIRN_HD Lane from(std::uint32_t word) const { return {at + std::size_t{word} * stride, stride}; }
};

CAIRN_HD Lane lane_of(double* data, std::uint32_t words, std::uint32_t lanes, std::uint32_t i) {
  return {data + std::size_t{i / lanes} * words * lanes + i % lanes, lanes};
}

template <class Team>
CAIRN_HD void copy(const Team& team, Lane from, Lane to, std::uint32_t words) {
  team.each(words, [&](std::uint32_t w) { to[w] = from[w]; });
}
CAIRN_HD void copy(Lane from, Lane to, std::uint32_t words) { copy(Alone{}, from, to, words); }

CAIRN_HD Vec load_vec(Lane l) { return {l[0], l[1], l[2]}; }
CAIRN_HD void store(Lane l, Vec v) {
  l[0] = v.x;
  l[1] = v.y;
  l[2] = v.z;
}
CAIRN_HD Quatd load_quat(Lane l) { return {l[0], l[1], l[2], l[3]}; }
CAIRN_HD void store(Lane l, const Quatd& q) {
  l[0] = q.x;
  l[1] = q.y;
  l[2] = q.z;
  l[3] = q.w;
}
CAIRN_HD Motion load_motion(Lane l) { return {load_vec(l), load_vec(l.from(3))}; }
CAIRN_HD void store(Lane l, const Motion& m) {
  store(l, m.w);
  store(l.from(3), m.v);
}
CAIRN_HD Force load_force(Lane l) { return {load_vec(l), load_vec(l.from(3))}; }
CAIRN_HD void store(Lane l, const Force& f) {
  store(l, f.n);
  store(l.from(3), f.f);
}
CAIRN_HD Matrix load_matrix(Lane l) { return {load_vec(l), load_vec(l.from(3)), load_vec(l.from(6))}; }
CAIRN_HD void store(Lane l, const Matrix& m) {
  store(l, m.x);
  store(l.from(3), m.y);
  store(l.from(6), m.z);
}
CAIRN_HD RigidInertia load_rigid(Lane l) { return {l[0], load_vec(l.from(1)), {l[4], l[5], l[6], l[7], l[8], l[9]}}; }
CAIRN_HD void store(Lane l, const RigidInertia& a) {
  l[0] = a.mass;
  store(l.from(1), a.moment);
  const double i[]{a.i.xx, a.i.yy, a.i.zz, a.i.xy, a.i.xz, a.i.yz};
  for (std::uint32_t w = 0; w < 6; ++w) l[4 + w] = i[w];
}
CAIRN_HD Transform load_transform(Lane l) { return {load_matrix(l), load_vec(l.from(9))}; }
CAIRN_HD void store(Lane l, const Transform& x) {
  store(l, x.r);
  store(l.from(9), x.p);
}
CAIRN_HD Symmetric load_symmetric(Lane l) { return {l[0], l[1], l[2], l[3], l[4], l[5]}; }
CAIRN_HD void store(Lane l, const Symmetric& m) {
  l[0] = m.xx;
  l[1] = m.yy;
  l[2] = m.zz;
  l[3] = m.xy;
  l[4] = m.xz;
  l[5] = m.yz;
}
CAIRN_HD ArticulatedInertia load_inertia(Lane l) {
  return {load_symmetric(l), load_matrix(l.from(6)), load_symmetric(l.from(15))};
}
CAIRN_HD void store(Lane l, const ArticulatedInertia& a) {
  store(l, a.i);
  store(l.from(6), a.h);
  store(l.from(15), a.m);
}

}  // namespace cairn::kernels::articulate
