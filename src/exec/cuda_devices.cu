// The CUDA devices of this machine that this build can run on.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "cairn/errors.h"
#include "src/exec/backend.h"
#include "src/exec/cuda_memory.cuh"

namespace cairn::exec {
namespace {

// compute capabilities that this build has code for, as __CUDA_ARCH__ numbers
constexpr int kArchitectures[] = {__CUDA_ARCH_LIST__};
constexpr int kMinArchitecture = *std::min_element(std::begin(kArchitectures), std::end(kArchitectures));

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// Stands for all kernels of this build: they are compiled for the same architectures.
__global__ void any_kernel() {}

/// True if the driver finds code for the device, or can compile it.
bool has_code(int device) {
  const OnDevice on(device);
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, any_kernel) == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

bool usable(int device) {
  const int architecture = 100 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
                           10 * attribute(cudaDevAttrComputeCapabilityMinor, device);
  return architecture >= kMinArchitecture &&
         attribute(cudaDevAttrComputeMode, device) != static_cast<int>(cudaComputeModeProhibited) && has_code(device);
}

std::string dotted(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); }

std::string description_of(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return std::string(properties.name) + ", compute capability " + dotted(properties.major, properties.minor) + ", " +
         std::to_string(properties.totalGlobalMem >> 20) + " MiB, driver for CUDA " +
         dotted(driver / 1000, driver % 1000 / 10);
}

/// From the kernel's driver, or else the CUDA version that the driver supports.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  bool of_the_module = false;
  while (file >> word) {
    of_the_module = of_the_module || word == "Module";
    if (of_the_module && word.find('.') != std::string::npos && word[0] >= '0' && word[0] <= '9') return word;
  }
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return "for CUDA " + dotted(driver / 1000, driver % 1000 / 10);
}

std::uint64_t device_memory(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties.totalGlobalMem;
}

/// 0 without a driver, with one too old, or without a device.
int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

}  // namespace

std::vector<DeviceInfo> cuda_devices() {
  std::vector<DeviceInfo> found;
  for (int i = 0; i < device_count(); ++i) {
    try {
      if (usable(i)) found.push_back({Device::cuda(i), description_of(i), driver_version(), device_memory(i)});
    } catch (const DeviceError&) {
      // a device that can't be queried can't be used either
    }
  }
  return found;
}

void check_usable(int index) {
  const int count = device_count();
  if (index < 0 || index >= count) {
    throw DeviceError("cuda:" + std::to_string(index) + ": there is no such device; CUDA sees " +
                      std::to_string(count));
  }
  if (!usable(index)) {
    throw DeviceError("cuda:" + std::to_string(index) + " (" + description_of(index) +
                      ") can't run this build, whose code begins at compute capability " +
                      dotted(kMinArchitecture / 100, kMinArchitecture % 100 / 10));
  }
}

}  // namespace cairn::exec
