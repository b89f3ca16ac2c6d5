// The fields of particles, instantiated for CUDA devices.

#include "src/fields/body_forces.inl"
#include "src/fields/cuda_processor.cuh"
#include "src/fields/solver.inl"

namespace cairn::ode {

std::unique_ptr<ParticleSystem::Solver> make_cuda_solver(const Device& device, Precision precision,
                                                         std::uint32_t count) {
  if (precision == Precision::kFloat) return std::make_unique<SolverOn<CudaProcessor, float>>(device, count);
  return std::make_unique<SolverOn<CudaProcessor, double>>(device, count);
}

std::unique_ptr<BodyForces> make_cuda_forces(const Device& device, void* stream, Precision precision,
                                             const BodyRows& rows) {
  if (precision == Precision::kFloat) return std::make_unique<BodyForcesOn<CudaProcessor, float>>(device, stream, rows);
  return std::make_unique<BodyForcesOn<CudaProcessor, double>>(device, stream, rows);
}

}  // namespace cairn::ode
