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

  template <class T>
  struct Impulses {
    T normal[kManifoldPoints], friction[2];  ///< [N s]
  };

  /// Lanes whose impulses changed by more than kConverged, and those that changed a velocity by more than the target.
  struct Changed {
    std::uint32_t impulse, speed;  ///< bit by lane
  };

  CAIRN_HD const RowBlock& block(std::uint32_t slot) const { return of.rows[slot / kRowLanes]; }
  CAIRN_HD std::uint32_t repeats(std::uint32_t slot) const { return block(slot).repeats[slot % kRowLanes]; }
  /// The world of a repeated row.
  CAIRN_HD std::uint32_t world(std::uint32_t slot) const { return (repeats(slot) & ~kRepeatsCold) - 1; }
  CAIRN_HD bool goes_on(std::uint32_t slot) const { return repeats(slot) != 0 && !rounds.over(world(slot)); }

  template <class T>
  CAIRN_HD Impulses<T> impulses(const RowBlock& row, std::uint32_t lane, std::uint32_t points) const {
    Impulses<T> now;
    for (std::uint32_t j = 0; j < points; ++j) now.normal[j] = load<T>(row.point[j].impulse, lane);
    for (int t = 0; t < 2; ++t) now.friction[t] = load<T>(row.friction_impulse[t], lane);
    return now;
  }

  /// A pass over the rows of a T, and notes of those that it changed. The first round notes every row, so that no note
  /// of the sweep before remains.
  template <class T>
  CAIRN_HD void pass(std::uint32_t slot) const {
    const RowBlock& row = block(slot);
    const std::uint32_t lane = slot % kRowLanes, points = max_points<T>(&row.count[lane]);
    const Impulses<T> before = impulses<T>(row, lane, points);
    of.template row<T>(slot);
    const Changed changed = rounds.round == rounds.begin ? Changed{~0u, ~0u} : changes(row, lane, points, before);
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      const std::uint32_t of_row = row.repeats[lane + i];
      const std::uint32_t lanes = changed.speed | ((of_row & kRepeatsCold) != 0 ? changed.impulse : 0);
      if (of_row != 0 && (lanes >> i & 1u) != 0) rounds.note(world(slot + i));
    }
  }

  /// Points that a lane doesn't have keep the impulse 0.
  template <class T>
  CAIRN_HD Changed changes(const RowBlock& row, std::uint32_t lane, std::uint32_t points,
                           const Impulses<T>& before) const {
    const Impulses<T> now = impulses<T>(row, lane, points);
    const T none(0.0f);
    T most = none, change = none, speed = none;
    const auto compare = [&](T a, T b, T inverse_mass) {
      const T by = abs(a - b);
      change = max(change, by);
      speed = max(speed, by * inverse_mass);
    };
    for (std::uint32_t j = 0; j < points; ++j) {
      most = max(most, now.normal[j]);
      compare(now.normal[j], before.normal[j], inverse_or_zero(load<T>(row.point[j].mass, lane)));
    }
    for (int t = 0; t < 2; ++t) compare(now.friction[t], before.friction[t], load<T>(row.friction_block[2 * t], lane));
    const float target = of.k.residual_target;
    return {lanes_of(T(kConverged) * most < change), target > 0.0f ? lanes_of(T(target) < speed) : 0u};
  }

  CAIRN_HD void each(std::uint32_t slot, float) const {
    if (goes_on(slot)) pass<float>(slot);
  }
#if !defined(__CUDA_ARCH__)
  /// Lanes of a pack give the same bits as one by one. Lanes that aren't repeated must keep theirs. Padding lanes have
  /// no points.
  CAIRN_HD void each(std::uint32_t slot, Pack) const {
    std::uint32_t go_on = 0, empty = 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      go_on += goes_on(slot + i) ? 1 : 0;
      empty += block(slot).count[slot % kRowLanes + i] == 0 ? 1 : 0;
    }
    if (go_on == 0) return;
    if (go_on + empty == kPackLanes) {
      pass<Pack>(slot);
      return;
    }
    for (std::uint32_t i = 0; i < kPackLanes; ++i) each(slot + i, 0.0f);
  }
#endif
};

}  // namespace cairn::kernels
