#pragma once
// Finds the piece of its law on which each rate and each coupling of an articulation ends.

#include "kernels/articulations/search.h"

namespace cairn::kernels::articulate {

/// [1] Passes in which every rate switches to its next piece at once. Of 1,942,000 solutions for trees of 24 links with
/// stiff and weak drives, 20,600 needed more, and then a search. Without bounds there is one.
inline constexpr std::uint32_t kPasses = 4;
/// [1] Rounds of a search, of one or two passes each. 309 of these needed more; they end at the lowest point reached.
/// All had limits, friction and drives at once.
inline constexpr std::uint32_t kRounds = 32;
/// [1] The same with couplings.
inline constexpr std::uint32_t kCoupledRounds = 64;
/// [1] Min share of a way that counts as progress.
inline constexpr double kWorthwhile = 1e-3;

/// Loads the forces along rates on their present pieces, and the accelerations of held rates.
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

/// Turns accelerations into rates, and writes the forces of their own laws to kReaction.
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

/// The piece for a rate with that force, by its own inertia.
template <class T>
CAIRN_HD_CALL ModeT<T> next_piece(const LanesT<T>& l, std::uint32_t d, DofWord rate, DofWord force, double h) {
  const LaneT<T> dof = l.dof(d);
  return law_of(l, d, h).piece(dof[rate], dof[force], dof[kWeight] / T(h));
}

/// Rates x at the substep's end with M (x - v) / h + C = F(x), the forces of their laws. A pass over the tree solves
/// this for given pieces of all laws, and finds the next piece of each rate by its own inertia (semi-smooth Newton). If
/// that cycles, a search descends the convex function whose slope is the difference of both sides: along the ways to
/// those solutions, and where these lead up, to where each rate would go on its own. If it doesn't converge, the rates
/// are within their limits, and the function is at most its value at the search's start.
template <class Team>
struct Settle {
  const Team& team;
  const Batch& b;
  double h;  ///< [s]

  /// True if all rates stay on their pieces.
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
      // contacts use the factors of the pieces on which it ends
      take_pieces(l, modes, kAt, kForceAt);
      load_rates(team, l, h);
      gather(team, l, modes);
    }
    take_place(l);
  }
  /// Takes the rates that a search has reached.
  CAIRN_HD void take_place(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kRate] = l.dof(d)[kAt]; });
  }

  /// The same with couplings, with which a rate's own inertia doesn't predict its next rate. Laws of rates yield like
  /// those of couplings, so that the function is smooth, and a rate alone determines its piece: Newton's method with an
  /// exact line search converges to the minimum from any start. A pass without yields follows.
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
  /// True if couplings are on their pieces; with `take`, they switch to their pieces there.
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
  /// True if rates and couplings are on their pieces.
  CAIRN_HD_CALL bool fits_yielding(const Lanes& l, const DofModes& modes, DofWord word) const {
    return team.all(b.dofs, [&](std::uint32_t d) { return yielding_piece(l, d, word) == modes.mode(d); }) &&
           fit(l, word, false);
  }
  /// Like `pass` without held rates, but kReaction gets the whole force on inertia.
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

  /// Rates to kRate, the forces of their own laws to kReaction.
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

  /// Finds the forces that keep given rates.
  CAIRN_HD void hold(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kRate] = (l.dof(d)[kForce] - l.v()[d]) / h; });
    gather(team, l, AllHeld{});
    scatter(team, l, AllHeld{});
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kRate] = l.dof(d)[kForce]; });
  }

  /// Starts from the result of the passes, clamped to the limits.
  CAIRN_HD void begin_search(const Lanes& l) const {
    team.each(b.dofs, [&](std::uint32_t d) {
      const Law law = law_of(l, d, h);
      l.dof(d)[kForce] = clamp(l.dof(d)[kRate], law.lowest, law.highest);
    });
    hold(l);
    Way<Team>{team, l, h}.go(1);
  }

  /// Moves each rate from kAt to where its law and its own inertia put it: for any inertia, this leads down.
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
