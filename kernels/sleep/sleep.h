#pragma once
// Islands are the sets of dynamic bodies that manifolds connect. An island sleeps once all its bodies were quiet for
// long enough. Its bodies keep poses, contacts and impulses, and take no part in the solve, until an awake body touches
// one of them or the user wakes it.

#include "kernels/bound/reach.h"
#include "kernels/color/color.h"
#include "kernels/common/belts.h"
#include "kernels/common/fluids.h"
#include "kernels/common/trees.h"

namespace cairn::kernels {

enum IslandFlag : std::uint32_t {
  kIslandRestless = 1u << 0,   ///< one of its bodies is not quiet
  kIslandSupported = 1u << 1,  ///< one of its bodies touches one that doesn't move: an island that floats drifts on
  kBodySupported = 1u << 2,    ///< this body does
};

/// Wakes the island of a body that sleeps, if another one wakes it, or `anyway`. Writes wake[island]: 1, from any
/// thread.
CAIRN_HD void wake_by(const Bodies& bodies, std::uint32_t body, std::uint32_t other, bool anyway = false) {
  if ((bodies.flags[body] & kBodyAsleep) == 0 || !(anyway || wakes_others(bodies, other))) return;
  atomic_store(&bodies.wake[bodies.island[body]], 1u);
}

/// An awake body that moves and touches a sleeping one wakes its island. So does a new contact of a sleeping body, when
/// another body was moved there; but not one that is only near: with a shorter step it may go, and come back. Writes
/// wake[island]: 1, from any thread. One thread per pair.
struct WakeTouched {
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Pairs pairs;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    if (!pushes(m)) return;
    const std::uint32_t a = shapes.body[pairs.shape_a(i)], b = shapes.body[pairs.shape_b[i]];
    const bool fresh = (m.flags & kManifoldFresh) != 0 && stays(m, a, b);
    wake_by(bodies, a, b, fresh);
    wake_by(bodies, b, a, fresh);
  }

 private:
  CAIRN_HD bool stays(const Manifold& m, std::uint32_t a, std::uint32_t b) const {
    const float within = reach_at_rest<float>(bodies, worlds, &a, &b).least_margin();
    bool any = false;
    for (std::uint32_t p = 0; p < m.count; ++p) any = any || m.points[p].separation <= within;
    return any;
  }
};

/// Wakes body i if its island is marked. One thread per body slot.
struct WakeIsland {
  Bodies bodies;
  std::uint32_t mark;  ///< BodyFlag of those that it wakes, or 0

  CAIRN_HD void operator()(std::uint32_t i) const {
    if ((bodies.flags[i] & kBodyAsleep) == 0 || bodies.wake[bodies.island[i]] == 0) return;
    bodies.flags[i] = (bodies.flags[i] & ~std::uint32_t{kBodyAsleep}) | mark;
    bodies.quiet_time[i] = 0.0f;
  }
};

/// Starts each awake body as an island of its own, and times how long it was quiet. Writes island, wake, island_flags
/// and quiet_time of body i; sleeping bodies keep their island. One thread per body slot.
struct SleepStart {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Fluids fluids;  ///< fluid particles are never quiet: they may carry loads that nothing tracks

  CAIRN_HD void operator()(std::uint32_t i) const {
    bodies.wake[i] = bodies.island_flags[i] = 0;
    if (!is_awake_dynamic(bodies.flags[i])) return;
    bodies.island[i] = i;
    const float speed = fma(length(bodies.w[i]), bodies.radius[i], length(bodies.v[i]));
    const bool quiet = !fluids.has(i) && speed < worlds.params[bodies.world[i]].sleep_speed;
    bodies.quiet_time[i] = quiet ? bodies.quiet_time[i] + k.dt : 0.0f;
  }
};

/// Joins the islands of the two ends of a manifold. Integer min. If the other end is static or kinematic: a resting one
/// supports the body, a moving one keeps it awake. One thread per pair.
struct SleepJoin {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (pushes(pairs.manifold[i])) join(awake_ends_of(pairs, i, bodies, shapes));
  }

  CAIRN_HD void join(const EdgeEnds& e) const {
    if (!e.push_a && !e.push_b) return;
    if (!e.push_a || !e.push_b) {
      const std::uint32_t body = e.push_a ? e.a : e.b, other = e.push_a ? e.b : e.a;
      if (wakes_others(bodies, other)) {
        atomic_store(&bodies.quiet_time[body], 0.0f);
      } else {
        atomic_or(&bodies.island_flags[body], std::uint32_t{kBodySupported});
      }
      return;
    }
    join_trees(bodies.island, e.a, e.b);
  }
};

/// [1] Share of the speed of a moving surface at which a body counts as carried.
inline constexpr float kCarried = 0.5f;

/// A body carried by a moving surface stays awake, however slow it is; one held against the surface may sleep. Writes
/// quiet_time: 0, from any thread. One thread per pair.
struct SleepCarried {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;
  Belts belts;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    if (!pushes(m)) return;
    Vec3 moves;
    const std::uint32_t shape_a = pairs.shape_a(i);
    if (!belts.between(bodies, shapes, shape_a, pairs.shape_b[i], moves)) return;
    const EdgeEnds e = awake_ends_of(pairs, i, bodies, shapes);
    moves = fma(-dot(moves, m.normal), m.normal, moves);
    const Vec3 v =
        at(m, shapes.body[pairs.shape_b[i]], &ManifoldPoint::r_b) - at(m, shapes.body[shape_a], &ManifoldPoint::r_a);
    if (!(dot(v, moves) < -kCarried * dot(moves, moves))) return;
    if (e.push_a) atomic_store(&bodies.quiet_time[e.a], 0.0f);
    if (e.push_b) atomic_store(&bodies.quiet_time[e.b], 0.0f);
  }

 private:
  /// [m/s] Velocity of a body in the middle of its contact.
  CAIRN_HD Vec3 at(const Manifold& m, std::uint32_t body, Vec3 ManifoldPoint::*arm) const {
    Vec3 sum{0, 0, 0};
    for (std::uint32_t j = 0; j < m.count; ++j) sum = sum + m.points[j].*arm;
    return bodies.v[body] + cross(bodies.w[body], (1.0f / static_cast<float>(m.count)) * sum);
  }
};

/// The same for joints. A resting body, or the world, supports the other one. One thread per joint slot.
struct SleepJoinJoint {
  SleepJoin islands;
  Joints joints;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const JointModel& model = joints.model[i];
    if (!holds(model, joints.memory[i])) return;
    const Bodies& bodies = islands.bodies;
    const auto pushed = [&](std::uint32_t body) { return body != kNone && is_awake_dynamic(bodies.flags[body]); };
    const EdgeEnds e{model.body_a, model.body_b, pushed(model.body_a), pushed(model.body_b)};
    const std::uint32_t other = e.push_a ? e.b : e.a;
    if (e.push_a != e.push_b && other == kNone) {
      atomic_or(&bodies.island_flags[e.push_a ? e.a : e.b], std::uint32_t{kBodySupported});
    } else {
      islands.join(e);
    }
  }
};

/// An awake body that moves wakes the body joined to it. Writes wake[island]: 1, from any thread. One thread per joint
/// slot.
struct WakeJoined {
  Bodies bodies;
  Joints joints;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const JointModel& model = joints.model[i];
    if (!holds(model, joints.memory[i]) || model.body_a == kNone || model.body_b == kNone) return;
    wake_by(bodies, model.body_a, model.body_b);
    wake_by(bodies, model.body_b, model.body_a);
  }
};

/// Sets the root of body i's island, and records in the island whether the body is supported and not yet ready to
/// sleep. Other threads may race with the store: it is to an ancestor, which doesn't change where a path leads. One
/// thread per body slot.
struct SleepLabel {
  Bodies bodies;
  Worlds worlds;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i])) return;
    const std::uint32_t root = root_of(bodies.island, i);
    atomic_store(&bodies.island[i], root);
    if (bodies.quiet_time[i] < worlds.params[bodies.world[i]].sleep_time) {
      atomic_or(&bodies.island_flags[root], std::uint32_t{kIslandRestless});
    }
    // others may be writing this word, but not this bit of it
    if ((atomic_load(&bodies.island_flags[i]) & kBodySupported) != 0) {
      atomic_or(&bodies.island_flags[root], std::uint32_t{kIslandSupported});
    }
  }
};

/// Puts body i to sleep if its whole island is ready, and counts it. Writes flags, v and w of body i. One thread per
/// body slot.
struct SleepFall {
  Bodies bodies;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i])) return;
    if ((bodies.island_flags[bodies.island[i]] & (kIslandRestless | kIslandSupported)) != kIslandSupported) return;
    bodies.flags[i] |= kBodyAsleep | kBodyNewlyAsleep;
    bodies.v[i] = bodies.w[i] = Vec3{0, 0, 0};
    atomic_add(&state->counts.asleep, 1u);
  }
};

}  // namespace cairn::kernels
