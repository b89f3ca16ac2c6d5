// Angles by which a surface bends away at each edge of a mesh.

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "kernels/common/vec.h"
#include "src/shape/mesh_parts.h"

namespace cairn::shape {
namespace {

using kernels::cross;
using kernels::dot;

// [1] sine of the angle that still counts as flat: 0.06 degrees, a step of 1 mm over 1 m of floor
constexpr double kFlatTurn = 1e-3;

/// Half an edge: the side of one triangle.
struct Side {
  std::uint64_t key;       ///< [1] the lower vertex, then the higher
  std::uint32_t triangle;  ///< [1]
  std::uint8_t corner;     ///< [1] the side runs from here to the next
  bool backwards;          ///< from the higher vertex to the lower
};

class Edges {
 public:
  Edges(const Welded& mesh, const std::vector<bool>& solid) : mesh_(mesh), solid_(solid) {
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      for (std::uint8_t k = 0; k < 3; ++k) {
        const std::uint64_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
        if (from != to) sides_.push_back({std::min(from, to) << 32 | std::max(from, to), t, k, from > to});
      }
    }
    std::sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
      return std::tie(a.key, a.triangle, a.corner) < std::tie(b.key, b.triangle, b.corner);
    });
    other_.assign(3 * mesh.triangles.size(), kNone);
    for (std::size_t at = 0; at < sides_.size();) {
      std::size_t end = at + 1;
      while (end < sides_.size() && sides_[end].key == sides_[at].key) ++end;
      // two triangles in opposite directions
      if (end - at == 2 && sides_[at].backwards != sides_[at + 1].backwards) {
        other_[index(sides_[at])] = sides_[at + 1].triangle;
        other_[index(sides_[at + 1])] = sides_[at].triangle;
      }
      at = end;
    }
  }

  float bend(std::uint32_t t, int k) const {
    const std::uint32_t other = other_[3 * t + static_cast<std::uint32_t>(k)];
    if (other == kNone) return kAlone;
    if (solid_[other]) return bend(t, k, other);
    // a triangle without area only has a height: the triangles behind it count
    float least = kFlat;
    bool any = false;
    for (std::uint32_t side = 0; side < 3; ++side) {
      const std::uint32_t behind = other_[3 * other + side];
      if (behind == kNone || behind == t || !solid_[behind]) continue;
      any = true;
      least = std::min(least, bend(t, k, behind));
    }
    return any ? least : kAlone;
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  static constexpr float kFlat = 1, kAlone = 0;

  static std::size_t index(const Side& side) { return 3 * std::size_t{side.triangle} + side.corner; }
  Vec3d corner(std::uint32_t t, int k) const { return kernels::widen(mesh_.vertices[mesh_.triangles[t][k % 3]]); }
  static Vec3d unit(Vec3d v) { return kernels::operator*(1 / std::sqrt(dot(v, v)), v); }
  Vec3d normal(std::uint32_t t) const {
    return unit(cross(kernels::operator-(corner(t, 1), corner(t, 0)), kernels::operator-(corner(t, 2), corner(t, 0))));
  }

  float bend(std::uint32_t t, int k, std::uint32_t other) const {
    const Vec3d m = normal(t), n = normal(other);
    const double sine = dot(cross(m, n), unit(kernels::operator-(corner(t, k + 1), corner(t, k))));
    // folded onto itself, like the rim of a sheet
    const bool folded = dot(m, n) < 0 && sine > -kFlatTurn;
    return sine > kFlatTurn || folded ? static_cast<float>(std::max(dot(m, n), 0.0)) : kFlat;
  }

  const Welded& mesh_;
  const std::vector<bool>& solid_;
  std::vector<Side> sides_;
  std::vector<std::uint32_t> other_;  ///< [1] (triangles, 3) triangle beyond each side, kNone if not exactly one
};

}  // namespace

std::vector<Vec3> edge_bends(const Welded& mesh, const std::vector<bool>& solid) {
  const Edges edges(mesh, solid);
  std::vector<Vec3> out(mesh.triangles.size());
  for (std::uint32_t t = 0; t < out.size(); ++t) {
    if (solid[t]) out[t] = {edges.bend(t, 0), edges.bend(t, 1), edges.bend(t, 2)};
  }
  return out;
}

}  // namespace cairn::shape
