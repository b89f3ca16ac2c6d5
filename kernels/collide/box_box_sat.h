#pragma once
// Separating axes of two boxes: 3 + 3 face normals and 9 cross products of edges, in A's frame.
// Gottschalk, Lin and Manocha, "OBBTree" (SIGGRAPH 1996), section 5.

#include "kernels/collide/contact_points.h"

namespace cairn::kernels {

/// [1] Margin by which a face of B must beat A's, and an edge pair the faces, to be chosen, as a share of the smallest
/// half extent of both boxes. 1 mm for unit boxes. Smaller lets rounding switch the reference face of a resting box;
/// larger takes an edge contact for a face.
inline constexpr float kAxisTolerance = 2e-3f;

/// [1] Squared sine below which two edges count as parallel. Their cross product then adds nothing to the faces to
/// within 0.1 % of the boxes' size, while its rounding error grows as 1e-7 / sine.
inline constexpr float kParallelSine2 = 1e-6f;

/// Axis of largest separation. Codes: 0..2 faces of A, 3..5 faces of B, 6 + 3 i + j edge i of A with edge j of B.
struct BoxBoxAxes {
  bool apart;               ///< by more than the margin
  float face_separation;    ///< [m]
  float edge_separation;    ///< [m] of edge_code, if there is one
  std::uint32_t face_code;  ///< [1] 0..5
  std::uint32_t edge_code;  ///< [1] 6..14, or kNone where no edge pair comes within the tolerance of the face
};

/// Keeps an edge axis that beats the best so far. `raw` is the separation times the sine.
CAIRN_HD void consider_edge(float raw, float sine2, std::uint32_t code, BoxBoxAxes& axes) {
  // dividing by the sine only lowers a negative separation: most axes end here
  if (raw < 0.0f && raw <= axes.edge_separation) return;
  if (!(sine2 > kParallelSine2)) return;
  const float separation = raw / sqrt(sine2);
  if (separation > axes.edge_separation) axes.edge_separation = separation, axes.edge_code = code;
}

/// The three axes e x (edges of B), for the edge e of A at right angles to A's axes 1 and 2. Vectors over B's axes:
/// `row`s of B to A.
CAIRN_HD void consider_edges(float d1, float d2, float h1, float h2, Vec3 row, Vec3 row1, Vec3 row2, Vec3 hb,
                             std::uint32_t code, BoxBoxAxes& axes) {
  const Vec3 centre = abs(fma(d2, row1, -d1 * row2));
  const Vec3 of_a = fma(h1, abs(row2), h2 * abs(row1));
  const Vec3 r = abs(row);
  const Vec3 of_b{fma(hb.y, r.z, hb.z * r.y), fma(hb.z, r.x, hb.x * r.z), fma(hb.x, r.y, hb.y * r.x)};
  const Vec3 raw = centre - of_a - of_b;
  const Vec3 sine2{fma(row1.x, row1.x, row2.x * row2.x), fma(row1.y, row1.y, row2.y * row2.y),
                   fma(row1.z, row1.z, row2.z * row2.z)};
  consider_edge(raw.x, sine2.x, code, axes);
  consider_edge(raw.y, sine2.y, code + 1, axes);
  consider_edge(raw.z, sine2.z, code + 2, axes);
}

/// The axes of B in A's frame, as columns.
template <class T>
CAIRN_HD Mat3T<T> matrix_in(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {transpose_mul(a, b.x), transpose_mul(a, b.y), transpose_mul(a, b.z)};
}
/// [m] Distances along A's face normals of boxes of half extents ha and hb; B's centre is at d and its axes are the
/// columns of r, both in A's frame.
template <class T>
CAIRN_HD Vec3T<T> gaps_along_a(Vec3T<T> ha, Vec3T<T> hb, const Mat3T<T>& r, Vec3T<T> d) {
  const Vec3T<T> row_x{r.x.x, r.y.x, r.z.x}, row_y{r.x.y, r.y.y, r.z.y}, row_z{r.x.z, r.y.z, r.z.z};
  return abs(d) - ha - Vec3T<T>{dot(abs(row_x), hb), dot(abs(row_y), hb), dot(abs(row_z), hb)};
}
/// [m] Along B's face normals.
template <class T>
CAIRN_HD Vec3T<T> gaps_along_b(Vec3T<T> ha, Vec3T<T> hb, const Mat3T<T>& r, Vec3T<T> d) {
  return abs(transpose_mul(r, d)) - hb - Vec3T<T>{dot(abs(r.x), ha), dot(abs(r.y), ha), dot(abs(r.z), ha)};
}

/// The axes for boxes of half extents ha and hb; B's centre is at d and its axes are the columns of r, both in A's
/// frame.
CAIRN_HD BoxBoxAxes separate_boxes(Vec3 ha, Vec3 hb, const Mat3& r, Vec3 d, float margin, float tolerance) {
  BoxBoxAxes axes{};
  axes.edge_code = kNone;

  const Vec3 row_x{r.x.x, r.y.x, r.z.x}, row_y{r.x.y, r.y.y, r.z.y}, row_z{r.x.z, r.y.z, r.z.z};
  const Vec3 of_a = gaps_along_a(ha, hb, r, d);
  const float best_a = max_component(of_a);
  axes.apart = best_a > margin;
  if (axes.apart) return axes;

  const Vec3 of_b = gaps_along_b(ha, hb, r, d);
  const float best_b = max_component(of_b);
  axes.apart = best_b > margin;
  if (axes.apart) return axes;

  const bool b_is_better = best_b > best_a + tolerance;
  axes.face_separation = b_is_better ? best_b : best_a;
  axes.face_code = b_is_better ? 3u + largest_of(of_b) : largest_of(of_a);

  axes.edge_separation = max(best_a, best_b) - tolerance;
  consider_edges(d.y, d.z, ha.y, ha.z, row_x, row_y, row_z, hb, 6, axes);
  consider_edges(d.z, d.x, ha.z, ha.x, row_y, row_z, row_x, hb, 9, axes);
  consider_edges(d.x, d.y, ha.x, ha.y, row_z, row_x, row_y, hb, 12, axes);
  axes.apart = axes.edge_code != kNone && axes.edge_separation > margin;
  return axes;
}

}  // namespace cairn::kernels
