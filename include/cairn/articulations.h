#pragma once
// Articulations by themselves, many at once: robots as researchers batch them. In a World they touch things.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/articulation.h"
#include "cairn/device.h"

namespace cairn {

/// Many articulations of one build, computed side by side on a device; none of them knows of the others, and what each
/// does has the same bits alone and in company, for any number of threads and on any device.
///
/// Arrays hold one articulation after the other. Within one, coordinates and rates stand in the order of its links;
/// there are more coordinates than rates where there are quaternions. Calls throw InvalidArgument where a span has not
/// the length that is asked for or holds what isn't finite. Not safe to call from two threads at once.
class Articulations {
 public:
  /// All start at coordinates 0 and at rest. Throws InvalidArgument, naming articulation, link and rule, where the
  /// description is at fault; CapacityError where there is no memory for so many.
  Articulations(const Articulation& description, std::uint32_t count, const Device& device = Device::cpu());
  ~Articulations();
  Articulations(Articulations&&) noexcept;
  Articulations& operator=(Articulations&&) noexcept;

  std::uint32_t count() const;
  const Articulation& description() const;
  std::uint32_t coordinates() const;  ///< [1] of one
  std::uint32_t dofs() const;         ///< [1] rates of one
  /// The first coordinate and the first rate of a link's joint.
  std::uint32_t coordinate_of(std::uint32_t link) const;
  std::uint32_t dof_of(std::uint32_t link) const;

  /// [m, rad, 1] (count coordinates) and [m/s, rad/s] (count dofs), up to 1e9. Quaternions are made unit; a zero one is
  /// refused.
  void set_state(std::span<const double> q, std::span<const double> v);
  std::vector<double> positions() const;
  std::vector<double> rates() const;
  /// [N, N m] (count dofs) Applied until they are set again; 0 at first.
  void set_forces(std::span<const double> forces);
  /// [m, rad, 1] (count coordinates) and [m/s, rad/s] (count dofs) Of the drives; coordinates 0 at first.
  void set_targets(std::span<const double> q, std::span<const double> v);

  /// [m/s^2, rad/s^2] (count dofs) Rates of the rates under the forces set, damping and gravity: the articulated-body
  /// algorithm.
  std::vector<double> forward_dynamics() const;
  /// [N, N m] (count dofs) Forces that give these accelerations: forward dynamics backwards.
  std::vector<double> inverse_dynamics(std::span<const double> accelerations) const;
  /// (count dofs dofs) Symmetric, armature included.
  std::vector<double> mass_matrix() const;
  /// (count 6 dofs) Velocity of a point [m] fixed to a link in its frame, then the link's angular velocity, in world
  /// axes, over the rates; its transpose makes forces of a force and a moment at that point.
  std::vector<double> jacobian(std::uint32_t link, Vec3d point) const;
  /// (count links) `position` is the origin of the link's frame, `linear_velocity` that of its centre of mass.
  std::vector<BodyState> link_states() const;

  /// Goes on by h, in s, over 0, in `substeps` equal parts: v += h a, q += h v, with damping, drives, friction and
  /// limits as they are at the end. An articulation that would get a coordinate or a rate beyond 1e9, or none, stops.
  void step(double h, std::uint32_t substeps = 1);
  /// Those that stopped, which stay as they were before that call of `step`. `set_state` sets all going again.
  std::vector<std::uint32_t> stopped() const;
  /// Of coordinates and rates.
  std::uint64_t state_hash() const;

 private:
  struct Impl;
  friend class ArticulationStore;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
