// The fields of particles, instantiated for the CPU.

#include "src/exec/usable_cpu.h"
#include "src/fields/body_forces.inl"
#include "src/fields/cpu_processor.h"
#include "src/fields/solver.inl"

namespace cairn::ode {
namespace {

Device usable(Device device) {
  if (device.threads == 0) device.threads = exec::ThreadPool::hardware_threads();
  exec::check_usable_cpu(device.threads);
  return device;
}

}  // namespace

std::unique_ptr<ParticleSystem::Solver> make_cpu_solver(const Device& device, Precision precision,
                                                        std::uint32_t count) {
  const Device on = usable(device);
  if (precision == Precision::kFloat) return std::make_unique<SolverOn<CpuProcessor, float>>(on, count);
  return std::make_unique<SolverOn<CpuProcessor, double>>(on, count);
}

std::unique_ptr<BodyForces> make_cpu_forces(const Device& device, Precision precision, const BodyRows& rows) {
  const Device on = usable(device);
  if (precision == Precision::kFloat) return std::make_unique<BodyForcesOn<CpuProcessor, float>>(on, nullptr, rows);
  return std::make_unique<BodyForcesOn<CpuProcessor, double>>(on, nullptr, rows);
}

}  // namespace cairn::ode
