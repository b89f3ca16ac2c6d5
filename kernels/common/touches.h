#pragma once
// Who touches whom: shapes of this step and the last, and those that no longer do.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

enum TouchFlag : std::uint32_t {
  kTouchBegan = 1u << 0,      ///< in this step; otherwise they touched in the last one, too
  kTouchSensor = 1u << 1,     ///< one of the shapes is a sensor
  kTouchForgotten = 1u << 2,  ///< its world was reset since, or became another
  kTouchRestored = 1u << 3,   ///< of a snapshot: no step of this World found it
};

/// Shapes that touch, in the order of their keys. Who they are outlives bodies, whose slots may be others' in the next
/// step. There are two tables: this step's and the last one's.
struct Touches {
  std::uint64_t* key;           ///< [1]   (touches) lower shape slot << 32 | higher
  std::uint32_t* body_a;        ///< [1]   (touches) slot
  std::uint32_t* body_b;        ///< [1]   (touches) slot
  std::uint32_t* generation_a;  ///< [1]   (touches) of the body
  std::uint32_t* generation_b;  ///< [1]   (touches)
  std::uint32_t* shape_a;       ///< [1]   (touches) index among the body's shapes
  std::uint32_t* shape_b;       ///< [1]   (touches)
  std::uint32_t* flags;         ///< [1]   (touches) TouchFlag
  Vec3T<double>* position;      ///< [m]   (touches) world, on the surface of a
  Vec3* normal;                 ///< [1]   (touches) world, from a to b
  float* separation;            ///< [m]   (touches) of the point, at the step's start
  float* impulse;               ///< [N s] (touches) along the normal, of all points, over the step
  friend bool operator==(const Touches&, const Touches&) = default;
};
template <>
struct ArraysOf<Touches> {
  template <class V = Touches>
  static constexpr std::tuple all{
      apart<&V::key>(),
      apart<&V::body_a>({.name = "touch_body_a", .meaning = "body slot; the normal points away from it"}),
      apart<&V::body_b>({.name = "touch_body_b", .meaning = "body slot"}),
      apart<&V::generation_a>({.name = "touch_generation_a", .meaning = "of the body, as in its handle"}),
      apart<&V::generation_b>({.name = "touch_generation_b", .meaning = "the same"}),
      apart<&V::shape_a>({.name = "touch_shape_a", .meaning = "index among the body's shapes"}),
      apart<&V::shape_b>({.name = "touch_shape_b", .meaning = "the same"}),
      apart<&V::flags>(
          {.name = "touch_flags",
           .meaning = "bit 0: began in this step; bit 1: a sensor; bit 2 or 3: of a world reset or restored"}),
      apart<&V::position>(
          {.name = "touch_position", .unit = "m", .meaning = "world, of the point that pushed most, else the deepest"}),
      apart<&V::normal>({.name = "touch_normal", .meaning = "world, from a to b"}),
      apart<&V::separation>({.name = "touch_separation", .unit = "m", .meaning = "of that point, at the step's start"}),
      apart<&V::impulse>(
          {.name = "touch_impulse", .unit = "N s", .meaning = "along the normal, of all points, over the step"})};
};

/// Shapes that touched in the last step and don't in this one, in the order of their keys.
struct EndedTouches {
  std::uint32_t* body_a;        ///< [1] (ended) slot that it had
  std::uint32_t* body_b;        ///< [1] (ended)
  std::uint32_t* generation_a;  ///< [1] (ended) of the body; the slot's may be another now
  std::uint32_t* generation_b;  ///< [1] (ended)
  std::uint32_t* shape_a;       ///< [1] (ended) index among the body's shapes
  std::uint32_t* shape_b;       ///< [1] (ended)
  std::uint32_t* flags;         ///< [1] (ended) TouchFlag
  friend bool operator==(const EndedTouches&, const EndedTouches&) = default;
};
template <>
struct ArraysOf<EndedTouches> {
  template <class V = EndedTouches>
  static constexpr std::tuple all{
      derived<&V::body_a>({.name = "ended_body_a", .meaning = "body slot that it had"}),
      derived<&V::body_b>({.name = "ended_body_b", .meaning = "the same"}),
      derived<&V::generation_a>({.name = "ended_generation_a", .meaning = "of the body, as in its handle"}),
      derived<&V::generation_b>({.name = "ended_generation_b", .meaning = "the same"}),
      derived<&V::shape_a>({.name = "ended_shape_a", .meaning = "index among the body's shapes"}),
      derived<&V::shape_b>({.name = "ended_shape_b", .meaning = "the same"}),
      derived<&V::flags>({.name = "ended_flags", .meaning = "bit 1: a sensor; bit 2: of a world reset or restored"})};
};

/// How many there are, in device memory.
struct TouchCounts {
  std::uint32_t touches[2];  ///< [1] of each Touches table; the step's parity tells which is this step's
  std::uint32_t ended;       ///< [1]
};

}  // namespace cairn::kernels
