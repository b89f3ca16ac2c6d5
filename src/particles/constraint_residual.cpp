// Residuals of particle constraints: their distance from their laws.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/particles/element.h"
#include "kernels/particles/measure_constraint.h"
#include "src/scene/particle_rules.h"
#include "src/world/call.h"

namespace cairn {

using kernels::Constraint;
using kernels::DeviceConstraintKind;
using kernels::DeviceConstraintLaw;
using kernels::kConstraintEnds;
using kernels::kElementStrains;
using kernels::kNone;
using kernels::operator-;
using kernels::operator+;

namespace {

double relative(double off, double to) { return to > 0 ? std::abs(off) / to : std::abs(off); }

/// Residual of a tetrahedron with impulses p: the root of the sum of the squares of the tensor's components.
double element_off(const kernels::ConstraintElement& element, const DeviceConstraintLaw& law,
                   const Vec3d (&r)[kConstraintEnds], const double* p, double h) {
  const kernels::ElementMeasure m = kernels::measure_element(element, r);
  double impulse[kElementStrains], yields[kElementStrains], square = 0;
  std::copy_n(p, kElementStrains, impulse);
  kernels::hooke(static_cast<double>(law.poisson_ratio), impulse, yields);
  for (int a = 0; a < kElementStrains; ++a) {
    const double off = m.strain[a] + static_cast<double>(law.compliance) * yields[a] / (element.volume * h);
    square += (a < 3 ? 1.0 : 0.5) * off * off;
  }
  return std::sqrt(square);
}

}  // namespace

std::vector<float> ConstraintStore::residuals(float h, const ConstraintPoses& poses) const {
  std::vector<float> residuals(table_.constraint.size(), -1.0f);
  if (place_of_.empty() || !(h > 0.0f)) return residuals;
  const std::vector<float> impulses = impulse_.read(count_);
  const std::vector<Constraint> ordered = constraint_.read(count_);
  const std::vector<double> blocks = element_impulse_.read(table_.element.size() * kElementStrains);
  const std::vector<std::uint32_t> broken = read_broken();
  const double step = static_cast<double>(h);
  for (std::uint32_t i = 0; i < residuals.size(); ++i) {
    const std::uint32_t at = place_of_[i];
    if (at == kNone || !table_.in_use(i)) continue;
    const Constraint& constraint = ordered[at];
    if (constraint.off != 0 || (constraint.breakable != kNone && broken[constraint.breakable] != 0)) continue;
    const DeviceConstraintLaw& law = laws_[constraint.law];
    residuals[i] = 0;
    if (law.stiffness > 0) continue;
    const double bears = static_cast<double>(law.compliance) * static_cast<double>(impulses[at]) / step;
    if (law.kind == DeviceConstraintKind::kShape) {
      const std::uint32_t begin = table_.cluster_begin[constraint.cluster],
                          end = table_.cluster_begin[constraint.cluster + 1];
      const kernels::ClusterMember* const member = &table_.member[begin];
      const auto place = [&](std::uint32_t k) { return poses.x[member[k].body] - poses.x[member[0].body]; };
      const kernels::Matched matched = kernels::match_shape(member, end - begin, place);
      double off = 0, size = 0;
      for (std::uint32_t k = 0; k < end - begin; ++k) {
        const Vec3d d = matched.off(member[k], place(k));
        off += member[k].share * kernels::dot(d, d);
        size += member[k].share * kernels::dot(member[k].rest, member[k].rest);
      }
      residuals[i] = static_cast<float>(relative(std::sqrt(off) + bears, std::sqrt(size)));
      continue;
    }
    Vec3d r[kConstraintEnds] = {};
    for (std::uint32_t k = 1; k < kernels::ends_of(law.kind); ++k) {
      r[k] = poses.x[constraint.body[k]] - poses.x[constraint.body[0]];
    }
    if (law.kind == DeviceConstraintKind::kElastic) {
      residuals[i] = static_cast<float>(
          element_off(table_.element[constraint.element], law, r, &blocks[kElementStrains * constraint.element], step));
      continue;
    }
    double size = static_cast<double>(constraint.rest);
    if (law.kind == DeviceConstraintKind::kAttach) {
      const Quat q = poses.q[constraint.body[1]];
      r[1] = r[1] + kernels::rotate(kernels::widen(q), kernels::widen(constraint.anchor));
      size = static_cast<double>(slots_[constraint.set].of->radius);
    }
    double off = kernels::measure(law.kind, r).value - static_cast<double>(constraint.rest);
    if (law.kind == DeviceConstraintKind::kBend) {
      off = std::remainder(off, 2 * std::numbers::pi);
      size = 1;
    }
    const bool slack = law.unilateral != 0 && off <= 0 && impulses[at] == 0.0f;
    if (!slack) residuals[i] = static_cast<float>(relative(off + bears, std::abs(size)));
  }
  return residuals;
}

std::vector<float> ParticleFeature::residuals() {
  world_.synchronise();
  const kernels::Bodies& b = world_.arrays.bodies.view();
  const std::size_t n = world_.slots.size();
  const auto x = world_.read(b.x, n), low = world_.read(b.x_low, n);
  ConstraintPoses poses;
  poses.q = world_.read(b.q, n);
  for (std::size_t i = 0; i < x.size(); ++i) poses.x.push_back(kernels::widen(x[i]) + kernels::widen(low[i]));
  return constraints.residuals(world_.last_h, poses);
}

std::vector<float> WorldParticles::constraint_residuals(ParticlesHandle set) const {
  return world_.call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = world_.particles.at(set);
    std::vector<float> residuals(count_constraints(*slot.of));
    const std::vector<float> all = world_.particles.residuals();
    for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = std::max(all[slot.first + i], 0.0f);
    return residuals;
  });
}

ConstraintResidual ParticleFeature::residual(std::optional<std::uint32_t> world) {
  ConstraintResidual all;
  double sum = 0;
  if (constraints.empty()) return all;
  const std::vector<float> found = residuals();
  for (const ParticlesSlot& slot : constraints.all()) {
    if (world && slot.world != *world) continue;
    for (std::size_t i = 0; i < count_constraints(*slot.of); ++i) {
      const float r = found[slot.first + i];
      if (r < 0) continue;
      all.constraints += 1;
      all.max = std::max(all.max, r);
      sum += static_cast<double>(r);
    }
  }
  if (all.constraints != 0) all.mean = static_cast<float>(sum / all.constraints);
  return all;
}

ConstraintResidual WorldParticles::constraint_residual() const {
  return world_.call([&]() -> ConstraintResidual { return world_.particles.residual(std::nullopt); });
}

ConstraintResidual WorldParticles::constraint_residual(std::uint32_t world) const {
  return world_.call([&]() -> ConstraintResidual {
    world_.world_at(world);
    return world_.particles.residual(world);
  });
}

}  // namespace cairn
