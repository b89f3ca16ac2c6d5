#pragma once
// Reduction of a clipped polygon to four points that carry nearly the same load.

#include "kernels/collide/contact_points.h"

namespace cairn::kernels {

/// Two faces have at most 8 points; 12 slots have room for rounding errors of the clipping.
inline constexpr std::uint32_t kMaxCandidates = 12;

/// Points over a reference face.
struct Candidates {
  std::uint32_t count{0};
  float u[kMaxCandidates];           ///< [m] in the face's plane
  float v[kMaxCandidates];           ///< [m] in the face's plane
  float w[kMaxCandidates];           ///< [m] above the face: the separation
  std::uint32_t id[kMaxCandidates];  ///< [1] unique

  CAIRN_HD void add(float at_u, float at_v, float at_w, std::uint32_t its_id) {
    if (count == kMaxCandidates) return;
    u[count] = at_u;
    v[count] = at_v;
    w[count] = at_w;
    id[count] = its_id;
    ++count;
  }
};

/// [1] How much better a later point must be to replace an earlier one. It keeps the choice among near-equal points
/// from step to step.
inline constexpr float kChoiceTolerance = 0.02f;

/// [1] Bonus of points that carried load, as a ratio of squared distances and of areas. Both squares of an octagon are
/// equal without it. 1.5 outlasts the changes of rocking and sliding from step to step, and still yields to points that
/// are a fifth farther.
inline constexpr float kCarriedBonus = 1.5f;
/// [1] Extra depth of points that carried load, as a share of the deepest point's depth. More would keep points while
/// the body leans away from them.
inline constexpr float kCarriedDepth = 0.2f;

/// Twice the signed area of the triangle of points i, j, k.
CAIRN_HD float doubled_area(const Candidates& c, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  const float au = c.u[j] - c.u[i], av = c.v[j] - c.v[i];
  const float bu = c.u[k] - c.u[i], bv = c.v[k] - c.v[i];
  return fma(au, bv, -(av * bu));
}

/// Picks up to four points: the deepest (to within depth_tolerance), the farthest from it, the one with the largest
/// triangle on those two, and the one that adds the largest triangle outside of the three. Earlier points win ties. One
/// bit per point kept. Of eight points either four would do. A body that rocks a little between them has now the ones,
/// now the others deepest, and each time the new ones would start without the load. So points that carried load in the
/// last step, one bit each in `carried`, are preferred.
CAIRN_HD std::uint32_t reduce_to_four(const Candidates& c, float depth_tolerance, std::uint32_t carried) {
  if (c.count <= 4) return (1u << c.count) - 1u;

  float lowest = 0.0f;
  for (std::uint32_t i = 0; i < c.count; ++i) lowest = min(lowest, c.w[i]);
  const auto was_loaded = [&](std::uint32_t i) { return ((carried >> i) & 1u) != 0; };
  const auto depth = [&](std::uint32_t i) { return was_loaded(i) ? fma(kCarriedDepth, lowest, c.w[i]) : c.w[i]; };
  const auto worth = [&](std::uint32_t i, float size) { return was_loaded(i) ? kCarriedBonus * size : size; };

  std::uint32_t first = 0;
  for (std::uint32_t i = 1; i < c.count; ++i) {
    if (depth(i) < depth(first) - depth_tolerance) first = i;
  }

  std::uint32_t second = first;
  float best = 0.0f;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    const float du = c.u[i] - c.u[first], dv = c.v[i] - c.v[first];
    const float distance2 = worth(i, fma(du, du, dv * dv));
    if (distance2 > fma(kChoiceTolerance, best, best)) best = distance2, second = i;
  }
  if (second == first) return 1u << first;

  // a point that adds less area than this is a copy of a chosen one
  const float min_area = 1e-3f * best;
  std::uint32_t third = first;
  float area = 0.0f;
  best = min_area;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    const float a = worth(i, doubled_area(c, first, second, i));
    if (abs(a) > fma(kChoiceTolerance, best, best)) best = abs(a), area = a, third = i;
  }
  if (third == first) return (1u << first) | (1u << second);

  // outside is to the right of the sides of a triangle that runs counter-clockwise
  const float turn = area < 0.0f ? -1.0f : 1.0f;
  std::uint32_t fourth = first;
  best = min_area;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    const float added = max(max(-turn * doubled_area(c, first, second, i), -turn * doubled_area(c, second, third, i)),
                            -turn * doubled_area(c, third, first, i));
    const float outside = worth(i, added);
    if (outside > fma(kChoiceTolerance, best, best)) best = outside, fourth = i;
  }
  return (1u << first) | (1u << second) | (1u << third) | (1u << fourth);
}

}  // namespace cairn::kernels
