#pragma once
// A ParticleSystem, and fields on bodies of a World, on one processor, in one precision.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/particle_system.h"
#include "kernels/fields/field_bodies.h"

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

/// Rows of bodies, world by world.
struct BodyRows {
  std::vector<std::uint32_t> slot;   ///< [1]  (rows)
  std::vector<double> mass;          ///< [kg] (rows) of bodies that aren't dynamic
  std::vector<std::uint32_t> begin;  ///< [1]  (worlds + 1)
};

class BodyForces {
 public:
  virtual ~BodyForces() = default;
  virtual void add(const Field& field) = 0;
  virtual void add(const fields::Any& field) = 0;
  virtual void clear_fields() = 0;
  /// Enqueues the forces on bodies in their present states, in worlds at these times [s].
  virtual kernels::BodyPushes find(const kernels::Bodies& bodies, std::span<const double> times) = 0;
  /// [N] (rows) The last result.
  virtual std::vector<Vec3d> found() = 0;
};

std::unique_ptr<BodyForces> make_cpu_forces(const Device& device, Precision precision, const BodyRows& rows);
/// On a stream (cudaStream_t). In builds without CUDA it throws DeviceError.
std::unique_ptr<BodyForces> make_cuda_forces(const Device& device, void* stream, Precision precision,
                                             const BodyRows& rows);

/// Throws InvalidArgument, naming member and value, for an invalid field of `count` particles.
void check(const fields::Any& field, std::uint32_t count);

}  // namespace ode
}  // namespace cairn
