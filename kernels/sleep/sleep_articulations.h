#pragma once
// An articulation sleeps as a whole, with the bodies on it: its links are one island. One thread per articulation.

#include "kernels/articulations/respond.h"
#include "kernels/sleep/sleep.h"

namespace cairn::kernels {

/// Joins the links' islands. A joint on the world supports them. Rates above the speed of quiet bodies keep them awake,
/// with an arm of 1 m for rotations: links without shapes have no body to measure.
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

/// Sleeping articulations don't move. Writes the rates of articulation i.
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
