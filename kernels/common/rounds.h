#pragma once

#include "kernels/common/atomic.h"

namespace cairn::kernels {

/// Rounds of a sweep over the rows of a part. They end after one in which no row changes. A word of the part stores the
/// last round with a change.
struct RowRounds {
  std::uint32_t* last{nullptr};    ///< [1]
  std::uint32_t begin{0}, end{0};  ///< [1] the rounds
  bool waits{false};               ///< the first round, too, runs only if rows have asked for it, as round begin - 1
  std::uint32_t round{0};          ///< [1] this one

  /// True if nothing changed in the round before. Other threads may already note a change of this round: with both
  /// values that the word can then have the round continues.
  CAIRN_HD bool over() const {
    if (round == begin && !waits) return false;
    const std::uint32_t seen = atomic_load(last);
    return seen != round && seen != round - 1;
  }
  CAIRN_HD void note() const { atomic_store(last, round); }
};

/// Runs the rounds of `f`, which has them as its member `rounds`, from f.rounds.round on.
CAIRN_UNCHECKED
template <class Exec, class Parts, class F>
CAIRN_BOTH void sweep_until_over(Exec& exec, const Parts& parts, std::uint32_t capacity, F f) {
  for (; f.rounds.round != f.rounds.end && !f.rounds.over(); ++f.rounds.round) exec.sweep(parts, capacity, f);
}

}  // namespace cairn::kernels
