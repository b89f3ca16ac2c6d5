#pragma once
// Motion of a free rigid body under given forces, by the classical Runge-Kutta method of order 4 on
//   x' = v,  m v' = f,  q' = q (0, w)/2,  I w' = t - w x I w   (Euler's equations, w and t in body axes).

#include <functional>

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

struct Wrench {
  Vec3 force;   ///< [N]   world, at the centre of mass
  Vec3 torque;  ///< [N m] world, about the centre of mass
};

/// Force and torque on the body at a time and a motion.
using Load = std::function<Wrench(double t, const Motion& motion)>;

/// The motion `n` steps of `h` seconds after `motion`, which is that at time `t`. An empty `load` means none.
Motion integrate(const Inertia& inertia, Motion motion, double t, double h, int n, const Load& load = {});

/// Energy of motion [J], and angular momentum about the centre of mass in world axes [kg m^2/s].
double kinetic_energy(const Inertia& inertia, const Motion& motion);
Vec3 spin_momentum(const Inertia& inertia, const Motion& motion);

}  // namespace cairn::reference
