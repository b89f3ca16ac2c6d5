#pragma once
// Motion of a rigid body that nothing acts on, by the classical Runge-Kutta method of order 4 on
//   x' = v,  v' = 0,  q' = q (0, w)/2,  I w' = -w x I w   (Euler's equations, w in body axes).

#include "tests/reference/math.h"

namespace cairn::reference {

struct Motion {
  Pose pose;    ///< of the centre of mass; body axes are any, I is a full tensor
  Vec3 v;       ///< [m/s]   world, of the centre of mass
  Vec3 w_body;  ///< [rad/s] body axes
};

struct Inertia {
  double mass{1};                    ///< [kg]
  Mat3 tensor{diagonal({1, 1, 1})};  ///< [kg m^2] about the centre of mass, body axes
};

/// The motion `n` steps of `h` seconds after `motion`.
Motion integrate(const Inertia& inertia, Motion motion, double h, int n);

inline void set_angular_velocity(Motion& m, Vec3 w) { m.w_body = rotate(conjugate(m.pose.q), w); }

/// Energy of motion [J], and angular momentum about the centre of mass in world axes [kg m^2/s].
double kinetic_energy(const Inertia& inertia, const Motion& motion);
Vec3 spin_momentum(const Inertia& inertia, const Motion& motion);

}  // namespace cairn::reference
