// Builds without CUDA: a clear answer to whoever asks for a device.

#include <string>

#include "cairn/errors.h"
#include "src/field/solver.h"

namespace cairn::ode {

std::unique_ptr<ParticleSystem::Solver> make_cuda_solver(const Device& device, Precision, std::uint32_t) {
  throw DeviceError(device.name() + ": this build has no CUDA backend (configure with -DCAIRN_CUDA=ON)");
}

}  // namespace cairn::ode
