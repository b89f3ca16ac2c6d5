// The fields of particles, instantiated for the CPU.

#include "src/exec/usable_cpu.h"
#include "src/field/cpu_processor.h"
#include "src/field/solver.inl"

namespace cairn::ode {

std::unique_ptr<ParticleSystem::Solver> make_cpu_solver(const Device& device, Precision precision,
                                                        std::uint32_t count) {
  Device on = device;
  if (on.threads == 0) on.threads = exec::ThreadPool::hardware_threads();
  exec::check_usable_cpu(on.threads);
  if (precision == Precision::kFloat) return std::make_unique<SolverOn<CpuProcessor, float>>(on, count);
  return std::make_unique<SolverOn<CpuProcessor, double>>(on, count);
}

}  // namespace cairn::ode
