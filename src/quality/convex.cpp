#include "src/quality/convex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::quality {
namespace {

using reference::Vec3;

constexpr int kRounds = 200;     // of either search; a smooth pair takes some tens
constexpr double kFlat = 1e-12;  // [1] of a simplex's size: thinner ones have no inside
constexpr double kHair = 1e-3;   // [1] of the tolerance

struct Simplex {
  std::array<Vec3, 4> p;
  int count{0};
};

struct Nearest {
  Vec3 point;
  unsigned corners{0};  // bits: the corners around it
};

// The point of the affine hull of the chosen corners nearest to the origin, if it lies strictly between them.
bool inside_of(const Simplex& s, unsigned chosen, Vec3& point) {
  std::array<Vec3, 4> p;
  int n = 0;
  for (int i = 0; i < s.count; ++i) {
    if ((chosen >> i & 1) != 0) p[n++] = s.p[i];
  }
  const Vec3 a = p[0];
  if (n == 1) {
    point = a;
    return true;
  }
  const Vec3 e = p[1] - a;
  if (n == 2) {
    const double t = -dot(a, e), ee = dot(e, e);
    if (!(t > 0 && t < ee)) return false;
    point = a + (t / ee) * e;
    return true;
  }
  const Vec3 f = p[2] - a;
  const Vec3 normal = cross(e, f);
  if (n == 3) {
    const double nn = dot(normal, normal);
    if (!(nn > kFlat * kFlat * dot(e, e) * dot(f, f))) return false;
    const double u = dot(cross(-a, f), normal) / nn, v = dot(cross(e, -a), normal) / nn;
    if (!(u > 0 && v > 0 && u + v < 1)) return false;
    point = (dot(a, normal) / nn) * normal;
    return true;
  }
  const Vec3 g = p[3] - a;
  const double volume = dot(normal, g);
  if (!(std::abs(volume) > kFlat * length(e) * length(f) * length(g))) return false;
  const double u = dot(cross(f, g), -a) / volume, v = dot(cross(g, e), -a) / volume, w = dot(normal, -a) / volume;
  point = {};
  return u > 0 && v > 0 && w > 0 && u + v + w < 1;
}

Nearest nearest(const Simplex& s) {
  Nearest best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1u << s.count; ++chosen) {
    Vec3 point;
    if (!inside_of(s, chosen, point) || !(dot(point, point) < least)) continue;
    least = dot(point, point);
    best = {point, chosen};
  }
  return best;
}

struct Difference {
  const Support& a;
  const Support& b;
  Vec3 operator()(Vec3 n) const { return a(n) - b(-n); }
};

// Extends the simplex to a tetrahedron; false if the difference is flat.
bool fill(Simplex& s, const Difference& difference, double tolerance) {
  const auto try_along = [&](Vec3 n) {
    for (const Vec3 d : {n, -n}) {
      const Vec3 w = difference(d);
      Simplex more = s;
      more.p[more.count++] = w;
      double size = 0;
      if (s.count == 1) size = length(w - s.p[0]);
      if (s.count == 2) size = length(cross(w - s.p[0], normalized(s.p[1] - s.p[0])));
      if (s.count == 3) size = std::abs(dot(w - s.p[0], normalized(cross(s.p[1] - s.p[0], s.p[2] - s.p[0]))));
      if (!(size > tolerance)) continue;
      s = more;
      return true;
    }
    return false;
  };
  while (s.count < 4) {
    bool any = false;
    if (s.count == 1) any = try_along({1, 0, 0}) || try_along({0, 1, 0}) || try_along({0, 0, 1});
    if (s.count == 2) {
      const Vec3 e = normalized(s.p[1] - s.p[0]), n = reference::any_perpendicular(e);
      any = try_along(n) || try_along(cross(e, n));
    }
    if (s.count == 3) any = try_along(cross(s.p[1] - s.p[0], s.p[2] - s.p[0]));
    if (!any) return false;
  }
  return true;
}

struct Face {
  std::array<int, 3> corner;
  Vec3 normal;
  double offset;
};

class Polytope {
 public:
  explicit Polytope(const Simplex& s) : points_(s.p.begin(), s.p.end()) {
    const Vec3 middle = 0.25 * (s.p[0] + s.p[1] + s.p[2] + s.p[3]);
    for (const auto& f : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}) {
      auto corner = f;
      const Vec3 n = cross(points_[f[1]] - points_[f[0]], points_[f[2]] - points_[f[0]]);
      if (dot(n, points_[f[0]] - middle) < 0) std::swap(corner[1], corner[2]);
      add(corner);
    }
  }

  bool empty() const { return faces_.empty(); }
  const Face& nearest() const {
    return *std::min_element(faces_.begin(), faces_.end(),
                             [](const Face& f, const Face& g) { return f.offset < g.offset; });
  }

  // Adds a point outside; false if that would leave no polytope. A face counts as seeing the point only beyond `hair`,
  // since rounding would otherwise split the visible part into pieces.
  bool grow(Vec3 w, double hair) {
    std::vector<std::pair<int, int>> rim;
    std::vector<Face> kept;
    for (const Face& f : faces_) {
      if (!(dot(f.normal, w) > f.offset + hair)) {
        kept.push_back(f);
        continue;
      }
      for (int i = 0; i < 3; ++i) {
        const std::pair edge{f.corner[i], f.corner[(i + 1) % 3]};
        const auto twin = std::find(rim.begin(), rim.end(), std::pair{edge.second, edge.first});
        if (twin != rim.end())
          rim.erase(twin);
        else
          rim.push_back(edge);
      }
    }
    const std::size_t seen = faces_.size() - kept.size();
    // a disc of n faces has at most n + 2 edges around it; more mean several pieces
    if (seen == 0 || kept.empty() || rim.size() > seen + 2) return false;
    faces_ = std::move(kept);
    points_.push_back(w);
    for (const auto& [i, j] : rim) add({i, j, static_cast<int>(points_.size()) - 1});
    return true;
  }

 private:
  std::vector<Vec3> points_;
  std::vector<Face> faces_;

  void add(std::array<int, 3> corner) {
    const Vec3 a = points_[corner[0]];
    const Vec3 n = cross(points_[corner[1]] - a, points_[corner[2]] - a);
    const double size = length(n);
    // a face without area is never the nearest
    if (!(size > 0))
      faces_.push_back({corner, {}, std::numeric_limits<double>::infinity()});
    else
      faces_.push_back({corner, n / size, dot(n / size, a)});
  }
};

double depth(const Difference& difference, Simplex s, double tolerance) {
  if (!fill(s, difference, kFlat)) return 0;
  Polytope polytope(s);
  // the support of the difference along any direction is a separating translation; the smallest one is the answer
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const Face face = polytope.nearest();
    if (!std::isfinite(face.offset)) break;
    const Vec3 w = difference(face.normal);
    least = std::min(least, dot(face.normal, w));
    if (least - face.offset <= tolerance || !polytope.grow(w, kHair * tolerance)) break;
  }
  return std::isfinite(least) ? std::max(least, 0.0) : 0;
}

}  // namespace

double distance(const Support& a, const Support& b, double tolerance, double far) {
  const Difference difference{a, b};
  Simplex s;
  s.p[s.count++] = difference({1, 0, 0});
  Vec3 v = s.p[0];
  for (int round = 0; round < kRounds; ++round) {
    const double size = length(v);
    if (!(size > tolerance)) break;
    const Vec3 w = difference(-v);
    const double at_least = dot(w, v) / size;
    if (at_least >= far) return at_least;
    if (size - at_least <= tolerance) return size;
    s.p[s.count++] = w;
    const Nearest near = nearest(s);
    Simplex left;
    for (int i = 0; i < s.count; ++i) {
      if ((near.corners >> i & 1) != 0) left.p[left.count++] = s.p[i];
    }
    // the limit of rounding is reached
    if (left.count < 4 && !(length(near.point) < size)) return size;
    s = left;
    v = near.point;
    if (s.count == 4) break;
  }
  return -depth(difference, s, tolerance);
}

}  // namespace cairn::quality
