#pragma once
// Bodies of a World as the particles of fields, and back.

#include "kernels/common/atomic.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// Writes x, v and mass of row i. Bodies that aren't dynamic keep the row's mass. One thread per row.
template <class T>
struct GatherBody {
  Bodies bodies;
  const std::uint32_t* slot;  ///< [1] (rows)
  Vec3T<T>* x;                ///< [m] (rows)
  Vec3T<T>* v;                ///< [m/s] (rows)
  T* mass;                    ///< [kg] (rows)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t b = slot[i];
    const Vec3 high = bodies.x[b], low = bodies.x_low[b], speed = bodies.v[b];
    const auto sum = [](float a, float rest) { return static_cast<T>(a) + static_cast<T>(rest); };
    x[i] = {sum(high.x, low.x), sum(high.y, low.y), sum(high.z, low.z)};
    v[i] = {static_cast<T>(speed.x), static_cast<T>(speed.y), static_cast<T>(speed.z)};
    if (bodies.inv_mass[b] > 0.0f) mass[i] = T(1) / static_cast<T>(bodies.inv_mass[b]);
  }
};

/// to[i] = from[i], in the World's precision. One thread per row.
template <class T>
struct NarrowForce {
  const Vec3T<T>* from;  ///< [N] (rows)
  Vec3* to;              ///< [N] (rows)
  CAIRN_HD void operator()(std::uint32_t i) const {
    to[i] = {static_cast<float>(from[i].x), static_cast<float>(from[i].y), static_cast<float>(from[i].z)};
  }
};

/// Forces on bodies, none of which occurs twice.
struct BodyPushes {
  const std::uint32_t* slot{nullptr};  ///< [1] (rows)
  const Vec3* force{nullptr};          ///< [N] (rows) at the centre of mass
  std::uint32_t rows{0};               ///< [1]
};

/// Adds force i to its body's, and marks the island that it wakes. Writes force and quiet_time of the body, and
/// wake[island]: 1, from any thread. One thread per row.
struct PushBody {
  Bodies bodies;
  BodyPushes pushes;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t b = pushes.slot[i], flags = bodies.flags[b];
    if (!is_dynamic(flags) || !takes_forces(flags)) return;
    const Vec3 f = pushes.force[i];
    // a force that isn't finite counts, too
    if (f.x == 0.0f && f.y == 0.0f && f.z == 0.0f) return;
    bodies.force[b] = bodies.force[b] + f;
    bodies.quiet_time[b] = 0.0f;
    if ((flags & kBodyAsleep) != 0) atomic_store(&bodies.wake[bodies.island[b]], 1u);
  }
};

}  // namespace cairn::kernels
