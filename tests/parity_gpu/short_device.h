#pragma once
// A CUDA device that runs out of memory when it is told to, as tools/ptx_device does. It is asked by functions that it
// alone has, so that these tests skip on others; with a real device
// ctest leaves them out.

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace cairn::parity {

/// The device gives `allowed` allocations and refuses the next, or all after it too, unless this goes out of scope
/// first: testing_support::ShortHeap for a device.
class ShortDevice {
 public:
  explicit ShortDevice(int allowed, bool stays_full = false) : allowed_(allowed) {
    fail()(allowed, stays_full ? 1 : 0);
  }
  ~ShortDevice() {
    failed_ = function<unsigned long long()>("ptx_device_failed_allocations")() != 0;
    taken_ = allowed_ - static_cast<int>(fail()(-1, 0));
  }
  ShortDevice(const ShortDevice&) = delete;
  ShortDevice& operator=(const ShortDevice&) = delete;

  static bool available() { return fail() != nullptr; }
  static bool failed() { return failed_; }  ///< under the last of these
  static int taken() { return taken_; }     ///< [1] allocations, under the last of these, if none failed
  /// [1] Allocations, streams, events and graphs that weren't given back.
  static unsigned long long alive() { return function<unsigned long long()>("ptx_device_alive")(); }

 private:
  template <class F>
  static F* function(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
  }
  static long long (*fail())(long long, int) {
    return function<long long(long long, int)>("ptx_device_fail_allocation");
  }
  static inline bool failed_{false};
  static inline int taken_{0};  ///< [1]
  int allowed_;                 ///< [1]
};

}  // namespace cairn::parity
