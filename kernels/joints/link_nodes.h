#pragma once
// Links that joints of the World hold, as nodes of the joints' solver: a push on one link moves its whole articulation.

#include "kernels/articulations/in_world.h"
#include "kernels/joints/joint_half.h"
#include "kernels/solve/articulated_ends.h"

namespace cairn::kernels {

/// The nodes [links, loops) of a tree.
struct LinkNodes {
  const ArticulationPass& pass;
  JointNode* node;
  const JointTree& tree;

  CAIRN_HD bool is(std::uint32_t n) const { return n >= tree.links && n < tree.loops; }
  /// True for a body that is a link.
  CAIRN_HD bool has(std::uint32_t body) const { return pass.links.of_body[body] != kNone; }

  /// Pushes -> `change` of nodes.
  CAIRN_HD_CALL void lead() const {
    for_each_articulation([&](const LinkPush& push, std::uint32_t first, std::uint32_t last) {
      bool pushed = false;
      for (std::uint32_t n = first; n < last; ++n) pushed = lead_in(push, node[n]) || pushed;
      if (pushed) lead_out(push.in);
      for (std::uint32_t n = first; n < last; ++n) {
        articulate::Motion m{};
        if (pushed) m = push.change_of(link(node[n]));
        const articulate::Vec w = root(node[n]) * m.w;
        const double change[kNodeAxes] = {m.v.x, m.v.y, m.v.z, w.x, w.y, w.z};
        copy_axes(change, node[n].change);
      }
    });
  }

  /// Pushes -> each node's share of them, at which no link of its articulation exceeds the speed `most`.
  CAIRN_HD_CALL void calm(double most) const {
    for_each_articulation([&](const LinkPush& push, std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t n = first; n < last; ++n) lead_in(push, node[n]);
      lead_out(push.in);
      double fastest = most;
      for (std::uint32_t n = 0; n < push.in.b.nodes; ++n) {
        const articulate::Motion m = push.in.change(n);
        fastest = max(fastest, max(length(m.v), length(m.w)));
      }
      for (std::uint32_t n = first; n < last; ++n) node[n].share = static_cast<float>(most / fastest);
    });
  }

  /// Releases limits, friction and couplings that hold, or restores them. True if any was released.
  CAIRN_HD_CALL bool set_free(bool free) const {
    using namespace articulate;
    bool any = false;
    for_each_articulation([&](const LinkPush& push, std::uint32_t, std::uint32_t) {
      const Lanes l = push.in.lanes();
      if (!l.bounded()) return;
      const DofModes modes{l};
      for (std::uint32_t d = 0; d < push.in.b.dofs; ++d) {
        const Lane dof = l.dof(d);
        if (free) {
          dof[kAt] = dof[kMode];
          if (!modes.given(d)) continue;
          modes.set(d, Mode{Mode::kNone, 0, 0});
          dof[kExtra] = dof[kForce] = 0;
          any = true;
        } else {
          dof[kMode] = dof[kAt];
        }
      }
      for (std::uint32_t i = 0; i < l.b.couplings; ++i) any = set_free(l, i, free) || any;
      gather(Alone{}, l, modes);
      factor_couplings(l, modes);
    });
    return any;
  }

  /// Applies pushes to the articulations; their rates stay on the pieces of their laws.
  CAIRN_HD_CALL void give() const {
    for_each_articulation([&](const LinkPush& push, std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t n = first; n < last; ++n) {
        note(node[n], 1.0);
        lead_in(push, node[n]);
      }
      push.give();
    });
  }
  /// Applies a share of them, then settles friction, limits and drives again. True where no rate changed the piece of
  /// its law.
  CAIRN_HD_CALL bool settle(double share) const {
    bool stays = true;
    for_each_articulation([&](const LinkPush& push, std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t n = first; n < last; ++n) note(node[n], share);
      const articulate::InWorld in = pass.in_world(push.at);
      pass.load(Alone{}, push.at, in);
      stays = pass.substep(in).settle(Alone{}, in.lanes(), articulate::DofModes{in.lanes()}) && stays;
      pass.show_motion(Alone{}, push.at, in);
    });
    return stays;
  }
  /// Shows the result to contacts.
  CAIRN_HD_CALL void show() const {
    for_each_articulation([&](const LinkPush& push, std::uint32_t, std::uint32_t) {
      pass.show(Alone{}, push.at, pass.in_world(push.at));
    });
  }
  /// True where some articulation has couplings.
  CAIRN_HD bool coupled() const {
    return any_of([](const articulate::InWorld& in) { return in.b.couplings != 0; });
  }
  /// True where some rate has a law with more than one piece.
  CAIRN_HD bool bounded() const {
    return any_of([](const articulate::InWorld& in) { return in.lanes().bounded(); });
  }

 private:
  /// True if is(articulation) is for some link's.
  template <class Is>
  CAIRN_HD bool any_of(const Is& is) const {
    bool any = false;
    for (std::uint32_t n = tree.links; n < tree.loops; ++n) {
      any = any || is(articulate::InWorld(pass.links, pass.links.articulated[link(node[n]).articulation]));
    }
    return any;
  }
  /// Of a coupling, unless it is locked. True where it was released.
  CAIRN_HD static bool set_free(const articulate::Lanes& l, std::uint32_t i, bool free) {
    using namespace articulate;
    const Lane words = l.coupling(i);
    if (!free) words[kLineExtra] = words[kKeptExtra];
    if (!free) return false;
    const Coupling& c = l.b.coupling[i];
    words[kKeptExtra] = words[kLineExtra];
    if (locked(c.forces) || mode_of(words[kLineMode]).held == Mode::kNone) return false;
    words[kLineExtra] = 0;
    return true;
  }
  CAIRN_HD const LinkBody& link(const JointNode& n) const { return pass.links.link[pass.links.of_body[n.body]]; }
  CAIRN_HD articulate::Symmetric root(const JointNode& n) const {
    const Sym3& s = pass.links.sqrt_inertia[n.body];
    return {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz};
  }
  CAIRN_HD static articulate::Vec force(const JointNode& n) { return {n.push[0], n.push[1], n.push[2]}; }
  /// About the centre of mass: I^1/2 times the push on w~.
  CAIRN_HD articulate::Vec moment(const JointNode& n) const {
    return root(n) * articulate::Vec{n.push[3], n.push[4], n.push[5]};
  }
  CAIRN_HD void note(const JointNode& n, double share) const {
    LinkState& state = pass.links.state[pass.links.of_body[n.body]];
    state.joint_force = fma(share, force(n), state.joint_force);
    state.joint_moment = fma(share, moment(n), state.joint_moment);
  }
  /// False without a push.
  CAIRN_HD bool lead_in(const LinkPush& push, const JointNode& n) const {
    bool any = false;
    for (const double x : n.push) any = any || x != 0.0;
    if (any) push.lead_in(pass.links.of_body[n.body], force(n), moment(n));
    return any;
  }

  /// f(pushes, first and last node), of each articulation that takes part.
  template <class F>
  CAIRN_HD void for_each_articulation(const F& f) const {
    for (std::uint32_t first = tree.links; first < tree.loops;) {
      const LinkPush push(pass.links, pass.links.of_body[node[first].body]);
      std::uint32_t last = first + 1;
      while (last < tree.loops && link(node[last]).articulation == link(node[first]).articulation) ++last;
      if (pass.goes(push.at)) f(push, first, last);
      first = last;
    }
  }
};

/// For a World in which no joint holds a link.
struct NoLinkNodes {
  CAIRN_HD static bool is(std::uint32_t /*node*/) { return false; }
  CAIRN_HD static bool has(std::uint32_t /*body*/) { return false; }
  CAIRN_HD static bool bounded() { return false; }
  CAIRN_HD static bool coupled() { return false; }
  CAIRN_HD static void lead() {}
  CAIRN_HD static void calm(double /*most*/) {}
  CAIRN_HD static bool set_free(bool /*free*/) { return false; }
  CAIRN_HD static void give() {}
  CAIRN_HD static bool settle(double /*share*/) { return true; }
  CAIRN_HD static void show() {}
};

CAIRN_HD LinkNodes link_nodes(const ArticulationPass& pass, JointNode* node, const JointTree& tree) {
  return {pass, node, tree};
}
CAIRN_HD NoLinkNodes link_nodes(const NoLinks&, JointNode*, const JointTree&) { return {}; }

}  // namespace cairn::kernels
