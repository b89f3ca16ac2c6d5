#pragma once
// A ParticleSystem on one processor, in one precision.

#include <memory>
#include <optional>

#include "cairn/particle_system.h"

namespace cairn {

class ParticleSystem::Solver {
 public:
  Solver(const Device& on, Precision in, std::uint32_t n) : device(on), precision(in), count(n) {}
  virtual ~Solver() = default;
  virtual void add(const Field& field) = 0;
  virtual void add(const fields::Any& field) = 0;
  virtual void clear_fields() = 0;
  virtual void write(const ParticleStates& states) = 0;
  virtual ParticleStates read() = 0;
  virtual ParticleRates rates() = 0;
  virtual IntegrationReport integrate(double t1, double h, Integrator method, const Event* event,
                                      const ImplicitParams& params) = 0;
  virtual double kinetic_energy() = 0;
  virtual double potential_energy() = 0;
  virtual Vec3d momentum() = 0;
  virtual std::uint64_t hash() = 0;

  const Device device;
  const Precision precision;
  const std::uint32_t count;
  double time{0};  ///< [s]
};

namespace ode {

std::unique_ptr<ParticleSystem::Solver> make_cpu_solver(const Device& device, Precision precision, std::uint32_t count);
/// In builds without CUDA (src/fields/solver_nocuda.cpp) it throws DeviceError.
std::unique_ptr<ParticleSystem::Solver> make_cuda_solver(const Device& device, Precision precision,
                                                         std::uint32_t count);

/// Throws InvalidArgument, naming member and value, for an invalid field of `count` particles.
void check(const fields::Any& field, std::uint32_t count);

}  // namespace ode
}  // namespace cairn
