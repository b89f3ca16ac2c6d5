// Links without mass: whether what they carry gives each of their rates inertia.

#include <algorithm>
#include <cmath>

#include "kernels/articulations/search.h"
#include "src/articulations/compile_articulation.h"
#include "src/exec/exact_floats.h"

namespace cairn {
namespace {

using namespace kernels::articulate;

/// [1] Of the inertia along a rate with all others held: what is left of it with those behind it free, where that is
/// more than rounding. Axes are quaternions of float, and so those that line up by their build do within 1e-7 rad, which
/// leaves 1e-14. Larger would refuse a heavy link on light ones: a gearbox of 1 g before 1000 kg leaves 2e-10.
constexpr double kLeft = 1e-12;

/// [m, rad, 1] Coordinates without limits are sampled from here, over such a width.
constexpr double kFirstSample = 0.4, kSampled = 0.6;

/// How samples differ: [1] the share of the width at coordinate 0, and by what it grows with each, modulo 1.
struct Spread {
  double first, step;
};
/// The golden ratio, and the square of the inverse of the plastic ratio.
constexpr Spread kSpreads[]{{0, 0.618034}, {0.31, 0.569840}};

/// [m, rad, 1] (coordinates) Ones that joints may have, where no axes line up but by their build and limits, or by a
/// chance that a second sample doesn't share.
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
        work_(work_words(static_cast<std::uint32_t>(made.nodes.size()), static_cast<std::uint32_t>(made.dofs.size()),
                         0)) {
    batch_.node = made.nodes.data();
    batch_.dof = made.dofs.data();
    batch_.q = q_.data();
    batch_.v = v_.data();
    batch_.work = work_.data();
    batch_.nodes = static_cast<std::uint32_t>(made.nodes.size());
    batch_.dofs = static_cast<std::uint32_t>(made.dofs.size());
    batch_.coordinates = made.coordinates;
    batch_.count = batch_.lanes = 1;
  }

  /// [kg, kg m^2] (dofs) Along each rate, those behind it held or free.
  template <class Modes>
  std::vector<double> inertias(const Modes& modes) {
    const Lanes lanes{batch_, 0};
    move(lanes, lanes.v());
    gather(lanes, modes);
    std::vector<double> along(batch_.dofs);
    for (std::uint32_t d = 0; d < batch_.dofs; ++d) along[d] = lanes.dof(d)[kWeight];
    return along;
  }

 private:
  std::vector<double> q_, v_, work_;
  Batch batch_{};
};

/// (links) Whether a link has no mass and its joint moves nothing by itself.
std::vector<bool> idle_at(const CompiledArticulation& made, std::span<const double> q) {
  Somewhere there(made, q);
  const std::vector<double> held = there.inertias(AllHeld{}), free = there.inertias(AllFree{});
  std::vector<bool> idle(made.links.size());
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    // what has mass of its own has inertia along each rate, however little
    if (made.links[i].node == kernels::kNone || made.nodes[made.links[i].node].inertia.mass > 0) continue;
    const std::size_t end = i + 1 < made.links.size() ? made.dof_of[i + 1] : made.dofs.size();
    for (std::size_t d = made.dof_of[i]; d < end; ++d) {
      // and so has what has an armature, however much it carries
      if (made.dofs[d].armature == 0 && !(free[d] > kLeft * held[d])) idle[i] = true;
    }
  }
  return idle;
}

std::optional<std::size_t> first_of(const std::vector<bool>& links) {
  const auto found = std::find(links.begin(), links.end(), true);
  if (found == links.end()) return std::nullopt;
  return static_cast<std::size_t>(found - links.begin());
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
  return first_of(everywhere);
}

std::optional<std::size_t> link_without_inertia(const CompiledArticulation& made, std::span<const double> q) {
  const exec::ExactFloats exact;
  return first_of(idle_at(made, q));
}

}  // namespace cairn
