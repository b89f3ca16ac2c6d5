#pragma once
// Joint parameters of articulations' rates as rows: WorldArticulations::joint and set_joint.

#include "kernels/articulations/joint_rules.h"
#include "kernels/exchange/exchange_articulations.h"

namespace cairn::kernels {

/// One row per articulation, a column per rate; in the order of the words of articulate::Batch::joint.
struct ArticulationJointColumns {
  Columns word[articulate::kJointWords];
};

struct ArticulationJointExchange : RowsOfArticulations {
  ArticulationJointColumns columns;  ///< of the user's

  CAIRN_HD void read(std::uint32_t r) const {
    const articulate::InWorld in(links, at(r));
    const articulate::Lane joint = in.lanes().joint();
    each_word(in.b, [&](const Columns& to, int d, std::uint32_t word) { to.set(r, d, joint[word]); });
  }
  /// Stages the row in the scratch of the articulation.
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const {
    const articulate::InWorld in(links, at(r));
    const articulate::Lane staged = in.lanes().work();
    articulate::copy(in.lanes().joint(), staged, articulate::joint_words(in.b.dofs));
    each_word(in.b, [&](const Columns& from, int d, std::uint32_t word) { staged[word] = from.get(r, d); });
    const bool max_alone = columns.word[articulate::kMaxForce].given() && !columns.word[articulate::kMinForce].given();
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) {
      const articulate::Lane words = staged.from(articulate::kJointWords * d);
      double& least = words[articulate::kMinForce];
      // as for ArticulationJoint
      if (max_alone || least == std::numeric_limits<double>::infinity()) least = -words[articulate::kMaxForce];
    }
    return articulate::joints_are_allowed(in.b, staged) ? 0u : std::uint32_t{kStatusOutOfBounds};
  }
  CAIRN_HD void write(std::uint32_t r) const {
    const articulate::InWorld in(links, at(r));
    const articulate::Lane joint = in.lanes().joint();
    articulate::copy(in.lanes().work(), joint, articulate::joint_words(in.b.dofs));
    articulate::note_bounds(joint, in.b.dofs);
  }

 private:
  /// f(array, column, word of a rate in Batch::joint), for the arrays that the user gave.
  template <class F>
  CAIRN_HD void each_word(const articulate::Batch& b, const F& f) const {
    for (std::uint32_t w = 0; w < articulate::kJointWords; ++w) {
      if (!columns.word[w].given()) continue;
      for (std::uint32_t d = 0; d < b.dofs; ++d) {
        f(columns.word[w], static_cast<int>(d), articulate::kJointWords * d + w);
      }
    }
  }
};

}  // namespace cairn::kernels
