#pragma once
// An articulation sleeps as a whole, and with what lies on it: its links are one island. One thread an articulation.

#include "kernels/articulations/respond.h"
#include "kernels/sleep/sleep.h"

namespace cairn::kernels {

/// Joins the links' islands. A joint on the world supports them; rates keep them awake that are over the speed of quiet
/// bodies, with 1 m for the arm of those that turn: links without shapes have no body that tells.
struct SleepJoinArticulation {
  SleepJoin islands;
  Worlds worlds;
  Links links;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Bodies& bodies = islands.bodies;
    const Articulated& at = links.articulated[i];
    const std::uint32_t owner = links.link[at.link_begin].body;
    if (!is_awake_dynamic(bodies.flags[owner])) return;
    for (std::uint32_t k = at.link_begin + 1; k < at.link_end; ++k) {
      islands.join({owner, links.link[k].body, true, true});
    }
    const articulate::InWorld in(links, at);
    for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
      const articulate::Node& node = in.b.node[n];
      if (node.parent == kNone && node.kind != articulate::NodeKind::kShift) {
        atomic_or(&bodies.island_flags[owner], std::uint32_t{kBodySupported});
      }
    }
    const articulate::Lane v = in.lanes().v();
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) {
      if (!(abs(v[d]) < worlds.params[at.world].sleep_speed)) atomic_store(&bodies.quiet_time[owner], 0.0f);
    }
  }
};

/// What sleeps doesn't move. Writes the rates of articulation i.
struct SleepArticulation {
  Bodies bodies;
  Links links;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Articulated& at = links.articulated[i];
    if ((bodies.flags[links.link[at.link_begin].body] & kBodyAsleep) == 0) return;
    const articulate::InWorld in(links, at);
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) in.lanes().v()[d] = 0;
  }
};

}  // namespace cairn::kernels
