#pragma once
// Poses and velocities, read by the host.

#include <vector>

#include "src/world/impl.h"

namespace cairn {

/// The poses and velocities of a range of body slots, read at once.
struct World::Impl::Motions {
  Motions(Impl& world, IndexRange range)
      : of(world),
        first(range.first),
        x(world.read(world.arrays.bodies.view().x + first, range.size())),
        low(world.read(world.arrays.bodies.view().x_low + first, range.size())),
        v(world.read(world.arrays.bodies.view().v + first, range.size())),
        w(world.read(world.arrays.bodies.view().w + first, range.size())),
        q(world.read(world.arrays.bodies.view().q + first, range.size())) {}
  BodyState state(std::uint32_t at) const {
    const std::size_t i = at - first;
    return state_of(of.slots[at], x[i], low[i], q[i], v[i], w[i], of.scales.of(at).size);
  }

  Impl& of;
  std::size_t first;
  std::vector<Vec3> x, low, v, w;
  std::vector<Quat> q;
};

}  // namespace cairn
