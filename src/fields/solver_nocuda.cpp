// Builds without CUDA: a clear error for requests of a device.

#include <string>

#include "cairn/errors.h"
#include "src/fields/solver.h"

namespace cairn::ode {
namespace {

[[noreturn]] void refuse(const Device& device) {
  throw DeviceError(device.name() + ": this build has no CUDA backend (configure with -DCAIRN_CUDA=ON)");
}

}  // namespace

std::unique_ptr<ParticleSystem::Solver> make_cuda_solver(const Device& device, Precision, std::uint32_t) {
  refuse(device);
}

std::unique_ptr<BodyForces> make_cuda_forces(const Device& device, void*, Precision, const BodyRows&) {
  refuse(device);
}

}  // namespace cairn::ode
