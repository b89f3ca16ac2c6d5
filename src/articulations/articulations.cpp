// The public class Articulations.

#include "cairn/articulations.h"

#include <cmath>
#include <limits>

#include <xxhash.h>

#include "cairn/errors.h"
#include "kernels/articulations/turn.h"
#include "src/articulations/articulations_impl.h"
#include "src/exec/exact_floats.h"
#include "src/scene/text.h"

namespace cairn {

using namespace kernels::articulate;

Articulations::Articulations(const Articulation& description, std::uint32_t count, const Device& device) {
  const exec::ExactFloats exact;
  impl_ = std::make_unique<Impl>(description, count, device);
}
Articulations::~Articulations() = default;
Articulations::Articulations(Articulations&&) noexcept = default;
Articulations& Articulations::operator=(Articulations&&) noexcept = default;

std::uint32_t Articulations::count() const { return impl_->batch.count; }
const Articulation& Articulations::description() const { return impl_->description; }
std::uint32_t Articulations::coordinates() const { return impl_->batch.coordinates; }
std::uint32_t Articulations::dofs() const { return impl_->batch.dofs; }

std::uint32_t Articulations::coordinate_of(std::uint32_t link) const {
  return part_at(impl_->description, impl_->made.coordinate_of, link, "link");
}
std::uint32_t Articulations::dof_of(std::uint32_t link) const {
  return part_at(impl_->description, impl_->made.dof_of, link, "link");
}

void Articulations::set_state(std::span<const double> q, std::span<const double> v) {
  const exec::ExactFloats exact;
  Impl& m = *impl_;
  const std::vector<double> sound = m.sound("coordinates", q);
  m.check("rates", v, m.batch.dofs, kMax);
  m.write(m.batch.q, m.batch.coordinates, sound);
  m.write(m.batch.v, m.batch.dofs, v);
  m.start();
}
std::vector<double> Articulations::positions() const { return impl_->read(impl_->batch.q, impl_->batch.coordinates); }
std::vector<double> Articulations::rates() const { return impl_->read(impl_->batch.v, impl_->batch.dofs); }

void Articulations::set_forces(std::span<const double> forces) {
  impl_->check("forces", forces, impl_->batch.dofs, kFinite);
  impl_->write(impl_->batch.force, impl_->batch.dofs, forces);
}
void Articulations::set_targets(std::span<const double> q, std::span<const double> v) {
  const exec::ExactFloats exact;
  Impl& m = *impl_;
  const std::vector<double> sound = m.sound("target coordinates", q);
  m.check("target rates", v, m.batch.dofs, kMax);
  m.write(m.batch.target, m.batch.coordinates, sound);
  m.write(m.batch.target_rate, m.batch.dofs, v);
}

std::vector<double> Articulations::forward_dynamics() const {
  return impl_->ask({ForwardDynamics{}}, impl_->batch.dofs);
}
std::vector<double> Articulations::inverse_dynamics(std::span<const double> accelerations) const {
  impl_->check("accelerations", accelerations, impl_->batch.dofs, kFinite);
  impl_->write(impl_->batch.given, impl_->batch.dofs, accelerations);
  return impl_->ask({InverseDynamics{}}, impl_->batch.dofs);
}
std::vector<double> Articulations::mass_matrix() const {
  return impl_->ask({MassMatrix{}}, impl_->batch.dofs * impl_->batch.dofs);
}
std::vector<double> Articulations::jacobian(std::uint32_t link, Vec3d point) const {
  const ArticulationLink& on = link_at(impl_->description, link);
  if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) {
    throw InvalidArgument("articulation \"" + impl_->description.name + "\", link \"" + on.name +
                          "\": point must be finite");
  }
  return impl_->ask({Jacobian{{}, link, point}}, 6 * impl_->batch.dofs);
}

std::vector<BodyState> Articulations::link_states() const {
  const exec::ExactFloats exact;
  const std::vector<double> all = impl_->ask({LinkStates{}}, kLinkWords * impl_->batch.links);
  std::vector<BodyState> states;
  states.reserve(all.size() / kLinkWords);
  for (std::size_t at = 0; at < all.size(); at += kLinkWords) {
    const double* const s = all.data() + at;
    const Matrix r{{s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
    states.push_back({{s[9], s[10], s[11]},
                      kernels::narrow(quaternion_of(r)),
                      kernels::narrow(Vec{s[15], s[16], s[17]}),
                      kernels::narrow(Vec{s[12], s[13], s[14]})});
  }
  return states;
}

void Articulations::step(double h, std::uint32_t substeps) {
  const exec::ExactFloats exact;
  if (!(h > 0) || !std::isfinite(h)) impl_->refuse("h must be over 0 and finite, is " + rules::digits(h));
  if (substeps == 0) impl_->refuse("substeps must be over 0");
  if (impl_->batch.count == 0) return;
  impl_->backend->articulate({Articulate{impl_->batch, h / substeps, substeps}});
}

std::vector<std::uint32_t> Articulations::stopped() const {
  const std::vector<std::uint32_t> flags = impl_->stopped.read(impl_->batch.count);
  std::vector<std::uint32_t> which;
  for (std::uint32_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) which.push_back(i);
  }
  return which;
}

std::uint64_t Articulations::state_hash() const {
  std::vector<double> state = positions();
  const std::vector<double> v = rates();
  state.insert(state.end(), v.begin(), v.end());
  return XXH3_64bits(state.data(), state.size() * sizeof(double));
}

}  // namespace cairn
