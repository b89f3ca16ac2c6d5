#pragma once
// Rays of scans and cameras, through the query tree.

#include "cairn/sensor_set.h"
#include "kernels/queries/query_rules.h"
#include "kernels/queries/visit.h"
#include "kernels/sensors/sites.h"

namespace cairn::kernels {

/// A ray of a scan or camera, the same in all worlds.
struct SensorRay {
  Vec3 origin;     ///< [m] from the site, in the scan's axes
  Vec3 direction;  ///< [1] the same
  float depth;     ///< [1] reading per 1 m along the ray: less for a camera's rays off its axis
};

/// A RayScan or a CameraSensor.
struct SensedScan {
  Filter filter;
  double range;        ///< [m] max reading
  std::uint32_t site;  ///< [1] number
  RayAxes axes;
  std::uint32_t sensors, own_body;  ///< [1] 1: rays hit them
  const SensorRay* ray;             ///<     (rays)
  std::uint32_t rays;               ///< [1] of a world
  float* distance;                  ///< [m] (worlds rays)
  std::uint32_t* body;              ///< [1] (worlds rays) index in its world; kNone: none
};

/// The rotation about z in the rotation q.
CAIRN_HD Quatd yaw_of(const Quatd& q) {
  const double l = sqrt(fma(q.z, q.z, q.w * q.w));
  return l > 0.0 ? Quatd{0, 0, q.z / l, q.w / l} : Quatd{0, 0, 0, 1};
}

/// First hit of ray i. Writes distance[i] and body[i]. One thread per ray of a world.
struct SenseScan {
  SiteReader sites;
  QueryScene scene;
  SensedScan scan;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t world = i / scan.rays;
    const SensorRay ray = scan.ray[i % scan.rays];
    const SiteState s = sites(world, scan.site);
    const Quatd turn = scan.axes == RayAxes::kSite ? s.q : scan.axes == RayAxes::kYaw ? yaw_of(s.q) : Quatd{0, 0, 0, 1};
    Query q{};
    const bool good = s.body != kSiteGone && place_query(q, s.x + rotate(turn, widen(ray.origin))) &&
                      aim_query(q, rotate(turn, widen(ray.direction)));
    scan.body[i] = kNone;
    if (!good) {
      put_gone(scan.distance + i, 1);
      return;
    }
    q.reach = scan.range / double{ray.depth};
    q.shape = {ShapeKind::kSphere, {0, 0, 0}, {0, 0, 0}, {0, 0, 0, 1}};
    q.filter = scan.filter;
    q.world = world;
    q.ignored = scan.own_body != 0 ? kNone : s.body;
    q.sensors = scan.sensors;
    const QueryFound found = first_found<QueryKind::kRay>(scene, q);
    const bool any = found.shape != kNone;
    scan.distance[i] = static_cast<float>(any ? min(double{ray.depth} * found.distance, scan.range) : scan.range);
    if (any) scan.body[i] = scene.bodies.id[scene.shapes.body[found.shape]];
  }
};

}  // namespace cairn::kernels
