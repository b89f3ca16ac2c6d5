// Links without mass: whether the mass that they carry gives each of their rates inertia.

#include <algorithm>
#include <cmath>

#include "kernels/articulations/search.h"
#include "src/articulations/compile_articulation.h"
#include "src/exec/exact_floats.h"

namespace cairn {
namespace {

using namespace kernels::articulate;

/// [1] Min ratio of the inertia along a rate with the rates behind it free, to that with all others held. Smaller
/// ratios are rounding: axes are float quaternions, and axes that coincide by design do so within 1e-7 rad, which
/// leaves 1e-14. A larger bound would refuse a heavy link on light ones: a gearbox of 1 g before 1000 kg leaves 2e-10.
constexpr double kLeft = 1e-12;

/// [m, rad, 1] Coordinates without limits are sampled from this value, over this width.
constexpr double kFirstSample = 0.4, kSampled = 0.6;

/// Sampling sequence: [1] the share of the width at coordinate 0, and its increment per coordinate, modulo 1.
struct Spread {
  double first, step;
};
/// The golden ratio, and the square of the inverse of the plastic ratio.
constexpr Spread kSpreads[]{{0, 0.618034}, {0.31, 0.569840}};

/// [m, rad, 1] (coordinates) Valid coordinates at which axes coincide only by design and limits, or by a chance that a
/// second sample doesn't share.
std::vector<double> sample(const Articulation& description, const CompiledArticulation& made, const Spread& spread) {
  std::vector<double> q(made.coordinates);
  const auto share = [&](std::size_t k) { return std::fmod(spread.first + spread.step * static_cast<double>(k), 1); };
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = kFirstSample + kSampled * share(k);
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    const ArticulationJoint& joint = description.links[i].joint;
    if (joint.kind != ArticulationJointKind::kRevolute && joint.kind != ArticulationJointKind::kPrismatic) continue;
    const double low = std::max(joint.lower, std::min(kFirstSample, joint.upper - kSampled));
    const double high = std::min(joint.upper, low + kSampled);
    q[made.coordinate_of[i]] = low + (high - low) * share(made.coordinate_of[i]);
  }
  for (const std::uint32_t first : made.quaternions) {
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k) square += q[first + k] * q[first + k];
    for (std::size_t k = 0; k < 4; ++k) q[first + k] /= std::sqrt(square);
  }
  return q;
}

/// One articulation on the host, at rest, without its couplings.
class Somewhere {
 public:
  Somewhere(const CompiledArticulation& made, std::span<const double> q)
      : q_(q.begin(), q.end()),
        v_(made.dofs.size()),
        joint_(made.joints),
        build_(made.build),
        batch_(shared_batch(made)) {
    batch_.couplings = 0;
    work_.resize(work_words(batch_));
    batch_.q = q_.data();
    batch_.v = v_.data();
    batch_.joint = joint_.data();
    batch_.build = build_.data();
    batch_.work = work_.data();
    batch_.count = batch_.lanes = 1;
  }

  /// [kg, kg m^2] (dofs) Along each rate, with the rates behind it held or free.
  template <class Modes>
  std::vector<double> inertias(const Modes& modes) {
    const Lanes lanes{batch_, 0};
    move(kernels::Alone{}, lanes, lanes.v());
    gather(kernels::Alone{}, lanes, modes);
    std::vector<double> along(batch_.dofs);
    for (std::uint32_t d = 0; d < batch_.dofs; ++d) along[d] = lanes.dof(d)[kWeight];
    return along;
  }

 private:
  std::vector<double> q_, v_, joint_, build_, work_;
  Batch batch_;
};

/// Calls f(rate) for each rate of a link's joint.
template <class F>
void for_each_rate(const CompiledArticulation& made, std::size_t link, const F& f) {
  const std::size_t end = link + 1 < made.links.size() ? made.dof_of[link + 1] : made.dofs.size();
  for (std::size_t d = made.dof_of[link]; d < end; ++d) f(d);
}

/// (links) Whether a link has no mass and its joint moves nothing that others don't.
std::vector<bool> idle_at(const CompiledArticulation& made, std::span<const double> q) {
  Somewhere there(made, q);
  const std::vector<double> held = there.inertias(AllHeld{}), free = there.inertias(AllFree{});
  std::vector<bool> idle(made.links.size());
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    // a link with its own mass has inertia along each rate, however small
    const std::uint32_t node = made.links[i].node;
    if (node == kernels::kNone || mass_of_node(made, node) > 0) continue;
    for_each_rate(made, i, [&](std::size_t d) { idle[i] = idle[i] || !(free[d] > kLeft * held[d]); });
  }
  return idle;
}

/// The first idle link without armature; armature would give it inertia, whatever it carries.
std::optional<std::size_t> first_of(const CompiledArticulation& made, const std::vector<bool>& idle) {
  for (std::size_t i = 0; i < idle.size(); ++i) {
    bool bare = false;
    for_each_rate(made, i, [&](std::size_t d) { bare = bare || made.joints[kJointWords * d] == 0; });
    if (idle[i] && bare) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> link_without_inertia(const Articulation& description) {
  const exec::ExactFloats exact;
  const CompiledArticulation made = compile(description);
  std::vector<bool> everywhere(made.links.size(), true);
  for (const Spread& spread : kSpreads) {
    const std::vector<bool> idle = idle_at(made, sample(description, made, spread));
    for (std::size_t i = 0; i < idle.size(); ++i) everywhere[i] = everywhere[i] && idle[i];
  }
  return first_of(made, everywhere);
}

std::optional<std::size_t> link_without_inertia(const CompiledArticulation& made, std::span<const double> q) {
  const exec::ExactFloats exact;
  return first_of(made, idle_at(made, q));
}

}  // namespace cairn
