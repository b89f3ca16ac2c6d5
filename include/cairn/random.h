#pragma once
// Random numbers as a function of their purpose, and the draws of WorldScales::randomise. They are the same on every
// processor, and the same for a world alone and in a batch.

#include <array>
#include <cstdint>

#include "cairn/attributes.h"
#include "cairn/types.h"

namespace cairn {

/// Philox4x32-10, a counter-based generator: four numbers of 32 bits for each counter and key (J. K. Salmon, M. A.
/// Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
std::array<std::uint32_t, 4> philox4x32(const std::array<std::uint32_t, 4>& counter,
                                        const std::array<std::uint32_t, 2>& key);

/// Purpose of a draw. Numbers from kUser on are for a program's own draws.
enum class RandomStream : std::uint32_t {
  kWorld,            ///< size, mass, friction, restitution
  kBody,             ///< size, mass, inertia
  kPosition,         ///< x, y, z
  kLinearVelocity,   ///< x, y, z
  kAngularVelocity,  ///< x, y, z
  kJoint,            ///< the joint factors of Randomisation, in its order
  kUser = 16,
};

/// Four numbers in [0, 1): the upper 24 bits of each of Philox's, times 2^-24. The key is the seed, lower word first;
/// the counter is {index, stream, episode, 0}, and for kJoint {2 node or 2 node + 1, stream, episode, body}.
std::array<float, 4> random_uniforms(std::uint64_t seed, std::uint32_t episode, RandomStream stream,
                                     std::uint32_t index);

/// A draw is low + u (high - low) in float, at most `high`, with u in [0, 1).
struct Range {
  float low{1};
  float high{1};
  friend bool operator==(const Range&, const Range&) = default;
};

template <Same<Range> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::low>({.meaning = "at most `high`"}),
                                          attribute<&S::high>({.meaning = "at least `low`"})};

/// Factors on the properties of one world; 1 leaves them as described. Sizes and masses are those of its dynamic
/// bodies, and of the moving links of its articulations.
struct Scales {
  float size{1};
  float mass{1};
  float friction{1};
  float restitution{1};
  friend bool operator==(const Scales&, const Scales&) = default;
};

template <Same<Scales> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::size>(
        {.range = between(0.01f, 100), .meaning = "of lengths, at constant density, so that mass grows with its cube"}),
    attribute<&S::mass>({.range = between(1e-6f, 1e6), .meaning = "of masses beside that"}),
    attribute<&S::friction>({.range = between(0, 1000), .meaning = "of its materials' friction"}),
    attribute<&S::restitution>({.range = between(0, 1), .meaning = "of its materials' restitution"})};

/// Factors on a dynamic body, on top of those of its world. The size of a link scales its shapes, its masses and the
/// joint frames on it; coordinates, and joint frames on the world, stay.
struct BodyScales {
  float size{1};
  float mass{1};
  float inertia{1};
  friend bool operator==(const BodyScales&, const BodyScales&) = default;
};

template <Same<BodyScales> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::size>(info_of<&Scales::size>()), attribute<&S::mass>(info_of<&Scales::mass>()),
    attribute<&S::inertia>(
        {.range = between(1e-6f, 1e6),
         .meaning = "of moments of inertia about the centre of mass, beside what size and mass make of them"})};

/// Ranges of the uniform draws of WorldScales::randomise: Scales for each world; BodyScales for each dynamic body or
/// link; offsets of position and velocity for each dynamic body that isn't a link; and factors on the described values
/// of each joint of an articulation. With a range of 1 to 1 the joint keeps its present value.
struct Randomisation {
  Range size{}, mass{}, friction{}, restitution{};  ///< [1] of Scales
  Range body_size{}, body_mass{}, body_inertia{};   ///< [1] of BodyScales
  Vec3 position{};
  Vec3 linear_velocity{};
  Vec3 angular_velocity{};
  Range joint_armature{};
  Range joint_damping{};
  Range joint_friction{};
  Range joint_limits{};
  Range spring_stiffness{};
  Range drive_stiffness{};
  Range drive_damping{};
  Range drive_force{};
  friend bool operator==(const Randomisation&, const Randomisation&) = default;
};

inline constexpr AttributeRange kJointFactor = between(0, 1000);

template <Same<Randomisation> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::size>(info_of<&Scales::size>()),
    attribute<&S::mass>(info_of<&Scales::mass>()),
    attribute<&S::friction>(info_of<&Scales::friction>()),
    attribute<&S::restitution>(info_of<&Scales::restitution>()),
    attribute<&S::body_size>(info_of<&BodyScales::size>()),
    attribute<&S::body_mass>(info_of<&BodyScales::mass>()),
    attribute<&S::body_inertia>(info_of<&BodyScales::inertia>()),
    attribute<&S::position>({.unit = "m", .range = between(0, 1e7), .meaning = "at most so much to either side"}),
    attribute<&S::linear_velocity>(
        {.unit = "m/s", .range = between(0, 1e5), .meaning = "at most so much to either side"}),
    attribute<&S::angular_velocity>({.unit = "rad/s",
                                     .range = between(0, 1e11),
                                     .meaning = "at most so much to either side; none for what has fixed_rotation"}),
    attribute<&S::joint_armature>({.range = kJointFactor, .meaning = "of armature"}),
    attribute<&S::joint_damping>({.range = kJointFactor, .meaning = "of damping"}),
    attribute<&S::joint_friction>({.range = kJointFactor, .meaning = "of friction"}),
    attribute<&S::joint_limits>({.range = kJointFactor, .meaning = "of lower and upper"}),
    attribute<&S::spring_stiffness>({.range = kJointFactor, .meaning = "of spring_stiffness"}),
    attribute<&S::drive_stiffness>({.range = kJointFactor, .meaning = "of drive_stiffness"}),
    attribute<&S::drive_damping>({.range = kJointFactor, .meaning = "of drive_damping"}),
    attribute<&S::drive_force>({.range = kJointFactor, .meaning = "of drive_min_force and drive_max_force"})};

}  // namespace cairn
