#pragma once
// Coordinates, rates, forces and targets of articulations as rows: World::set_state and related calls.

#include <limits>

#include "kernels/articulations/in_world.h"
#include "kernels/exchange/columns.h"
#include "kernels/exchange/exchange.h"

namespace cairn::kernels {

/// One row per articulation. An articulation uses the first columns, as many as it has words.
struct ArticulationColumns {
  Columns q;            ///< [m, rad, 1]
  Columns v;            ///< [m/s, rad/s]
  Columns force;        ///< [N, N m]
  Columns target;       ///< [m, rad, 1]
  Columns target_rate;  ///< [m/s, rad/s]
};

/// A link as the user's body.
struct LinkBodyState {
  BodyPose pose;
  Vec3 v, w;  ///< [m/s] of the centre of mass, [rad/s]
};

/// Data that the kinds of rows of articulations share.
struct RowsOfArticulations {
  Links links;
  const std::uint32_t* articulation_of;  ///< [1] (rows)

  CAIRN_HD const Articulated& at(std::uint32_t r) const { return links.articulated[articulation_of[r]]; }
  CAIRN_HD std::uint32_t world(std::uint32_t r) const { return at(r).world; }
  CAIRN_HD std::uint32_t body(std::uint32_t r) const { return links.link[at(r).link_begin].body; }
};

struct ArticulationExchange : RowsOfArticulations {
  ArticulationColumns columns;  ///< of the user's
  Bodies bodies;
  Frames frames;

  CAIRN_HD bool moves() const { return columns.q.given(); }
  CAIRN_HD void read(std::uint32_t r) const {
    const articulate::InWorld in(links, at(r));
    const articulate::Lanes l = in.lanes();
    give(l.q(), columns.q, r, in.b.coordinates);
    give(l.v(), columns.v, r, in.b.dofs);
    give(l.force(), columns.force, r, in.b.dofs);
    give(targets(in), columns.target, r, in.b.coordinates);
    give(target_rates(in), columns.target_rate, r, in.b.dofs);
  }
  /// Looks also at the poses of links that the row gives. Stages coordinates and rates.
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const {
    using articulate::Lane;
    const Articulated& of = at(r);
    const articulate::InWorld in(links, of), next = staged(in);
    const Lane q = next.lanes().q(), v = next.lanes().v();
    if (!within(columns.force, r, in.b.dofs, kFinite) ||
        !within(columns.target, r, in.b.coordinates, articulate::kMax) ||
        !within(columns.target_rate, r, in.b.dofs, articulate::kMax) ||
        !within(columns.q, r, in.b.coordinates, articulate::kMax) ||
        !within(columns.v, r, in.b.dofs, articulate::kMax)) {
      return kStatusNonFinite;
    }
    take(columns.target, r, q, in.b.coordinates);
    if (columns.target.given() && !make_unit(in, q)) return kStatusNonFinite;
    if (!steers()) return 0;
    articulate::copy(in.lanes().q(), q, in.b.coordinates);
    articulate::copy(in.lanes().v(), v, in.b.dofs);
    take(columns.q, r, q, in.b.coordinates);
    take(columns.v, r, v, in.b.dofs);
    if (columns.q.given() && !make_unit(in, q)) return kStatusNonFinite;
    go_through(next);
    for (std::uint32_t i = of.link_begin; i < of.link_end; ++i) {
      const LinkBodyState s = state_of(in, links.link[i]);
      if (!finite(s.v) || !finite(s.w) || !finite(s.pose.q)) return kStatusNonFinite;
      if (!(abs(s.pose.x.x) <= kMax && abs(s.pose.x.y) <= kMax && abs(s.pose.x.z) <= kMax)) {
        return kStatusOutOfBounds;
      }
      if (!turns_in_range(s.w, bodies.radius[links.link[i].body])) return kStatusTooFast;
    }
    return 0;
  }
  /// Applies what was staged, to the bodies of links too; forces and targets.
  CAIRN_HD void write(std::uint32_t r) const {
    const articulate::InWorld in(links, at(r)), next = staged(in);
    const articulate::Lanes l = in.lanes();
    if (steers()) {
      articulate::copy(next.lanes().q(), l.q(), in.b.coordinates);
      articulate::copy(next.lanes().v(), l.v(), in.b.dofs);
      put_links(in, at(r), columns.q.given());
    }
    take(columns.force, r, l.force(), in.b.dofs);
    take(columns.target, r, targets(in), in.b.coordinates);
    if (columns.target.given()) make_unit(in, targets(in));
    take(columns.target_rate, r, target_rates(in), in.b.dofs);
  }
  /// Moves bodies of links back to where their joints put them, whatever a program wrote there.
  CAIRN_HD void place_links(std::uint32_t r) const {
    const articulate::InWorld in(links, at(r));
    go_through(in);
    put_links(in, at(r), true);
  }

 private:
  static constexpr double kFinite = std::numeric_limits<double>::max();
  static constexpr double kMax = 1e7;  // [m] as in the rules of bodies

  CAIRN_HD bool steers() const { return columns.q.given() || columns.v.given(); }
  CAIRN_HD static articulate::Lane targets(const articulate::InWorld& in) { return in.lanes().target(); }
  CAIRN_HD static articulate::Lane target_rates(const articulate::InWorld& in) { return in.lanes().target_rate(); }
  /// Staging of coordinates and rates that are checked before they are applied: a step rewrites both arrays.
  CAIRN_HD static articulate::InWorld staged(articulate::InWorld in) {
    in.b.q = in.kind.next_q;
    in.b.v = in.b.given;
    return in;
  }
  CAIRN_HD static void give(articulate::Lane from, const Columns& to, std::uint32_t r, std::uint32_t words) {
    for (std::uint32_t c = 0; c < words; ++c) to.set(r, static_cast<int>(c), from[c]);
  }
  CAIRN_HD static bool within(const Columns& from, std::uint32_t r, std::uint32_t words, double most) {
    if (!from.given()) return true;
    for (std::uint32_t c = 0; c < words; ++c) {
      if (!(abs(from.get(r, static_cast<int>(c))) <= most)) return false;
    }
    return true;
  }
  /// Leaves the words as they are if the user gave none.
  CAIRN_HD static void take(const Columns& from, std::uint32_t r, articulate::Lane to, std::uint32_t words) {
    if (!from.given()) return;
    for (std::uint32_t c = 0; c < words; ++c) to[c] = from.get(r, static_cast<int>(c));
  }
  /// False if there is a zero quaternion; the others are normalized.
  CAIRN_HD static bool make_unit(const articulate::InWorld& in, articulate::Lane q) {
    bool good = true;
    for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
      const articulate::Node& node = in.b.node[n];
      if (node.kind == articulate::NodeKind::kBall) good = articulate::make_unit(q.from(node.coordinate)) && good;
    }
    return good;
  }
  /// Computes the nodes' poses and velocities.
  CAIRN_HD static void go_through(const articulate::InWorld& next) {
    const articulate::Lanes l = next.lanes();
    articulate::move(Alone{}, l, l.v());
    put_places(Alone{}, next, articulate::kPlace);
  }
  /// State of a link after that.
  CAIRN_HD static LinkBodyState state_of(const articulate::InWorld& in, const LinkBody& link) {
    using namespace articulate;
    const Transform node = in.place(link.node);
    const Motion m = in.lanes().velocity(link.node);
    const Transform place = in.lanes().link_place(link.link), x = node * place;
    return {{x.p, unit(narrow(quaternion_of(x.r)))},
            narrow(node.r * (m.v + cross(m.w, place * in.lanes().link_centre(link.link)))),
            narrow(node.r * m.w)};
  }
  CAIRN_HD void put_links(const articulate::InWorld& in, const Articulated& of, bool poses) const {
    for (std::uint32_t n = of.link_begin; n < of.link_end; ++n) {
      const LinkBodyState s = state_of(in, links.link[n]);
      const std::uint32_t i = links.link[n].body;
      bodies.v[i] = s.v;
      bodies.w[i] = s.w;
      if (!poses) continue;
      const PrincipalPose p = principal_pose({frames.centre[i], frames.axes[i]}, s.pose);
      bodies.x[i] = p.x;
      bodies.x_low[i] = p.x_low;
      bodies.q[i] = p.q;
    }
  }
};

/// ArticulationExchange::place_links. One thread per row.
struct PlaceLinks {
  ArticulationExchange rows;
  Selection selection;
  CAIRN_HD void operator()(std::uint32_t r) const {
    if (selection(rows.world(r))) rows.place_links(r);
  }
};

}  // namespace cairn::kernels
