#pragma once
// Line search between two sets of rates.

#include "kernels/articulations/couplings.h"

namespace cairn::kernels::articulate {

/// [1] Halvings of an interval: to a millionth of it.
inline constexpr int kHalvings = 20;
/// [1] The same with couplings, whose lines are so much steeper.
inline constexpr int kFineHalvings = 50;

/// Modes of the rates of an articulation.
template <class T>
struct DofModesT {
  const LanesT<T>& l;
  CAIRN_HD ModeT<T> mode(std::uint32_t d) const { return mode_of(l.dof(d)[kMode]); }
  CAIRN_HD void set(std::uint32_t d, const ModeT<T>& mode) const { l.dof(d)[kMode] = number_of(mode); }
  CAIRN_HD auto given(std::uint32_t d) const { return held_of(l.dof(d)[kMode]) > T(0.0); }
};
using DofModes = DofModesT<double>;

/// All rates are held.
struct AllHeld {
  CAIRN_HD bool given(std::uint32_t) const { return true; }
};

/// The line of a rate's law with a yield, too, which is in its spare word.
CAIRN_HD_CALL Line yielding_line(const Lanes& l, std::uint32_t d, double rate, double h) {
  return line_at(law_of(l, d, h), rate, l.spare()[d]);
}

/// From the rates kAt with the forces kForceAt to kRate with kReaction. Forces are linear between them, so the slope of
/// the function along the way is known without another pass; it only grows. With couplings all laws have yields.
template <class Team>
struct Way {
  const Team& team;
  const Lanes& l;
  double h;  ///< [s]

  /// [1] Share of the way to the minimum of the function.
  CAIRN_HD double share() const {
    if (slope(1) <= 0) return 1;
    if (!(slope(0) < 0)) return 0;
    double low = 0, high = 1;
    for (int k = 0; k < (l.b.couplings == 0 ? kHalvings : kFineHalvings); ++k) {
      const double middle = 0.5 * (low + high);
      (slope(middle) <= 0 ? low : high) = middle;
    }
    return low;
  }

  CAIRN_HD void go(double share) const {
    team.each(l.b.dofs, [&](std::uint32_t d) {
      const Lane dof = l.dof(d);
      dof[kAt] = between(dof[kAt], dof[kRate], share);
      dof[kForceAt] = between(dof[kForceAt], dof[kReaction], share);
    });
  }

 private:
  CAIRN_HD static double between(double a, double b, double share) { return share == 1 ? b : fma(share, b - a, a); }

  /// [W] Slope at that share, seen from behind; at the way's start, from ahead.
  CAIRN_HD double slope(double share) const {
    const bool coupled = l.b.couplings != 0;
    const double of_rates = team.template sum<1>(l.b.dofs, [&](std::uint32_t d, const auto& add) {
      const Lane dof = l.dof(d);
      const double goes = dof[kRate] - dof[kAt];
      if (goes == 0) return;
      const double rate = between(dof[kAt], dof[kRate], share);
      const double acts =
          coupled ? yielding_line(l, d, rate, h).force(rate) : law_of(l, d, h).force(rate, (goes > 0) == (share == 0));
      add(goes, between(dof[kForceAt], dof[kReaction], share) - acts);
    });
    if (!coupled) return of_rates;
    return team.ask([&] {
      double sum = of_rates;
      for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
        const Coupling& c = l.b.coupling[i];
        const double from = sum_of(l, c, kAt), to = sum_of(l, c, kRate), rate = between(from, to, share);
        const Line line = line_at(law_of_coupling(l, c, h), rate, l.coupling(i)[kYieldWord]);
        sum = fma(from - to, line.force(rate), sum);
      }
      return sum;
    });
  }
};

}  // namespace cairn::kernels::articulate
