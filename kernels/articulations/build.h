#pragma once
// Batch::build: the joints' positions and the nodes' inertias of an articulation, from its links and their scales.

#include "kernels/articulations/move.h"
#include "kernels/common/bases.h"

namespace cairn::kernels::articulate {

/// Inertia of a link about the origin of its frame: m ((c . c) 1 - c c^T) more than about the centre of mass c.
CAIRN_HD RigidInertia about_origin(const Link& link, const BodyScales& by) {
  const InertialScales f = inertial_scales(by);
  const double size = by.size, s = f.mass * link.mass;
  const Vec c = size * link.centre;
  const Symmetric& at_centre = link.inertia;
  const Symmetric shift{s * (c.y * c.y + c.z * c.z),
                        s * (c.x * c.x + c.z * c.z),
                        s * (c.x * c.x + c.y * c.y),
                        -s * c.x * c.y,
                        -s * c.x * c.z,
                        -s * c.y * c.z};
  return {s, s * c, f.moments * at_centre + shift};
}

/// Adds a body to a node; x leads from its frame to the node's.
CAIRN_HD void add_inertia(Lane to, const Transform& x, const RigidInertia& a) {
  const RigidInertia node = load_as<RigidInertiaT>(to);
  const Symmetric there = to_parent(x, articulated(a)).i;
  store(to, RigidInertia{node.mass + a.mass, node.moment + (x.r * a.moment + a.mass * x.p), node.i + there});
}

/// Builds with the scales `by(link)`: lengths of a link use its size, that of a joint's position on its parent the
/// parent's size. Joints on the world stay in place. True if a length has changed.
template <class F>
CAIRN_HD_CALL bool build(const Batch& b, Lane to, const F& by) {
  bool changed = false;
  const auto put = [&](Lane at, Vec v) {
    changed = changed || !(load_as<Vec3T>(at) == v);
    store(at, v);
  };
  for (std::uint32_t n = 0; n < b.nodes; ++n) store(to.from(kNodeBuild * n + kNodeInertia), RigidInertia{});
  const auto of_link = [&](std::uint32_t j) { return to.from(kNodeBuild * b.nodes + kLinkBuild * j); };
  for (std::uint32_t j = 0; j < b.links; ++j) {
    const Link& link = b.link[j];
    const BodyScales own = by(j);
    const double size = own.size;
    Transform parent{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
    double parent_size = 1;
    if (link.parent != kNone) {
      parent = {b.link[link.parent].turn, load_as<Vec3T>(of_link(link.parent).from(kLinkPlace))};
      parent_size = by(link.parent).size;
    }
    const Transform joint = parent * Transform{link.in_parent.r, parent_size * link.in_parent.p};
    Transform place{link.on_joint.r, size * link.on_joint.p};
    if (link.joint != kNone) {
      put(to.from(kNodeBuild * link.joint + kJointPlace), joint.p);
    } else {
      place = joint * place;
    }
    put(of_link(j).from(kLinkPlace), place.p);
    put(of_link(j).from(kLinkCentre), size * link.centre);
    if (link.node == kNone) continue;
    add_inertia(to.from(kNodeBuild * link.node + kNodeInertia), place, about_origin(link, own));
  }
  return changed;
}

/// True if a length differs from that without scales; `made` is Batch::build without.
CAIRN_HD bool sized(const Batch& b, Lane build, const double* made) {
  const auto differ = [&](std::uint32_t first) {
    bool any = false;
    for (std::uint32_t w = first; w < first + 3; ++w) any = any || !(build[w] == made[w]);
    return any;
  };
  for (std::uint32_t n = 0; n < b.nodes; ++n) {
    if (differ(kNodeBuild * n + kJointPlace)) return true;
  }
  for (std::uint32_t j = 0; j < b.links; ++j) {
    const std::uint32_t link = kNodeBuild * b.nodes + kLinkBuild * j;
    if (differ(link + kLinkPlace) || differ(link + kLinkCentre)) return true;
  }
  return false;
}

}  // namespace cairn::kernels::articulate
