#include "tests/reference/distance.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cairn::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// below this sine between generators (or size against them) a direction is only rounding and doesn't count
constexpr double kParallel = 1e-12;

struct Axis {
  double gap{-kInfinity};  // between the projections of the two cores
  Vec3 normal;
};

// Largest gap over the face normals of the zonotope. Any unit vector's gap is a lower bound of the signed distance, so
// that the normal of two nearly parallel generators, which is pure rounding, does no harm. Faces of the boxes come
// first and win ties.
Axis best_axis(Vec3 centre, const std::vector<Vec3>& g, int own) {
  Axis best;
  const auto tried = [&](Vec3 n) {
    double reach = 0;
    for (Vec3 gi : g) reach += std::abs(dot(n, gi));
    const double side = dot(n, centre);
    const double gap = std::abs(side) - reach;
    if (gap > best.gap + kParallel * (reach + std::abs(side))) best = {gap, side < 0 ? -n : n};
  };
  const int count = static_cast<int>(g.size());
  for (const bool same_body : {true, false}) {
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        const Vec3 n = cross(g[i], g[j]);
        const double size = length(n);
        if (((i < own) == (j < own)) == same_body && size > kParallel * length(g[i]) * length(g[j])) tried(n / size);
      }
    }
  }
  return best;
}

// Nearest point of c + sum s_i g_i to the origin, by trying every set of at most two free coefficients with every
// choice of signs for the rest. Free ones are clamped, so that each trial is a point of the zonotope and the best trial
// is the answer.
struct Nearest {
  double distance{kInfinity};
  std::array<double, 6> s{};
};

Nearest nearest_point(Vec3 centre, const std::vector<Vec3>& g) {
  Nearest best;
  const int count = static_cast<int>(g.size());
  for (int i = -1; i < count; ++i) {
    for (int j = i < 0 ? -1 : i; j < count; ++j) {
      if (i < 0 && j >= 0) break;
      // free: none (i = -1), one (j = i) or two
      unsigned free = 0;
      if (i >= 0) free = (1u << i) | (1u << j);
      for (unsigned signs = 0; signs < (1u << count); ++signs) {
        if (signs & free) continue;
        std::array<double, 6> s{};
        Vec3 p = centre;
        for (int k = 0; k < count; ++k) {
          if (free >> k & 1) continue;
          s[k] = signs >> k & 1 ? 1 : -1;
          p += s[k] * g[k];
        }
        if (i >= 0 && i == j) {
          s[i] = std::clamp(-dot(p, g[i]) / dot(g[i], g[i]), -1.0, 1.0);
          p += s[i] * g[i];
        } else if (i >= 0) {
          // foot of the perpendicular on the plane of both, by Cramer's rule
          const double ii = dot(g[i], g[i]), ij = dot(g[i], g[j]), jj = dot(g[j], g[j]);
          const double det = ii * jj - ij * ij;
          if (det <= kParallel * ii * jj) continue;
          const double pi = dot(p, g[i]), pj = dot(p, g[j]);
          s[i] = std::clamp((ij * pj - jj * pi) / det, -1.0, 1.0);
          s[j] = std::clamp((ij * pi - ii * pj) / det, -1.0, 1.0);
          p += s[i] * g[i] + s[j] * g[j];
        }
        const double distance = length(p);
        if (distance < best.distance) best = {distance, s};
      }
    }
  }
  return best;
}

// a direction perpendicular to the generators, for cores that touch and have no inside
Vec3 direction_across(const std::vector<Vec3>& g) {
  for (std::size_t i = 1; i < g.size(); ++i) {
    const Vec3 n = cross(g[0], g[i]);
    if (length(n) > kParallel * length(g[0]) * length(g[i])) return normalized(n);
  }
  return g.empty() ? Vec3{0, 0, 1} : any_perpendicular(g[0]);
}

// the core's farthest point along n; perpendicular generators stay in the middle
Vec3 farthest(Vec3 centre, const std::vector<Vec3>& g, Vec3 n) {
  for (Vec3 gi : g) {
    const double along = dot(n, gi);
    if (std::abs(along) > kParallel * length(gi)) centre += (along > 0 ? 1 : -1) * gi;
  }
  return centre;
}

Separation from_plane(const Plane& plane, const Pose& pose, const Geometry& shape, const Pose& at) {
  const Vec3 n = rotate(pose.q, plane.normal);
  const Zonotope z = zonotope(shape, at.q);
  const Vec3 deepest = farthest(at.x, z.generators, -n) - z.radius * n;
  const double distance = dot(n, deepest - pose.x) - plane.offset;
  return {distance, distance, n, deepest - distance * n, deepest};
}

Separation reversed(const Separation& s) { return {s.distance, s.separating_axis, -s.normal, s.point_b, s.point_a}; }

}  // namespace

Zonotope zonotope(const Geometry& shape, Quat q) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {{}, sphere->radius};
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    if (capsule->half_height == 0) return {{}, capsule->radius};
    return {{rotate(q, {0, 0, capsule->half_height})}, capsule->radius};
  }
  if (const auto* box = std::get_if<Box>(&shape)) {
    const Vec3 h = box->half_extents;
    return {{rotate(q, {h.x, 0, 0}), rotate(q, {0, h.y, 0}), rotate(q, {0, 0, h.z})}, 0};
  }
  throw std::invalid_argument("zonotope: a plane has no bounds");
}

Separation separation(const Geometry& a, const Pose& pose_a, const Geometry& b, const Pose& pose_b) {
  const auto* plane_a = std::get_if<Plane>(&a);
  const auto* plane_b = std::get_if<Plane>(&b);
  if (plane_a && plane_b) throw std::invalid_argument("separation: two planes have no distance");
  if (plane_a) return from_plane(*plane_a, pose_a, b, pose_b);
  if (plane_b) return reversed(from_plane(*plane_b, pose_b, a, pose_a));

  const Zonotope za = zonotope(a, pose_a.q), zb = zonotope(b, pose_b.q);
  const int own = static_cast<int>(za.generators.size());
  std::vector<Vec3> g = za.generators;
  g.insert(g.end(), zb.generators.begin(), zb.generators.end());
  const Vec3 centre = pose_b.x - pose_a.x;
  const double radii = za.radius + zb.radius;
  double size = length(centre) + radii;
  for (Vec3 gi : g) size += length(gi);

  const Axis axis = best_axis(centre, g, own);
  // with two segments or fewer there is no inside: their best axis is below zero only by rounding
  const bool inside = g.size() >= 3 && axis.gap < 0;
  const Vec3 target = inside ? axis.gap * axis.normal : Vec3{};
  const Nearest nearest = nearest_point(centre - target, g);
  const double distance = inside ? axis.gap : nearest.distance;

  Vec3 on_a = pose_a.x, on_b = pose_b.x;
  for (int k = 0; k < static_cast<int>(g.size()); ++k) {
    if (k < own) {
      on_a -= nearest.s[k] * g[k];
    } else {
      on_b += nearest.s[k] * g[k];
    }
  }

  // an axis that separates as far as the points do is the better normal: points that nearly touch give none
  Vec3 normal = axis.normal;
  if (distance - axis.gap > kParallel * size) {
    normal = distance > kParallel * size ? (on_b - on_a) / distance : direction_across(g);
  }
  return {distance - radii, axis.gap - radii, normal, on_a + za.radius * normal, on_b - zb.radius * normal};
}

double signed_distance(Vec3 point, const Geometry& shape, const Pose& pose) {
  return separation(shape, pose, Sphere{0}, Pose{point, {}}).distance;
}

}  // namespace cairn::reference
