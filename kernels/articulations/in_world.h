#pragma once
// Articulations of a World through its substeps. The rows' passes run between them and push links by
// kernels/solve/articulated_ends.h. Each functor writes the lanes of articulation i and the bodies of its links only;
// one thread or warp per articulation.

#include "kernels/articulations/build.h"
#include "kernels/articulations/place.h"
#include "kernels/articulations/respond.h"
#include "kernels/common/body_pack.h"
#include "kernels/common/frame.h"

namespace cairn::kernels {

/// World pose of node n, from its pose in its parent.
template <class T>
CAIRN_HD void put_place(const articulate::InWorldT<T>& in, std::uint32_t n, articulate::TransformT<T> x,
                        articulate::WorldNodeWord word) {
  const std::uint32_t parent = in.b.node[n].parent;
  if (parent != kNone) x = load_as<articulate::TransformT>(in.node(parent).from(word)) * x;
  store(in.node(n).from(word), x);
}

/// World poses of all nodes, from their poses in their parents.
template <class Team, class T>
CAIRN_HD void put_places(const Team& team, const articulate::InWorldT<T>& in, articulate::WorldNodeWord word) {
  const articulate::LanesT<T> l = in.lanes();
  team.down(in.b.levels(), [&](std::uint32_t n) { put_place(in, n, l.transform(n), word); });
}

/// Motions of all nodes, to kChange, from their rates.
template <class Team, class T>
CAIRN_HD void put_motions(const Team& team, const articulate::InWorldT<T>& in) {
  using namespace articulate;
  const LanesT<T> l = in.lanes();
  team.down(in.b.levels(), [&](std::uint32_t n) {
    const Node& node = in.b.node[n];
    MotionT<T> m = carried(in, n);
    for (std::uint32_t d = 0; d < node.dofs; ++d) add_to(m, node.axis + d, l.dof(node.dof + d)[kRate]);
    store(in.node(n).from(kChange), m);
  });
}

/// Poses and velocities of the links, from coordinates and rates.
CAIRN_HD_CALL void put_links(const articulate::InWorld& in, const Articulated& at, const Links& links,
                             const Bodies& bodies) {
  using namespace articulate;
  const Lanes l = in.lanes();
  move(Alone{}, l, l.v());
  put_places(Alone{}, in, kPlace);
  for (std::uint32_t k = at.link_begin; k < at.link_end; ++k) {
    const LinkBody& link = links.link[k];
    const Transform place = in.place(link.node);
    const Motion m = l.velocity(link.node);
    const Vec x = place * link.centre;
    const std::uint32_t i = link.body;
    bodies.x[i] = narrow(x);
    bodies.x_low[i] = narrow(x - widen(bodies.x[i]));
    bodies.q[i] = unit(narrow(quaternion_of(place.r) * link.axes));
    bodies.v[i] = narrow(place.r * (m.v + cross(m.w, link.centre)));
    bodies.w[i] = narrow(place.r * m.w);
  }
}

/// Data that the passes share. Teams take an articulation each if the largest is worth one.
struct ArticulationPass {
  static constexpr bool kTakesTeams = true;
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Links links;

  CAIRN_HD bool wants_teams() const { return links.max_nodes >= kTeamNodes; }
  /// False if the world stands still.
  CAIRN_HD bool goes(const Articulated& at) const { return takes_part(bodies.flags[links.link[at.link_begin].body]); }
  CAIRN_HD articulate::InWorld in_world(const Articulated& at) const { return {links, at, worlds.gravity[at.world]}; }
  CAIRN_HD articulate::Substep substep(const articulate::InWorld& in) const { return {in.b, static_cast<double>(k.h)}; }

  /// Forces on nodes from the pushes of links: the user's and the fields', and the impulses of rows over the substep.
  template <class Team>
  CAIRN_HD_CALL void load(const Team& team, const Articulated& at, const articulate::InWorld& in) const {
    using namespace articulate;
    const Lanes l = in.lanes();
    team.each(in.b.nodes, [&](std::uint32_t n) { store(l.push(n), Force{}); });
    // links of one node push it together
    team.in_turn(
        at.link_end - at.link_begin,
        [&](std::uint32_t i) {
          const LinkBody& link = links.link[at.link_begin + i];
          const Force push = push_on(at.link_begin + i);
          return on_node(in.place(link.node), link.centre, push.f, push.n);
        },
        [&](std::uint32_t i, const Force& f) {
          const Lane to = l.push(links.link[at.link_begin + i].node);
          store(to, load_as<ForceT>(to) + f);
        });
  }

  /// Push of a link, in world axes, at its centre of mass.
  CAIRN_HD articulate::Force push_on(std::uint32_t i) const {
    const std::uint32_t body = links.link[i].body;
    const LinkState& state = links.state[i];
    const double rate = static_cast<double>(k.inv_h);
    return {fma(rate, state.moment + state.joint_moment, widen(bodies.torque[body])),
            fma(rate, state.force + state.joint_force, widen(force_on(bodies, body)))};
  }

  /// True if some row may give a link an impulse.
  CAIRN_HD bool may_be_pushed(const Articulated& at) const {
    if (at.joined != 0) return true;
    for (std::uint32_t i = at.link_begin; i < at.link_end; ++i) {
      if (bodies.solve[links.link[i].body].rows != 0) return true;
    }
    return false;
  }

  /// Motions of the links from the rates, and their responses to impulses if some row may give one.
  template <class Team>
  CAIRN_HD_CALL void show(const Team& team, const Articulated& at, const articulate::InWorld& in) const {
    show_motion(team, at, in);
    if (!may_be_pushed(at)) return;
    respond_coupled(team, in);
    respond(team, in);
    team.template each_sliced<6>(at.link_end - at.link_begin, [&](std::uint32_t i, const auto& columns) {
      show_response(in, links.link[at.link_begin + i], links.state[at.link_begin + i], columns);
    });
  }
  template <class Team>
  CAIRN_HD_CALL void show_motion(const Team& team, const Articulated& at, const articulate::InWorld& in) const {
    using namespace articulate;
    put_motions(team, in);
    team.each(at.link_end - at.link_begin, [&](std::uint32_t i) {
      const LinkBody& link = links.link[at.link_begin + i];
      const Transform place = in.place(link.node);
      const Motion m = of_link(place, link.centre, in.change(link.node));
      put_motion(link, m);
    });
  }
  CAIRN_HD void put_motion(const LinkBody& link, const articulate::Motion& m) const {
    BodySolve& s = bodies.solve[link.body];
    s.v = narrow(m.v);
    s.w = bodies.sqrt_inertia[link.body] * narrow(m.w);
  }
  /// Impulses of contacts in the substep before may be carried over.
  CAIRN_HD void clear_pushes(LinkState& pushed, bool carries) const {
    if (!carries) pushed.force = pushed.moment = articulate::Vec{};
    pushed.joint_force = pushed.joint_moment = articulate::Vec{};
    pushed.renewed = 0;
  }

 private:
  template <class Columns>
  CAIRN_HD void show_response(const articulate::InWorld& in, const LinkBody& link, LinkState& state,
                              const Columns& columns) const {
    using namespace articulate;
    const Transform place = in.place(link.node);
    const Sym3 root = bodies.sqrt_inertia[link.body];
    for (std::uint32_t c = columns.first; c < columns.first + columns.kSize; ++c) {
      const Force unit = unit_force((c + 3) % 6);
      const Force given = on_node(place, link.centre, unit.f, widen(root * narrow(unit.n)));
      const Motion m = of_link(place, link.centre, response(in, link.node, given));
      put_column(state.response + 6 * c, m, root);
    }
  }
};

/// The start of a substep: forces, drives and joint laws, and, with `carries`, the impulses of contacts in the substep
/// before as a first guess of this one's. Those of the World's joints start at 0: near the limits of a linkage's reach
/// they change by much more than their size, and threw articulations.
struct ArticulationPredict : ArticulationPass {
  StepState* state;
  bool first;  ///< the step's first substep
  bool carries;

  CAIRN_HD void operator()(std::uint32_t i) const { work(Alone{}, i); }
  template <class Team>
  CAIRN_HD void work(const Team& team, std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!goes(at)) return;
    const InWorld in = in_world(at);
    const Lanes l = in.lanes();
    begin(team, in, l);
    team.each(at.link_end - at.link_begin,
              [&](std::uint32_t link) { clear_pushes(links.state[at.link_begin + link], carries); });
    // the poses for the pushes depend on coordinates only
    move(team, l, l.v());
    put_places(team, in, kPlace);
    load(team, at, in);
    const Substep sub = substep(in);
    sub.solve(team, l, DofModes{l});
    if (!sub.sound(team, l)) {
      team.one([&] { raise(worlds, state, at.world, links.link[at.link_begin].body, kStatusNonFinite); });
    }
    show(team, at, in);
  }

#if CAIRN_BODY_PACKS
  /// The same for eight articulations, or some of them (kernels/articulations/packs.h); returns the bits of those done.
  std::uint32_t pack_list(const std::uint32_t* eight) const;
#endif

  /// Sets the coordinates and rates at the substep's start.
  template <class Team>
  CAIRN_HD void begin(const Team& team, const articulate::InWorld& in, const articulate::Lanes& l) const {
    if (first) {
      keep(team, in, l);
    } else {
      commit(team, in, l);
    }
  }
  /// Copies rates and coordinates of the substep's end to the start of the next one.
  template <class Team>
  CAIRN_HD static void commit(const Team& team, const articulate::InWorld& in, const articulate::Lanes& l) {
    articulate::copy(team, l.coordinates(in.kind.next_q), l.q(), in.b.coordinates);
    team.each(in.b.dofs, [&](std::uint32_t d) { l.v()[d] = l.dof(d)[articulate::kRate]; });
  }

 private:
  template <class Team>
  CAIRN_HD static void keep(const Team& team, const articulate::InWorld& in, const articulate::Lanes& l) {
    articulate::copy(team, l.q(), l.coordinates(in.kind.was_q), in.b.coordinates);
    articulate::copy(team, l.v(), l.rates(in.kind.was_v), in.b.dofs);
  }
};

/// Finds again which rates friction, limits and drives hold, now that contacts have pushed: the whole solve is
/// repeated, with their impulses as forces.
struct ArticulationSettle : ArticulationPass {
  CAIRN_HD void operator()(std::uint32_t i) const { work(Alone{}, i); }
  template <class Team>
  CAIRN_HD void work(const Team& team, std::uint32_t i) const {
    const Articulated& at = links.articulated[i];
    if (!goes(at)) return;
    const articulate::InWorld in = in_world(at);
    const articulate::Lanes l = in.lanes();
    if (!l.bounded()) return;
    load(team, at, in);
    const bool stays = substep(in).settle(team, l, articulate::DofModes{l});
    if (keeps_responses(at, stays)) {
      show_motion(team, at, in);
      return;
    }
    team.each(at.link_end - at.link_begin, [&](std::uint32_t link) { links.state[at.link_begin + link].renewed = 1; });
    show(team, at, in);
  }
  /// In a substep, responses change with modes only. If no mode has changed, those of the start remain valid.
  CAIRN_HD static bool keeps_responses(const Articulated& at, bool stays) { return stays && at.joined == 0; }
#if CAIRN_BODY_PACKS
  std::uint32_t pack_list(const std::uint32_t* eight) const;
#endif
};

/// A link's motion since the step's start, from its pose there.
template <class T>
struct LinkWayT {
  Vec3T<T> shift;  ///< [m] of its centre of mass
  QuatT<T> q;      ///< [1] its present orientation
  Vec3T<T> turn;   ///< [rad]
};
/// From centre `x` and orientation `start`, with its node at `place`.
template <class T>
CAIRN_HD LinkWayT<T> way_of(const articulate::TransformT<T>& place, Vec3T<T> centre, const QuatT<T>& axes, Vec3T<T> x,
                            const QuatT<T>& start) {
  QuatT<T> q = articulate::quaternion_of(place.r) * axes;
  const T side = fma(q.x, start.x, fma(q.y, start.y, fma(q.z, start.z, q.w * start.w)));
  q = select(side < T(0.0), {-q.x, -q.y, -q.z, -q.w}, q);
  const QuatT<T> back{-start.x, -start.y, -start.z, start.w};
  return {place * centre - x, q, articulate::rotation_vector(q * back)};
}

/// Coordinates at the substep's end, and the resulting poses of the links.
struct ArticulationAdvance : ArticulationPass {
  CAIRN_HD void operator()(std::uint32_t i) const { work(Alone{}, i); }
  template <class Team>
  CAIRN_HD void work(const Team& team, std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!goes(at)) return;
    InWorld in = in_world(at);
    const Lane from = in.lanes().q();
    in.b.q = in.kind.next_q;
    const Lanes l = in.lanes();
    copy(team, from, l.q(), in.b.coordinates);
    substep(in).begin_advance(team, l);
    team.down(in.b.levels(), [&](std::uint32_t n) {
      const Node& node = in.b.node[n];
      substep(in).advance(node, l);
      put_place(in, n, transform_of(l, n, l.q().from(node.coordinate)), kNextPlace);
    });
    team.each(at.link_end - at.link_begin, [&](std::uint32_t n) {
      const LinkBody& link = links.link[at.link_begin + n];
      const Transform place = load_as<TransformT>(in.node(link.node).from(kNextPlace));
      put_way(link, way_of(place, link.centre, link.axes, start_of(link), widen(bodies.q[link.body])));
    });
  }
#if CAIRN_BODY_PACKS
  std::uint32_t pack_list(const std::uint32_t* eight) const;
#endif

  CAIRN_HD articulate::Vec start_of(const LinkBody& link) const {
    return widen(bodies.x[link.body]) + widen(bodies.x_low[link.body]);
  }
  CAIRN_HD void put_way(const LinkBody& link, const LinkWayT<double>& way) const {
    BodySolve& s = bodies.solve[link.body];
    s.dx = narrow(way.shift);
    bodies.q1[link.body] = way.q;
    s.dtheta = bodies.sqrt_inertia[link.body] * narrow(way.turn);
  }
};

/// Moves articulations that joints of the World push to the substep's end: the joints' relaxation uses the directions
/// of its end (kernels/joints/solve_joint.h), and so must motions and responses along them. Rates stay as they are.
struct ArticulationTurn : ArticulationPass {
  CAIRN_HD void operator()(std::uint32_t i) const { work(Alone{}, i); }
  template <class Team>
  CAIRN_HD void work(const Team& team, std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!goes(at) || at.joined == 0) return;
    InWorld in = in_world(at);
    in.b.q = in.kind.next_q;
    const Lanes l = in.lanes();
    team.each(in.b.dofs, [&](std::uint32_t d) { l.given()[d] = l.dof(d)[kRate]; });
    move(team, l, l.given());
    gather(team, l, DofModes{l});
    if (in.b.couplings != 0) team.one([&] { factor_couplings(l, DofModes{l}); });
    team.each(in.b.nodes, [&](std::uint32_t n) {
      store(in.node(n).from(kPlace), load_as<TransformT>(in.node(n).from(kNextPlace)));
    });
    show(team, at, in);
  }
};

/// Accepts the step; if its world doesn't, restores the state before.
struct ArticulationFinish : ArticulationPass {
  CAIRN_HD void operator()(std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!goes(at)) return;
    const InWorld in = in_world(at);
    const Lanes l = in.lanes();
    if (worlds.status[at.world] == 0) {
      ArticulationPredict::commit(Alone{}, in, l);
      return;
    }
    copy(l.coordinates(in.kind.was_q), l.q(), in.b.coordinates);
    copy(l.rates(in.kind.was_v), l.v(), in.b.dofs);
  }
};

/// Resets an articulation to its added state, after its bodies. Drives and scales stay: links of another size get the
/// poses for that size.
struct ArticulationReset {
  Bodies bodies;
  Links links;
  Selection selection;
  CAIRN_HD void operator()(std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!selection(at.world)) return;
    const InWorld in(links, at);
    const Lanes l = in.lanes();
    copy(l.coordinates(in.kind.home_q), l.q(), in.b.coordinates);
    copy(l.rates(in.kind.home_v), l.v(), in.b.dofs);
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) l.force()[d] = 0;
    if (sized(in.b, l.build(), in.kind.made_build)) put_links(in, at, links, bodies);
  }
};

}  // namespace cairn::kernels
