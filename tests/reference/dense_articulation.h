#pragma once
// Articulations by dense matrices, in world axes: positions, Jacobians of the centres of mass and accelerations at
// constant rates, and from these M and the opposing forces. Only the positions are recursive.

#include <vector>

#include "cairn/articulation.h"
#include "tests/reference/math.h"

namespace cairn::reference {

using Dense = std::vector<std::vector<double>>;

/// State of one link.
struct ArticulationBody {
  Vec3 origin, centre;                 ///< [m]     of the link's frame, of mass
  Mat3 axes;                           ///< [1]     of the link, by columns
  Mat3 inertia;                        ///< [kg m^2] about the centre of mass, world axes
  double mass;                         ///< [kg]
  std::vector<Vec3> j_centre, j_turn;  ///< [m, 1] (dofs) velocity of the centre and angular velocity over rates
  Vec3 w, v;                           ///< [rad/s, m/s] v of the centre of mass
  Vec3 alpha, a;                       ///< [rad/s^2, m/s^2] at accelerations 0 of the rates, without gravity
};

struct ArticulationModel {
  std::vector<ArticulationBody> bodies;
  Dense mass;                       ///< (dofs dofs) armature included
  std::vector<double> against;      ///< [N, N m] (dofs) of M a + against = force: gravity, velocities, damping
  double kinetic{0}, potential{0};  ///< [J] the former without armature
  Vec3 momentum, angular_momentum;  ///< [N s, N m s] the latter about the world's origin
};

/// Coordinates and rates as in cairn/articulation.h.
ArticulationModel articulation_model(const Articulation& of, const std::vector<double>& q,
                                     const std::vector<double>& v);

/// For a symmetric positive definite matrix, by Cholesky.
std::vector<double> solve(Dense a, std::vector<double> b);
std::vector<double> times(const Dense& a, const std::vector<double>& x);

/// M a = force - against.
std::vector<double> accelerations(const ArticulationModel& model, const std::vector<double>& force);

}  // namespace cairn::reference
