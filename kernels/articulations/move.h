#pragma once
// Poses and velocities of the nodes, with which all algorithms begin.

#include "kernels/articulations/model.h"
#include "kernels/common/exact.h"

namespace cairn::kernels::articulate {

/// The lanes of one articulation, or of four of a kind side by side, of which `i` is the first.
template <class T>
struct LanesT {
  const Batch& b;
  std::uint32_t i;  ///< [1] index
  CAIRN_HD LaneT<T> coordinates(double* of) const { return lane_of(of, b.coordinates, b.lanes, i); }
  CAIRN_HD LaneT<T> rates(double* of) const { return lane_of(of, b.dofs, b.lanes, i); }
  CAIRN_HD LaneT<T> work() const { return lane_of(b.work, work_words(b), b.lanes, i); }
  CAIRN_HD LaneT<T> node(std::uint32_t n) const { return work().from(kNodeWords * n); }
  CAIRN_HD LaneT<T> dof(std::uint32_t d) const { return work().from(kNodeWords * b.nodes + kDofWords * d); }
  /// Of a node to its parent, and its velocity in its own frame, after `move`.
  CAIRN_HD TransformT<T> transform(std::uint32_t n) const { return load_as<TransformT>(node(n).from(kTransform)); }
  CAIRN_HD MotionT<T> velocity(std::uint32_t n) const { return load_as<MotionT>(node(n).from(kVelocity)); }
  CAIRN_HD LaneT<T> joint() const { return made(b.joint, joint_words(b.dofs)); }
  CAIRN_HD T armature(std::uint32_t d) const { return joint()[kJointWords * d + kArmature]; }
  CAIRN_HD JointForcesT<T> forces(std::uint32_t d) const {
    return load_as<JointForcesT>(joint().from(kJointWords * d + kDamping));
  }
  CAIRN_HD LaneT<T> build() const { return made(b.build, build_words(b)); }
  /// Of node n's joint in its parent, at coordinates 0.
  CAIRN_HD TransformT<T> joint_place(std::uint32_t n) const {
    return {spread<T>(b.node[n].turn), load_as<Vec3T>(build().from(kNodeBuild * n + kJointPlace))};
  }
  CAIRN_HD RigidInertiaT<T> inertia(std::uint32_t n) const {
    return load_as<RigidInertiaT>(build().from(kNodeBuild * n + kNodeInertia));
  }
  /// Of a link's frame in its node's.
  CAIRN_HD TransformT<T> link_place(std::uint32_t link) const {
    return {spread<T>(b.link[link].turn),
            load_as<Vec3T>(build().from(kNodeBuild * b.nodes + kLinkBuild * link + kLinkPlace))};
  }
  CAIRN_HD Vec3T<T> link_centre(std::uint32_t link) const {
    return load_as<Vec3T>(build().from(kNodeBuild * b.nodes + kLinkBuild * link + kLinkCentre));
  }
  /// True if some rate or coupling has friction, limits, or a bounded drive.
  CAIRN_HD auto bounded() const { return T(b.bounded ? 1.0 : 0.0) + joint()[kJointWords * b.dofs] > T(0.0); }
  /// [1] (dofs) If there are couplings: yields of rates in a search, shifts of coordinates at a substep's end.
  CAIRN_HD LaneT<T> spare() const { return dof(b.dofs); }
  CAIRN_HD LaneT<T> coupling(std::uint32_t c) const { return spare().from(b.dofs + c * (kCouplingWords + b.dofs)); }
  CAIRN_HD LaneT<T> q() const { return coordinates(b.q); }
  CAIRN_HD LaneT<T> v() const { return rates(b.v); }
  CAIRN_HD LaneT<T> force() const { return rates(b.force); }
  CAIRN_HD LaneT<T> target() const { return coordinates(b.target); }
  CAIRN_HD LaneT<T> target_rate() const { return rates(b.target_rate); }
  CAIRN_HD LaneT<T> given() const { return rates(b.given); }
  CAIRN_HD LaneT<T> push(std::uint32_t n) const {
    return LaneT<T>(lane_of(b.push, 6 * b.nodes, b.lanes, i)).from(6 * n);
  }
  CAIRN_HD LaneT<T> out() const { return lane_of(b.out, b.out_words, b.lanes, i); }

 private:
  CAIRN_HD Lane made(double* words, std::uint32_t count) const {
    return b.apart ? lane_of(words, count, b.lanes, i) : Lane{words, 1};
  }
};
using Lanes = LanesT<double>;

/// Transform of node n to its parent's frame, at the coordinates that begin with `q`.
template <class T>
CAIRN_HD TransformT<T> transform_of(const LanesT<T>& l, std::uint32_t n, LaneT<T> q) {
  const Node& node = l.b.node[n];
  const TransformT<T> t = l.joint_place(n);
  switch (node.kind) {
    case NodeKind::kRevolute: {
      const SinCosT<T> turn = sincos(q[0]);
      return {{t.r.x, fma(turn.cos, t.r.y, turn.sin * t.r.z), fma(turn.cos, t.r.z, -turn.sin * t.r.y)}, t.p};
    }
    case NodeKind::kPrismatic:
      return {t.r, fma(q[0], t.r.x, t.p)};
    case NodeKind::kBall:
      return {t.r * matrix_of(load_as<QuatT>(q)), t.p};
    default:
      return {t.r, t.p + t.r * load_as<Vec3T>(q)};
  }
}

/// A node's velocity relative to its parent, by its rates.
template <class T>
CAIRN_HD MotionT<T> rate_of(const Node& node, LaneT<T> v) {
  const T zero(0.0);
  const Vec3T<T> none{zero, zero, zero};
  switch (node.kind) {
    case NodeKind::kRevolute:
      return {{v[0], zero, zero}, none};
    case NodeKind::kPrismatic:
      return {none, {v[0], zero, zero}};
    case NodeKind::kBall:
      return {load_as<Vec3T>(v), none};
    default:
      return {none, load_as<Vec3T>(v)};
  }
}

/// Root to tips, at these rates: transforms; velocities v = X v_parent + vJ; drifts c = v x vJ (Featherstone 2008,
/// table 7.1: the axes of rates are fixed in the node's frame).
template <class Team, class T>
CAIRN_HD_CALL void move(const Team& team, const LanesT<T>& l, LaneT<T> rates) {
  team.down(l.b.levels(), [&](std::uint32_t n) {
    const Node& node = l.b.node[n];
    const LaneT<T> work = l.node(n);
    const TransformT<T> x = transform_of(l, n, l.q().from(node.coordinate));
    const MotionT<T> rate = rate_of(node, rates.from(node.dof));
    MotionT<T> v = rate;
    if (node.parent != kNone) v = to_child(x, l.velocity(node.parent)) + rate;
    store(work.from(kTransform), x);
    store(work.from(kVelocity), v);
    store(work.from(kDrift), cross(v, rate));
  });
}

/// [m/s^2] Acceleration of the parent of root nodes: a world that falls upwards instead of bodies that fall.
CAIRN_HD Motion base_acceleration(const Batch& b) { return {{}, -b.gravity}; }

template <class T>
CAIRN_HD MotionT<T> parent_acceleration(const LanesT<T>& l, const Node& node) {
  return node.parent == kNone ? spread<T>(base_acceleration(l.b))
                              : load_as<MotionT>(l.node(node.parent).from(kAcceleration));
}

}  // namespace cairn::kernels::articulate
