#pragma once
// Contacts of bodies, and contact events.

#include "cairn/c/world.h"

typedef struct cairn_contact_point {
  double position[3];  ///< [m]   world, on the surface of a
  float separation;    ///< [m]   negative where the shapes overlap
  float impulse;       ///< [N s] along the normal, over the last step
} cairn_contact_point;

/// It will not grow.
typedef struct cairn_contact {
  cairn_handle a, b;
  float normal[3];            ///< [1]   world, from a to b
  float friction_impulse[3];  ///< [N s] world, on b, over the last step
  uint32_t count;             ///< [1]   points, 1..4
  uint32_t reserved;          ///< [1]   0
  cairn_contact_point points[4];
} cairn_contact;

/// The contacts of the last step. `count` gets their number. They are written if `size` is no smaller, else none is.
CAIRN_API cairn_result cairn_world_contacts(const cairn_world* world, cairn_contact* contacts, size_t size,
                                            size_t* count);
typedef enum cairn_contact_event_kind { CAIRN_BEGAN = 0, CAIRN_PERSISTS = 1, CAIRN_ENDED = 2 } cairn_contact_event_kind;

/// ContactEvents (cairn/contact_events.h). It will not grow.
typedef struct cairn_contact_event {
  cairn_handle a, b;   ///< may be stale if CAIRN_ENDED
  uint32_t shape_a;    ///< [1]   index among the body's shapes
  uint32_t shape_b;    ///< [1]
  int32_t event;       ///< cairn_contact_event_kind
  int32_t sensor;      ///< [1]   1: one of the shapes is a sensor
  double position[3];  ///< [m]   world; 0 if CAIRN_ENDED, like the next three
  float normal[3];     ///< [1]   world, from a to b
  float separation;    ///< [m]   at the step's start
  float impulse;       ///< [N s] along the normal, over the step
  uint32_t reserved;   ///< [1]   0
} cairn_contact_event;

/// Contacts of shapes that begin, go on and end, of world `index` or of all; those that end come last. `count` gets
/// their number. They are written if `size` is no smaller, else none is.
CAIRN_API cairn_result cairn_world_contact_events(const cairn_world* world, uint32_t index, cairn_contact_event* events,
                                                  size_t size, size_t* count);
