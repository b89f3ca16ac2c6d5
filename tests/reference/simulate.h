#pragma once
// A sequential time stepper for small scenes, to compare end states. One step of h: contacts at the present poses;
// velocities under forces; the contact problem solved to rounding (contact_lcp.h) with u_n >= -gap/h, so that no gap
// closes past zero, to first order; positions from the new velocities (Stewart & Trinkle, An implicit time-stepping
// scheme for rigid body dynamics with inelastic collisions and Coulomb friction, 1996). An approach that would close
// the gap within the step and is faster than the threshold bounces instead: u_n >= e times its speed (Newton's law of
// impact). There is no other correction of positions. Error: O(h). Scenes must start without overlap, which would be
// pushed out within a single step.

#include <vector>

#include "tests/reference/distance.h"
#include "tests/reference/integrate.h"

namespace cairn::reference {

struct BodyShape {
  Geometry geometry;
  Pose local;             ///< shape to body, about the centre of mass
  double friction{0.6};   ///< [1]
  double restitution{0};  ///< [1]
  Vec3 surface_velocity;  ///< [m/s] body axes; velocity of its surface along itself
};

struct RigidBody {
  bool dynamic{true};  ///< false: keeps its velocity in any collision
  Inertia inertia;
  Motion motion;
  std::vector<BodyShape> shapes;
  double linear_damping{0};   ///< [1/s] v' = -c v
  double gravity_scale{1};    ///< [1]
  double angular_damping{0};  ///< [1/s] w' = -c w
  Wrench load;                ///< constant until it is changed
};

/// Makers of bodies with one shape and the inertia of a uniform solid.
RigidBody solid_sphere(double radius, double mass, Vec3 x);
RigidBody solid_box(Vec3 half_extents, double mass, Vec3 x);
RigidBody fixed_plane(Vec3 normal, double offset);

/// Moments of uniform solids about their centres, shape axes.
Mat3 solid_inertia(const Geometry& geometry, double mass);
double volume(const Geometry& geometry);

struct BodyContact {
  int a, b;  ///< bodies, by index
  int shape_a, shape_b;
  int ordinal;   ///< within the pair of shapes
  Vec3 point;    ///< [m]   world
  Vec3 normal;   ///< [1]   from a to b
  double gap;    ///< [m]   at the start of the step
  Vec3 impulse;  ///< [N s] world, on b, of the last step
};

struct Simulation {
  using Mix = double (*)(double, double);

  Vec3 gravity{0, 0, -9.81};  ///< [m/s^2]
  std::vector<RigidBody> bodies;
  Mix friction_mix{geometric_mean};
  Mix restitution_mix{larger};
  double restitution_threshold{1};    ///< [m/s] slower approaches don't bounce
  double tolerance{1e-10};            ///< [m/s] of the contact problem
  std::vector<BodyContact> contacts;  ///< of the last step, with impulses: the initial guess of the next
  double time{0};                     ///< [s]

  void step(double h);
  void run(double seconds, double h);  ///< round(seconds / h) steps

  /// Kinetic energy, and potential energy in the gravity field with zero at the origin, of the dynamic bodies [J].
  double energy() const;
  /// Impulse of all contacts of the last step on one body [N s].
  Vec3 contact_impulse(int body) const;

  static double geometric_mean(double a, double b) { return std::sqrt(a * b); }
  static double smaller(double a, double b) { return a < b ? a : b; }
  static double larger(double a, double b) { return a > b ? a : b; }
  static double product(double a, double b) { return a * b; }
};

/// Angular velocity in world axes.
inline Vec3 angular_velocity(const Motion& m) { return rotate(m.pose.q, m.w_body); }
inline void set_angular_velocity(Motion& m, Vec3 w) { m.w_body = rotate(conjugate(m.pose.q), w); }

/// Signed distance of two bodies: the minimum over their shapes.
double body_distance(const RigidBody& a, const RigidBody& b);

}  // namespace cairn::reference
