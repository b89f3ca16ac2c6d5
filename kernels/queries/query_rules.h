#pragma once
// Rules of queries: the same rules and the same arithmetic for queries of the host and for rows of arrays on the
// device.

#include "kernels/queries/query.h"

namespace cairn::kernels {

inline constexpr double kQueryRange = 1e8;  ///< [m] max of each coordinate, and of a query's reach

/// False if the origin is out of range.
CAIRN_HD bool place_query(Query& q, Vec3d origin) {
  q.origin = origin;
  return abs(origin.x) <= kQueryRange && abs(origin.y) <= kQueryRange && abs(origin.z) <= kQueryRange;
}

CAIRN_HD bool reach_query(Query& q, double distance) {
  q.reach = distance;
  return distance >= 0.0 && distance <= kQueryRange;
}

/// Along a vector of any length but 0; false for 0 and for a vector that isn't finite.
CAIRN_HD bool aim_query(Query& q, Vec3d v) {
  const double most = max(max(abs(v.x), abs(v.y)), abs(v.z));
  if (!finite(v.x + v.y + v.z) || !(most > 0.0)) return false;
  const double a = v.x / most, b = v.y / most, c = v.z / most, l = sqrt(a * a + b * b + c * c);
  q.direction = {a / l, b / l, c / l};
  return true;
}

CAIRN_HD bool turn_query(Query& q, double x, double y, double z, double w) {
  const double norm = sqrt(x * x + y * y + z * z + w * w);
  if (!finite(norm) || !(norm > 0.0)) return false;
  q.shape.orientation = narrow(Quatd{x / norm, y / norm, z / norm, w / norm});
  return true;
}

}  // namespace cairn::kernels
