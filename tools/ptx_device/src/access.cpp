#include "access.h"

#include <cstdio>

#include "options.h"
#include "race.h"

namespace ptxdev {

bool checking = false;
bool reverse_lanes = false;

namespace {

std::string hex(std::uint64_t v) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

const char* verb(Access access) {
  return access == Access::kRead ? "read" : access == Access::kWrite ? "write" : "atomic operation";
}

std::string words(Access access, std::uint32_t bytes) {
  return std::string(verb(access)) + " of " + std::to_string(bytes) + " bytes";
}

void require_aligned(const Warp& w, const Instr& in, int lane, std::uint64_t address, std::uint32_t bytes,
                     Access access, const char* space) {
  if ((address & (bytes - 1)) == 0) return;
  fault(w, in, lane, "misaligned " + words(access, bytes) + " at " + space + " address " + hex(address));
}

}  // namespace

std::uint8_t* resolve(Warp& w, const Instr& in, int lane, std::uint64_t address, std::uint32_t bytes, Access access) {
  if (in.space == Space::kGeneric) {
    if (address - kLocalWindow < kWindow) return resolve_local(w, in, lane, address - kLocalWindow, bytes);
    if (address - kSharedWindow < kWindow) {
      if (!checking) w.near(in) = w.all_shared(in, kSharedWindow);
      return resolve_shared(w, in, lane, address - kSharedWindow, bytes, access);
    }
    if (address - kParamWindow < kWindow) {
      auto& params = w.launch->params;
      if (!checking)
        w.near(in) = {kParamWindow, params.size(), reinterpret_cast<std::uint64_t>(params.data()) - kParamWindow, &in};
      return resolve_param(w, in, lane, address - kParamWindow, bytes);
    }
  }
  DeviceMemory& memory = DeviceMemory::get();
  Range* range = memory.find(address);
  if (range == nullptr || range->end - address < bytes) {
    fault(w, in, lane,
          words(access, bytes) + " outside of all allocations at " + hex(address) + ": " + memory.describe(address));
  }
  require_aligned(w, in, lane, address, bytes, access, "global");
  if (access != Access::kRead) range->fresh = false;
  if (!checking) {
    w.near(in) = {range->begin, range->end - range->begin, range->shift, &in};
  } else {
    if (range->written) {
      std::uint8_t* written = range->written.get() + (address - range->begin);
      if (access != Access::kWrite) {
        for (std::uint32_t i = 0; i < bytes; ++i) {
          if (written[i] != 0) continue;
          finding(w, in, lane,
                  "read of memory that nobody wrote, at " + hex(address + i) + ": " + memory.describe(address + i));
          break;
        }
      }
      if (access != Access::kRead) {
        for (std::uint32_t i = 0; i < bytes; ++i) written[i] = 1;
      }
    }
    if (w.launch->races != nullptr) {
      w.launch->races->global(w, in, lane, address, reinterpret_cast<std::uint8_t*>(address + range->shift), bytes,
                              access);
    }
  }
  return reinterpret_cast<std::uint8_t*>(address + range->shift);
}

std::uint8_t* resolve_shared(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes,
                             Access access) {
  if (offset >= w.shared_bytes || w.shared_bytes - offset < bytes) {
    fault(w, in, lane,
          words(access, bytes) + " at offset " + hex(offset) + " of shared memory, which has " +
              std::to_string(w.shared_bytes) + " bytes");
  }
  require_aligned(w, in, lane, offset, bytes, access, "shared");
  if (w.launch->races != nullptr) w.launch->races->shared(w, in, lane, offset, w.shared + offset, bytes, access);
  return w.shared + offset;
}

std::uint8_t* resolve_local(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes) {
  if (offset >= w.local_bytes || w.local_bytes - offset < bytes) {
    fault(w, in, lane,
          "access of " + std::to_string(bytes) + " bytes at offset " + hex(offset) + " of local memory, which has " +
              std::to_string(w.local_bytes) + " bytes a thread");
  }
  require_aligned(w, in, lane, offset, bytes, Access::kRead, "local");
  w.interleaved = true;
  return w.local.data() + (offset / 8) * (8 * kLanes) + static_cast<std::size_t>(lane) * 8 + offset % 8;
}

std::uint8_t* resolve_param(Warp& w, const Instr& in, int lane, std::uint64_t offset, std::uint32_t bytes) {
  auto& params = w.launch->params;
  if (offset >= params.size() || params.size() - offset < bytes) {
    fault(w, in, lane,
          "access of " + std::to_string(bytes) + " bytes at offset " + hex(offset) + " of the parameters, which have " +
              std::to_string(params.size()) + " bytes");
  }
  require_aligned(w, in, lane, offset, bytes, Access::kRead, "parameter");
  return params.data() + offset;
}

}  // namespace ptxdev
