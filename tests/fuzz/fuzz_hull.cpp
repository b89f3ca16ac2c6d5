// Feeds arbitrary points to the convex hull. It is refused, or sound: its vertices are of the points, its faces close
// it, no point is outside, and the hull of its vertices is itself.
//
// The first byte of an input tells how points are in it: as floats, on a lattice that makes many of them coplanar, or
// on that lattice but for some units in the last place.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cairn/errors.h"
#include "kernels/common/vec.h"
#include "src/shape/data.h"
#include "tests/fuzz/require.h"

namespace {

using namespace cairn;
namespace math = cairn::kernels;
using fuzz::require;

std::vector<Vec3> points_of(const std::uint8_t* data, std::size_t size) {
  std::vector<Vec3> points;
  if (size == 0) return points;
  const std::uint8_t mode = data[0] & 3u;
  const std::size_t each = mode == 0 ? sizeof(Vec3) : mode == 1 ? 3 : 4;
  for (std::size_t at = 1; at + each <= size; at += each) {
    Vec3 p;
    if (mode == 0) {
      std::memcpy(&p, data + at, sizeof p);
    } else {
      const auto on_lattice = [&](std::size_t k) { return 0.125f * static_cast<float>(data[at + k]) - 16; };
      p = {on_lattice(0), on_lattice(1), on_lattice(2)};
      // so many roundings of a number up to 16 off it
      if (mode >= 2) p.z += 0x1p-20f * static_cast<float>(data[at + 3] & 7u);
      // and turned, so that no plane goes along the axes
      if (mode == 3) {
        p = {0.6f * p.x - 0.8f * p.y, 0.48f * p.x + 0.36f * p.y - 0.8f * p.z, 0.64f * p.x + 0.48f * p.y + 0.6f * p.z};
      }
    }
    points.push_back(p);
  }
  return points;
}

void check(const ConvexHull& hull, const std::vector<Vec3>& points) {
  const detail::HullData& d = *hull.data();
  require(d.vertices.size() >= 4 && d.vertices.size() <= ConvexHull::kMaxVertices);
  require(ConvexHull(hull.vertices()) == hull);
  for (const Vec3& v : d.vertices) require(std::find(points.begin(), points.end(), v) != points.end());
  double most = 0;
  for (const Vec3& p : points) most = std::max(most, double{math::max_component(math::abs(p))});
  // eight times what corners of one face may be off its plane: every round leaves out what that makes straight
  const double off = 64 * 0x1p-24 * most;
  std::size_t half_edges = 0;
  for (const math::HullFace& face : d.faces) {
    require(face.count >= 3 && face.first + face.count <= d.corners.size());
    half_edges += face.count;
    for (std::uint32_t k = 0; k < face.count; ++k) require(d.corners[face.first + k] < d.vertices.size());
    require(math::dot(face.normal, d.centre) < face.offset);
    for (const Vec3& p : points)
      require(math::dot(math::widen(face.normal), math::widen(p)) <= double{face.offset} + off);
  }
  require(half_edges == d.corners.size());
  // Euler's formula
  require(d.vertices.size() + d.faces.size() == half_edges / 2 + 2);
  // of sizes that a shape may have: what is larger or smaller a Scene refuses
  if (most >= 1e-6 && most <= 1e6) require(std::isfinite(d.radius) && d.thickness > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<Vec3> points = points_of(data, size);
  try {
    check(ConvexHull(points), points);
  } catch (const InvalidArgument&) {
    // flat, not finite, or too many
  }
  return 0;
}
