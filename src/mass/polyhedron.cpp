// Hulls and meshes by the divergence theorem: tetrahedra from one point to each triangle of the surface, negative where
// the surface faces the point. The moments of a tetrahedron are those of Tonon 2004 (Explicit exact formulas for the
// 3-D tetrahedron inertia tensor in terms of its vertex coordinates); cf. Mirtich 1996 (Fast and accurate computation
// of polyhedral mass properties).

#include <algorithm>
#include <cmath>
#include <string>

#include "cairn/errors.h"
#include "src/mass/solid.h"
#include "src/scene/text.h"
#include "src/shape/data.h"

namespace cairn::mass {
namespace {

/// Integrals over the interior of a closed surface, from the point `origin`.
class Integrals {
 public:
  explicit Integrals(const Vec3& origin) : origin_(vector(origin)) {}

  void take(const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vector a = vector(p) - origin_, b = vector(q) - origin_, c = vector(r) - origin_;
    const double det =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    volume_ += det / 6;
    sizes_ += std::abs(det) / 6;
    Vector s{};
    for (std::size_t i = 0; i < 3; ++i) s[i] = a[i] + b[i] + c[i];
    for (std::size_t i = 0; i < 3; ++i) {
      first_[i] += det / 24 * s[i];
      for (std::size_t j = 0; j < 3; ++j)
        second_[i][j] += det / 120 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    }
  }

  double volume() const { return volume_; }
  /// Whether the volume is no more than the rounding of its sum.
  bool is_flat() const { return std::abs(volume_) <= 1e-13 * sizes_; }

  Solid solid() const {
    Solid out;
    out.volume = volume_;
    Vector d{};
    for (std::size_t i = 0; i < 3; ++i) {
      d[i] = first_[i] / volume_;
      out.centre[i] = origin_[i] + d[i];
    }
    // about the centre, then from x x^T to |x|^2 1 - x x^T
    Matrix about = second_;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) about[i][j] -= volume_ * d[i] * d[j];
    }
    const double trace = about[0][0] + about[1][1] + about[2][2];
    Matrix tensor{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) tensor[i][j] = (i == j ? trace : 0) - about[i][j];
    }
    out.axes = diagonalise(tensor);
    out.moments = diagonal(tensor);
    return out;
  }

 private:
  Vector origin_;     ///< [m]
  double volume_{0};  ///< [m^3]
  double sizes_{0};   ///< [m^3] of the tetrahedra, without signs
  Vector first_{};    ///< [m^4]
  Matrix second_{};   ///< [m^5]
};

using Triangle = TriangleMesh::Triangle;

std::string named(std::uint32_t vertex, const TriangleMesh& mesh) {
  return "vertex " + std::to_string(vertex) + " " + rules::digits(mesh.vertices()[vertex]);
}

struct Edge {
  std::uint32_t low, high;
  bool backwards;
  std::uint32_t triangle;
};

/// Refuses a surface with a leak: each edge must occur equally often in both directions. Triangles without area, which
/// the mesh leaves out, count here too.
void check_closed(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  std::uint32_t number = 0;
  const auto take = [&](std::span<const Triangle> triangles) {
    for (const Triangle& t : triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t from = t[k], to = t[(k + 1) % 3];
        edges.push_back({std::min(from, to), std::max(from, to), from > to, number});
      }
      ++number;
    }
  };
  take(mesh.triangles());
  take(mesh.data()->seams);
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : (a.high != b.high ? a.high < b.high : a.triangle < b.triangle);
  });
  const Edge* leak = nullptr;
  bool alone = false;
  for (std::size_t at = 0; at < edges.size();) {
    std::size_t end = at;
    int balance = 0;
    for (; end < edges.size() && edges[end].low == edges[at].low && edges[end].high == edges[at].high; ++end)
      balance += edges[end].backwards ? -1 : 1;
    if (balance != 0 && (leak == nullptr || edges[at].triangle < leak->triangle)) {
      leak = &edges[at];
      alone = end - at == 1;
    }
    at = end;
  }
  if (leak == nullptr) return;
  throw InvalidArgument(
      "triangle mesh: must be closed to have a mass, and the edge from " + named(leak->low, mesh) + " to " +
      named(leak->high, mesh) + ", of triangle " + std::to_string(leak->triangle) +
      (alone ? ", has no triangle on its other side" : ", has triangles that turn opposite sides outwards"));
}

Vec3 middle(const Vec3& a, const Vec3& b) {
  return {0.5f * a.x + 0.5f * b.x, 0.5f * a.y + 0.5f * b.y, 0.5f * a.z + 0.5f * b.z};
}

}  // namespace

Solid solid_of(const ConvexHull& hull) {
  if (!hull.data()) return {};
  const detail::HullData& data = *hull.data();
  Integrals sum(data.centre);
  for (const kernels::HullFace& face : data.faces) {
    const auto corner = [&](std::uint32_t k) -> const Vec3& { return data.vertices[data.corners[face.first + k]]; };
    for (std::uint32_t k = 1; k + 1 < face.count; ++k) sum.take(corner(0), corner(k), corner(k + 1));
  }
  return sum.solid();
}

Solid solid_of(const TriangleMesh& mesh) {
  if (!mesh.data()) return {};
  check_closed(mesh);
  Integrals sum(middle(mesh.data()->lower, mesh.data()->upper));
  const auto take = [&](std::span<const Triangle> triangles) {
    for (const auto& [a, b, c] : triangles) sum.take(mesh.vertices()[a], mesh.vertices()[b], mesh.vertices()[c]);
  };
  take(mesh.triangles());
  take(mesh.data()->seams);
  if (sum.is_flat()) throw InvalidArgument("triangle mesh: must enclose a volume to have a mass, and encloses none");
  if (sum.volume() < 0) {
    throw InvalidArgument("triangle mesh: is inside out, so that its volume is " + rules::digits(sum.volume()) +
                          " m^3: triangles must be counter-clockwise seen from outside");
  }
  return sum.solid();
}

}  // namespace cairn::mass
