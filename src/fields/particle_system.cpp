// Input checks of ParticleSystem; its Solver does the rest.

#include "cairn/particle_system.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "cairn/errors.h"
#include "src/fields/solver.h"
#include "src/scene/field_rules.h"

namespace cairn {
namespace {

std::string number(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

/// True for numbers that are finite in this precision.
bool fits(double value, Precision precision) {
  return std::isfinite(precision == Precision::kFloat ? static_cast<double>(static_cast<float>(value)) : value);
}

void check_vectors(const char* name, const std::vector<Vec3d>& vectors, Precision precision) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Vec3d& v = vectors[i];
    if (fits(v.x, precision) && fits(v.y, precision) && fits(v.z, precision)) continue;
    throw InvalidArgument(std::string("ParticleStates::") + name + "[" + std::to_string(i) + "] must be finite, is (" +
                          number(v.x) + ", " + number(v.y) + ", " + number(v.z) + ")");
  }
}

void check_size(const char* name, std::size_t size, std::size_t count) {
  if (size == count) return;
  throw InvalidArgument(std::string("ParticleStates::") + name + " must have an entry for each of " +
                        std::to_string(count) + " particles, has " + std::to_string(size));
}

void check(const ParticleStates& s, std::size_t count, Precision precision) {
  check_size("position", s.position.size(), count);
  if (!s.velocity.empty()) check_size("velocity", s.velocity.size(), count);
  if (!s.mass.empty()) check_size("mass", s.mass.size(), count);
  if (!s.held.empty()) check_size("held", s.held.size(), count);
  check_vectors("position", s.position, precision);
  check_vectors("velocity", s.velocity, precision);
  for (std::size_t i = 0; i < s.mass.size(); ++i) {
    const double m = s.mass[i], kept = precision == Precision::kFloat ? static_cast<double>(static_cast<float>(m)) : m;
    if (kept > 0 && std::isfinite(kept) && fits(1 / kept, precision)) continue;
    throw InvalidArgument("ParticleStates::mass[" + std::to_string(i) +
                          "] must be finite and over 0, and so must its " + "inverse, is " + number(m));
  }
}

/// Particles are numbered in 32 bits; one number stands for none.
std::uint32_t checked_count(std::size_t count) {
  if (count < (std::size_t{1} << 31)) return static_cast<std::uint32_t>(count);
  throw InvalidArgument("ParticleStates::position must have less than 2^31 entries, has " + std::to_string(count));
}

}  // namespace

ParticleSystem::ParticleSystem(const ParticleStates& states, const Device& device, Precision precision) {
  const std::uint32_t count = checked_count(states.position.size());
  check(states, count, precision);
  solver_ = device.kind == Device::Kind::kCpu ? ode::make_cpu_solver(device, precision, count)
                                              : ode::make_cuda_solver(device, precision, count);
  solver_->write(states);
}
ParticleSystem::~ParticleSystem() = default;
ParticleSystem::ParticleSystem(ParticleSystem&&) noexcept = default;
ParticleSystem& ParticleSystem::operator=(ParticleSystem&&) noexcept = default;

void ParticleSystem::add(const Field& field) { solver_->add(field); }
void ParticleSystem::add(const fields::Any& field) {
  ode::check(field, count());
  solver_->add(field);
}
void ParticleSystem::clear_fields() { solver_->clear_fields(); }

std::uint32_t ParticleSystem::count() const { return solver_->count; }
double ParticleSystem::time() const { return solver_->time; }
Precision ParticleSystem::precision() const { return solver_->precision; }
const Device& ParticleSystem::device() const { return solver_->device; }

ParticleStates ParticleSystem::state() const { return solver_->read(); }
void ParticleSystem::set_state(const ParticleStates& states) {
  check(states, count(), precision());
  solver_->write(states);
}
void ParticleSystem::set_time(double time) {
  if (!std::isfinite(time)) throw InvalidArgument("ParticleSystem::set_time: time must be finite, is " + number(time));
  solver_->time = time;
}
ParticleRates ParticleSystem::rates() { return solver_->rates(); }

IntegrationReport ParticleSystem::integrate(double t1, double h, Integrator method, const std::optional<Event>& event,
                                            const ImplicitParams& params) {
  // with more steps, their number and times would no longer be exact
  constexpr double kMaxSteps = 0x1p50;
  const std::string who = "ParticleSystem::integrate: ";
  if (!std::isfinite(t1) || t1 < time()) {
    throw InvalidArgument(who + "t1 must be finite and at least time(), " + number(time()) + ", is " + number(t1));
  }
  if (!(h > 0) || !std::isfinite(h)) throw InvalidArgument(who + "h must be finite and over 0, is " + number(h));
  if ((t1 - time()) / h > kMaxSteps) throw InvalidArgument(who + "h must be longer for this time, is " + number(h));
  if (event && !(event->tolerance > 0)) {
    throw InvalidArgument(who + "Event::tolerance must be over 0, is " + number(event->tolerance));
  }
  if (!(params.tolerance >= 0) || !std::isfinite(params.tolerance)) {
    throw InvalidArgument(who + "ImplicitParams::tolerance must be finite and at least 0, is " +
                          number(params.tolerance));
  }
  return solver_->integrate(t1, h, method, event ? &*event : nullptr, params);
}

double ParticleSystem::kinetic_energy() { return solver_->kinetic_energy(); }
double ParticleSystem::potential_energy() { return solver_->potential_energy(); }
Vec3d ParticleSystem::momentum() { return solver_->momentum(); }
std::uint64_t ParticleSystem::state_hash() const { return solver_->hash(); }

namespace ode {

void check(const fields::Any& field, std::uint32_t count) {
  const auto fault = rules::find_fault(field, count);
  if (!fault) return;
  throw InvalidArgument("fields::" + rules::name_of(field) + "::" + fault->field + " " + fault->rule);
}

}  // namespace ode
}  // namespace cairn
