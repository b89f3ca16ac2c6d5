#pragma once
// Couplings: laws along sums of coordinates. Gears and mimic joints are held sums, fixed tendons driven ones.
//
// On its line, coupling c pulls with g_c - e_c times the acceleration of its sum: kLineForce and kLineExtra. With a_c
// its coefficients, accelerations x solve
//   (M + sum e_c a_c a_c^T) x = f + sum g_c a_c,
// and each coupling adds a matrix of rank one to the one that the tree's factors invert. Couplings are added one by one
// (Sherman and Morrison 1950): z_c = M_c^-1 a_c, with M_c the matrix that has the couplings before it, is c's column.

#include "kernels/articulations/forward.h"
#include "kernels/articulations/law.h"
#include "kernels/joints/joint_law.h"

namespace cairn::kernels::articulate {

/// [1] Share of the violation of a limit that a substep corrects, no faster than kMaxJointSpeed, and without a rate.
inline constexpr double kPushOut = 0.2;
/// [1] Share of its speed by which a sum yields where its law is vertical, so that couplings that contradict or repeat
/// each other have a solution. Well above rounding, and below kMinCoupledGiving (kernels/joints/joint_loops.h).
inline constexpr double kYield = 1e-8;
/// [kg, kg m^2] Min inertia of a rate.
inline constexpr double kMinWeight = 1e-30;
/// [1/kg] Min change of a sum by an impulse of 1.
inline constexpr double kMinMobility = 1e-30;

/// Sum of a word of all rates along a coupling.
template <class Values>
CAIRN_HD double sum_along(const Batch& b, const Coupling& c, const Values& values) {
  double sum = 0;
  for (std::uint32_t t = c.term_begin; t < c.term_end; ++t)
    sum = fma(b.term[t].coefficient, values(b.term[t].dof), sum);
  return sum;
}
CAIRN_HD double sum_of(const Lanes& l, const Coupling& c, DofWord word) {
  return sum_along(l.b, c, [&](std::uint32_t d) { return l.dof(d)[word]; });
}
CAIRN_HD double sum_of(const Lanes& l, const Coupling& c, Lane rates) {
  return sum_along(l.b, c, [&](std::uint32_t d) { return rates[d]; });
}
CAIRN_HD double sum_of_coordinates(const Lanes& l, const Coupling& c, Lane coordinates) {
  return sum_along(l.b, c, [&](std::uint32_t d) { return coordinates[l.b.dof[d].coordinate]; });
}

CAIRN_HD_CALL Law law_of_coupling(const Lanes& l, const Coupling& c, double h) {
  const JointForces& f = c.forces;
  const double at = sum_of_coordinates(l, c, l.q());
  double left = 0, target_rate = 0;
  if (driven(f)) {
    left = sum_of_coordinates(l, c, l.target()) - at;
    target_rate = sum_of(l, c, l.target_rate());
  }
  Law law = unlimited_law(f, 0.0, f.damping, left, target_rate, f.spring_rest - at, h);
  if (locked(f)) {
    law.lowest = law.highest = 0;
  } else {
    set_limits(law, f, f.lower - at, f.upper - at, h);
  }
  return law;
}

/// A law in series with a small yield (rate per force): at each rate it has one force, level - slope rate on each
/// piece.
struct Line {
  Mode mode;
  double level;  ///< [N, N m]
  double slope;  ///< [N s/m, N m s/rad]
  CAIRN_HD double force(double rate) const { return fma(-slope, rate, level); }
};
CAIRN_HD Line line_on(const Law& law, const Mode& mode, double yield) {
  if (mode.held != Mode::kNone) return {mode, law.goal(mode) / yield, 1 / yield};
  const double slope = law.slope(mode), passes = 1 / fma(yield, slope, 1);
  return {mode, passes * law.level(mode), passes * slope};
}
CAIRN_HD Line line_at(const Law& law, double rate, double yield) {
  return line_on(law, law.piece(rate, 0, 1 / yield), yield);
}

CAIRN_HD Line line_of(const Lanes& l, std::uint32_t i, double h) {
  const Lane words = l.coupling(i);
  return line_on(law_of_coupling(l, l.b.coupling[i], h), mode_of(words[kLineMode]), words[kYieldWord]);
}
CAIRN_HD_CALL void load_couplings(const Lanes& l, double h) {
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Line line = line_of(l, i, h);
    l.coupling(i)[kLineForce] = line.force(sum_of(l, l.b.coupling[i], l.v()));
    l.coupling(i)[kLineExtra] = h * line.slope;
  }
}

/// Replaces forces z along rates by the accelerations that they cause, after `gather`; for given rates, by the forces
/// that keep them.
template <class Modes>
CAIRN_HD_CALL void accelerate(const Lanes& l, const Modes& modes, Lane z) {
  for (std::uint32_t n = 0; n < l.b.nodes; ++n) store(l.node(n).from(kBias), Force{});
  for (std::uint32_t n = l.b.nodes; n-- > 0;) {
    const Node& node = l.b.node[n];
    Force bias = load_as<ForceT>(l.node(n).from(kBias));
    for (std::uint32_t k = node.dofs; k-- > 0;) {
      const std::uint32_t d = node.dof + k;
      z[d] = z[d] - component(bias, node.axis + k);
      if (!modes.given(d)) bias = fma(z[d] * l.dof(d)[kInverse], load_as<ForceT>(l.dof(d).from(kColumn)), bias);
    }
    if (node.parent == kNone) continue;
    const Lane parent = l.node(node.parent).from(kBias);
    store(parent, load_as<ForceT>(parent) + to_parent(l.transform(n), bias));
  }
  for (std::uint32_t n = 0; n < l.b.nodes; ++n) {
    const Node& node = l.b.node[n];
    const Lane work = l.node(n);
    Motion a{};
    if (node.parent != kNone) {
      a = to_child(l.transform(n), load_as<MotionT>(l.node(node.parent).from(kAcceleration)));
    }
    for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) {
      const double along = dot(load_as<ForceT>(l.dof(d).from(kColumn)), a);
      if (modes.given(d)) {
        z[d] = along - z[d];
      } else {
        z[d] = (z[d] - along) * l.dof(d)[kInverse];
        add_to(a, node.axis + d - node.dof, z[d]);
      }
    }
    store(work.from(kAcceleration), a);
  }
}

/// A force of 1 along a coupling, as forces along rates.
CAIRN_HD void put_terms(const Lanes& l, const Coupling& c, Lane z) {
  for (std::uint32_t d = 0; d < l.b.dofs; ++d) z[d] = 0;
  for (std::uint32_t t = c.term_begin; t < c.term_end; ++t) z[l.b.term[t].dof] = l.b.term[t].coefficient;
}

/// Accelerations of each rate by a force along coupling i, with those before it held to their lines; for given rates,
/// the forces that keep them.
CAIRN_HD Lane column_of(const Lanes& l, std::uint32_t i) { return l.coupling(i).from(kCouplingWords); }

/// Sum along a coupling of values like those of a column, without given rates, which stay.
template <class Modes>
CAIRN_HD double free_sum(const Lanes& l, const Modes& modes, const Coupling& c, Lane values) {
  return sum_along(l.b, c, [&](std::uint32_t d) { return modes.given(d) ? 0.0 : values[d]; });
}

/// Yields, and a first guess of the pieces; after `move`. A sum yields by a share of its change by an impulse.
CAIRN_HD_CALL void begin_couplings(const Lanes& l, double h) {
  if (l.b.couplings == 0) return;
  for (std::uint32_t d = 0; d < l.b.dofs; ++d) l.dof(d)[kForce] = l.dof(d)[kExtra] = 0;
  gather(Alone{}, l, AllFree{});
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Coupling& c = l.b.coupling[i];
    const Lane words = l.coupling(i), z = column_of(l, i);
    put_terms(l, c, z);
    accelerate(l, AllFree{}, z);
    words[kYieldWord] = kYield * h * max(sum_of(l, c, z), kMinMobility);
    words[kLineMode] = number_of(law_of_coupling(l, c, h).piece(sum_of(l, c, l.v()), 0, 1 / words[kYieldWord]));
  }
}

/// Correction by coupling i of a sum along it that was found without it.
CAIRN_HD double correction(const Lanes& l, std::uint32_t i, double sum) {
  const Lane words = l.coupling(i);
  return -words[kLineExtra] * words[kGain] * sum;
}

/// Computes columns and gains from the factors of the tree.
template <class Modes>
CAIRN_HD_CALL void factor_couplings(const Lanes& l, const Modes& modes) {
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Coupling& c = l.b.coupling[i];
    const Lane words = l.coupling(i), z = column_of(l, i);
    put_terms(l, c, z);
    accelerate(l, modes, z);
    for (std::uint32_t before = 0; before < i; ++before) {
      const double force = correction(l, before, free_sum(l, modes, l.b.coupling[before], z));
      for (std::uint32_t d = 0; d < l.b.dofs; ++d) z[d] = fma(force, column_of(l, before)[d], z[d]);
    }
    words[kGain] = 1 / fma(words[kLineExtra], max(free_sum(l, modes, c, z), 0.0), 1);
  }
}

/// Adds the couplings to accelerations without them, and to the forces that keep given rates.
template <class Modes>
CAIRN_HD_CALL void apply_couplings(const Lanes& l, const Modes& modes) {
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Lane words = l.coupling(i), z = column_of(l, i);
    const double sum = sum_of(l, l.b.coupling[i], kRate);
    const double force = fma(-words[kLineExtra], sum, words[kLineForce]) * words[kGain];
    for (std::uint32_t d = 0; d < l.b.dofs; ++d) {
      double& at = l.dof(d)[modes.given(d) ? kReaction : kRate];
      at = fma(force, z[d], at);
    }
  }
}

/// Adds to kReaction the forces of the couplings' lines at the rates kRate: then it is the whole force on inertia.
CAIRN_HD_CALL void add_lines(const Lanes& l, double h) {
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Coupling& c = l.b.coupling[i];
    const double force = line_of(l, i, h).force(sum_of(l, c, kRate));
    for (std::uint32_t t = c.term_begin; t < c.term_end; ++t) {
      double& at = l.dof(l.b.term[t].dof)[kReaction];
      at = fma(l.b.term[t].coefficient, force, at);
    }
  }
}

/// True if all couplings are on their pieces at the rates `word`; with `take`, they switch to their pieces there.
CAIRN_HD_CALL bool fit_couplings(const Lanes& l, DofWord word, double h, bool take) {
  bool fit = true;
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Coupling& c = l.b.coupling[i];
    const Lane words = l.coupling(i);
    const double mode = number_of(law_of_coupling(l, c, h).piece(sum_of(l, c, word), 0, 1 / words[kYieldWord]));
    fit = fit && mode == words[kLineMode];
    if (take) words[kLineMode] = mode;
  }
  return fit;
}

/// Corrects sums beyond their limits: shifts of coordinates [m, rad] to the spare words. Each coordinate yields by its
/// own inertia, whether its rate is held or not.
CAIRN_HD_CALL void lead_sums_back(const Lanes& l, double h) {
  if (l.b.couplings == 0) return;
  const Lane shift = l.spare();
  const double most = h * static_cast<double>(kMaxJointSpeed);
  for (std::uint32_t d = 0; d < l.b.dofs; ++d) shift[d] = 0;
  for (std::uint32_t i = 0; i < l.b.couplings; ++i) {
    const Coupling& c = l.b.coupling[i];
    const double there = fma(h, sum_of(l, c, kRate), sum_of_coordinates(l, c, l.q())) + sum_of(l, c, shift);
    const double off = clamp(there, c.forces.lower, c.forces.upper) - there;
    if (off == 0) continue;
    double gives = 0;
    for (std::uint32_t t = c.term_begin; t < c.term_end; ++t) {
      const Term& term = l.b.term[t];
      gives = gives + term.coefficient * term.coefficient / max(l.dof(term.dof)[kWeight], kMinWeight);
    }
    const double share = clamp(kPushOut * off, -most, most) / gives;
    for (std::uint32_t t = c.term_begin; t < c.term_end; ++t) {
      const Term& term = l.b.term[t];
      shift[term.dof] = fma(share, term.coefficient / max(l.dof(term.dof)[kWeight], kMinWeight), shift[term.dof]);
    }
  }
}

}  // namespace cairn::kernels::articulate
