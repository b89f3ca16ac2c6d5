#include "memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "options.h"

namespace ptxdev {
namespace {

// between allocations, so that an access past an end hits none
constexpr std::uint64_t kGap = 4096;
constexpr std::uint64_t kAlign = 256;

DeviceMemory* the_memory = nullptr;
struct sigaction former_action;

/// Prints the cause of a fault, then lets the process die of it.
void on_fault(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (the_memory != nullptr && the_memory->is_device(address)) {
    std::fprintf(stderr, "ptx-device: HOST CODE touched device memory at 0x%llx: %s\n",
                 static_cast<unsigned long long>(address), the_memory->describe(address).c_str());
  }
  sigaction(signal, &former_action, nullptr);
}

std::uint64_t reserve(std::uint64_t bytes, int protection) {
  void* at = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    std::perror("ptx-device: mmap");
    std::abort();
  }
  return reinterpret_cast<std::uint64_t>(at);
}

}  // namespace

DeviceMemory& DeviceMemory::get() {
  static DeviceMemory* memory = new DeviceMemory;  // outlives all exit handlers
  return *memory;
}

DeviceMemory::DeviceMemory() {
  base_ = reserve(kSpan, PROT_NONE);
  const std::uint64_t bytes = reserve(kSpan, PROT_READ | PROT_WRITE);
  shift_ = bytes - base_;
  next_ = base_ + (std::uint64_t{1} << 30);
  total_ = options().memory;
  the_memory = this;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &former_action);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes, Home home, const std::string& name) {
  if (bytes > total_ || used_ + bytes > total_) return 0;
  const std::uint64_t at = (next_ + kGap + kAlign - 1) / kAlign * kAlign;
  if (at + bytes + kGap > base_ + kSpan) return 0;
  next_ = at + bytes;
  used_ += bytes;
  if (home == Home::kDevice) ++alive_;
  Range range;
  range.begin = at;
  range.end = at + bytes;
  range.shift = shift_;
  range.home = home;
  range.serial = ++serial_;
  range.name = name;
  std::memset(reinterpret_cast<void*>(at + shift_), kPoison, bytes);
  if (options().initcheck) range.written = std::make_unique<std::uint8_t[]>(bytes);
  ranges_.emplace(at, std::move(range));
  return at;
}

bool DeviceMemory::release(std::uint64_t address) {
  const auto found = ranges_.find(address);
  if (found == ranges_.end() || !found->second.live || found->second.home != Home::kDevice) return false;
  Range& range = found->second;
  range.live = false;
  range.written.reset();
  const std::uint64_t bytes = range.end - range.begin;
  used_ -= bytes;
  --alive_;
  // whole pages return to the system
  const std::uint64_t page = 4096, first = (range.begin + shift_ + page - 1) / page * page;
  const std::uint64_t last = (range.end + shift_) / page * page;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  return true;
}

std::uint64_t DeviceMemory::allocate_pinned(std::uint64_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, 4096, bytes == 0 ? 1 : bytes) != 0) return 0;
  std::memset(data, kPoison, bytes);
  pin(reinterpret_cast<std::uint64_t>(data), bytes);
  return reinterpret_cast<std::uint64_t>(data);
}

void DeviceMemory::pin(std::uint64_t address, std::uint64_t bytes) {
  Range range;
  range.begin = address;
  range.end = address + bytes;
  range.home = Home::kPinned;
  range.serial = ++serial_;
  ++alive_;
  ranges_[address] = std::move(range);
}

bool DeviceMemory::release_pinned(std::uint64_t address) {
  const auto found = ranges_.find(address);
  if (found == ranges_.end() || found->second.home != Home::kPinned) return false;
  recent_ = {};
  --alive_;
  ranges_.erase(found);
  return true;
}

Range* DeviceMemory::find(std::uint64_t address) {
  for (Range* range : recent_) {
    if (range != nullptr && address - range->begin < range->end - range->begin && range->live) return range;
  }
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  Range& range = std::prev(after)->second;
  if (!range.live || address >= range.end) return nullptr;
  recent_[next_recent_++ % recent_.size()] = &range;
  return &range;
}

void* DeviceMemory::bytes_of(std::uint64_t address, std::uint64_t bytes, Range** range) {
  Range* found = find(address);
  if (found == nullptr || bytes > found->end - address) return nullptr;
  if (range != nullptr) *range = found;
  return reinterpret_cast<void*>(address + found->shift);
}

void DeviceMemory::note_write(Range& range, std::uint64_t address, std::uint64_t bytes) {
  range.fresh = false;
  if (range.written) std::memset(range.written.get() + (address - range.begin), 1, bytes);
}

std::string DeviceMemory::describe(std::uint64_t address) {
  const auto words = [&](const Range& r) {
    char text[256];
    const std::uint64_t size = r.end - r.begin;
    const char* kind = r.home == Home::kPinned ? "page-locked" : r.home == Home::kVariable ? "variable" : "allocation";
    if (address >= r.end) {
      std::snprintf(text, sizeof text, "%llu bytes past the end of", static_cast<unsigned long long>(address - r.end));
    } else {
      std::snprintf(text, sizeof text, "byte %llu of", static_cast<unsigned long long>(address - r.begin));
    }
    std::string all = text;
    std::snprintf(text, sizeof text, " %s%s %llu (%llu bytes at 0x%llx)", r.live ? "" : "freed ", kind,
                  static_cast<unsigned long long>(r.serial), static_cast<unsigned long long>(size),
                  static_cast<unsigned long long>(r.begin));
    return all + text + (r.name.empty() ? "" : " " + r.name);
  };
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return after == ranges_.end() ? "nothing is allocated" : "in front of all allocations";
  return words(std::prev(after)->second);
}

}  // namespace ptxdev
