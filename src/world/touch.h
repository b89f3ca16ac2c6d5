#pragma once
// What touches, on the host.

#include "kernels/common/touches.h"

namespace cairn {

/// An entry of kernels::Touches.
struct TouchRow {
  std::uint64_t key;
  std::uint32_t body_a, body_b, generation_a, generation_b, shape_a, shape_b, flags;
  Vec3d position;
  Vec3 normal;
  float separation, impulse;

  /// Calls f(pointer to member, array) for each.
  template <class F>
  static void for_each_member(const kernels::Touches& t, F f) {
    f(&TouchRow::key, t.key);
    f(&TouchRow::body_a, t.body_a);
    f(&TouchRow::body_b, t.body_b);
    f(&TouchRow::generation_a, t.generation_a);
    f(&TouchRow::generation_b, t.generation_b);
    f(&TouchRow::shape_a, t.shape_a);
    f(&TouchRow::shape_b, t.shape_b);
    f(&TouchRow::flags, t.flags);
    f(&TouchRow::position, t.position);
    f(&TouchRow::normal, t.normal);
    f(&TouchRow::separation, t.separation);
    f(&TouchRow::impulse, t.impulse);
  }
};

}  // namespace cairn
