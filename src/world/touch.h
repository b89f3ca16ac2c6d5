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

  /// Calls f(member, array) for each.
  template <class Row, class F>
  static void for_each_member(Row& r, const kernels::Touches& t, F f) {
    f(r.key, t.key);
    f(r.body_a, t.body_a);
    f(r.body_b, t.body_b);
    f(r.generation_a, t.generation_a);
    f(r.generation_b, t.generation_b);
    f(r.shape_a, t.shape_a);
    f(r.shape_b, t.shape_b);
    f(r.flags, t.flags);
    f(r.position, t.position);
    f(r.normal, t.normal);
    f(r.separation, t.separation);
    f(r.impulse, t.impulse);
  }
};

}  // namespace cairn
