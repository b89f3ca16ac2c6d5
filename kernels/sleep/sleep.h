#pragma once
// Islands are the sets of dynamic bodies that manifolds connect. An island whose bodies were all quiet for long enough sleeps: its bodies
// keep poses, contacts and impulses, and take no part in the solve, until something awake touches one of them or the user wakes it.

#include "kernels/color/color.h"

namespace cairn::kernels {

/// An awake body that touches a sleeping one wakes its island; a kinematic one does if it moves. Writes wake[island]: 1, whoever comes
/// first. One thread per pair.
struct WakeTouched {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (pairs.manifold[i].count == 0) return;
    const std::uint64_t key = pairs.key[i];
    const std::uint32_t a = shapes.body[key >> 32], b = shapes.body[key & 0xffffffffu];
    if (asleep(a) && stirs(b)) atomic_store(&bodies.wake[bodies.island[a]], 1u);
    if (asleep(b) && stirs(a)) atomic_store(&bodies.wake[bodies.island[b]], 1u);
  }

 private:
  CAIRN_HD bool asleep(std::uint32_t body) const { return (bodies.flags[body] & kBodyAsleep) != 0; }
  CAIRN_HD bool stirs(std::uint32_t body) const {
    const std::uint32_t flags = bodies.flags[body];
    if (is_awake_dynamic(flags)) return true;
    if (!is_kinematic(flags)) return false;
    const Vec3 zero{0, 0, 0};
    return !(bodies.v[body] == zero) || !(bodies.w[body] == zero);
  }
};

/// Wakes body i if its island was touched. One thread per body slot.
struct WakeIsland {
  Bodies bodies;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if ((bodies.flags[i] & kBodyAsleep) == 0 || bodies.wake[bodies.island[i]] == 0) return;
    bodies.flags[i] &= ~std::uint32_t{kBodyAsleep};
    bodies.quiet_time[i] = 0.0f;
  }
};

/// Starts each awake body as an island of its own, and times how long it was quiet. Writes island, wake, restless and quiet_time of body i;
/// sleeping bodies keep their island. One thread per body slot.
struct SleepStart {
  StepConstants k;
  Bodies bodies;

  CAIRN_HD void operator()(std::uint32_t i) const {
    bodies.wake[i] = bodies.restless[i] = 0;
    if (!is_awake_dynamic(bodies.flags[i])) return;
    bodies.island[i] = i;
    const float speed = fma(length(bodies.w[i]), bodies.radius[i], length(bodies.v[i]));
    bodies.quiet_time[i] = speed < k.sleep_speed ? bodies.quiet_time[i] + k.dt : 0.0f;
  }
};

/// Joins the islands of the two ends of a manifold: union-find in which a root is only ever hung under a smaller one, so that in the end
/// every root is the lowest slot of its island (Jaiganesh and Burtscher 2018). Integer min. One thread per pair.
struct SleepJoin {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (pairs.manifold[i].count == 0) return;
    const EdgeEnds e = ends_of(pairs.key[i], bodies, shapes);
    if (!e.push_a || !e.push_b) return;
    std::uint32_t a = e.a, b = e.b;
    for (;;) {
      a = root_of(a);
      b = root_of(b);
      if (a == b) return;
      const std::uint32_t high = a > b ? a : b, low = a > b ? b : a;
      // if somebody hung `high` elsewhere meanwhile, join what it hung under
      const std::uint32_t was = atomic_min(&bodies.island[high], low);
      if (was == high) return;
      a = was;
      b = low;
    }
  }

  CAIRN_HD std::uint32_t root_of(std::uint32_t i) const {
    for (std::uint32_t parent = atomic_load(&bodies.island[i]); parent != i; parent = atomic_load(&bodies.island[i])) i = parent;
    return i;
  }
};

/// Points body i at the root of its island, and marks the island if the body isn't ready to sleep. A store that others may race with:
/// to an ancestor, which never changes where a path leads. One thread per body slot.
struct SleepLabel {
  StepConstants k;
  Bodies bodies;
  SleepJoin find;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i])) return;
    const std::uint32_t root = find.root_of(i);
    atomic_store(&bodies.island[i], root);
    if (bodies.quiet_time[i] < k.sleep_time) atomic_store(&bodies.restless[root], 1u);
  }
};

/// Puts body i to sleep if its whole island is ready. Writes flags, v and w of body i. One thread per body slot.
struct SleepFall {
  Bodies bodies;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i]) || bodies.restless[bodies.island[i]] != 0) return;
    bodies.flags[i] |= kBodyAsleep;
    bodies.v[i] = bodies.w[i] = Vec3{0, 0, 0};
  }
};

}  // namespace cairn::kernels
