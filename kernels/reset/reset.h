#pragma once
// Worlds of a batch back to their start.

#include "kernels/common/state.h"

namespace cairn::kernels {

/// Where bodies start, in the frame of Bodies.
struct Starts {
  Vec3* x;      ///< [m]     (bodies)
  Vec3* x_low;  ///< [m]     (bodies)
  Quat* q;      ///< [1]     (bodies)
  Vec3* v;      ///< [m/s]   (bodies)
  Vec3* w;      ///< [rad/s] (bodies)
  friend bool operator==(const Starts&, const Starts&) = default;
  template <class S, class F>
  static void for_each_field(S& s, F f) {
    f(s.x); f(s.x_low); f(s.q); f(s.v); f(s.w);
  }
};

/// Ends the contacts of chosen worlds: a manifold without points has nothing to hand on. Writes the count of manifold
/// i of the last step. One thread per pair.
struct ResetPair {
  Bodies bodies;
  Shapes shapes;
  Pairs last;
  const std::uint8_t* chosen;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t body = shapes.body[last.key[i] >> 32];
    // a removed body's contacts have ended already
    if (body != kNone && chosen[bodies.world[body]] != 0) last.manifold[i].count = 0;
  }
};

/// Writes all that a step reads of body i, but what it is made of. One thread per body slot.
struct ResetBody {
  Bodies bodies;
  Starts starts;
  const std::uint8_t* chosen;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t i) const {
    if ((bodies.flags[i] & kBodyAlive) == 0 || chosen[bodies.world[i]] == 0) return;
    bodies.flags[i] &= ~std::uint32_t{kBodyAsleep | kBodyFrozen};
    bodies.x[i] = starts.x[i];
    bodies.x_low[i] = starts.x_low[i];
    bodies.q[i] = starts.q[i];
    bodies.v[i] = starts.v[i];
    bodies.w[i] = starts.w[i];
    bodies.w_known[i] = unknown_velocity();
    bodies.force[i] = bodies.torque[i] = Vec3{0, 0, 0};
    bodies.quiet_time[i] = 0.0f;
  }
};

/// Clock and status of world i. One thread per world.
struct ResetWorld {
  Worlds worlds;
  const std::uint8_t* chosen;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (chosen[i] == 0) return;
    worlds.steps[i] = 0;
    worlds.time[i] = 0.0;
    worlds.status[i] = worlds.first_bad[i] = 0;
  }
};

}  // namespace cairn::kernels
