#pragma once
// Copies coordinates, rates, forces and targets of articulations to and from the user's arrays on the world's device:
// as World::set_state and related calls do, without the host. One thread per articulation, which is a row.

#include <limits>

#include "kernels/articulations/in_world.h"
#include "kernels/exchange/columns.h"
#include "kernels/predict/predict.h"

namespace cairn::kernels {

/// One row per articulation. An articulation uses the first columns, as many as it has words.
struct ArticulationColumns {
  Columns q;            ///< [m, rad, 1]
  Columns v;            ///< [m/s, rad/s]
  Columns force;        ///< [N, N m]
  Columns target;       ///< [m, rad, 1]
  Columns target_rate;  ///< [m/s, rad/s]
  CAIRN_HD bool moves() const { return q.data != nullptr || v.data != nullptr; }
};

/// A link as the user's body.
struct LinkBodyState {
  BodyPose pose;
  Vec3 v, w;  ///< [m/s] of the centre of mass, [rad/s]
};

/// Data that the functors share.
struct ArticulationExchange {
  Links links;
  const std::uint32_t* articulation_of;  ///< [1] (rows)
  ArticulationColumns columns;           ///< of the user's
  Selection selection;

 protected:
  CAIRN_HD static articulate::Lane targets(const articulate::InWorld& in) { return in.lanes().target(); }
  CAIRN_HD static articulate::Lane target_rates(const articulate::InWorld& in) { return in.lanes().target_rate(); }
  /// Staging of coordinates and rates that are checked before they are applied: a step rewrites both arrays.
  CAIRN_HD static articulate::InWorld staged(articulate::InWorld in) {
    in.b.q = in.kind.next_q;
    in.b.v = in.b.given;
    return in;
  }
  CAIRN_HD static void take(const Columns& from, std::uint32_t r, articulate::Lane to, std::uint32_t words) {
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
  CAIRN_HD static void put(const articulate::InWorld& in, const LinkBody& link, const Bodies& bodies,
                           const Frames& frames, bool poses) {
    const LinkBodyState s = state_of(in, link);
    const std::uint32_t i = link.body;
    bodies.v[i] = s.v;
    bodies.w[i] = s.w;
    if (!poses) return;
    const PrincipalPose p = principal_pose({frames.centre[i], frames.axes[i]}, s.pose);
    bodies.x[i] = p.x;
    bodies.x_low[i] = p.x_low;
    bodies.q[i] = p.q;
  }
};

/// Writes row r of the user's arrays.
struct ReadArticulation : ArticulationExchange {
  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at);
    const articulate::Lanes l = in.lanes();
    give(l.q(), columns.q, r, in.b.coordinates);
    give(l.v(), columns.v, r, in.b.dofs);
    give(l.force(), columns.force, r, in.b.dofs);
    give(targets(in), columns.target, r, in.b.coordinates);
    give(target_rates(in), columns.target_rate, r, in.b.dofs);
  }

 private:
  CAIRN_HD static void give(articulate::Lane from, const Columns& to, std::uint32_t r, std::uint32_t words) {
    if (to.data == nullptr) return;
    for (std::uint32_t c = 0; c < words; ++c) to.set(r, static_cast<int>(c), from[c]);
  }
};

/// Checks row r, and the poses of links that it gives, against the rules of the World's calls. If it breaks one, its
/// world is refused as a whole, and gets a status bit, which freezes it. Stages coordinates and rates.
struct CheckArticulation : ArticulationExchange {
  Bodies bodies;
  Worlds worlds;
  StepState* state;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at);
    const std::uint32_t fault = look(at, in, r);
    if (fault == 0) return;
    atomic_or(&refused[at.world], 1u);
    raise(worlds, state, at.world, links.link[at.link_begin].body, static_cast<StatusBit>(fault));
  }

 private:
  static constexpr double kFinite = std::numeric_limits<double>::max();
  static constexpr double kMax = 1e7;  // [m] as in the rules of bodies

  CAIRN_HD static bool within(const Columns& from, std::uint32_t r, std::uint32_t words, double most) {
    if (from.data == nullptr) return true;
    for (std::uint32_t c = 0; c < words; ++c) {
      if (!(abs(from.get(r, static_cast<int>(c))) <= most)) return false;
    }
    return true;
  }

  /// StatusBit, or 0.
  CAIRN_HD std::uint32_t look(const Articulated& at, const articulate::InWorld& in, std::uint32_t r) const {
    using articulate::Lane;
    const articulate::InWorld next = staged(in);
    const Lane q = next.lanes().q(), v = next.lanes().v();
    if (!within(columns.force, r, in.b.dofs, kFinite) ||
        !within(columns.target, r, in.b.coordinates, articulate::kMax) ||
        !within(columns.target_rate, r, in.b.dofs, articulate::kMax) ||
        !within(columns.q, r, in.b.coordinates, articulate::kMax) ||
        !within(columns.v, r, in.b.dofs, articulate::kMax)) {
      return kStatusNonFinite;
    }
    if (columns.target.data != nullptr) {
      take(columns.target, r, q, in.b.coordinates);
      if (!make_unit(in, q)) return kStatusNonFinite;
    }
    if (!columns.moves()) return 0;
    articulate::copy(in.lanes().q(), q, in.b.coordinates);
    articulate::copy(in.lanes().v(), v, in.b.dofs);
    if (columns.q.data != nullptr) take(columns.q, r, q, in.b.coordinates);
    if (columns.v.data != nullptr) take(columns.v, r, v, in.b.dofs);
    if (columns.q.data != nullptr && !make_unit(in, q)) return kStatusNonFinite;
    go_through(next);
    for (std::uint32_t i = at.link_begin; i < at.link_end; ++i) {
      const LinkBodyState s = state_of(in, links.link[i]);
      if (!finite(s.v) || !finite(s.w) || !finite(s.pose.q)) return kStatusNonFinite;
      if (!(abs(s.pose.x.x) <= kMax && abs(s.pose.x.y) <= kMax && abs(s.pose.x.z) <= kMax)) {
        return kStatusOutOfBounds;
      }
      if (!turns_in_range(s.w, bodies.radius[links.link[i].body])) return kStatusTooFast;
    }
    return 0;
  }
};

/// Applies row r: the data staged by CheckArticulation, with the bodies of its links; forces and targets.
struct WriteArticulation : ArticulationExchange {
  Bodies bodies;
  Frames frames;

  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at), next = staged(in);
    const articulate::Lanes l = in.lanes();
    if (columns.moves()) {
      articulate::copy(next.lanes().q(), l.q(), in.b.coordinates);
      articulate::copy(next.lanes().v(), l.v(), in.b.dofs);
      for (std::uint32_t i = at.link_begin; i < at.link_end; ++i) {
        put(in, links.link[i], bodies, frames, columns.q.data != nullptr);
      }
    }
    if (columns.force.data != nullptr) take(columns.force, r, l.force(), in.b.dofs);
    if (columns.target.data != nullptr) {
      take(columns.target, r, targets(in), in.b.coordinates);
      make_unit(in, targets(in));
    }
    if (columns.target_rate.data != nullptr) take(columns.target_rate, r, target_rates(in), in.b.dofs);
  }
};

/// Moves bodies of links back to where their joints put them, whatever a program wrote there.
struct PlaceLinks : ArticulationExchange {
  Bodies bodies;
  Frames frames;

  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at);
    go_through(in);
    for (std::uint32_t i = at.link_begin; i < at.link_end; ++i) put(in, links.link[i], bodies, frames, true);
  }
};

}  // namespace cairn::kernels
