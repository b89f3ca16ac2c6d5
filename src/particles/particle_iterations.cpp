// Sweeps that the constraints of particles need, and the accuracy of a number of sweeps.

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/particles/element.h"
#include "kernels/particles/measure_constraint.h"
#include "src/particles/constraint_store.h"
#include "src/scene/particle_rules.h"
#include "src/scene/text.h"
#include "src/solve/traits.h"

namespace cairn {

using kernels::kConstraintEnds;
using kernels::kNone;
using kernels::operator-;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// [1] Bounds of ConstraintNeed's x: above, one sweep suffices; below, no number of sweeps tells it from rigid.
constexpr double kSoftest = 1e9, kHardest = 1e-9;

/// Quantities of a constraint that decide how sweeps move it.
struct Moved {
  double w;       ///< [by kind] g M^-1 g
  double square;  ///< [by kind] the largest square of g
  double size;    ///< [m]
};

double farthest(std::span<const Vec3d> r) {
  double most = 0;
  for (std::size_t b = 1; b < r.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) most = std::max(most, kernels::length(r[b] - r[a]));
  }
  return most;
}

Moved moved_of(const ParticleSet& set, const ConstraintGroup& group, std::span<const std::uint32_t> of,
               std::span<const double> inv_mass) {
  Vec3d r[kConstraintEnds] = {};
  Vec3d by[kConstraintEnds] = {};
  for (std::size_t i = 0; i < of.size(); ++i) r[i] = set.positions[of[i]] - set.positions[of[0]];
  const auto m = kernels::measure(static_cast<kernels::DeviceConstraintKind>(group.kind), r);
  std::copy_n(m.by, of.size(), by);
  Moved moved{0, 0, farthest({r, of.size()})};
  for (std::size_t i = 0; i < of.size(); ++i) {
    const double square = kernels::dot(by[i], by[i]);
    moved.w += inv_mass[of[i]] * square;
    moved.square = std::max(moved.square, square);
  }
  return moved;
}

/// A pull along a direction n has the gradients n.b: g M^-1 g is at most the largest eigenvalue of the sum of b b^T
/// over the masses, and that is at most the largest row sum.
Moved moved_of_element(const ParticleSet& set, std::span<const std::uint32_t> of, std::span<const double> inv_mass) {
  const kernels::ConstraintElement e = element_of(set, of.data());
  Vec3d by[kConstraintEnds] = {{0, 0, 0}, e.by[0], e.by[1], e.by[2]}, r[kConstraintEnds];
  for (const Vec3d& b : e.by) by[0] = by[0] - b;
  double row[3] = {0, 0, 0}, square = 0;
  Vec3d sum[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (std::size_t i = 0; i < kConstraintEnds; ++i) {
    r[i] = set.positions[of[i]] - set.positions[of[0]];
    const double w = inv_mass[of[i]];
    sum[0] = kernels::fma(w * by[i].x, by[i], sum[0]);
    sum[1] = kernels::fma(w * by[i].y, by[i], sum[1]);
    sum[2] = kernels::fma(w * by[i].z, by[i], sum[2]);
    square = std::max(square, kernels::dot(by[i], by[i]));
  }
  for (std::size_t k = 0; k < 3; ++k) row[k] = std::abs(sum[k].x) + std::abs(sum[k].y) + std::abs(sum[k].z);
  return {*std::ranges::max_element(row), square, farthest(r)};
}

/// All modes of a cluster oscillate at 1 / (compliance mass); its size is the root of its mean square by mass.
Moved moved_of_cluster(const ParticleSet& set, std::span<const std::uint32_t> of, std::span<const double> inv_mass) {
  Vec3d centre{0, 0, 0};
  double mass = 0, square = 0;
  const auto at = [&](std::uint32_t i) { return set.positions[i] - set.positions[of[0]]; };
  for (const std::uint32_t i : of) {
    if (!(inv_mass[i] > 0)) continue;
    mass += 1 / inv_mass[i];
    centre = kernels::fma(1 / inv_mass[i], at(i), centre);
  }
  if (!(mass > 0)) return {0, 0, 0};
  centre = kernels::operator*(1 / mass, centre);
  for (const std::uint32_t i : of) {
    if (inv_mass[i] > 0) square += kernels::dot(at(i) - centre, at(i) - centre) / inv_mass[i];
  }
  return {1 / mass, 1, std::sqrt(square / mass)};
}

/// [1] Share of a constraint's correction that a Jacobi sweep makes.
double share_of(const ParticleSet& set) {
  std::vector<std::uint32_t> count(set.positions.size(), 0);
  for (const ConstraintGroup& group : set.constraints) {
    for (const std::uint32_t i : group.particles) ++count[i];
  }
  for (const Attachment& a : set.attachments) ++count[a.particle];
  return 1.0 / std::max(1u, *std::ranges::max_element(count));
}

}  // namespace

ConstraintHeld held_by(const ConstraintNeed& need, double h, std::uint32_t sweeps) {
  const double x = need.square_time / (h * h);
  if (!(x < kSoftest)) return {0, 0, true};
  const std::uint32_t ways = need.ways * sweeps;
  const double rigid = need.sag * (h * h) / (ways * need.share);
  if (x < kHardest) return {kNever, rigid, need.square_time == 0 && rigid <= kMaxSag};
  double left = 1;
  for (std::uint32_t i = 0; i < ways; ++i) left *= 1 - need.share * (x / (1 + x));
  const double excess = left / (1 - left);
  return {excess, std::min(rigid, need.sag * (h * h) * x * excess), excess <= kSpringExcess};
}

std::uint32_t sweeps_for(const ConstraintNeed& need, double h) {
  std::uint32_t n = 1;
  while (n < kMaxOwnSweeps && !held_by(need, h, n).good) ++n;
  return n;
}

std::vector<ConstraintNeed> needs_of(const ParticleSet& set, std::span<const double> inv_mass, double load,
                                     SweepKind sweep) {
  std::vector<ConstraintNeed> needs;
  const bool jacobi = sweep == SweepKind::kJacobi;
  const double share = jacobi ? share_of(set) : 1;
  for (const ConstraintGroup& group : set.constraints) {
    ConstraintNeed& need = needs.emplace_back(ConstraintNeed{kNever, 0, share, jacobi ? 1u : 2u});
    // plain PBD has no law
    if (group.law.stiffness > 0) continue;
    const std::size_t ends = particles_of(group);
    double rate = 0, sag = 0, count = 0;  // sums, rate of 1 / square_time
    for (std::size_t i = 0; i < count_constraints(group); ++i) {
      const std::span<const std::uint32_t> of(&group.particles[ends * i], ends);
      const bool shape = group.kind == ConstraintKind::kShape, elastic = group.kind == ConstraintKind::kElastic;
      const Moved moved = shape     ? moved_of_cluster(set, of, inv_mass)
                          : elastic ? moved_of_element(set, of, inv_mass)
                                    : moved_of(set, group, of, inv_mass);
      if (!(moved.w > 0) || !(moved.size > 0)) continue;
      double compliance = static_cast<double>(group.law.compliance);
      if (elastic) {
        compliance = 1 / (static_cast<double>(group.young_modulus) * element_of(set, of.data()).volume);
      }
      rate += moved.w / compliance;
      sag += moved.w / moved.square * load / moved.size;
      count += 1;
    }
    if (count == 0) continue;
    need.square_time = count / rate;
    need.sag = sag / count;
  }
  return needs;
}

std::vector<std::string> warnings_of(const ParticleSet& set, std::span<const ConstraintNeed> needs,
                                     const StepParams& params) {
  const bool whole = traits_of(params.solver).whole;
  const auto length_of = [&](int substeps) {
    return static_cast<double>(params.dt) / (whole ? 1.0 : static_cast<double>(substeps));
  };
  const double h = length_of(params.substeps);
  auto sweeps = static_cast<std::uint32_t>(params.particle_iterations);
  for (const ConstraintNeed& need : needs) {
    if (params.particle_iterations == 0) sweeps = std::max(sweeps, sweeps_for(need, h));
  }
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const ConstraintGroup& group = set.constraints[i];
    const auto good = [&](double step, std::uint32_t count) { return held_by(needs[i], step, count).good; };
    if (good(h, sweeps)) continue;
    const bool rigid = !(needs[i].square_time > 0);
    const ConstraintHeld held = held_by(needs[i], h, sweeps);
    std::uint32_t more = sweeps;
    while (more < 1000 && !good(h, more)) ++more;
    int shorter = params.substeps;
    while (!whole && shorter < 1000 && !good(length_of(shorter), sweeps)) ++shorter;
    const auto count = [](std::uint32_t n, const char* what) {
      return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    };
    const double percent = std::ceil(1000 * (rigid ? held.strain : held.excess)) / 10;
    std::string text = "particles \"" + set.name + "\", constraints " + std::to_string(i) + " (" +
                       std::string(word_of(group.kind)) + "): ";
    text += rigid ? "rigid ones give by " : "softer than their law by ";
    text += rules::digits(static_cast<float>(percent)) + (rigid ? " % of their size under load" : " %");
    text += " at " + count(sweeps, "sweep") + " and " + count(static_cast<std::uint32_t>(params.substeps), "substep");
    std::vector<std::string> helps;
    if (good(h, more)) helps.push_back(count(more, "sweep"));
    if (!whole && good(length_of(shorter), sweeps)) {
      helps.push_back(count(static_cast<std::uint32_t>(shorter), "substep"));
    }
    if (helps.empty()) helps.emplace_back("neither 1000 sweeps nor 1000 substeps");
    warnings.push_back(text + "; " + helps[0] + (helps.size() > 1 ? " or " + helps[1] : "") + " would hold them");
  }
  return warnings;
}

std::vector<std::vector<ConstraintNeed>> ConstraintStore::needs(SweepKind sweep) const {
  std::vector<std::vector<ConstraintNeed>> all;
  std::vector<double> inv_mass;
  for (const ParticlesSlot& slot : slots_) {
    if (!slot.alive()) {
      all.emplace_back();
      continue;
    }
    // load of a constraint: the weight of the set and of bodies that it carries, shared by the holders, or by a face of
    // it if there are none
    double mass = 0;
    std::size_t holders = 0;
    const auto inv_mass_of = [&](std::uint32_t body) {
      const double inverse = body == kNone ? 0 : inv_mass_[body];
      if (inverse > 0) mass += 1 / inverse;
      if (!(inverse > 0) && body != kNone) ++holders;
      return inverse;
    };
    inv_mass.clear();
    for (const std::uint32_t body : slot.bodies) inv_mass.push_back(inv_mass_of(body));
    std::vector<std::uint32_t> held = slot.held_by;
    std::ranges::sort(held);
    held.erase(std::unique(held.begin(), held.end()), held.end());
    for (const std::uint32_t body : held) inv_mass_of(body);
    if (holders == 0) {
      std::size_t side = 1;
      while (side * side * side < slot.bodies.size()) ++side;
      holders = side * side;
    }
    constexpr double kGravity = 9.81;  ///< [m/s^2] fixed, since a world's own may change
    all.push_back(needs_of(*slot.of, inv_mass, kGravity * mass / static_cast<double>(holders), sweep));
  }
  return all;
}

void ConstraintStore::set_sweeps(float h, SweepKind sweep) {
  if (h == sweeps_h_ && sweep == sweeps_kind_) return;
  if (sweeps_h_ == 0 || sweep != sweeps_kind_) needs_ = needs(sweep);
  std::vector<std::uint32_t> of_set;
  max_sweeps_ = 1;
  for (const std::vector<ConstraintNeed>& groups : needs_) {
    std::uint32_t most = 1;
    for (const ConstraintNeed& need : groups) most = std::max(most, sweeps_for(need, static_cast<double>(h)));
    of_set.push_back(most);
    max_sweeps_ = std::max(max_sweeps_, most);
  }
  memory_.post(set_sweeps_.data(), of_set.data(), of_set.size() * sizeof(of_set[0]));
  sweeps_h_ = h;
  sweeps_kind_ = sweep;
}

}  // namespace cairn
