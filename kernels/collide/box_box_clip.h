#pragma once
// Contact points of two boxes on a face of one: the incident face clipped by the sides of the reference face.

#include "kernels/collide/box_box_sat.h"
#include "kernels/collide/reduce.h"
#include "kernels/common/contacts.h"

namespace cairn::kernels {

/// Turns the axes so that axis k becomes the last, pointing along `sign`.
CAIRN_HD Vec3 to_face(Vec3 a, std::uint32_t k, float sign) {
  const Vec3 p = k == 0 ? Vec3{a.y, a.z, a.x} : (k == 1 ? Vec3{a.z, a.x, a.y} : a);
  return {p.x, p.y, sign * p.z};
}
CAIRN_HD Vec3 from_face(Vec3 p, std::uint32_t k, float sign) {
  const Vec3 a{p.x, p.y, sign * p.z};
  return k == 0 ? Vec3{a.z, a.x, a.y} : (k == 1 ? Vec3{a.y, a.z, a.x} : a);
}

/// Where a line p + t e enters and leaves the slab |x| <= h; the codes of the planes are `plane` (at -h) and plane + 1.
CAIRN_HD void clip_by_slab(float p, float e, float inv_e, float h, std::uint32_t plane, float& enter, float& leave,
                           std::uint32_t& enter_plane, std::uint32_t& leave_plane) {
  if (abs(e) <= 1e-20f) {
    if (abs(p) > h) leave = -1.0f;
    return;
  }
  const bool rises = e > 0.0f;
  const float t_low = (-h - p) * inv_e, t_high = (h - p) * inv_e;
  const float t_enter = rises ? t_low : t_high, t_leave = rises ? t_high : t_low;
  if (t_enter > enter) enter = t_enter, enter_plane = rises ? plane : plane + 1;
  if (t_leave < leave) leave = t_leave, leave_plane = rises ? plane + 1 : plane;
}

/// One side of the incident face: p + t e for t in 0..1. Adds its first point unless it is cut off, and the points
/// where it is cut.
CAIRN_HD void clip_side(Vec3 p, Vec3 e, float inv_eu, float inv_ev, float hu, float hv, float margin,
                        std::uint32_t side, Candidates& out) {
  float enter = 0.0f, leave = 1.0f;
  std::uint32_t enter_plane = 0, leave_plane = 0;
  clip_by_slab(p.x, e.x, inv_eu, hu, 0, enter, leave, enter_plane, leave_plane);
  clip_by_slab(p.y, e.y, inv_ev, hv, 2, enter, leave, enter_plane, leave_plane);
  if (!(enter <= leave)) return;
  // ids: 0..3 corners of the incident face, 4 + 4 side + plane the cuts
  const Vec3 first = fma(enter, e, p);
  if (first.z <= margin) out.add(first.x, first.y, first.z, enter > 0.0f ? 4u + 4u * side + enter_plane : side);
  const Vec3 last = fma(leave, e, p);
  if (leave < 1.0f && leave > enter && last.z <= margin) out.add(last.x, last.y, last.z, 4u + 4u * side + leave_plane);
}

/// A corner of the reference face that lies over the incident face m + s e1 + t e2, |s|, |t| < 1. Ids 20..23.
CAIRN_HD void clip_corner(float cu, float cv, Vec3 m, Vec3 e1, Vec3 e2, float inv_det, float margin, std::uint32_t id,
                          Candidates& out) {
  const float qu = cu - m.x, qv = cv - m.y;
  const float s = fma(qu, e2.y, -(qv * e2.x)) * inv_det;
  const float t = fma(e1.x, qv, -(e1.y * qu)) * inv_det;
  if (!(abs(s) < 1.0f && abs(t) < 1.0f)) return;
  const float w = fma(s, e1.z, fma(t, e2.z, m.z));
  if (w <= margin) out.add(cu, cv, w, id);
}

/// Points where the box `inc`, at d with axes r in the frame of the box `ref`, is near the face of `ref` along axis k.
/// The point on `ref` is the projection of the one on `inc`. `old` is the last manifold, or null.
CAIRN_HD ContactPoints clip_faces(const BoxPose& ref, Vec3 inc_h, const Mat3& r, Vec3 d, std::uint32_t k, bool ref_is_b,
                                  float margin, float tolerance, const Manifold* old) {
  const float sign = sign_of(component(d, static_cast<int>(k)));
  const Vec3 ref_h = to_face(ref.h, k, 1.0f);
  const Vec3 c0 = to_face(r.x, k, sign), c1 = to_face(r.y, k, sign), c2 = to_face(r.z, k, sign);

  // the incident face opposes the normal most
  const std::uint32_t j = face_along(Vec3{abs(c0.z), abs(c1.z), abs(c2.z)});
  const Vec3 cn = j == 0 ? c0 : (j == 1 ? c1 : c2), cu = j == 0 ? c1 : (j == 1 ? c2 : c0),
             cv = j == 0 ? c2 : (j == 1 ? c0 : c1);
  const Vec3 inc = to_face(inc_h, j, 1.0f);
  const float inc_sign = -sign_of(cn.z);
  const Vec3 middle = fma(inc_sign * inc.z, cn, to_face(d, k, sign));
  const Vec3 m{middle.x, middle.y, middle.z - ref_h.z};
  const Vec3 e1 = inc.x * cu, e2 = inc.y * cv;

  // clip slightly outside the reference face: the corners of equal boxes in a stack then keep their ids
  const float hu = ref_h.x + 0.5f * tolerance, hv = ref_h.y + 0.5f * tolerance;
  Candidates found;
  const Vec3 f1 = 2.0f * e1, f2 = 2.0f * e2;
  const float i1u = 1.0f / f1.x, i1v = 1.0f / f1.y, i2u = 1.0f / f2.x, i2v = 1.0f / f2.y;
  clip_side(m - e1 - e2, f1, i1u, i1v, hu, hv, margin, 0, found);
  clip_side(m + e1 - e2, f2, i2u, i2v, hu, hv, margin, 1, found);
  clip_side(m + e1 + e2, -f1, -i1u, -i1v, hu, hv, margin, 2, found);
  clip_side(m - e1 + e2, -f2, -i2u, -i2v, hu, hv, margin, 3, found);
  const float inv_det = 1.0f / fma(e1.x, e2.y, -(e1.y * e2.x));
  clip_corner(-hu, -hv, m, e1, e2, inv_det, margin, 20, found);
  clip_corner(hu, -hv, m, e1, e2, inv_det, margin, 21, found);
  clip_corner(hu, hv, m, e1, e2, inv_det, margin, 22, found);
  clip_corner(-hu, hv, m, e1, e2, inv_det, margin, 23, found);

  ContactPoints out = no_contact();
  const Vec3 n = sign * column(ref.r, static_cast<int>(k));
  out.normal = ref_is_b ? -n : n;
  const std::uint32_t faces =
      ((ref_is_b ? 3u + k : k) << 16) | (sign_bit(sign) << 12) | (((j << 1) | sign_bit(inc_sign)) << 8);
  std::uint32_t carried = 0;
  for (std::uint32_t i = 0; old != nullptr && found.count > 4 && i < found.count; ++i) {
    if (carried_at(*old, faces | found.id[i])) carried |= 1u << i;
  }
  const std::uint32_t kept = reduce_to_four(found, 0.1f * tolerance, carried);
  for (std::uint32_t i = 0; i < found.count; ++i) {
    if (((kept >> i) & 1u) == 0u) continue;
    // on the reference face itself, without the extra width
    const float u = clamp(found.u[i], -ref_h.x, ref_h.x), v = clamp(found.v[i], -ref_h.y, ref_h.y);
    const float w = ref_is_b ? found.w[i] : 0.0f;
    const Vec3 a = ref.x + ref.r * from_face({u, v, ref_h.z + w}, k, sign);
    add_point(out, a, found.w[i], faces | found.id[i]);
  }
  return out;
}

}  // namespace cairn::kernels
