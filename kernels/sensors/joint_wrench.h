#pragma once
// Joint wrenches of articulations: inverse dynamics of the last step's motion.

#include "kernels/articulations/links.h"
#include "kernels/articulations/move.h"
#include "kernels/articulations/respond.h"
#include "kernels/sensors/contact_force.h"

namespace cairn::kernels {

inline constexpr int kWrenchWords = 6;  ///< [1] of a reading

/// A node of an articulation with sensed joints.
struct SensedNode {
  articulate::Transform in_parent;
  articulate::Transform place;  ///< to the world
  articulate::Motion v, a;      ///< in its own frame; accelerations minus gravity
  articulate::Force f;          ///< of its joint on it, in its own frame
};

/// An articulation with sensed joints.
struct SensedTree {
  std::uint32_t articulated;  ///< [1] index in Links::articulated
  std::uint32_t node;         ///< [1] first of its SensedNode
};

/// All trees of a World.
struct SensedTrees {
  const SensedTree* tree;       ///< (trees)
  SensedNode* node;             ///< (nodes of all trees)
  const std::uint32_t* sum_of;  ///< [1] (links) index of the sums for its loads; kNone: it is in no tree
  std::int64_t* sum;            ///< [N s, N m s] (links of all trees, 2 kSumWords) 0 between updates
};

/// A sensed joint of one world.
struct SensedJoint {
  std::uint32_t tree;  ///< [1] index; kNone: the world has no such joint
  std::uint32_t node;  ///< [1] of its SensedNode
};

/// Adds the impulses of pair i to its links: force, then moment about the centre of mass. For twist and rolling the
/// last substep represents all. One thread per pair.
struct SumLinkLoads {
  Shapes shapes;
  Pairs pairs;
  Links links;
  SensedTrees trees;
  float substeps;  ///< [1] of the last step

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    if (!pushes(m)) return;
    const std::uint32_t a = shapes.body[pairs.shape_a(i)];
    const std::uint32_t b = shapes.body[pairs.shape_b[i]];
    if (a == kNone || b == kNone) return;
    const std::uint32_t sum_a = sum_for(a), sum_b = sum_for(b);
    if (sum_a == kNone && sum_b == kNone) return;
    const Vec3 impulse = impulse_on_b(m);
    const Vec3 turn = substeps * fma(m.twist, m.normal, m.rolling);
    give(sum_b, impulse, moment(m, false) + turn);
    give(sum_a, -impulse, -(moment(m, true) + turn));
  }

 private:
  /// Of normal impulses at their points, and of friction at the centre of the points' load.
  CAIRN_HD static Vec3 moment(const Manifold& m, bool of_a) {
    Vec3 sum{0, 0, 0}, loaded{0, 0, 0};
    float load = 0.0f;
    for (std::uint32_t j = 0; j < m.count; ++j) {
      const ManifoldPoint& p = m.points[j];
      const Vec3 arm = of_a ? p.r_a : p.r_b;
      sum = sum + p.total * cross(arm, m.normal);
      loaded = fma(p.total, arm, loaded);
      load = load + p.total;
    }
    if (!(load > 0.0f)) return sum;
    return sum + cross(Vec3{loaded.x / load, loaded.y / load, loaded.z / load}, m.friction_total);
  }
  CAIRN_HD std::uint32_t sum_for(std::uint32_t body) const {
    const std::uint32_t link = links.of_body[body];
    return link == kNone ? kNone : trees.sum_of[link];
  }
  CAIRN_HD void give(std::uint32_t of, Vec3 force, Vec3 moment) const {
    if (of == kNone || !finite(force) || !finite(moment)) return;
    std::int64_t* const to = trees.sum + std::size_t{of} * 2 * kSumWords;
    add_to_sums(to, force);
    add_to_sums(to + kSumWords, moment);
  }
};

/// f = I a + v x* I v - external forces, from tips to root (Featherstone 2008, table 5.1). a is the change of the rates
/// in the last step over its length. External forces are those of contacts, fields, and joints of the World; for the
/// joints the last substep represents all. Writes the nodes of tree i and the sums of its links. One thread per tree.
struct SenseTree {
  Bodies bodies;
  Worlds worlds;
  Links links;
  const StepState* state;
  SensedTrees trees;
  float substeps;  ///< [1] of the last step

  CAIRN_HD void operator()(std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[trees.tree[i].articulated];
    const InWorld in(links, at, worlds.gravity[at.world]);
    const std::uint32_t flags = bodies.flags[links.link[at.link_begin].body];
    const double dt = double{state->last_h} * double{substeps};
    // an articulation that sleeps or never moved has unchanged rates
    const bool moved = worlds.steps[at.world] != 0 && (flags & kBodyAsleep) == 0 && dt > 0.0;
    SensedNode* const nodes = trees.node + trees.tree[i].node;
    accelerate(in, nodes, moved ? 1.0 / dt : 0.0);
    push(at, nodes, dt > 0.0 ? 1.0 / dt : 0.0, state->last_h > 0.0f ? 1.0 / double{state->last_h} : 0.0);
    for (std::uint32_t n = in.b.nodes; n-- > 0;) {
      const std::uint32_t parent = in.b.node[n].parent;
      if (parent != kNone) nodes[parent].f = nodes[parent].f + to_parent(nodes[n].in_parent, nodes[n].f);
    }
  }

 private:
  CAIRN_HD void accelerate(const articulate::InWorld& in, SensedNode* nodes, double per_second) const {
    using namespace articulate;
    const Lanes l = in.lanes();
    const Lane was = l.rates(in.kind.was_v), now = l.v();
    for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
      const Node& of = in.b.node[n];
      SensedNode& to = nodes[n];
      to.in_parent = transform_of(l, n, l.q().from(of.coordinate));
      const articulate::Motion rate = rate_of(of, now.from(of.dof));
      articulate::Motion v = rate, a = to_child(to.in_parent, base_acceleration(in.b));
      to.place = to.in_parent;
      if (of.parent != kNone) {
        const SensedNode& parent = nodes[of.parent];
        v = to_child(to.in_parent, parent.v) + rate;
        a = to_child(to.in_parent, parent.a);
        to.place = parent.place * to.in_parent;
      }
      a = a + cross(v, rate);
      for (std::uint32_t k = 0; k < of.dofs; ++k) {
        add_to(a, of.axis + k, per_second * (now[of.dof + k] - was[of.dof + k]));
      }
      to.v = v;
      to.a = a;
      const RigidInertia inertia = l.inertia(n);
      to.f = inertia * a + cross(v, inertia * v);
    }
  }
  CAIRN_HD void push(const Articulated& at, SensedNode* nodes, double per_step, double per_substep) const {
    using namespace articulate;
    for (std::uint32_t k = at.link_begin; k < at.link_end; ++k) {
      const LinkBody& link = links.link[k];
      const LinkState& pushed = links.state[k];
      std::int64_t* const sums = trees.sum + std::size_t{trees.sum_of[k]} * 2 * kSumWords;
      const Vec3d contact = take_sums(sums), turn = take_sums(sums + kSumWords);
      Vec force = fma(per_step, contact, widen(bodies.field_force[link.body])), moment = per_step * turn;
      if (at.joined != 0) {
        force = fma(per_substep, pushed.joint_force, force);
        moment = fma(per_substep, pushed.joint_moment, moment);
      }
      SensedNode& to = nodes[link.node];
      to.f = fma(-1.0, on_node(to.place, link.centre, force, moment), to.f);
    }
  }
};

/// Writes reading i: force and torque about the joint, in its axes. One thread per sensor of a world.
struct SenseJoint {
  SensedTrees trees;
  const SensedJoint* joint;  ///< (worlds sensors)
  float* wrench;             ///< [N, N m] (worlds sensors kWrenchWords)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const SensedJoint& of = joint[i];
    float* const to = wrench + std::size_t{i} * kWrenchWords;
    if (of.tree == kNone) {
      put_gone(to, kWrenchWords);
      return;
    }
    const articulate::Force& f = trees.node[trees.tree[of.tree].node + of.node].f;
    put_words(to, f.f);
    put_words(to + 3, f.n);
  }
};

}  // namespace cairn::kernels
