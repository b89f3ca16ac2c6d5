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

/// What acts along rates on the pieces that they are on; accelerations of those that are held.
template <class Team, class T>
CAIRN_HD_CALL void load_rates(const Team& team, const LanesT<T>& l, double h) {
  team.each(l.b.dofs, [&](std::uint32_t d) {
    const LaneT<T> dof = l.dof(d);
    const ModeT<T> mode = DofModesT<T>{l}.mode(d);
    const LawT<T> law = law_of(l, d, h);
    const T v = l.v()[d];
    where(
        mode.is_held(), [&] { dof[kRate] = (law.goal(mode) - v) / T(h); },
        [&] {
          const T slope = law.slope(mode);
          dof[kForce] = fma(-slope, v, law.level(mode));
          dof[kExtra] = T(h) * slope;
        },
        dof[kRate], dof[kForce], dof[kExtra]);
  });
}

/// Accelerations -> rates, and the forces that their own laws give to kReaction.
template <class Team, class T>
CAIRN_HD_CALL void take_rates(const Team& team, const LanesT<T>& l, double h) {
  team.each(l.b.dofs, [&](std::uint32_t d) {
    const LaneT<T> dof = l.dof(d);
    const ModeT<T> mode = DofModesT<T>{l}.mode(d);
    where(
        mode.is_held(), [&] { dof[kRate] = law_of(l, d, h).goal(mode); },
        [&] {
          dof[kReaction] = fma(-dof[kExtra], dof[kRate], dof[kForce]);
          dof[kRate] = fma(T(h), dof[kRate], l.v()[d]);
        },
        dof[kRate], dof[kReaction]);
  });
}

/// The piece on which a rate that takes that force would be, by its own inertia.
template <class T>
CAIRN_HD_CALL ModeT<T> next_piece(const LanesT<T>& l, std::uint32_t d, DofWord rate, DofWord force, double h) {
  const LaneT<T> dof = l.dof(d);
  return law_of(l, d, h).piece(dof[rate], dof[force], dof[kWeight] / T(h));
}

/// Rates x at the substep's end with M (x - v) / h + C = F(x), the forces of their laws. A pass over the tree solves
/// this for given pieces of all laws, and finds where each rate's own inertia would have its next one (semi-smooth
/// Newton). Where that goes in circles, a search goes down the convex function whose slope is the difference of both
/// sides: along the ways to those solutions, and where these lead up, to where each rate would go on its own. If it
/// comes to no end, the rates are within their limits, and that function is no more than where the search began.
template <class Team>
struct Settle {
  const Team& team;
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
      const Way<Team> way{team, l, h};
      const double share = done ? 1.0 : way.share();
      way.go(share);
      if (share > kWorthwhile || round + 1 == kRounds) continue;
      alone(l);
      way.go(way.share());
    }
    if (!done) {
      // contacts push by the factors of the pieces on which it ends
      take_pieces(l, modes, kAt, kForceAt);
      load_rates(team, l, h);
      gather(team, l, modes);
    }
    take_place(l);
  }
  /// The rates as far as a search came.
  CAIRN_HD void take_place(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kRate] = l.dof(d)[kAt]; });
  }

  /// The same with couplings: a rate's own inertia says little of where it goes then. Laws of rates yield like those of
  /// couplings, so that the function is smooth, and rates alone say on which pieces they are: Newton's method with an
  /// exact search along its ways ends at the least, wherever it starts. A pass without yields follows.
  CAIRN_HD_CALL void search_coupled(const Lanes& l, const DofModes& modes) const {
    begin_search(l);
    team.each(b.dofs, [&](std::uint32_t d) { l.spare()[d] = kYield * h / max(l.dof(d)[kWeight], kMinWeight); });
    for (std::uint32_t round = 0; round < kCoupledRounds; ++round) {
      take_yielding_pieces(l, modes, kAt);
      yielding_pass(l, modes);
      const bool done = fits_yielding(l, modes, kRate);
      const Way<Team> way{team, l, h};
      way.go(done ? 1.0 : way.share());
      if (done) break;
    }
    take_yielding_pieces(l, modes, kAt);
    pass(l, modes);
    if (!fits(l, modes)) take_place(l);
  }
  /// Whether couplings are on their pieces; with `take`, they go to those on which they are.
  CAIRN_HD bool fit(const Lanes& l, DofWord word, bool take) const {
    return b.couplings == 0 || team.ask([&] { return fit_couplings(l, word, h, take); });
  }
  CAIRN_HD Mode yielding_piece(const Lanes& l, std::uint32_t d, DofWord word) const {
    return yielding_line(l, d, l.dof(d)[word], h).mode;
  }
  CAIRN_HD_CALL void take_yielding_pieces(const Lanes& l, const DofModes& modes, DofWord word) const {
    team.each(b.dofs, [&](std::uint32_t d) { modes.set(d, yielding_piece(l, d, word)); });
    (void)fit(l, word, true);
  }
  /// True where rates and couplings are on the pieces that they were on.
  CAIRN_HD_CALL bool fits_yielding(const Lanes& l, const DofModes& modes, DofWord word) const {
    return team.all(b.dofs, [&](std::uint32_t d) { return yielding_piece(l, d, word) == modes.mode(d); }) &&
           fit(l, word, false);
  }
  /// As `pass`, where no rate is held, but that all that inertia takes goes to kReaction.
  CAIRN_HD_CALL void yielding_pass(const Lanes& l, const DofModes& modes) const {
    team.each(b.dofs, [&](std::uint32_t d) {
      const Lane dof = l.dof(d);
      const Line line = line_on(law_of(l, d, h), modes.mode(d), l.spare()[d]);
      dof[kForce] = line.force(l.v()[d]);
      dof[kExtra] = h * line.slope;
    });
    solve(l, AllFree{});
    team.each(b.dofs, [&](std::uint32_t d) {
      const Lane dof = l.dof(d);
      dof[kReaction] = fma(-dof[kExtra], dof[kRate], dof[kForce]);
      dof[kRate] = fma(h, dof[kRate], l.v()[d]);
    });
    team.one([&] { add_lines(l, h); });
  }

  /// Rates to kRate, the forces that their own laws give to kReaction.
  CAIRN_HD_CALL void pass(const Lanes& l, const DofModes& modes) const {
    load_rates(team, l, h);
    solve(l, modes);
    take_rates(team, l, h);
  }
  /// Accelerations, once rates are loaded.
  template <class Modes>
  CAIRN_HD void solve(const Lanes& l, const Modes& modes) const {
    if (b.couplings != 0) team.one([&] { load_couplings(l, h); });
    gather(team, l, modes);
    scatter(team, l, modes);
    if (b.couplings == 0) return;
    team.one([&] {
      factor_couplings(l, modes);
      apply_couplings(l, modes);
    });
  }

  CAIRN_HD bool fits(const Lanes& l, const DofModes& modes) const {
    return fit(l, kRate, false) &&
           team.all(b.dofs, [&](std::uint32_t d) { return next_piece(l, d, kRate, kReaction, h) == modes.mode(d); });
  }
  CAIRN_HD void take_pieces(const Lanes& l, const DofModes& modes, DofWord rate, DofWord force) const {
    (void)fit(l, rate, true);
    team.each(b.dofs, [&](std::uint32_t d) { modes.set(d, next_piece(l, d, rate, force, h)); });
  }

  /// The forces that given rates take.
  CAIRN_HD void hold(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kRate] = (l.dof(d)[kForce] - l.v()[d]) / h; });
    gather(team, l, AllHeld{});
    scatter(team, l, AllHeld{});
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kRate] = l.dof(d)[kForce]; });
  }

  /// From where the passes left off, within the limits.
  CAIRN_HD void begin_search(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) {
      const Law law = law_of(l, d, h);
      l.dof(d)[kForce] = clamp(l.dof(d)[kRate], law.lowest, law.highest);
    });
    hold(l);
    Way<Team>{team, l, h}.go(1);
  }

  /// Each rate to where its law and its own inertia would have it, from kAt: whatever the inertia, this leads down.
  CAIRN_HD void alone(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) {
      const Lane dof = l.dof(d);
      const Law law = law_of(l, d, h);
      const double inertia = dof[kWeight] / h;
      dof[kForce] = law.meeting(law.piece(dof[kAt], dof[kForceAt], inertia), dof[kAt], dof[kForceAt], inertia);
    });
    hold(l);
  }
};

}  // namespace cairn::kernels::articulate
