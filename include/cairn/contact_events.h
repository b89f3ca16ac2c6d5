#pragma once
// Contact events: contacts that began, persisted and ended in the last step.

#include <cstdint>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/types.h"

namespace cairn {

/// A shape of a body.
struct ContactShape {
  BodyHandle body;
  std::uint32_t shape{0};
  friend bool operator==(const ContactShape&, const ContactShape&) = default;
};

template <Same<ContactShape> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::body>({.meaning = "stale if the body was removed since"}),
                                          attribute<&S::shape>({.meaning = "index of Body::shapes"})};

/// Two shapes that touch: one of their contact points pushed in the step, or they met or overlapped at its start. With
/// a sensor: they overlapped at its start.
struct ContactEvent {
  ContactShape a, b;
  bool sensor{false};
  Vec3d position;
  Vec3 normal;
  float separation{0};
  float impulse{0};
  friend bool operator==(const ContactEvent&, const ContactEvent&) = default;
};

template <Same<ContactEvent> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::a>({}),
    attribute<&S::b>({}),
    attribute<&S::sensor>({.meaning = "one of the shapes is a sensor"}),
    attribute<&S::position>(
        {.unit = "m", .meaning = "world, on the surface of a: the contact point that pushed most, else the deepest"}),
    attribute<&S::normal>({.meaning = "world, from a to b"}),
    attribute<&S::separation>(
        {.unit = "m", .meaning = "of that point, at the step's start; negative where the shapes overlap"}),
    attribute<&S::impulse>({.unit = "N s", .meaning = "along the normal, of all points, over the step"})};

/// Two shapes that touched in the step before. A snapshot leaves out contacts of a mesh or height field that was
/// removed since the last step: only the original World then reports that they ended.
struct EndedContact {
  ContactShape a, b;
  bool sensor{false};
  friend bool operator==(const EndedContact&, const EndedContact&) = default;
};

template <Same<EndedContact> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::a>({}), attribute<&S::b>({}),
                                          attribute<&S::sensor>({.meaning = "one of the shapes is a sensor"})};

/// Each in the order of the shapes' slots. A pair of shapes begins to touch, persists for any number of steps, and
/// ends. Setting a body's pose, filtering or removing it ends its contacts in the next step. A tube collides as several
/// parts; each has an event, reported as the tube. A world that is reset forgets its contacts without end events. A
/// world that is restored continues with the contacts of the snapshot, if the snapshot is of a World with
/// WorldOptions::contact_events.
struct ContactEvents {
  std::vector<ContactEvent> begun, persisting;
  std::vector<EndedContact> ended;
  friend bool operator==(const ContactEvents&, const ContactEvents&) = default;
};

template <Same<ContactEvents> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::begun>({}), attribute<&S::persisting>({}),
                                          attribute<&S::ended>({})};

}  // namespace cairn
