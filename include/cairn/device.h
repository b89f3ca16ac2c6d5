#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn {

/// The processor that a World lives on, chosen at run time. The same scene gives the same bits on every one of them.
struct Device {
  enum class Kind { kCpu, kCuda };
  Kind kind{Kind::kCpu};
  int index{0};    ///< CUDA device number; 0 for the CPU
  int threads{0};  ///< CPU threads, 1..256; 0 takes the hardware's count. Ignored by CUDA

  static Device cpu(int threads = 0) { return {Kind::kCpu, 0, threads}; }
  static Device cuda(int index = 0) { return {Kind::kCuda, index, 0}; }

  /// The first CUDA device that this build can run on, or else the CPU.
  static Device best();

  /// Reads "cpu", "cuda", "cuda:1" or "best". Throws DeviceError, naming the text, if it is none of these or isn't
  /// there.
  static Device parse(const std::string& text, int threads = 0);

  /// "cpu" or "cuda:i".
  std::string name() const;
};

/// One line about a device on this machine.
struct DeviceInfo {
  Device device;
  std::string description;  ///< model name, and for CUDA compute capability and memory
  std::string driver;       ///< for CUDA, the driver's version where it is known; empty for the CPU
  std::uint64_t memory{0};  ///< [B] in all; 0 where the system doesn't say
};

/// The CPU first, then every usable CUDA device.
std::vector<DeviceInfo> devices();

/// What is known of one device. Throws DeviceError if it isn't there.
DeviceInfo describe(const Device& device);

/// True if this build has the CUDA backend, whether or not the machine has a device.
bool built_with_cuda();

}  // namespace cairn
