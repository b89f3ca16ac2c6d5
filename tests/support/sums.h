#pragma once
// What the bodies of a world have in sum, for laws of conservation.

#include <cmath>

#include <gtest/gtest.h>

#include "cairn/world.h"
#include "kernels/common/vec.h"

namespace cairn::testing_support {

struct Sums {
  double mass{0};     ///< [kg]
  Vec3d momentum;     ///< [N s]
  double kinetic{0};  ///< [J] without rotation
  Vec3d centre;       ///< [m] of mass
  double size{0};     ///< [m] root of the mean square distance from the centre
};
inline Sums sums_of(const World& world) {
  using kernels::operator+;
  using kernels::operator*;
  Sums sum;
  double square = 0;
  for (const BodyHandle body : world.bodies()) {
    const BodyState s = world.state(body);
    const Vec3d v = kernels::widen(s.linear_velocity);
    const double m = world.mass_properties(body).mass;
    sum.mass += m;
    sum.momentum = sum.momentum + m * v;
    sum.kinetic += 0.5 * m * kernels::dot(v, v);
    sum.centre = sum.centre + m * s.position;
    square += m * kernels::dot(s.position, s.position);
  }
  sum.centre = (1 / sum.mass) * sum.centre;
  sum.size = std::sqrt(square / sum.mass - kernels::dot(sum.centre, sum.centre));
  return sum;
}

inline void expect_near(Vec3d got, Vec3d want, double allowed) {
  EXPECT_NEAR(got.x, want.x, allowed);
  EXPECT_NEAR(got.y, want.y, allowed);
  EXPECT_NEAR(got.z, want.z, allowed);
}

}  // namespace cairn::testing_support
