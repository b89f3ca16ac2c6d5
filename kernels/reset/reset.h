#pragma once
// Resets worlds of a batch to their start.

#include "kernels/common/arrays.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// Initial states of bodies, in the frame of Bodies.
struct Starts {
  Vec3* x;      ///< [m]     (bodies)
  Vec3* x_low;  ///< [m]     (bodies)
  Quat* q;      ///< [1]     (bodies)
  Vec3* v;      ///< [m/s]   (bodies)
  Vec3* w;      ///< [rad/s] (bodies)
  friend bool operator==(const Starts&, const Starts&) = default;
};
template <Same<Starts> V>
inline constexpr TypedList kArrays<V>{derived<&V::x>(), derived<&V::x_low>(), derived<&V::q>(), derived<&V::v>(),
                                      derived<&V::w>()};

/// Ends the contacts of chosen worlds: a manifold without points passes nothing on. Writes the count of manifold i of
/// the last step. One thread per pair.
struct ResetPair {
  Bodies bodies;
  Shapes shapes;
  Pairs last;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t body = shapes.body[last.shape_a(i)];
    // a removed body's contacts have ended already
    if (body != kNone && selection(bodies.world[body])) last.manifold[i].count = 0;
  }
};

/// Clears the impulses of joint i of chosen worlds, and unless `contacts_alone` all of its memory. One thread per joint
/// slot.
struct ResetJoint {
  Joints joints;
  Selection selection;
  bool contacts_alone;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!selection(joints.model[i].world)) return;
    for (float& l : joints.memory[i].impulse) l = 0.0f;
    if (!contacts_alone) start_entry(joints, i);
  }
};

/// Writes all state of body i that a step reads, except its properties. One thread per body slot.
struct ResetBody {
  Bodies bodies;
  Starts starts;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if ((bodies.flags[i] & kBodyAlive) == 0 || !selection(bodies.world[i])) return;
    bodies.flags[i] &= ~std::uint32_t{kBodyAsleep | kBodyFrozen};
    bodies.x[i] = starts.x[i];
    bodies.x_low[i] = starts.x_low[i];
    bodies.q[i] = starts.q[i];
    bodies.v[i] = starts.v[i];
    bodies.w[i] = starts.w[i];
    bodies.w_known[i] = unknown_velocity();
    start_entry(bodies, i);
  }
};

/// Clock and status of world i. One thread per world.
struct ResetWorld {
  Worlds worlds;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!selection(i)) return;
    worlds.episode[i] += 1;
    start_entry(worlds, i);
  }
};

}  // namespace cairn::kernels
