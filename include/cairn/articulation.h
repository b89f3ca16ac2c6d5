#pragma once
// Articulations: trees of links on joints, in reduced coordinates. Their joints can't come apart, since only the
// joints' free coordinates exist. See docs/articulations.md.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/body.h"
#include "cairn/joint.h"
#include "cairn/types.h"

namespace cairn {

/// Stands for the world where a parent is named.
inline constexpr std::uint32_t kWorldLink = 0xffffffffu;

/// How a link moves on its parent: the joint's frame on the link relative to the joint's frame on the parent.
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
template <>
struct EnumWords<ArticulationJointKind> : WordsUpTo<ArticulationJointKind::kFree> {};

/// Forces, inertia and limits along each rate of a joint. `step` uses all of them; forward and inverse dynamics use
/// armature and damping only. The drive's force is stiffness (target - q) + damping (target rate - v), the spring's
/// stiffness (rest - q), at the step's end. For a ball joint, target - q is the rotation vector of the shorter way.
struct ArticulationJoint {
  ArticulationJointKind kind{ArticulationJointKind::kFixed};
  double armature{0};
  double damping{0};
  double friction{0};
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  double min_rate{-std::numeric_limits<double>::infinity()};
  double max_rate{std::numeric_limits<double>::infinity()};
  double spring_stiffness{0};
  double spring_rest{0};
  double drive_stiffness{0};
  double drive_damping{0};
  double drive_max_force{std::numeric_limits<double>::infinity()};
  double drive_min_force{std::numeric_limits<double>::infinity()};
  friend bool operator==(const ArticulationJoint&, const ArticulationJoint&) = default;
};

/// Attributes of the forces along a coordinate, or along a sum of coordinates.
template <class S>
constexpr auto joint_force_attributes() {
  return TypedList{attribute<&S::damping>({.unit = "N s/m, N m s/rad", .range = kJointGain, .sparse = true}),
                   attribute<&S::friction>(
                       {.unit = "N, N m", .range = kJointGain, .meaning = "dry, at most; not of free", .sparse = true}),
                   attribute<&S::lower>({.unit = "m, rad",
                                         .range = {.min = -1e6, .max = 1e6, .infinite = "unbounded", .below = true},
                                         .meaning = "not of ball and free",
                                         .sparse = true}),
                   attribute<&S::upper>({.unit = "m, rad",
                                         .range = {.min = -1e6, .max = 1e6, .infinite = "unbounded"},
                                         .meaning = "not of ball and free; at least lower",
                                         .sparse = true}),
                   attribute<&S::min_rate>({.unit = "m/s, rad/s",
                                            .range = {.min = -1e6, .max = 0, .infinite = "unbounded", .below = true},
                                            .meaning = "not of ball and free",
                                            .sparse = true}),
                   attribute<&S::max_rate>({.unit = "m/s, rad/s",
                                            .range = {.min = 0, .max = 1e6, .infinite = "unbounded"},
                                            .meaning = "not of ball and free",
                                            .sparse = true}),
                   attribute<&S::spring_stiffness>({.unit = "N/m, N m/rad",
                                                    .range = kJointGain,
                                                    .meaning = "of a spring beside the drive; not of free",
                                                    .sparse = true}),
                   attribute<&S::spring_rest>({.unit = "m, rad",
                                               .range = between(-1e6, 1e6),
                                               .meaning = "where the spring pulls to; a ball's pulls to no turn",
                                               .sparse = true}),
                   attribute<&S::drive_stiffness>(
                       {.unit = "N/m, N m/rad", .range = kJointGain, .meaning = "kp; not of free", .sparse = true}),
                   attribute<&S::drive_damping>(
                       {.unit = "N s/m, N m s/rad", .range = kJointGain, .meaning = "kd; not of free", .sparse = true}),
                   attribute<&S::drive_max_force>({.unit = "N, N m", .range = kJointGainOrInfinite, .sparse = true}),
                   attribute<&S::drive_min_force>(
                       {.unit = "N, N m",
                        .range = {.min = -kJointGain.max, .max = kJointGain.max, .infinite = "minus drive_max_force"},
                        .meaning = "at most drive_max_force",
                        .sparse = true})};
}

template <Same<ArticulationJoint> S>
inline constexpr TypedList kAttributes<S> =
    TypedList{attribute<&S::kind>({.meaning = "free only on the world", .required = true}),
              attribute<&S::armature>({.unit = "kg, kg m^2",
                                       .range = kJointGain,
                                       .meaning = "inertia of the drive's rotor, times the gear ratio squared",
                                       .sparse = true})} +
    joint_force_attributes<S>();

/// A link without mass has no shapes either. It lies between joints: a body that turns about two axes needs one.
struct ArticulationLink {
  std::string name;
  std::uint32_t parent{kWorldLink};  ///< index of an earlier link, or the world
  JointFrame frame_in_parent;
  JointFrame frame_in_link;
  ArticulationJoint joint;
  double mass{0};
  Vec3d centre_of_mass;
  Inertia inertia;
  std::vector<Shape> shapes;
  std::optional<Vec3> color;
  friend bool operator==(const ArticulationLink&, const ArticulationLink&) = default;
};
template <Same<ArticulationLink> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique in its articulation, not empty", .required = true}),
    attribute<&S::parent>({.meaning = "name of a link before it; without it, the world", .reference = true}),
    attribute<&S::frame_in_parent>({.meaning = "of the joint, in the parent's frame", .sparse = true}),
    attribute<&S::frame_in_link>(
        {.meaning = "of the joint, in the link's frame; where both coincide the coordinates are 0", .sparse = true}),
    attribute<&S::joint>({.meaning = "how the link moves on its parent; without it, fixed", .sparse = true}),
    attribute<&S::mass>({.unit = "kg",
                         .range = {.min = kInertial.min,
                                   .max = kInertial.max,
                                   .zero = "of a link without inertia that is fixed, or carries links that have mass"},
                         .sparse = true}),
    attribute<&S::centre_of_mass>(
        {.unit = "m", .range = kLocalPosition, .meaning = "in the link's frame", .sparse = true}),
    attribute<&S::inertia>(
        {.unit = "kg m^2", .meaning = "as of bodies, about the centre of mass; 0 only where mass is"}),
    attribute<&S::shapes>({.meaning = "in the link's frame; what touches in a World. They weigh nothing. Planes, "
                                      "meshes and height fields only where nothing lets the link move"}),
    attribute<&S::color>({.range = kColor, .meaning = "sRGB, as that of bodies", .sparse = true})};

/// One coordinate in a sum.
struct CouplingTerm {
  std::uint32_t link{0};  ///< [1] index; its joint is revolute or prismatic
  double coefficient{1};
  friend bool operator==(const CouplingTerm&, const CouplingTerm&) = default;
};
template <Same<CouplingTerm> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::link>(
        {.meaning = "name of a link on a revolute or prismatic joint", .required = true, .reference = true}),
    attribute<&S::coefficient>(
        {.unit = "1, m/rad", .range = between(-1e6, 1e6), .meaning = "at least 1e-6 either way"})};

/// A sum of coordinates, coefficient times coordinate, with the same forces along it as along a joint. Where lower and
/// upper are equal the sum is held: a gear, a mimic joint. Otherwise it is a tendon. Its drive pulls it to the same sum
/// of the joints' targets.
struct ArticulationCoupling {
  std::string name;
  std::vector<CouplingTerm> terms;
  double damping{0};
  double friction{0};
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  double min_rate{-std::numeric_limits<double>::infinity()};
  double max_rate{std::numeric_limits<double>::infinity()};
  double spring_stiffness{0};
  double spring_rest{0};
  double drive_stiffness{0};
  double drive_damping{0};
  double drive_max_force{std::numeric_limits<double>::infinity()};
  double drive_min_force{std::numeric_limits<double>::infinity()};
  friend bool operator==(const ArticulationCoupling&, const ArticulationCoupling&) = default;
};
template <Same<ArticulationCoupling> S>
inline constexpr TypedList kAttributes<S> =
    TypedList{attribute<&S::name>({.meaning = "unique in its articulation, not empty", .required = true}),
              attribute<&S::terms>({.meaning = "1 to 1,000, each of another link", .required = true})} +
    joint_force_attributes<S>();

/// A tree of links. Any number of them may have the world as parent. With kFree on the world its base floats.
struct Articulation {
  std::string name;
  std::vector<ArticulationLink> links;
  Vec3d gravity{0, 0, -9.81};
  std::vector<ArticulationCoupling> couplings;
  friend bool operator==(const Articulation&, const Articulation&) = default;
};
template <Same<Articulation> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique, not empty", .required = true}),
    attribute<&S::links>({.meaning = "1 to 10,000, parents before their children", .required = true}),
    attribute<&S::gravity>({.unit = "m/s^2",
                            .range = between(-1e6, 1e6),
                            .meaning = "world, of Articulations: a World has its own",
                            .sparse = true}),
    attribute<&S::couplings>({.meaning = "up to 1,000", .sparse = true})};

/// Coordinates and rates of one articulation, in the order of its links. Empty: coordinates 0, at rest.
struct ArticulationState {
  std::vector<double> q;
  std::vector<double> v;
  friend bool operator==(const ArticulationState&, const ArticulationState&) = default;
};

template <Same<ArticulationState> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::q>({.unit = "m, rad, 1", .meaning = "coordinates; empty: 0"}),
                                          attribute<&S::v>({.unit = "m/s, rad/s", .meaning = "rates; empty: at rest"})};

/// Stands for the body of a link that has no shapes.
inline constexpr std::uint32_t kNoLinkBody = 0xffffffffu;

/// An articulation of a World. Zero is null.
struct ArticulationHandle {
  std::uint32_t index{0};  ///< [1] slot + 1
  std::uint32_t generation{0};
  friend bool operator==(const ArticulationHandle&, const ArticulationHandle&) = default;
  explicit operator bool() const { return index != 0; }
};

}  // namespace cairn
