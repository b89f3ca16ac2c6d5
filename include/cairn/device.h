#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/attributes.h"

namespace cairn {

/// The processor of a World, chosen at run time. The same scene gives the same bits on each.
struct Device {
  enum class Kind { kCpu, kCuda };
  Kind kind{Kind::kCpu};
  int index{0};
  int threads{0};

  static Device cpu(int threads = 0) { return {Kind::kCpu, 0, threads}; }
  static Device cuda(int index = 0) { return {Kind::kCuda, index, 0}; }

  /// The first CUDA device that this build can run on, or else the CPU.
  static Device best();

  /// Reads "cpu", "cuda", "cuda:1" or "best". Throws DeviceError, naming the text, for other text and for a device that
  /// isn't there.
  static Device parse(const std::string& text, int threads = 0);

  /// "cpu" or "cuda:i".
  std::string name() const;
};

template <>
struct EnumWords<Device::Kind> : WordsUpTo<Device::Kind::kCuda> {};
template <Same<Device> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::kind>({}), attribute<&S::index>({.meaning = "CUDA device number; 0 for the CPU"}),
    attribute<&S::threads>({.meaning = "CPU threads, 1..256; 0 takes the hardware's count. Ignored by CUDA"})};

/// One line about a device on this machine.
struct DeviceInfo {
  Device device;
  std::string description;
  std::string driver;
  std::uint64_t memory{0};
};

template <Same<DeviceInfo> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::device>({}),
    attribute<&S::description>({.meaning = "model name, and for CUDA compute capability and memory"}),
    attribute<&S::driver>({.meaning = "for CUDA, the driver's version where it is known; empty for the CPU"}),
    attribute<&S::memory>({.unit = "B", .meaning = "in all; 0 where the system doesn't say"})};

/// The CPU first, then every usable CUDA device.
std::vector<DeviceInfo> devices();

/// Information on one device. Throws DeviceError if it isn't there.
DeviceInfo describe(const Device& device);

/// True if this build has the CUDA backend, whether or not the machine has a CUDA device.
bool built_with_cuda();

}  // namespace cairn
