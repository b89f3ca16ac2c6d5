#pragma once
// Articulations: trees of links on joints, in reduced coordinates. Their joints can't come apart, since nothing but
// what they leave free is there to move. See docs/articulations.md.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cairn/body.h"
#include "cairn/joint.h"
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
  std::vector<Shape> shapes;  ///< in the link's frame; what touches in a World. They weigh nothing
  friend bool operator==(const ArticulationLink&, const ArticulationLink&) = default;
};

/// A tree of links; any number of them may stand on the world. With kFree on the world its base floats.
struct Articulation {
  std::string name;  ///< not empty
  std::vector<ArticulationLink> links;
  Vec3d gravity{0, 0, -9.81};  ///< [m/s^2] world, of Articulations; a World has its own
  friend bool operator==(const Articulation&, const Articulation&) = default;
};

/// Coordinates and rates of one articulation, in the order of its links. Empty: coordinates 0, at rest.
struct ArticulationState {
  std::vector<double> q;  ///< [m, rad, 1]
  std::vector<double> v;  ///< [m/s, rad/s]
  friend bool operator==(const ArticulationState&, const ArticulationState&) = default;
};

/// In the place of a body: a link that has no shapes.
inline constexpr std::uint32_t kNoLinkBody = 0xffffffffu;

/// An articulation of a World. Zero is null.
struct ArticulationHandle {
  std::uint32_t index{0};  ///< [1] slot + 1
  friend bool operator==(const ArticulationHandle&, const ArticulationHandle&) = default;
  explicit operator bool() const { return index != 0; }
};

}  // namespace cairn
