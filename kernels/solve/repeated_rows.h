#pragma once

#include "kernels/common/atomic.h"
#include "kernels/common/contact_rows.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// [1] Max passes instead of one, if StepParams::residual_target needs more.
inline constexpr std::uint32_t kMaxPasses = 32;
/// [1] Flag of a row's `repeats`: it is cold (kernels/collide/cold.h).
inline constexpr std::uint32_t kRepeatsCold = 1u << 31;

/// Rounds over the repeated rows of a part. Each world counts its own, so that other worlds change no bit. They end
/// after one in which no impulse changed by much, or with the last.
struct RepeatRounds {
  std::uint32_t* of_part;   ///< [1] kNone if no row is repeated, else the last round in which an impulse changed
  std::uint32_t* of_world;  ///< [1] (worlds) the same, for worlds with such rows
  std::uint32_t end{0};     ///< [1]
  std::uint32_t round{0};   ///< [1] this one
  static constexpr std::uint32_t begin = 0;

  CAIRN_HD bool over() const {
    const std::uint32_t seen = atomic_load(of_part);
    return seen == kNone || (round != begin && !noted(seen));
  }
  /// The first round always runs: the notes are from the sweep before.
  CAIRN_HD bool over(std::uint32_t world) const { return round != begin && !noted(atomic_load(of_world + world)); }
  CAIRN_HD void note(std::uint32_t world) const {
    atomic_store(of_world + world, round);
    atomic_store(of_part, round);
  }

 private:
  /// Other threads may already note a change of this round.
  CAIRN_HD bool noted(std::uint32_t seen) const { return seen == round || seen == round - 1; }
};

/// A pass over the repeated rows. Cold rows repeat until no impulse changes by much compared with the row's largest.
/// With a residual target all rows without joints repeat until no normal or friction impulse changes a velocity at the
/// contact by more than that.
template <class Row>
struct RepeatedRows {
  Row of;
  RepeatRounds rounds;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    if (rounds.over()) return;
    each(slot, T{});
  }

 private:
  /// [1] Changes below this share of a row's largest impulse don't matter.
  static constexpr float kConverged = 1e-3f;

  struct Impulses {
    float normal[kManifoldPoints], friction[2];  ///< [N s]
  };

  CAIRN_HD const RowBlock& block(std::uint32_t slot) const { return of.rows[slot / kRowLanes]; }
  CAIRN_HD std::uint32_t points(std::uint32_t slot) const { return block(slot).count[slot % kRowLanes]; }
  CAIRN_HD std::uint32_t repeats(std::uint32_t slot) const { return block(slot).repeats[slot % kRowLanes]; }
  /// The world of a repeated row.
  CAIRN_HD std::uint32_t world(std::uint32_t slot) const { return (repeats(slot) & ~kRepeatsCold) - 1; }
  CAIRN_HD bool goes_on(std::uint32_t slot) const { return repeats(slot) != 0 && !rounds.over(world(slot)); }

  CAIRN_HD Impulses impulses(std::uint32_t slot) const {
    const RowBlock& row = block(slot);
    const std::uint32_t lane = slot % kRowLanes;
    Impulses now{};
    for (std::uint32_t j = 0; j < points(slot); ++j) now.normal[j] = row.point[j].impulse[lane];
    for (int t = 0; t < 2; ++t) now.friction[t] = row.friction_impulse[t][lane];
    return now;
  }
  /// The first round notes every row, so that no note of the sweep before remains.
  CAIRN_HD void note_change(std::uint32_t slot, const Impulses& before) const {
    const Impulses now = impulses(slot);
    if (rounds.round == rounds.begin || differ(slot, now, before)) rounds.note(world(slot));
  }
  CAIRN_HD bool differ(std::uint32_t slot, const Impulses& a, const Impulses& b) const {
    float most = 0.0f, change = 0.0f, speed = 0.0f;
    const RowBlock& row = block(slot);
    const std::uint32_t lane = slot % kRowLanes;
    for (std::uint32_t j = 0; j < points(slot); ++j) {
      const float by = abs(a.normal[j] - b.normal[j]);
      most = max(most, a.normal[j]);
      change = max(change, by);
      speed = max(speed, by * inverse_or_zero(row.point[j].mass[lane]));
    }
    for (int t = 0; t < 2; ++t) {
      const float by = abs(a.friction[t] - b.friction[t]);
      change = max(change, by);
      speed = max(speed, by * row.friction_block[2 * t][lane]);
    }
    const bool cold = (repeats(slot) & kRepeatsCold) != 0 && change > kConverged * most;
    return cold || (of.k.residual_target > 0.0f && speed > of.k.residual_target);
  }

  CAIRN_HD void each(std::uint32_t slot, float) const {
    if (!goes_on(slot)) return;
    const Impulses before = impulses(slot);
    of.template row<float>(slot);
    note_change(slot, before);
  }
#if !defined(__CUDA_ARCH__)
  /// Lanes of a pack give the same bits as one by one. Lanes that aren't repeated must keep theirs. Padding lanes have
  /// no points.
  CAIRN_HD void each(std::uint32_t slot, Pack) const {
    std::uint32_t go_on = 0, empty = 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      go_on += goes_on(slot + i) ? 1 : 0;
      empty += points(slot + i) == 0 ? 1 : 0;
    }
    if (go_on == 0) return;
    if (go_on + empty < kPackLanes) {
      for (std::uint32_t i = 0; i < kPackLanes; ++i) each(slot + i, 0.0f);
      return;
    }
    Impulses before[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) before[i] = impulses(slot + i);
    of.template row<Pack>(slot);
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      if (points(slot + i) != 0) note_change(slot + i, before[i]);
    }
  }
#endif
};

}  // namespace cairn::kernels
