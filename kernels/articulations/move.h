#pragma once
// Where the nodes are and how fast: what all algorithms begin with.

#include "kernels/articulations/model.h"
#include "kernels/common/exact.h"

namespace cairn::kernels::articulate {

/// The lanes of one articulation.
struct Lanes {
  const Batch& b;
  std::uint32_t i;  ///< [1] which
  CAIRN_HD Lane node(std::uint32_t n) const { return node_work(b, i, n); }
  CAIRN_HD Lane dof(std::uint32_t d) const { return dof_work(b, i, d); }
  CAIRN_HD Lane joint() const { return made(b.joint, joint_words(b.dofs)); }
  CAIRN_HD double armature(std::uint32_t d) const { return joint()[kJointWords * d + kArmature]; }
  CAIRN_HD JointForces forces(std::uint32_t d) const { return load_forces(joint().from(kJointWords * d + kDamping)); }
  CAIRN_HD Lane build() const { return made(b.build, build_words(b.nodes, b.links)); }
  /// Of node n's joint in its parent, at coordinates 0.
  CAIRN_HD Transform joint_place(std::uint32_t n) const {
    return {b.node[n].turn, load_vec(build().from(kNodeBuild * n + kJointPlace))};
  }
  CAIRN_HD RigidInertia inertia(std::uint32_t n) const {
    return load_rigid(build().from(kNodeBuild * n + kNodeInertia));
  }
  /// Of a link's frame in its node's.
  CAIRN_HD Transform link_place(std::uint32_t link) const {
    return {b.link[link].turn, load_vec(build().from(kNodeBuild * b.nodes + kLinkBuild * link + kLinkPlace))};
  }
  CAIRN_HD Vec link_centre(std::uint32_t link) const {
    return load_vec(build().from(kNodeBuild * b.nodes + kLinkBuild * link + kLinkCentre));
  }
  /// Some rate or coupling rubs, has limits, or a drive that can't give all.
  CAIRN_HD bool bounded() const { return b.bounded || joint()[kJointWords * b.dofs] != 0; }
  CAIRN_HD Lane coupling(std::uint32_t c) const { return coupling_work(b, i, c); }
  CAIRN_HD Lane spare() const { return spare_work(b, i); }
  CAIRN_HD Lane q() const { return lane_of(b.q, b.coordinates, b.lanes, i); }
  CAIRN_HD Lane v() const { return lane_of(b.v, b.dofs, b.lanes, i); }
  CAIRN_HD Lane force() const { return lane_of(b.force, b.dofs, b.lanes, i); }
  CAIRN_HD Lane given() const { return lane_of(b.given, b.dofs, b.lanes, i); }
  CAIRN_HD Lane push(std::uint32_t n) const { return lane_of(b.push, 6 * b.nodes, b.lanes, i).from(6 * n); }
  CAIRN_HD Lane out() const { return lane_of(b.out, b.out_words, b.lanes, i); }

 private:
  CAIRN_HD Lane made(double* words, std::uint32_t count) const {
    return b.apart ? lane_of(words, count, b.lanes, i) : Lane{words, 1};
  }
};

/// Of node n in its parent's frame, at the coordinates that begin with `q`.
CAIRN_HD Transform transform_of(const Lanes& l, std::uint32_t n, Lane q) {
  const Node& node = l.b.node[n];
  const Transform t = l.joint_place(n);
  switch (node.kind) {
    case NodeKind::kRevolute: {
      const SinCosd turn = sincos(q[0]);
      return {{t.r.x, fma(turn.cos, t.r.y, turn.sin * t.r.z), fma(turn.cos, t.r.z, -turn.sin * t.r.y)}, t.p};
    }
    case NodeKind::kPrismatic:
      return {t.r, fma(q[0], t.r.x, t.p)};
    case NodeKind::kBall:
      return {t.r * matrix_of(load_quat(q)), t.p};
    default:
      return {t.r, t.p + t.r * load_vec(q)};
  }
}

/// The velocity that a node's rates give it over its parent.
CAIRN_HD Motion rate_of(const Node& node, Lane v) {
  switch (node.kind) {
    case NodeKind::kRevolute:
      return {{v[0], 0, 0}, {}};
    case NodeKind::kPrismatic:
      return {{}, {v[0], 0, 0}};
    case NodeKind::kBall:
      return {load_vec(v), {}};
    default:
      return {{}, load_vec(v)};
  }
}

/// Root to tips, at these rates: transforms; velocities v = X v_parent + vJ; drifts c = v x vJ (Featherstone 2008,
/// table 7.1: the axes of rates stand still in the node's frame).
template <class Team>
CAIRN_HD_CALL void move(const Team& team, const Lanes& l, Lane rates) {
  team.down(l.b.levels(), [&](std::uint32_t n) {
    const Node& node = l.b.node[n];
    const Lane work = l.node(n);
    const Transform x = transform_of(l, n, l.q().from(node.coordinate));
    const Motion rate = rate_of(node, rates.from(node.dof));
    Motion v = rate;
    if (node.parent != kNone) v = to_child(x, load_motion(l.node(node.parent).from(kVelocity))) + rate;
    store(work.from(kTransform), x);
    store(work.from(kVelocity), v);
    store(work.from(kDrift), cross(v, rate));
  });
}

/// [m/s^2] What nodes without a parent hang on: a world that falls upwards instead of bodies that fall.
CAIRN_HD Motion base_acceleration(const Batch& b) { return {{}, -b.gravity}; }

CAIRN_HD Motion parent_acceleration(const Lanes& l, const Node& node) {
  return node.parent == kNone ? base_acceleration(l.b) : load_motion(l.node(node.parent).from(kAcceleration));
}

}  // namespace cairn::kernels::articulate
