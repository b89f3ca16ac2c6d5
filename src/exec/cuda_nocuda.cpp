// Builds without CUDA: no devices, and a clear error for requests.

#include <string>

#include "cairn/errors.h"
#include "src/exec/backend.h"

namespace cairn::exec {

std::vector<DeviceInfo> cuda_devices() { return {}; }

std::unique_ptr<Backend> make_cuda_backend(int index, void*) {
  throw DeviceError("cuda:" + std::to_string(index) +
                    ": this build has no CUDA backend (configure with -DCAIRN_CUDA=ON)");
}

}  // namespace cairn::exec
