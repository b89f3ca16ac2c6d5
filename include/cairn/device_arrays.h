#pragma once
// Access to a World on its device: its own arrays, and calls that read and write the caller's arrays there.
// docs/interop.md has examples and lists the World's own arrays.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cairn/array_view.h"
#include "cairn/articulation.h"
#include "cairn/attributes.h"
#include "cairn/world.h"

namespace cairn {

/// An array of a World.
struct NamedArray {
  std::string_view name;
  std::string_view unit;  ///< [1] "m/s", "1" for a number without one
  std::string_view rows;  ///< meaning of a row: "slots" (of bodies), "bodies" (living ones), "worlds", "pairs", ...
  std::string_view meaning;
  ArrayView view;
};

/// The part of the states that a program has written on the device itself.
enum class Written : std::uint8_t {
  kLoads,  ///< forces, torques, gravity
  kVelocities,
  kPoses,  ///< positions or orientations, perhaps velocities too
};
template <>
struct EnumWords<Written> : WordsUpTo<Written::kPoses> {};

/// States of bodies in the user's arrays on the world's device: one row a living body, in the order of World::bodies().
/// Each is float32 or float64, with any strides. An array without data is left out; position and orientation go
/// together. float32 rounds positions.
struct StateArrays {
  ArrayView position;
  ArrayView orientation;
  ArrayView linear_velocity;
  ArrayView angular_velocity;
};

template <Same<StateArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::position>({.unit = "m", .meaning = "(bodies, 3) world, of the body's own origin"}),
    attribute<&S::orientation>({.meaning = "(bodies, 4) x, y, z, w"}),
    attribute<&S::linear_velocity>({.unit = "m/s", .meaning = "(bodies, 3) world, of the centre of mass"}),
    attribute<&S::angular_velocity>({.unit = "rad/s", .meaning = "(bodies, 3) world"})};

/// Sizes of the arrays of articulations (ArticulationArrays).
struct ArticulationRows {
  std::uint32_t rows{0};
  std::uint32_t coordinates{0};
  std::uint32_t rates{0};
};

template <Same<ArticulationRows> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::rows>({.meaning = "articulations of all worlds"}),
                                          attribute<&S::coordinates>({.meaning = "of the one that has most"}),
                                          attribute<&S::rates>({.meaning = "of the one that has most"})};

/// The same for articulations: one row each, world by world in the order of WorldArticulations::list. So with one in
/// each world, a row is a world. Columns beyond an articulation's own number are neither read nor written.
struct ArticulationArrays {
  ArrayView q;
  ArrayView v;
  ArrayView force;
  ArrayView target;
  ArrayView target_rate;
};

template <Same<ArticulationArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::q>({.unit = "m, rad, 1", .meaning = "(rows, coordinates)"}),
    attribute<&S::v>({.unit = "m/s, rad/s", .meaning = "(rows, rates)"}),
    attribute<&S::force>({.unit = "N, N m", .meaning = "(rows, rates) along the rates"}),
    attribute<&S::target>({.unit = "m, rad, 1", .meaning = "(rows, coordinates) of the drives"}),
    attribute<&S::target_rate>({.unit = "m/s, rad/s", .meaning = "(rows, rates) of the drives"})};

/// The same for the members of ArticulationJoint that act along rates: rows as in ArticulationArrays, a column a rate.
/// drive_min_force is minus drive_max_force where only the latter is given, and where it is infinite. Rates of floating
/// bases may have armature and damping only; values from `get_articulation_joints` can be given back there.
struct ArticulationJointArrays {
  ArrayView armature;
  ArrayView damping;
  ArrayView friction;
  ArrayView lower;
  ArrayView upper;
  ArrayView min_rate;
  ArrayView max_rate;
  ArrayView spring_stiffness;
  ArrayView spring_rest;
  ArrayView drive_stiffness;
  ArrayView drive_damping;
  ArrayView drive_max_force;
  ArrayView drive_min_force;
};

/// An attribute for an array of a member of ArticulationJoint.
template <auto kArray, auto kMember>
constexpr Attribute<kArray> rate_array() {
  return attribute<kArray>({.unit = info_of<kMember>().unit, .meaning = "(rows, rates)"});
}

template <Same<ArticulationJointArrays> S>
inline constexpr TypedList kAttributes<S>{rate_array<&S::armature, &ArticulationJoint::armature>(),
                                          rate_array<&S::damping, &ArticulationJoint::damping>(),
                                          rate_array<&S::friction, &ArticulationJoint::friction>(),
                                          rate_array<&S::lower, &ArticulationJoint::lower>(),
                                          rate_array<&S::upper, &ArticulationJoint::upper>(),
                                          rate_array<&S::min_rate, &ArticulationJoint::min_rate>(),
                                          rate_array<&S::max_rate, &ArticulationJoint::max_rate>(),
                                          rate_array<&S::spring_stiffness, &ArticulationJoint::spring_stiffness>(),
                                          rate_array<&S::spring_rest, &ArticulationJoint::spring_rest>(),
                                          rate_array<&S::drive_stiffness, &ArticulationJoint::drive_stiffness>(),
                                          rate_array<&S::drive_damping, &ArticulationJoint::drive_damping>(),
                                          rate_array<&S::drive_max_force, &ArticulationJoint::drive_max_force>(),
                                          rate_array<&S::drive_min_force, &ArticulationJoint::drive_min_force>()};

/// The same for joints: one row each, world by world in the order of World::joints. Columns are JointDof, and all are
/// read. Drives are written where an axis has one (JointDrive::max_force over 0); other columns of drives are ignored.
struct JointArrays {
  ArrayView coordinate;
  ArrayView force;
  ArrayView torque;
  ArrayView drive_target;
  ArrayView drive_rate;
  ArrayView drive_force;
  ArrayView drive_stiffness;
  ArrayView drive_damping;
};

template <Same<JointArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::coordinate>({.unit = "m, rad", .meaning = "(joints, 6) read alone"}),
    attribute<&S::force>({.unit = "N", .meaning = "(joints, 3) JointState::force, read alone"}),
    attribute<&S::torque>({.unit = "N m", .meaning = "(joints, 3) JointState::torque, read alone"}),
    attribute<&S::drive_target>({.unit = "m, rad", .meaning = "(joints, 6) as of JointDrive, like the next four"}),
    attribute<&S::drive_rate>({.unit = "m/s, rad/s", .meaning = "(joints, 6)"}),
    attribute<&S::drive_force>({.unit = "N, N m", .meaning = "(joints, 6)"}),
    attribute<&S::drive_stiffness>({.unit = "N/m, N m/rad", .meaning = "(joints, 6)"}),
    attribute<&S::drive_damping>({.unit = "N s/m, N m s/rad", .meaning = "(joints, 6)"})};

/// The same for materials: one row each, world by world in the order of World::materials.
struct MaterialArrays {
  ArrayView friction;
  ArrayView restitution;
  ArrayView rolling_friction;
  ArrayView surface_velocity;
};

template <Same<MaterialArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::friction>({.meaning = "(materials)"}), attribute<&S::restitution>({.meaning = "(materials)"}),
    attribute<&S::rolling_friction>({.unit = info_of<&Material::rolling_friction>().unit, .meaning = "(materials)"}),
    attribute<&S::surface_velocity>(
        {.unit = info_of<&Material::surface_velocity>().unit, .meaning = "(materials, 3) in the body's frame"})};

/// The same for scales (cairn/random.h). Rows of bodies that aren't dynamic are ignored.
struct ScaleArrays {
  ArrayView world;
  ArrayView body;
};

template <Same<ScaleArrays> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::world>({.meaning = "(worlds, 4) size, mass, friction, restitution"}),
    attribute<&S::body>({.meaning = "(bodies, 3) size, mass, inertia"})};

/// Arrays of a World, and calls by arrays on its device: World::arrays. A World that is moved takes them along;
/// assigning another World to it ends them. Masks are arrays on the device, one byte a world: a call applies to worlds
/// whose byte isn't 0, and to all worlds without a mask. Once a call has been captured in a graph, these calls enqueue
/// and don't wait.
class DeviceArrays {
 public:
  DeviceArrays(const DeviceArrays&) = delete;
  DeviceArrays& operator=(const DeviceArrays&) = delete;

  /// The World's own arrays, valid until a body is added or capacity runs out (docs/interop.md).
  std::vector<NamedArray> list() const;
  /// One array by name. Throws InvalidArgument if there is none of the name.
  ArrayView get(std::string_view name) const;
  /// Keeps the memory of the World's arrays as they are now, as long as the returned pointer lives, even if the World
  /// grows or ends: give it to `to_dlpack`. Memory that the World releases meanwhile is freed with the last such
  /// pointer.
  std::shared_ptr<const void> keep() const;
  /// A cudaStream_t: WorldOptions::stream, or the World's own, which ends with the World. Null on the CPU.
  void* stream() const;
  /// `wait_stream`: work enqueued on the World from now on begins after the present work of `stream`, a cudaStream_t of
  /// its device. `stream_waits`: the other way round; the host waits for steps that may be repeated. On the CPU
  /// `stream` must be null, and nothing is done. Both throw InvalidArgument for null on CUDA devices, where the default
  /// stream is (void*)1, and while only one of the two streams is being captured in a graph (docs/interop.md).
  void wait_stream(void* stream);
  void stream_waits(void* stream) const;
  /// Call it after writing into the World's own arrays: bodies of those worlds wake, and after kPoses their contacts
  /// end.
  void written(Written what, const std::uint8_t* mask = nullptr);
  /// World::read_states and write_states, without links, into and from arrays on the device. A world with a state that
  /// set_state would refuse stays as it is, frozen, with a status bit. Both throw InvalidArgument for arrays of the
  /// wrong shape or device.
  void get_states(const StateArrays& to, const std::uint8_t* mask = nullptr) const;
  void set_states(const StateArrays& from, const std::uint8_t* mask = nullptr);
  /// World::move_to for all kinematic bodies of the chosen worlds, fixed particles included; all bodies of these worlds
  /// wake. `poses` has position and orientation only, and rows of other bodies are ignored. A world with a pose that
  /// move_to would refuse stays as it is, frozen, with a status bit.
  void move_to(const StateArrays& poses, float dt, const std::uint8_t* mask = nullptr);
  /// The same for states of articulations; `set` does the work of set_state, _forces and _targets. If coordinates are
  /// given, contacts of the worlds end. Forces and targets hold until they are set again.
  ArticulationRows articulation_rows() const;
  void get_articulations(const ArticulationArrays& to, const std::uint8_t* mask = nullptr) const;
  void set_articulations(const ArticulationArrays& from, const std::uint8_t* mask = nullptr);
  /// The same for WorldArticulations::joint and set_joint. A world with a value that no joint may have stays as it is,
  /// frozen, with a status bit.
  void get_articulation_joints(const ArticulationJointArrays& to, const std::uint8_t* mask = nullptr) const;
  void set_articulation_joints(const ArticulationJointArrays& from, const std::uint8_t* mask = nullptr);
  /// The same for coordinates, forces and drives of joints. `set` does the work of set_drive for each, but wakes all
  /// bodies of the worlds. Throws InvalidArgument for arrays that are read-only.
  void get_joints(const JointArrays& to, const std::uint8_t* mask = nullptr) const;
  void set_joints(const JointArrays& from, const std::uint8_t* mask = nullptr);
  /// The same for materials, without the scales of worlds. `set` does the work of World::set_material for each.
  void get_materials(const MaterialArrays& to, const std::uint8_t* mask = nullptr) const;
  void set_materials(const MaterialArrays& from, const std::uint8_t* mask = nullptr);
  /// World::reset.
  void reset(const std::uint8_t* mask = nullptr);
  /// WorldScales::set for each world and body. A world with a scale out of range, or that WorldScales::set refuses,
  /// keeps its scales, frozen, with a status bit. Waits, and can't be captured.
  void set_scales(const ScaleArrays& from, const std::uint8_t* mask = nullptr);

 private:
  friend class World;
  explicit DeviceArrays(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
