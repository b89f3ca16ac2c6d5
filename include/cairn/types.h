#pragma once
// Plain value types shared by the public API and the kernels. Their arithmetic is in kernels/common/.

#include <cstdint>

#include "cairn/attributes.h"

namespace cairn {

/// A 3-vector. `Vec3` (float) serves velocities, extents and directions, `Vec3d` (double) serves world positions.
template <class T>
struct Vec3T {
  T x{}, y{}, z{};
  friend bool operator==(const Vec3T&, const Vec3T&) = default;
};

/// A quaternion, scalar last. Orientations are unit quaternions that turn body axes into world axes: v_world = q v q*.
template <class T>
struct QuatT {
  T x{}, y{}, z{}, w{1};
  friend bool operator==(const QuatT&, const QuatT&) = default;
};

using Vec3 = Vec3T<float>;
using Vec3d = Vec3T<double>;
using Quat = QuatT<float>;

inline constexpr AttributeRange kWorldPosition{.min = -1e7, .max = 1e7};                 ///< [m]
inline constexpr AttributeRange kLocalPosition{.min = -1e6, .max = 1e6};                 ///< [m] in a body's frame
inline constexpr AttributeRange kBreaking{.min = 0, .open = true, .infinite = "never"};  ///< [N, N m]
/// [kg, kg m^2] Masses and principal moments: they and their inverses are normal floats.
inline constexpr AttributeRange kInertial{.min = 1e-36, .max = 1e36, .positive = true};
inline constexpr AttributeRange kColor{.min = 0, .max = 1};  ///< [1] red, green and blue as sRGB

enum class BodyType : std::uint8_t {
  kStatic,     ///< never moves; infinite mass
  kKinematic,  ///< moves with its given velocity; infinite mass, pushes and is never pushed
  kDynamic,    ///< moves by forces and contacts
};
template <>
struct EnumWords<BodyType> : WordsUpTo<BodyType::kDynamic> {};

/// A body of a World. Zero is null. A handle whose body was removed is stale, and every call but World::alive refuses
/// it.
struct BodyHandle {
  std::uint32_t index{0};  ///< [1] slot + 1
  std::uint32_t generation{0};
  friend bool operator==(const BodyHandle&, const BodyHandle&) = default;
  explicit operator bool() const { return index != 0; }
};

/// Pose and velocities of one body, in world axes. `position` is the body's own origin, which need not be its centre of
/// mass; `linear_velocity` is that of the centre of mass.
struct BodyState {
  Vec3d position;
  Quat orientation;
  Vec3 linear_velocity;
  Vec3 angular_velocity;
  friend bool operator==(const BodyState&, const BodyState&) = default;
};

template <Same<BodyState> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::position>({.unit = "m", .meaning = "world, of the body's own origin"}),
    attribute<&S::orientation>({.meaning = "body to world, unit, x, y, z, w"}),
    attribute<&S::linear_velocity>({.unit = "m/s", .meaning = "world, of the centre of mass"}),
    attribute<&S::angular_velocity>({.unit = "rad/s", .meaning = "world"})};

}  // namespace cairn
