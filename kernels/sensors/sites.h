#pragma once
// Sites: frames on bodies where sensors are.

#include "kernels/articulations/move.h"
#include "kernels/articulations/respond.h"
#include "kernels/common/bases.h"
#include "kernels/common/frame.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// In place of a body's slot: the site is fixed in the world, or its body is gone.
inline constexpr std::uint32_t kSiteOfWorld = kNone, kSiteGone = kNone - 1;

/// Pose of a site on its body, the same in all worlds.
struct SitePlace {
  Vec3d position;     ///< [m] in the body's own frame, without scales
  Quatd orientation;  ///< [1] site to body, unit
};

/// The sites of all worlds.
struct Sites {
  const SitePlace* place;     ///<     (sites)
  const std::uint32_t* body;  ///< [1] (worlds sites) slot, or one of the two above
  std::uint32_t count;        ///< [1] sites of a world
};

/// Present state of a site.
struct SiteState {
  Vec3d x;             ///< [m]     world
  Quatd q;             ///< [1]     site to world
  Vec3d v;             ///< [m/s]   of the site's origin
  Vec3d w;             ///< [rad/s] world
  std::uint32_t body;  ///< [1]     slot; kSiteOfWorld; kSiteGone: the other members mean nothing
};

/// Pose and velocity of a link's node in the world.
struct NodeState {
  articulate::Transform place;
  Vec3d v;  ///< [m/s]   of its origin, world
  Vec3d w;  ///< [rad/s] world
};

/// Computed from coordinates and rates, from the node up to the root: the velocities of links after a step are along
/// the axes of its last substep's start.
CAIRN_HD_CALL NodeState node_state(const Links& links, const LinkBody& link) {
  using namespace articulate;
  const InWorld in(links, links.articulated[link.articulation]);
  const Lanes l = in.lanes();
  Transform place{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
  articulate::Motion m{};
  for (std::uint32_t n = link.node; n != kNone; n = in.b.node[n].parent) {
    const Node& node = in.b.node[n];
    m = m + to_child(place, rate_of(node, l.v().from(node.dof)));
    place = transform_of(l, n, l.q().from(node.coordinate)) * place;
  }
  return {place, place.r * m.v, place.r * m.w};
}

/// Computes the states of sites.
struct SiteReader {
  Bodies bodies;
  Links links;
  Frames frames;
  const Scales* world_scales;    ///< (worlds)
  const BodyScales* own_scales;  ///< (bodies) null if nothing is scaled
  Sites sites;

  CAIRN_HD SiteState operator()(std::uint32_t world, std::uint32_t site) const {
    const SitePlace& place = sites.place[site];
    const std::uint32_t body = sites.body[world * sites.count + site];
    SiteState s{place.position, place.orientation, {0, 0, 0}, {0, 0, 0}, body};
    if (s.body >= kSiteGone) return s;
    const std::uint32_t i = s.body, flags = bodies.flags[i];
    if ((flags & kBodyAlive) == 0) {
      s.body = kSiteGone;
      return s;
    }
    const BodyPose pose = body_pose({frames.centre[i], frames.axes[i]}, {bodies.x[i], bodies.x_low[i], bodies.q[i]});
    const double size = own_scales == nullptr || !is_dynamic(flags)
                            ? 1.0
                            : double{total_scales(world_scales[world], own_scales[i]).size};
    const Quatd q = widen(pose.q);
    s.x = pose.x + rotate(q, size * place.position);
    s.q = q * place.orientation;
    if (is_link(flags) && (flags & kBodyAsleep) == 0 && links.of_body[i] != kNone) {
      const NodeState node = node_state(links, links.link[links.of_body[i]]);
      s.w = node.w;
      s.v = node.v + cross(s.w, s.x - node.place.p);
    } else {
      s.w = widen(bodies.w[i]);
      s.v = widen(bodies.v[i]) + cross(s.w, (s.x - widen(bodies.x[i])) - widen(bodies.x_low[i]));
    }
    return s;
  }
};

/// Writes three words of a reading.
CAIRN_HD void put_words(float* to, Vec3d v) {
  to[0] = static_cast<float>(v.x);
  to[1] = static_cast<float>(v.y);
  to[2] = static_cast<float>(v.z);
}
/// Writes the reading of a sensor whose body is gone.
CAIRN_HD void put_gone(float* to, int words) {
  for (int i = 0; i < words; ++i) to[i] = __builtin_nanf("");
}

}  // namespace cairn::kernels
