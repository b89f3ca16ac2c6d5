#pragma once
// Copies the joint parameters of articulations' rates to and from the user's arrays on the world's device: as
// WorldArticulations::joint and set_joint do, without the host. One thread per articulation, which is a row.

#include "kernels/articulations/joint_rules.h"
#include "kernels/exchange/exchange_articulations.h"

namespace cairn::kernels {

/// One row per articulation, a column per rate; in the order of the words of articulate::Batch::joint.
struct ArticulationJointColumns {
  Columns word[articulate::kJointWords];
};

struct ArticulationJointExchange {
  Links links;
  const std::uint32_t* articulation_of;  ///< [1] (rows)
  ArticulationJointColumns columns;      ///< of the user's
  Selection selection;

  /// f(column, word of a rate in Batch::joint), for the columns that the user gave.
  template <class F>
  CAIRN_HD void for_each_word(const articulate::Batch& b, const F& f) const {
    for (std::uint32_t w = 0; w < articulate::kJointWords; ++w) {
      if (columns.word[w].data == nullptr) continue;
      for (std::uint32_t d = 0; d < b.dofs; ++d) f(columns.word[w], d, articulate::kJointWords * d + w);
    }
  }
};

/// Writes row r of the user's arrays.
struct ReadArticulationJoints : ArticulationJointExchange {
  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at);
    const articulate::Lane joint = in.lanes().joint();
    for_each_word(in.b, [&](const Columns& to, std::uint32_t d, std::uint32_t word) {
      to.set(r, static_cast<int>(d), joint[word]);
    });
  }
};

/// Stages row r in the scratch of the articulation, and checks whether it is allowed. If not, its world is refused as a
/// whole, and gets a status bit, which freezes it.
struct CheckArticulationJoints : ArticulationJointExchange {
  Worlds worlds;
  StepState* state;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at);
    const articulate::Lane staged = in.lanes().work();
    articulate::copy(in.lanes().joint(), staged, articulate::joint_words(in.b.dofs));
    for_each_word(in.b, [&](const Columns& from, std::uint32_t d, std::uint32_t word) {
      staged[word] = from.get(r, static_cast<int>(d));
    });
    const bool max_alone =
        columns.word[articulate::kMaxForce].data != nullptr && columns.word[articulate::kMinForce].data == nullptr;
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) {
      const articulate::Lane words = staged.from(articulate::kJointWords * d);
      double& least = words[articulate::kMinForce];
      // as for ArticulationJoint
      if (max_alone || least == std::numeric_limits<double>::infinity()) least = -words[articulate::kMaxForce];
    }
    if (articulate::joints_are_allowed(in.b, staged)) return;
    atomic_or(&refused[at.world], 1u);
    raise(worlds, state, at.world, links.link[at.link_begin].body, kStatusOutOfBounds);
  }
};

/// Applies the data staged by CheckArticulationJoints.
struct WriteArticulationJoints : ArticulationJointExchange {
  CAIRN_HD void operator()(std::uint32_t r) const {
    const Articulated& at = links.articulated[articulation_of[r]];
    if (!selection(at.world)) return;
    const articulate::InWorld in(links, at);
    const articulate::Lane joint = in.lanes().joint();
    articulate::copy(in.lanes().work(), joint, articulate::joint_words(in.b.dofs));
    articulate::note_bounds(joint, in.b.dofs);
  }
};

}  // namespace cairn::kernels
