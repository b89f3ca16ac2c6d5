#pragma once
// Batches of articulations without a World, as robotics research uses them. Articulations of a World also touch things.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/articulation.h"
#include "cairn/device.h"

namespace cairn {

/// Many articulations of one description, computed side by side on a device. They don't act on each other. Each gives
/// the same bits alone and in company, for any number of threads and on any device.
///
/// Arrays hold one articulation after the other. Within one, coordinates and rates are in the order of its links; a
/// quaternion makes one more coordinate than rates. Calls throw InvalidArgument where a span has the wrong length or
/// holds a value that isn't finite. Not safe to call from two threads at once.
class Articulations {
 public:
  /// All start at coordinates 0 and at rest. Throws InvalidArgument, naming articulation, link and rule, if the
  /// description is wrong; CapacityError if there is no memory for so many.
  Articulations(const Articulation& description, std::uint32_t count, const Device& device = Device::cpu());
  ~Articulations();
  Articulations(Articulations&&) noexcept;
  Articulations& operator=(Articulations&&) noexcept;

  std::uint32_t count() const;
  const Articulation& description() const;
  std::uint32_t coordinates() const;  ///< [1] of one articulation
  std::uint32_t dofs() const;         ///< [1] rates of one articulation
  /// First coordinate and first rate of a link's joint.
  std::uint32_t coordinate_of(std::uint32_t link) const;
  std::uint32_t dof_of(std::uint32_t link) const;

  /// [m, rad, 1] (count coordinates) and [m/s, rad/s] (count dofs), up to 1e9. Quaternions are normalised; zero ones
  /// are refused.
  void set_state(std::span<const double> q, std::span<const double> v);
  std::vector<double> positions() const;
  std::vector<double> rates() const;
  /// [N, N m] (count dofs) They hold until they are set again; 0 at first.
  void set_forces(std::span<const double> forces);
  /// [m, rad, 1] (count coordinates) and [m/s, rad/s] (count dofs) Of the drives; coordinates 0 at first.
  void set_targets(std::span<const double> q, std::span<const double> v);

  /// [m/s^2, rad/s^2] (count dofs) Rates of the rates under the forces set, damping and gravity: the articulated-body
  /// algorithm.
  std::vector<double> forward_dynamics() const;
  /// [N, N m] (count dofs) Forces that give these accelerations: the inverse of forward dynamics.
  std::vector<double> inverse_dynamics(std::span<const double> accelerations) const;
  /// (count dofs dofs) Symmetric, armature included.
  std::vector<double> mass_matrix() const;
  /// (count 6 dofs) Velocity of a point [m] fixed to a link in its frame, then the link's angular velocity, in world
  /// axes, over the rates. Its transpose maps a force and a moment at that point to forces along the rates.
  std::vector<double> jacobian(std::uint32_t link, Vec3d point) const;
  /// (count links) `position` is the origin of the link's frame, `linear_velocity` that of its centre of mass.
  std::vector<BodyState> link_states() const;

  /// Advances by h, in s, over 0, in `substeps` equal parts: v += h a, q += h v, with damping, drives, friction and
  /// limits at the substep's end. An articulation stops if a coordinate or rate would exceed 1e9 or not be finite.
  void step(double h, std::uint32_t substeps = 1);
  /// Articulations that stopped. They keep the state before that call of `step`. `set_state` restarts all.
  std::vector<std::uint32_t> stopped() const;
  /// Hash of coordinates and rates.
  std::uint64_t state_hash() const;

 private:
  struct Impl;
  friend class ArticulationStore;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
