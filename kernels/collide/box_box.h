#pragma once
// Box against box: the axis of largest separation decides between a face and a pair of edges.

#include "kernels/collide/box_box_clip.h"

namespace cairn::kernels {

/// [1] Squared sine, of 3 degrees, within which an edge pair's axis counts as the face's normal. If the pair beats the
/// face by more than its tolerance, the boxes are tilted or overlap deeply, and a nearly equal axis adds little.
inline constexpr float kNearFaceSine2 = 2.5e-3f;

/// Edge a of A and edge b of B, 0..2 along the axes.
struct EdgePair {
  int a, b;
  CAIRN_HD explicit EdgePair(const BoxBoxAxes& axes)
      : a(static_cast<int>(axes.edge_code - 6u) / 3), b(static_cast<int>(axes.edge_code - 6u) % 3) {}
};

/// The point where edge i of A crosses edge j of B, at the axis e_i x (column j of r).
CAIRN_HD ContactPoints cross_edges(const BoxPose& a, Vec3 hb, const Mat3& r, Vec3 d, int i, int j, float margin,
                                   float tolerance) {
  const Vec3 ei = axis_of(i), ej = column(r, j);
  const Vec3 across = cross(ei, ej);
  const float sine2 = dot(across, across);
  const Vec3 n = (sign_of(dot(d, across)) / sqrt(sine2)) * across;

  // middles of the two edges that face each other
  const Vec3 nb = transpose_mul(r, n);
  const Vec3 sa{i == 0 ? 0.0f : sign_of(n.x), i == 1 ? 0.0f : sign_of(n.y), i == 2 ? 0.0f : sign_of(n.z)};
  const Vec3 sb{j == 0 ? 0.0f : -sign_of(nb.x), j == 1 ? 0.0f : -sign_of(nb.y), j == 2 ? 0.0f : -sign_of(nb.z)};
  const Vec3 ca = mul(sa, a.h), cb = d + r * mul(sb, hb);

  // closest points of the lines, kept on the edges
  const Vec3 gap = cb - ca;
  const float cosine = component(ej, i), along_a = component(gap, i), along_b = dot(gap, ej);
  const float la = component(a.h, i), lb = component(hb, j);
  float s = clamp(fma(-cosine, along_b, along_a) / sine2, -la, la);
  const float t = clamp(fma(cosine, s, -along_b), -lb, lb);
  s = clamp(fma(cosine, t, along_a), -la, la);

  const Vec3 difference = fma(t, ej, fma(-s, ei, gap));
  const float separation = dot(n, difference);
  // if the boxes are apart, the edges may pass beside each other: an approach along n would not end in this contact
  const Vec3 aside = fma(-separation, n, difference);
  if (separation > margin || (separation > 0.0f && dot(aside, aside) > tolerance * tolerance)) return no_contact();
  const Vec3 on_a = fma(0.5f, aside, fma(s, ei, ca));

  ContactPoints out = no_contact();
  out.normal = a.r * n;
  const std::uint32_t signs_a = sign_bit(sa.x) | (sign_bit(sa.y) << 1) | (sign_bit(sa.z) << 2);
  const std::uint32_t signs_b = sign_bit(sb.x) | (sign_bit(sb.y) << 1) | (sign_bit(sb.z) << 2);
  add_point(out, a.x + a.r * on_a, separation,
            (static_cast<std::uint32_t>(6 + 3 * i + j) << 16) | (signs_a << 12) | (signs_b << 8));
  return out;
}

/// True if the edge pair's axis is nearly the face's normal. Then the face is used, and its points resist tilting, too.
/// Otherwise stacked boxes that a load tilts by a milliradian and back would switch between four points and one.
CAIRN_HD bool nears_face(const Mat3& r, const BoxBoxAxes& axes) {
  const EdgePair edge(axes);
  const Vec3 across = cross(axis_of(edge.a), column(r, edge.b));
  const int k = static_cast<int>(axes.face_code);
  const Vec3 off = cross(across, k >= 3 ? column(r, k - 3) : axis_of(k));
  return dot(off, off) < kNearFaceSine2 * dot(across, across);
}

/// Box against box. `old` is their manifold of the last step, or null.
CAIRN_HD ContactPoints collide_boxes(const BoxPose& a, const BoxPose& b, float margin, const Manifold* old) {
  const Mat3 r = matrix_in(a.r, b.r);
  const Vec3 d = transpose_mul(a.r, b.x - a.x);
  const float tolerance = kAxisTolerance * min(min_component(a.h), min_component(b.h));
  const BoxBoxAxes axes = separate_boxes(a.h, b.h, r, d, margin, tolerance);
  if (axes.apart) return no_contact();

  const bool has_edge = axes.edge_code != kNone;
  ContactPoints out = no_contact();
  if (!has_edge || !(axes.edge_separation > axes.face_separation + tolerance) || nears_face(r, axes)) {
    const bool ref_is_b = axes.face_code >= 3u;
    if (ref_is_b) {
      const Mat3 back{{r.x.x, r.y.x, r.z.x}, {r.x.y, r.y.y, r.z.y}, {r.x.z, r.y.z, r.z.z}};
      out = clip_faces(b, a.h, back, -transpose_mul(r, d), axes.face_code - 3u, true, margin, tolerance, old);
    } else {
      out = clip_faces(a, b.h, r, d, axes.face_code, false, margin, tolerance, old);
    }
    if (out.count > 0) return out;
  }
  // if clipping leaves no points, use an edge pair that is as good as the face
  if (has_edge) {
    const EdgePair edge(axes);
    out = cross_edges(a, b.h, r, d, edge.a, edge.b, margin, tolerance);
  }
  return out;
}

}  // namespace cairn::kernels
