#pragma once
// A box over a plane.

#include "kernels/collide/contact_points.h"

namespace cairn::kernels {

/// Box A against the plane through x with unit normal n. The face that opposes the normal most has the lowest corners,
/// which carry a resting box; those within the margin touch. Feature = corner (bits: set where the corner is on a
/// negative side).
CAIRN_HD ContactPoints collide_box_plane(const BoxPose& box, Vec3 x, Vec3 n, float margin) {
  const Vec3 in_box = transpose_mul(box.r, n);
  const int k = static_cast<int>(face_along(abs(in_box)));
  const int k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
  const float down = -sign_of(component(in_box, k));

  ContactPoints out = no_contact();
  out.normal = -n;
  const Vec3 face = (down * component(box.h, k)) * column(box.r, k);
  const Vec3 e1 = component(box.h, k1) * column(box.r, k1), e2 = component(box.h, k2) * column(box.r, k2);
  const Vec3 centre = box.x - x;
  for (int i = 0; i < 4; ++i) {
    const float s1 = (i & 1) != 0 ? -1.0f : 1.0f, s2 = (i & 2) != 0 ? -1.0f : 1.0f;
    const Vec3 corner = fma(s1, e1, fma(s2, e2, face));
    const float separation = dot(n, centre + corner);
    const std::uint32_t id = (sign_bit(down) << k) | (sign_bit(s1) << k1) | (sign_bit(s2) << k2);
    if (separation <= margin) add_point(out, box.x + corner, separation, id);
  }
  return out;
}

}  // namespace cairn::kernels
