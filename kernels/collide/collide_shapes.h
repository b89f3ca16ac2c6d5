#pragma once
// The narrow phase: contact points of two shapes, by the kinds of both.

#include "kernels/collide/box_box.h"
#include "kernels/collide/box_plane.h"
#include "kernels/collide/capsule_box.h"
#include "kernels/collide/convex_pair.h"
#include "kernels/collide/sphere.h"
#include "kernels/common/pair_class.h"

namespace cairn::kernels {

/// The world keeps orientations unit. Others are normalized here, since every normal is a column of the matrix.
CAIRN_HD Quat unit_orientation(Quat q) {
  if (abs(dot(q, q) - 1.0f) <= kUnitWithin) return q;
  // scale first: squares of tiny numbers lose their digits
  const float m = max(max(abs(q.x), abs(q.y)), max(abs(q.z), abs(q.w)));
  return m > 0.0f ? normalized(Quat{q.x / m, q.y / m, q.z / m, q.w / m}) : Quat{0, 0, 0, 1};
}

CAIRN_HD BoxPose box_pose(Vec3 h, const ShapePose& p) { return {p.x, matrix_of(unit_orientation(p.q)), h}; }
/// The image of z: a plane's normal, a capsule's axis.
CAIRN_HD Vec3 axis_z(Quat q) { return normalized(rotate(unit_orientation(q), Vec3{0, 0, 1}), {0, 0, 1}); }

CAIRN_HD CapsulePose capsule_pose(Vec3 size, const ShapePose& p) { return {p.x, axis_z(p.q), size.z, size.x}; }

/// The same contact with A and B exchanged.
CAIRN_HD ContactPoints exchanged(ContactPoints c) {
  c.normal = -c.normal;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    const Vec3 a = c.point[i].a;
    c.point[i].a = c.point[i].b;
    c.point[i].b = a;
  }
  return c;
}

/// No contact if sums overflowed or lost all their digits: such a manifold is of no use.
CAIRN_HD ContactPoints usable(const ContactPoints& found, float margin) {
  bool good = abs(dot(found.normal, found.normal) - 1.0f) <= 1e-3f;
  for (std::uint32_t i = 0; i < found.count; ++i) {
    const ContactPoint& p = found.point[i];
    good = good && finite(p.a) && finite(p.b) && finite(p.separation) && p.separation <= margin;
  }
  return good ? found : no_contact();
}

/// Pairs with closed forms, in the order of comes_after.
CAIRN_HD ContactPoints collide_near(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                    const ShapePose& pb, float margin) {
  if (ga.kind == ShapeKind::kSphere) {
    switch (gb.kind) {
      case ShapeKind::kSphere:
        return collide_balls(pa.x, ga.size.x, pb.x, gb.size.x, {0, 0, 1}, margin);
      case ShapeKind::kBox:
        return collide_ball_box(pa.x, ga.size.x, box_pose(gb.size, pb), margin);
      case ShapeKind::kCapsule:
        return collide_ball_capsule(pa.x, ga.size.x, capsule_pose(gb.size, pb), margin);
      case ShapeKind::kPlane:
        return collide_ball_plane(pa.x, ga.size.x, pb.x, axis_z(pb.q), margin);
      default:
        break;
    }
  } else if (ga.kind == ShapeKind::kBox) {
    if (gb.kind == ShapeKind::kCapsule)
      return exchanged(collide_capsule_box(capsule_pose(gb.size, pb), box_pose(ga.size, pa), margin));
    if (gb.kind == ShapeKind::kPlane) {
      ContactPoints found = collide_box_plane(box_pose(ga.size, pa), pb.x, axis_z(pb.q), margin);
      found.flat = true;
      return found;
    }
  } else if (ga.kind == ShapeKind::kCapsule) {
    if (gb.kind == ShapeKind::kCapsule)
      return collide_capsules(capsule_pose(ga.size, pa), capsule_pose(gb.size, pb), margin);
    if (gb.kind == ShapeKind::kPlane)
      return collide_capsule_plane(capsule_pose(ga.size, pa), pb.x, axis_z(pb.q), margin);
  }
  return no_contact();
}

/// Two boxes; `old` is their manifold of the last step, or null.
CAIRN_HD ContactPoints collide_flat(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                    const ShapePose& pb, float margin, const Manifold* old) {
  ContactPoints found = collide_boxes(box_pose(ga.size, pa), box_pose(gb.size, pb), margin, old);
  found.flat = true;
  return found;
}

/// Any pair without surfaces, by support functions and features, in the order of comes_after.
CAIRN_HD ContactPoints collide_general(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                       const ShapePose& pb, float margin, const Solids& solids, Epa& epa) {
  const Convex b = convex_of(gb, pb, solids);
  if (ga.kind == ShapeKind::kPlane) return exchanged(collide_convex_plane(b, pa.x, axis_z(pa.q), margin));
  return collide_convex(convex_of(ga, pa, solids), b, margin, epa);
}

CAIRN_HD bool finite(const ShapeGeometry& g, const ShapePose& pose) {
  return finite(g.size) && finite(g.round) && finite(pose.x) && finite(pose.q);
}

/// The same for two hulls of one scale, by their data: their indices depend on the other hulls of the World.
CAIRN_HD bool hull_comes_after(const Hull& a, const Hull& b, const Solids& solids) {
  if (a.radius != b.radius) return a.radius < b.radius;
  if (a.thickness != b.thickness) return a.thickness < b.thickness;
  if (a.vertex_count != b.vertex_count) return a.vertex_count < b.vertex_count;
  for (std::uint32_t i = 0; i < a.vertex_count; ++i) {
    const Vec3 p = solids.hull_vertex[a.vertex + i], q = solids.hull_vertex[b.vertex + i];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    if (p.z != q.z) return p.z < q.z;
  }
  return false;
}

/// True if the narrow phase takes B first: by kind, and within a kind the larger first. So a pair has the same manifold
/// whichever is called A, and an axis or a feature of the first may still be preferred. Since sizes don't change, no
/// pair changes its order from step to step. Twins stay in the given order, in a World by number. Two that lie on each
/// other may be exchanged by half a turn, so that no rule for shapes and poses could distinguish them there, and near
/// there it would change its result at every step.
CAIRN_HD bool comes_after(const ShapeGeometry& a, const ShapeGeometry& b, const Solids& solids) {
  if (a.kind != b.kind) return static_cast<std::uint32_t>(a.kind) > static_cast<std::uint32_t>(b.kind);
  if (a.size.x != b.size.x) return a.size.x < b.size.x;
  if (a.size.y != b.size.y) return a.size.y < b.size.y;
  if (a.size.z != b.size.z) return a.size.z < b.size.z;
  if (a.round != b.round) return a.round < b.round;
  if (a.kind != ShapeKind::kHull || a.data == b.data) return false;
  return hull_comes_after(solids.hull[a.data], solids.hull[b.data], solids);
}

/// Result of `narrow` for shapes A and B, neither a surface, in the order of comes_after. No contact if an input is not
/// finite, or so large that results are not.
template <class Narrow>
CAIRN_HD ContactPoints collide_ordered(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                       const ShapePose& pb, float margin, const Solids& solids, const Narrow& narrow) {
  if (!finite(ga, pa) || !finite(gb, pb) || !finite(margin)) return no_contact();
  const bool swapped = comes_after(ga, gb, solids);
  const ContactPoints found =
      narrow(swapped ? gb : ga, swapped ? pb : pa, swapped ? ga : gb, swapped ? pa : pb, margin);
  return usable(swapped ? exchanged(found) : found, margin);
}

/// Contact points of shapes A and B, neither a surface, with separation <= margin, for any class. The step works class
/// by class; this is for a single pair. `old` is its manifold of the last step, or null.
CAIRN_HD ContactPoints collide_shapes(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                      const ShapePose& pb, float margin, const Solids& solids = {},
                                      const Manifold* old = nullptr) {
  const PairClass of = class_of(ga.kind, gb.kind);
  return collide_ordered(ga, pa, gb, pb, margin, solids, [&](const auto&... ordered) {
    if (of == PairClass::kNear) return collide_near(ordered...);
    if (of == PairClass::kBoxes) return collide_flat(ordered..., old);
    Epa epa;
    return collide_general(ordered..., solids, epa);
  });
}

}  // namespace cairn::kernels
