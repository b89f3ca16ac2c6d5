#pragma once

#include <cstring>
#include <new>
#include <string>

#include "cairn/errors.h"
#include "src/exec/memory.h"

namespace cairn::exec {

/// The host's own memory.
class CpuMemory final : public Memory {
 public:
  void* allocate(std::size_t bytes) override {
    void* data = ::operator new(bytes, std::align_val_t{kAlign}, std::nothrow);
    if (data == nullptr) throw CapacityError("out of memory: " + std::to_string(bytes) + " bytes could not be allocated on the CPU");
    std::memset(data, 0, bytes);
    return data;
  }
  void release(void* data) noexcept override { ::operator delete(data, std::align_val_t{kAlign}); }
  void upload(void* device, const void* host, std::size_t bytes) override { copy(device, host, bytes); }
  void download(void* host, const void* device, std::size_t bytes) override { copy(host, device, bytes); }
  // no bytes have no address, and memcpy refuses null even then
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }
  void zero(void* data, std::size_t bytes) override {
    if (bytes != 0) std::memset(data, 0, bytes);
  }

 private:
  static constexpr std::size_t kAlign = 256;
};

}  // namespace cairn::exec
