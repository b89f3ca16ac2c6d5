#pragma once
// Contact events on the host.

#include "kernels/common/events.h"

namespace cairn {

/// An entry of kernels::EventTable.
struct EventRow {
  std::uint64_t key;
  std::uint32_t body_a, body_b, generation_a, generation_b, shape_a, shape_b, flags;
  Vec3d position;
  Vec3 normal;
  float separation, impulse;

  /// Calls f(pointer to member, array) for each member.
  template <class F>
  static void for_each_member(const kernels::EventTable& t, F f) {
    f(&EventRow::key, t.key);
    f(&EventRow::body_a, t.body_a);
    f(&EventRow::body_b, t.body_b);
    f(&EventRow::generation_a, t.generation_a);
    f(&EventRow::generation_b, t.generation_b);
    f(&EventRow::shape_a, t.shape_a);
    f(&EventRow::shape_b, t.shape_b);
    f(&EventRow::flags, t.flags);
    f(&EventRow::position, t.position);
    f(&EventRow::normal, t.normal);
    f(&EventRow::separation, t.separation);
    f(&EventRow::impulse, t.impulse);
  }
};

}  // namespace cairn
