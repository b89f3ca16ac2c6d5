#pragma once
// The contact problem of a small scene, solved to rounding: impulses p = (p_n, p_t) with relative velocities u = (u_n,
// u_t) of b against a at each contact, such that
//   Signorini:  0 <= p_n,  0 <= u_n + bias,  p_n (u_n + bias) = 0
//   Coulomb:    |p_t| <= mu p_n,  and  u_t = -alpha p_t with alpha >= 0, which is 0 unless |p_t| = mu p_n
// over all contacts at once, with a true cone. Method: Gauss-Seidel over contacts, each solved exactly by its three
// cases (separates, sticks, slips); the slip case is a root of one variable (Bonnefon & Daviet, Quartic formulation of
// Coulomb 3D frictional contact, 2011). Sweeps are extrapolated by Anderson's method, so that tall and uneven stacks
// converge too. The law is in Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.

#include <vector>

#include "tests/reference/math.h"

namespace cairn::reference {

struct ContactBody {
  double inv_mass{0};  ///< [1/kg] 0 if it can't be pushed
  Mat3 inv_inertia;    ///< [1/(kg m^2)] world axes
  Vec3 v, w;           ///< [m/s], [rad/s] world; in: after forces, out: after contacts
};

struct ContactPoint {
  int a, b;            ///< bodies, by index
  Vec3 arm_a, arm_b;   ///< [m]   from the centres of mass to the contact
  Vec3 normal;         ///< [1]   from a to b
  double friction{0};  ///< [1]
  double bias{0};      ///< [m/s] min normal velocity is -bias: gap/h, or -e times the approach speed
  Vec3 impulse;        ///< [N s] world, on b; in: initial guess, out: solution
  Vec3 belt;           ///< [m/s] world, along the tangents: velocity of b's surface against a's, beside that of the
                       ///< bodies
};

/// Residual of the laws, in m/s: |z - projection of (z - u/W)| W for z = p_n and z = p_t, the largest over the
/// contacts.
struct ContactResidual {
  double signorini{0};  ///< [m/s]
  double coulomb{0};    ///< [m/s]
  double largest() const { return signorini > coulomb ? signorini : coulomb; }
};

struct ContactSolution {
  int sweeps{0};
  ContactResidual residual;
};

/// Solves in place, until no residual exceeds `tolerance` [m/s]. Throws std::runtime_error if that takes more than
/// `max_sweeps`.
ContactSolution solve_contacts(std::vector<ContactBody>& bodies, std::vector<ContactPoint>& contacts,
                               double tolerance = 1e-10, int max_sweeps = 1'000'000);

/// The residual of the present impulses and velocities.
ContactResidual contact_residual(const std::vector<ContactBody>& bodies, const std::vector<ContactPoint>& contacts);

/// Velocity of b's surface against a's at the contact, and the effect of an impulse on both.
Vec3 relative_velocity(const std::vector<ContactBody>& bodies, const ContactPoint& contact);
void apply_impulse(std::vector<ContactBody>& bodies, const ContactPoint& contact, Vec3 impulse);

}  // namespace cairn::reference
