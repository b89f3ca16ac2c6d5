#pragma once
// Up to four points that carry nearly the load of the whole contact over a face. The choice is that of reduce.h, but
// visits the points again for each of the four, so that faces may have any number of corners.

#include "kernels/collide/clip.h"
#include "kernels/collide/reduce.h"

namespace cairn::kernels {

/// Twice the area of a triangle in the first two axes, to the left of i-j.
CAIRN_HD double doubled_area(Vec3d i, Vec3d j, Vec3d k) {
  return (j.x - i.x) * (k.y - i.y) - (j.y - i.y) * (k.x - i.x);
}

struct FacePoint {
  Vec3d p;  ///< [m] in the reference's axes
  std::uint32_t id;
};

/// Points over a face at or below a height.
struct FacePoints {
  std::uint32_t count{0};
  FacePoint point[4];

  CAIRN_HD void add(Vec3d p, std::uint32_t id) { point[count++] = {p, id}; }
};

/// The deepest (to within depth_tolerance), the farthest from it, the one with the largest triangle on those two, and
/// the one that adds the largest triangle outside of the three. Earlier points win ties.
CAIRN_HD_CALL FacePoints choose_points(const Reference& ref, const Feature& inc, double limit, double depth_tolerance) {
  FacePoints out;
  std::uint32_t total = 0;
  FacePoint first{};
  const auto visit = [&](const auto& see) {
    visit_over(ref, inc, [&](Vec3d p, std::uint32_t id) {
      if (p.z <= limit) see(p, id);
    });
  };
  visit([&](Vec3d p, std::uint32_t id) {
    if (total < 4) out.add(p, id);
    if (total == 0 || p.z < first.p.z - depth_tolerance) first = {p, id};
    ++total;
  });
  if (total <= 4) return out;

  const double keep = 1.0 + kChoiceTolerance;
  FacePoint second = first, third = first, fourth = first;
  double best = 0.0;
  visit([&](Vec3d p, std::uint32_t id) {
    const double x = p.x - first.p.x, y = p.y - first.p.y, d2 = x * x + y * y;
    if (d2 > keep * best) best = d2, second = {p, id};
  });
  out.count = 0;
  out.add(first.p, first.id);
  if (second.id == first.id) return out;
  out.add(second.p, second.id);

  // a point that adds less area than this is a copy of a chosen one
  const double min_area = 1e-3 * best;
  double area = 0.0;
  best = min_area;
  visit([&](Vec3d p, std::uint32_t id) {
    const double a = doubled_area(first.p, second.p, p);
    if (abs(a) > keep * best) best = abs(a), area = a, third = {p, id};
  });
  if (third.id == first.id) return out;
  out.add(third.p, third.id);

  // outside is to the right of the sides of a triangle that runs counter-clockwise
  const double turn = sign_of(area);
  best = min_area;
  visit([&](Vec3d p, std::uint32_t id) {
    const double outside =
        max(max(-turn * doubled_area(first.p, second.p, p), -turn * doubled_area(second.p, third.p, p)),
            -turn * doubled_area(third.p, first.p, p));
    if (outside > keep * best) best = outside, fourth = {p, id};
  });
  if (fourth.id != first.id) out.add(fourth.p, fourth.id);
  return out;
}

/// Distances of A's and B's surfaces from their cores.
struct Rounds {
  double a, b;  ///< [m]
  CAIRN_HD double sum() const { return a + b; }
};

/// Contact of a feature with a face of A (or of B), whose ids are mixed into those of the points.
CAIRN_HD ContactPoints touch_face(const Reference& ref, const Feature& inc, bool ref_is_b, const Rounds& rounds,
                                  double margin, double tolerance, std::uint32_t ids) {
  ContactPoints out = no_contact();
  const Vec3d n = ref_is_b ? -ref.n : ref.n;
  out.normal = narrow(n);
  out.flat = inc.has_area();
  const FacePoints found = choose_points(ref, inc, margin + rounds.sum(), 0.1 * tolerance);
  for (std::uint32_t i = 0; i < found.count; ++i) {
    const Vec3d p = found.point[i].p;
    // A's own core: the point itself, or its projection on the face
    const Vec3d core = ref.world({p.x, p.y, ref_is_b ? p.z : 0.0});
    add_point(out, narrow(fma(rounds.a, n, core)), static_cast<float>(p.z - rounds.sum()),
              mix32(ids + found.point[i].id));
  }
  return out;
}

}  // namespace cairn::kernels
