#pragma once
// The first time at which two moving shapes touch, by bisection on their distance.

#include <optional>

#include "tests/reference/distance.h"
#include "tests/reference/integrate.h"

namespace cairn::reference {

/// First time in [begin, end] at which `distance(t)` is at most rate * resolution, to within `resolution` seconds;
/// empty if there is none. `rate` [m/s] bounds the decrease of the distance. An interval is skipped if it starts with
/// more distance than it could lose, and halved otherwise. So even the shortest touch is found.
template <class Distance>
std::optional<double> time_of_impact(const Distance& distance, double begin, double end, double rate,
                                     double resolution) {
  if (distance(begin) > rate * (end - begin)) return std::nullopt;
  if (end - begin <= resolution) return begin;
  const double middle = 0.5 * (begin + end);
  if (const auto first = time_of_impact(distance, begin, middle, rate, resolution)) return first;
  return time_of_impact(distance, middle, end, rate, resolution);
}

/// Pose of a shape after t seconds with constant velocities in world axes.
inline Pose moved(const Pose& pose, Vec3 v, Vec3 w, double t) {
  return {pose.x + t * v, normalized(rotation(t * w) * pose.q)};
}

/// The same for two convex shapes, each about its own centre. `resolution` [s].
struct MovingShape {
  Geometry geometry;
  Pose pose;  ///< at time 0
  Vec3 v, w;  ///< [m/s], [rad/s] world. A plane's must not turn: its edge has no bounded speed
};
inline std::optional<double> time_of_impact(const MovingShape& a, const MovingShape& b, double end, double resolution) {
  const auto rim_speed = [](const MovingShape& s) {
    return length(s.w) > 0 ? length(s.w) * bounding_radius(s.geometry) : 0;
  };
  const double rate = length(a.v - b.v) + rim_speed(a) + rim_speed(b);
  const auto distance = [&](double t) {
    return separation(a.geometry, moved(a.pose, a.v, a.w, t), b.geometry, moved(b.pose, b.v, b.w, t)).distance;
  };
  return time_of_impact(distance, 0.0, end, rate, resolution);
}

}  // namespace cairn::reference
