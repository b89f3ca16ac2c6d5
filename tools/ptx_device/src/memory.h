#pragma once
// Device memory. Addresses of the device lie in a protected range of the process; the bytes lie elsewhere, at a
// constant distance. So host code that follows a device pointer faults at once, and every allocation has its own
// addresses: freed ones aren't used again.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ptxdev {

enum class Home : std::uint8_t { kDevice, kVariable, kPinned };

/// A range of addresses that kernels may touch.
struct Range {
  std::uint64_t begin{0}, end{0};
  std::uint64_t shift{0};  ///< to the bytes: host = address + shift
  Home home{Home::kDevice};
  std::uint64_t serial{0};
  bool live{true};
  bool fresh{true};                         ///< not written since it was allocated
  std::string name;                         ///< of a variable
  std::unique_ptr<std::uint8_t[]> written;  ///< a byte each, for the check of reads
};

class DeviceMemory {
 public:
  static DeviceMemory& get();

  /// Returns 0 if there is no space. Filled with poison.
  std::uint64_t allocate(std::uint64_t bytes, Home home, const std::string& name = {});
  /// False if it isn't the beginning of a live allocation.
  bool release(std::uint64_t address);

  std::uint64_t allocate_pinned(std::uint64_t bytes);
  bool release_pinned(std::uint64_t address);
  void pin(std::uint64_t address, std::uint64_t bytes);

  /// The live range that contains the address, or null.
  Range* find(std::uint64_t address);
  /// True for addresses that only a device may access, live or not.
  bool is_device(std::uint64_t address) const { return address - base_ < kSpan; }
  /// The allocation nearest to an address, in words.
  std::string describe(std::uint64_t address);

  std::uint64_t used() const { return used_; }
  std::uint64_t alive() const { return alive_; }  ///< [1] unreleased ones, page-locked ones included
  std::uint64_t total() const { return total_; }

  /// [bytes] of a live range for the host; null if they aren't all in one.
  void* bytes_of(std::uint64_t address, std::uint64_t bytes, Range** range = nullptr);
  static void note_write(Range& range, std::uint64_t address, std::uint64_t bytes);

  std::uint64_t base() const { return base_; }
  std::uint64_t shift() const { return shift_; }

  static constexpr std::uint64_t kSpan = std::uint64_t{1} << 40;
  static constexpr int kPoison = 0xA5;

 private:
  DeviceMemory();
  std::uint64_t base_{0}, shift_{0}, next_{0}, used_{0}, total_{0}, serial_{0}, alive_{0};
  std::map<std::uint64_t, Range> ranges_;  // by their beginning
  std::array<Range*, 8> recent_{};         // found last
  std::size_t next_recent_{0};
};

}  // namespace ptxdev
