#pragma once
// On which piece of its law each rate and each coupling of an articulation ends.

#include "kernels/articulations/search.h"

namespace cairn::kernels::articulate {

/// [1] Passes in which every rate goes to its next piece at once. Of 1,942,000 solutions for trees of 24 links with
/// stiff and weak drives, 20,600 took more, and then a search. Without bounds there is one.
inline constexpr std::uint32_t kPasses = 4;
/// [1] Rounds of a search, of one or two passes each. 309 of these took more; they end as far down as they came. All
/// had limits, friction and drives at once.
inline constexpr std::uint32_t kRounds = 32;
/// [1] The same with couplings.
inline constexpr std::uint32_t kCoupledRounds = 64;
/// [1] A share of the way that is worth taking alone.
inline constexpr double kWorthwhile = 1e-3;

/// Rates x at the substep's end with M (x - v) / h + C = F(x), the forces of their laws. A pass over the tree solves
/// this for given pieces of all laws, and finds where each rate's own inertia would have its next one (semi-smooth
/// Newton). Where that goes in circles, a search goes down the convex function whose slope is the difference of both
/// sides: along the ways to those solutions, and where these lead up, to where each rate would go on its own. If it
/// comes to no end, the rates are within their limits, and that function is no more than where the search began.
struct Settle {
  const Batch& b;
  double h;  ///< [s]

  /// True where all rates stay on the pieces that they were on.
  CAIRN_HD bool operator()(const Lanes& l, const DofModes& modes) const {
    pass(l, modes);
    if (!l.bounded() || fits(l, modes)) return true;
    bool done = false;
    for (std::uint32_t i = 1; i < kPasses && !done; ++i) {
      take_pieces(l, modes, kRate, kReaction);
      pass(l, modes);
      done = fits(l, modes);
    }
    if (!done && b.couplings == 0) search(l, modes);
    if (!done && b.couplings != 0) search_coupled(l, modes);
    return false;
  }

 private:
  CAIRN_HD_CALL void search(const Lanes& l, const DofModes& modes) const {
    bool done = false;
    take_pieces(l, modes, kRate, kReaction);
    begin_search(l);
    for (std::uint32_t round = 0; round < kRounds && !done; ++round) {
      take_pieces(l, modes, kAt, kForceAt);
      pass(l, modes);
      done = fits(l, modes);
      const Way way{l, h};
      const double share = done ? 1.0 : way.share();
      way.go(share);
      if (share > kWorthwhile || round + 1 == kRounds) continue;
      alone(l);
      way.go(way.share());
    }
    if (!done) {
      // contacts push by the factors of the pieces on which it ends
      take_pieces(l, modes, kAt, kForceAt);
      load(l, modes);
      gather(l, modes);
    }
    take_place(l);
  }
  /// The rates as far as a search came.
  CAIRN_HD void take_place(const Lanes& l) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.dof(d)[kRate] = l.dof(d)[kAt];
  }

  /// The same with couplings: a rate's own inertia says little of where it goes then. Laws of rates yield like those of
  /// couplings, so that the function is smooth, and rates alone say on which pieces they are: Newton's method with an
  /// exact search along its ways ends at the least, wherever it starts. A pass without yields follows.
  CAIRN_HD_CALL void search_coupled(const Lanes& l, const DofModes& modes) const {
    begin_search(l);
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.spare()[d] = kYield * h / max(l.dof(d)[kWeight], kMinWeight);
    for (std::uint32_t round = 0; round < kCoupledRounds; ++round) {
      take_yielding_pieces(l, modes, kAt, true);
      yielding_pass(l, modes);
      const bool done = take_yielding_pieces(l, modes, kRate, false);
      const Way way{l, h};
      way.go(done ? 1.0 : way.share());
      if (done) break;
    }
    take_yielding_pieces(l, modes, kAt, true);
    pass(l, modes);
    if (!fits(l, modes)) take_place(l);
  }
  /// True where rates and couplings are on the pieces that they were on; with `take`, they go to those that they are on.
  CAIRN_HD_CALL bool take_yielding_pieces(const Lanes& l, const DofModes& modes, DofWord word, bool take) const {
    bool stay = true;
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Mode mode = yielding_line(l, d, l.dof(d)[word], h).mode;
      stay = stay && mode == modes.mode(d);
      if (take) modes.set(d, mode);
    }
    return fit_couplings(l, word, h, take) && stay;
  }
  /// As `pass`, where no rate is held, but that all that inertia takes goes to kReaction.
  CAIRN_HD_CALL void yielding_pass(const Lanes& l, const DofModes& modes) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Lane dof = l.dof(d);
      const Line line = line_on(law_of(l, d, h), modes.mode(d), l.spare()[d]);
      dof[kForce] = line.force(l.v()[d]);
      dof[kExtra] = h * line.slope;
    }
    load_couplings(l, h);
    gather(l, AllFree{});
    scatter(l, AllFree{});
    factor_couplings(l, AllFree{});
    apply_couplings(l, AllFree{});
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Lane dof = l.dof(d);
      dof[kReaction] = fma(-dof[kExtra], dof[kRate], dof[kForce]);
      dof[kRate] = fma(h, dof[kRate], l.v()[d]);
    }
    add_lines(l, h);
  }

  /// Rates to kRate, the forces that their own laws give to kReaction.
  CAIRN_HD_CALL void pass(const Lanes& l, const DofModes& modes) const {
    load(l, modes);
    gather(l, modes);
    scatter(l, modes);
    factor_couplings(l, modes);
    apply_couplings(l, modes);
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Lane dof = l.dof(d);
      if (modes.given(d)) {
        dof[kRate] = law_of(l, d, h).goal(modes.mode(d));
      } else {
        dof[kReaction] = fma(-dof[kExtra], dof[kRate], dof[kForce]);
        dof[kRate] = fma(h, dof[kRate], l.v()[d]);
      }
    }
  }

  CAIRN_HD_CALL void load(const Lanes& l, const DofModes& modes) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) load(l, modes.mode(d), d);
    load_couplings(l, h);
  }
  CAIRN_HD void load(const Lanes& l, const Mode& mode, std::uint32_t d) const {
    const Lane dof = l.dof(d);
    const Law law = law_of(l, d, h);
    const double v = l.v()[d];
    if (mode.held != Mode::kNone) {
      dof[kRate] = (law.goal(mode) - v) / h;
      return;
    }
    const double slope = law.slope(mode);
    dof[kForce] = fma(-slope, v, law.level(mode));
    dof[kExtra] = h * slope;
  }

  CAIRN_HD_CALL Mode next_piece(const Lanes& l, std::uint32_t d, DofWord rate, DofWord force) const {
    const Lane dof = l.dof(d);
    return law_of(l, d, h).piece(dof[rate], dof[force], dof[kWeight] / h);
  }
  CAIRN_HD bool fits(const Lanes& l, const DofModes& modes) const {
    if (!fit_couplings(l, kRate, h, false)) return false;
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      if (!(next_piece(l, d, kRate, kReaction) == modes.mode(d))) return false;
    }
    return true;
  }
  CAIRN_HD void take_pieces(const Lanes& l, const DofModes& modes, DofWord rate, DofWord force) const {
    (void)fit_couplings(l, rate, h, true);
    for (std::uint32_t d = 0; d < b.dofs; ++d) modes.set(d, next_piece(l, d, rate, force));
  }

  /// The forces that given rates take.
  CAIRN_HD void hold(const Lanes& l) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.dof(d)[kRate] = (l.dof(d)[kForce] - l.v()[d]) / h;
    gather(l, AllHeld{});
    scatter(l, AllHeld{});
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.dof(d)[kRate] = l.dof(d)[kForce];
  }

  /// From where the passes left off, within the limits.
  CAIRN_HD void begin_search(const Lanes& l) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Law law = law_of(l, d, h);
      l.dof(d)[kForce] = clamp(l.dof(d)[kRate], law.lowest, law.highest);
    }
    hold(l);
    Way{l, h}.go(1);
  }

  /// Each rate to where its law and its own inertia would have it, from kAt: whatever the inertia, this leads down.
  CAIRN_HD void alone(const Lanes& l) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Lane dof = l.dof(d);
      const Law law = law_of(l, d, h);
      const double inertia = dof[kWeight] / h;
      dof[kForce] = law.meeting(law.piece(dof[kAt], dof[kForceAt], inertia), dof[kAt], dof[kForceAt], inertia);
    }
    hold(l);
  }
};

}  // namespace cairn::kernels::articulate
