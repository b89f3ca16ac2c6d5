#pragma once
// Contact events: shapes that touch in this step and the last, and shapes that no longer touch.

#include <cstdint>

#include "kernels/common/arrays.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

enum EventFlag : std::uint32_t {
  kEventBegan = 1u << 0,      ///< in this step; otherwise they touched in the last one as well
  kEventSensor = 1u << 1,     ///< one of the shapes is a sensor
  kEventForgotten = 1u << 2,  ///< its world was reset since, or became another
  kEventRestored = 1u << 3,   ///< from a snapshot: no step of this World found it
};

/// Shapes that touch, ordered by key. They are identified beyond the life of their bodies, whose slots may belong to
/// others in the next step. There are two tables: this step's and the last one's.
struct EventTable {
  std::uint64_t* key;           ///< [1]   (events) lower shape slot << 32 | higher
  std::uint32_t* body_a;        ///< [1]   (events) slot
  std::uint32_t* body_b;        ///< [1]   (events) slot
  std::uint32_t* generation_a;  ///< [1]   (events) of the body
  std::uint32_t* generation_b;  ///< [1]   (events)
  std::uint32_t* shape_a;       ///< [1]   (events) index among the body's shapes
  std::uint32_t* shape_b;       ///< [1]   (events)
  std::uint32_t* flags;         ///< [1]   (events) EventFlag
  Vec3T<double>* position;      ///< [m]   (events) world, on the surface of a
  Vec3* normal;                 ///< [1]   (events) world, from a to b
  float* separation;            ///< [m]   (events) of the point, at the step's start
  float* impulse;               ///< [N s] (events) along the normal, of all points, over the step
  friend bool operator==(const EventTable&, const EventTable&) = default;
};
template <Same<EventTable> V>
inline constexpr TypedList kArrays<V>{
    apart<&V::key>(),
    apart<&V::body_a>({.name = "event_body_a", .meaning = "body slot; the normal points away from it"}),
    apart<&V::body_b>({.name = "event_body_b", .meaning = "body slot"}),
    apart<&V::generation_a>({.name = "event_generation_a", .meaning = "of the body, as in its handle"}),
    apart<&V::generation_b>({.name = "event_generation_b", .meaning = "the same"}),
    apart<&V::shape_a>({.name = "event_shape_a", .meaning = "index among the body's shapes"}),
    apart<&V::shape_b>({.name = "event_shape_b", .meaning = "the same"}),
    apart<&V::flags>(
        {.name = "event_flags",
         .meaning = "bit 0: began in this step; bit 1: a sensor; bit 2 or 3: of a world reset or restored"}),
    apart<&V::position>(
        {.name = "event_position", .unit = "m", .meaning = "world, of the point that pushed most, else the deepest"}),
    apart<&V::normal>({.name = "event_normal", .meaning = "world, from a to b"}),
    apart<&V::separation>({.name = "event_separation", .unit = "m", .meaning = "of that point, at the step's start"}),
    apart<&V::impulse>(
        {.name = "event_impulse", .unit = "N s", .meaning = "along the normal, of all points, over the step"})};

/// Shapes that touched in the last step and don't in this one, ordered by key.
struct EndedEvents {
  std::uint32_t* body_a;        ///< [1] (ended) its slot in that step
  std::uint32_t* body_b;        ///< [1] (ended)
  std::uint32_t* generation_a;  ///< [1] (ended) of the body; the slot may belong to another now
  std::uint32_t* generation_b;  ///< [1] (ended)
  std::uint32_t* shape_a;       ///< [1] (ended) index among the body's shapes
  std::uint32_t* shape_b;       ///< [1] (ended)
  std::uint32_t* flags;         ///< [1] (ended) EventFlag
  friend bool operator==(const EndedEvents&, const EndedEvents&) = default;
};
template <Same<EndedEvents> V>
inline constexpr TypedList kArrays<V>{
    derived<&V::body_a>({.name = "ended_body_a", .meaning = "body slot that it had"}),
    derived<&V::body_b>({.name = "ended_body_b", .meaning = "the same"}),
    derived<&V::generation_a>({.name = "ended_generation_a", .meaning = "of the body, as in its handle"}),
    derived<&V::generation_b>({.name = "ended_generation_b", .meaning = "the same"}),
    derived<&V::shape_a>({.name = "ended_shape_a", .meaning = "index among the body's shapes"}),
    derived<&V::shape_b>({.name = "ended_shape_b", .meaning = "the same"}),
    derived<&V::flags>({.name = "ended_flags", .meaning = "bit 1: a sensor; bit 2: of a world reset or restored"})};

/// Counts, in device memory.
struct EventCounts {
  std::uint32_t events[2];  ///< [1] of the two EventTable; the step's parity selects this step's
  std::uint32_t ended;      ///< [1]
};

}  // namespace cairn::kernels
