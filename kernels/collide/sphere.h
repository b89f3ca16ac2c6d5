#pragma once
// Spheres against other shapes. If the closest points coincide, the documented fallback normal is used.

#include "kernels/collide/contact_points.h"

namespace cairn::kernels {

/// Two balls about points xa and xb. Concentric ones separate along `fallback`.
CAIRN_HD ContactPoints collide_balls(Vec3 xa, float ra, Vec3 xb, float rb, Vec3 fallback, float margin) {
  const Vec3 d = xb - xa;
  const Vec3 n = normalized(d, fallback);
  const float separation = dot(n, d) - ra - rb;
  return separation <= margin ? one_contact(n, fma(ra, n, xa), separation) : no_contact();
}

/// A ball against the plane through x with unit normal n.
CAIRN_HD ContactPoints collide_ball_plane(Vec3 xa, float ra, Vec3 x, Vec3 n, float margin) {
  const float separation = dot(n, xa - x) - ra;
  return separation <= margin ? one_contact(-n, fma(-ra, n, xa), separation) : no_contact();
}

/// A ball against a box. A centre inside leaves through the nearest face; ties: x before y before z.
CAIRN_HD ContactPoints collide_ball_box(Vec3 xa, float ra, const BoxPose& box, float margin) {
  const Vec3 p = transpose_mul(box.r, xa - box.x);
  const Vec3 outside = p - max(min(p, box.h), -box.h);
  const float distance = length(outside);
  // within rounding error, the direction to the closest point is noise
  Vec3 n;
  float separation;
  if (distance > 1e-6f * max_component(box.h)) {
    n = normalized(outside, {0, 0, 1});
    separation = dot(n, outside) - ra;
  } else {
    const Vec3 depth = box.h - abs(p);
    const int k = depth.x <= depth.y && depth.x <= depth.z ? 0 : (depth.y <= depth.z ? 1 : 2);
    n = sign_of(component(p, k)) * axis_of(k);
    separation = -component(depth, k) - ra;
  }
  if (!(separation <= margin)) return no_contact();
  const Vec3 normal = -(box.r * n);
  return one_contact(normal, fma(ra, normal, xa), separation);
}

}  // namespace cairn::kernels
