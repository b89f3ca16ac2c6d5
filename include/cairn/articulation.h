#pragma once
// Articulations: trees of links on joints, in reduced coordinates. Their joints can't come apart, since nothing but
// what they leave free is there to move. See docs/articulations.md.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/device.h"
#include "cairn/joint.h"
#include "cairn/scene.h"
#include "cairn/types.h"

namespace cairn {

/// In the place of a parent: the world.
inline constexpr std::uint32_t kWorldLink = 0xffffffffu;

/// How a link moves on its parent: the joint's frame on the link against the joint's frame on the parent.
///
/// | kind        | coordinates                               | rates                                               |
/// |-------------|-------------------------------------------|-----------------------------------------------------|
/// | `kFixed`    | none                                      | none                                                |
/// | `kRevolute` | angle about x, turns counted [rad]        | its rate [rad/s]                                    |
/// | `kPrismatic`| shift along x [m]                         | its rate [m/s]                                      |
/// | `kBall`     | quaternion x, y, z, w, link to parent [1] | angular velocity, axes of the frame on the link     |
/// | `kFree`     | place in the parent's frame [m], then     | rate of the place in the axes of the frame on the   |
/// |             | quaternion as of `kBall`                  | parent [m/s], then angular velocity as of `kBall`   |
enum class ArticulationJointKind : std::uint8_t { kFixed, kRevolute, kPrismatic, kBall, kFree };

/// What acts along each rate of a joint. `step` knows all of it; forward and inverse dynamics armature and damping.
struct ArticulationJoint {
  ArticulationJointKind kind{ArticulationJointKind::kFixed};
  double armature{0};  ///< [kg, kg m^2]      at least 0: inertia of the drive's rotor, times the gear ratio squared
  double damping{0};   ///< [N s/m, N m s/rad] at least 0
  double friction{0};  ///< [N, N m]          at least 0: dry, at most; not of kFree
  double lower{-std::numeric_limits<double>::infinity()};  ///< [m, rad] of kRevolute and kPrismatic; lower <= upper
  double upper{std::numeric_limits<double>::infinity()};   ///< [m, rad] infinite: unbounded
  /// force = stiffness (target - q) + drive_damping (target rate - v), at the step's end. Of a ball, target - q is the
  /// rotation vector that is left, the short way round; not of kFree.
  double drive_stiffness{0};  ///< [N/m, N m/rad]     kp, at least 0
  double drive_damping{0};    ///< [N s/m, N m s/rad] kd, at least 0
  double drive_most_force{std::numeric_limits<double>::infinity()};  ///< [N, N m] at least 0
  friend bool operator==(const ArticulationJoint&, const ArticulationJoint&) = default;
};

struct ArticulationLink {
  std::string name;                   ///< unique in its articulation, not empty
  std::uint32_t parent{kWorldLink};   ///< index of an earlier link, or the world
  JointFrame frame_in_parent;         ///< of the joint
  JointFrame frame_in_link;           ///< likewise; where both coincide the coordinates are 0
  ArticulationJoint joint;
  double mass{0};       ///< [kg] over 0; a fixed link may have 0 mass and inertia
  Vec3d centre_of_mass; ///< [m]  in the link's frame
  Inertia inertia;      ///< about the centre of mass, along the link's axes
  friend bool operator==(const ArticulationLink&, const ArticulationLink&) = default;
};

/// A tree of links; any number of them may stand on the world. With kFree on the world its base floats.
struct Articulation {
  std::string name;  ///< not empty
  std::vector<ArticulationLink> links;
  Vec3d gravity{0, 0, -9.81};  ///< [m/s^2] world
  friend bool operator==(const Articulation&, const Articulation&) = default;
};

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
  /// [N, N m] (count dofs) Applied until they are set anew; 0 at first.
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
  /// Those that stopped, which stay as they were before. `set_state` sets all going again.
  std::vector<std::uint32_t> stopped() const;
  /// Of coordinates and rates.
  std::uint64_t state_hash() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
