// Links without mass: whether what they carry gives each of their rates inertia.

#include <cmath>

#include "kernels/articulations/search.h"
#include "src/articulations/compile_articulation.h"
#include "src/exec/exact_floats.h"

namespace cairn {
namespace {

using namespace kernels::articulate;

/// [1] Of the inertia along a rate with all others held: what is left of it with those behind it free, where that is
/// more than rounding.
constexpr double kLeft = 1e-9;

/// One articulation on the host, at rest at coordinates that no joint axes line up at but by their build.
class Somewhere {
 public:
  explicit Somewhere(const CompiledArticulation& made)
      : q_(made.coordinates),
        v_(made.dofs.size()),
        work_(kNodeWords * made.nodes.size() + kDofWords * made.dofs.size()) {
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = 0.4 + 0.6 * std::fmod(0.618034 * static_cast<double>(k), 1);
    for (const std::uint32_t first : made.quaternions) {
      double square = 0;
      for (std::size_t k = 0; k < 4; ++k) square += q_[first + k] * q_[first + k];
      for (std::size_t k = 0; k < 4; ++k) q_[first + k] /= std::sqrt(square);
    }
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

}  // namespace

std::optional<std::size_t> link_without_inertia(const Articulation& description) {
  const exec::ExactFloats exact;
  const CompiledArticulation made = compile(description);
  Somewhere there(made);
  const std::vector<double> held = there.inertias(AllHeld{}), free = there.inertias(AllFree{});
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    // what has mass of its own has inertia along each rate, however little
    if (made.links[i].node == kernels::kNone || made.nodes[made.links[i].node].inertia.mass > 0) continue;
    const std::size_t end = i + 1 < made.links.size() ? made.dof_of[i + 1] : made.dofs.size();
    for (std::size_t d = made.dof_of[i]; d < end; ++d) {
      if (!(free[d] > kLeft * held[d])) return i;
    }
  }
  return std::nullopt;
}

}  // namespace cairn
