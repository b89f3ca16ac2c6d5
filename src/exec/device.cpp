#include "cairn/device.h"

#include <charconv>
#include <cstring>
#include <thread>

#include <unistd.h>

#include "cairn/errors.h"
#include "src/exec/backend.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace cairn {
namespace {

std::string cpu_model() {
#if defined(__x86_64__)
  // three leaves of 16 characters each
  constexpr unsigned kFirstLeaf = 0x80000002u;
  unsigned registers[12] = {};
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned* r = registers + 4 * leaf;
    if (__get_cpuid(kFirstLeaf + leaf, r, r + 1, r + 2, r + 3) == 0) return "CPU";
  }
  char text[sizeof registers + 1] = {};
  std::memcpy(text, registers, sizeof registers);
  const std::string model = text;
  const std::size_t first = model.find_first_not_of(' ');
  if (first != std::string::npos) return model.substr(first, model.find_last_not_of(' ') + 1 - first);
#endif
  return "CPU";
}

/// [B] 0 if the system doesn't report it.
std::uint64_t host_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

std::string list_of(const std::vector<DeviceInfo>& infos) {
  std::string names;
  for (const DeviceInfo& info : infos) names += (names.empty() ? "" : ", ") + info.device.name();
  return names;
}

}  // namespace

Device Device::best() {
  const std::vector<DeviceInfo> cuda = exec::cuda_devices();
  return cuda.empty() ? Device::cpu() : cuda.front().device;
}

Device Device::parse(const std::string& text, int threads) {
  if (text == "cpu") return Device::cpu(threads);
  if (text == "best") {
    Device device = best();
    if (device.kind == Kind::kCpu) device.threads = threads;
    return device;
  }
  const std::string prefix = "cuda";
  if (text.compare(0, prefix.size(), prefix) == 0 && (text.size() == prefix.size() || text[prefix.size()] == ':')) {
    int index = 0;
    const char* const end = text.data() + text.size();
    if (text.size() > prefix.size()) {
      const auto [parsed, error] = std::from_chars(text.data() + prefix.size() + 1, end, index);
      if (error != std::errc{} || parsed != end) index = -1;
    }
    if (index >= 0) {
      if (!built_with_cuda()) throw DeviceError("device '" + text + "': this build has no CUDA backend");
      for (const DeviceInfo& info : exec::cuda_devices()) {
        if (info.device.index == index) return info.device;
      }
      throw DeviceError("device '" + text + "' isn't there or can't run this build; there is " + list_of(devices()));
    }
  }
  throw DeviceError("device '" + text + "' must be cpu, cuda, cuda:<number> or best");
}

std::string Device::name() const { return kind == Kind::kCpu ? "cpu" : "cuda:" + std::to_string(index); }

std::vector<DeviceInfo> devices() {
  const unsigned threads = std::thread::hardware_concurrency();
  std::vector<DeviceInfo> found{
      {Device::cpu(), cpu_model() + ", " + std::to_string(threads) + " hardware threads", "", host_memory()}};
  for (DeviceInfo& info : exec::cuda_devices()) found.push_back(std::move(info));
  return found;
}

DeviceInfo describe(const Device& device) {
  for (DeviceInfo& info : devices()) {
    if (info.device.kind == device.kind && info.device.index == device.index) return std::move(info);
  }
  throw DeviceError("device '" + device.name() + "' isn't there or can't run this build; there is " +
                    list_of(devices()));
}

bool built_with_cuda() {
#if defined(CAIRN_WITH_CUDA)
  return true;
#else
  return false;
#endif
}

}  // namespace cairn
