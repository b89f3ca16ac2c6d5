// Memory: allocation, release, copies and fills.

#include <cstring>

#include "options.h"
#include "runtime.h"

namespace ptxdev {
namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

std::string words(const void* pointer, std::size_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%zu bytes at %p: ", bytes, pointer);
  return text + DeviceMemory::get().describe(address_of(pointer));
}

/// One side of a copy.
struct Side {
  bool device{false}, pinned{false};
};

Side side_of(const void* pointer) {
  DeviceMemory& memory = DeviceMemory::get();
  Side side;
  side.device = memory.is_device(address_of(pointer));
  if (!side.device) {
    const Range* range = memory.find(address_of(pointer));
    side.pinned = range != nullptr && range->home == Home::kPinned;
  }
  return side;
}

/// The bytes on either side; null, with a message, for invalid addresses.
std::uint8_t* bytes_at(const void* pointer, std::size_t bytes, const char* call, bool write) {
  DeviceMemory& memory = DeviceMemory::get();
  if (!memory.is_device(address_of(pointer))) return static_cast<std::uint8_t*>(const_cast<void*>(pointer));
  Range* range = nullptr;
  auto* at = static_cast<std::uint8_t*>(memory.bytes_of(address_of(pointer), bytes, &range));
  if (at == nullptr) {
    fail(cudaErrorInvalidValue, std::string(call) + " outside of all allocations: " + words(pointer, bytes));
    return nullptr;
  }
  if (write) DeviceMemory::note_write(*range, address_of(pointer), bytes);
  return at;
}

/// Copies the marks of written bytes, too.
void copy_marks(void* to, const void* from, std::size_t bytes) {
  if (!options().initcheck) return;
  DeviceMemory& memory = DeviceMemory::get();
  Range* a = memory.find(address_of(from));
  Range* b = memory.find(address_of(to));
  if (a == nullptr || b == nullptr || !a->written || !b->written) return;
  std::memmove(b->written.get() + (address_of(to) - b->begin), a->written.get() + (address_of(from) - a->begin), bytes);
}

void copy_now(void* to, const void* from, std::size_t bytes, const char* call) {
  std::uint8_t* target = bytes_at(to, bytes, call, true);
  const std::uint8_t* source = bytes_at(from, bytes, call, false);
  if (target == nullptr || source == nullptr) return;
  std::memmove(target, source, bytes);
  copy_marks(to, from, bytes);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, bool waits,
                 const char* call) {
  const Lock lock(api_mutex());
  if (sticky() != cudaSuccess) return told(sticky());
  if (bytes == 0) return cudaSuccess;
  const Side target = side_of(to), source = side_of(from);
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault &&
      ((to_device && !target.device && !target.pinned) || (!to_device && target.device) ||
       (from_device && !source.device && !source.pinned) || (!from_device && source.device))) {
    return refuse(
        cudaErrorInvalidValue, call,
        "the kind of the copy doesn't fit its addresses: to " + words(to, bytes) + ", from " + words(from, bytes));
  }
  if (waits) {
    if (const cudaError_t error = forbid_in_capture(call); error != cudaSuccess) return error;
  }
  CUstream_st* on = stream_of(stream);
  const bool captured = on != nullptr && on->capture != nullptr;
  if (captured && ((!target.device && !target.pinned) || (!source.device && !source.pinned))) {
    on->capture->broken = true;
    return refuse(cudaErrorStreamCaptureUnsupported, call, "pageable memory in a capture");
  }
  Work work;
  if (!captured && !source.device && !source.pinned && target.device) {
    // pageable memory is read before the call returns
    std::vector<std::uint8_t> held(static_cast<const std::uint8_t*>(from),
                                   static_cast<const std::uint8_t*>(from) + bytes);
    work = [to, bytes, call, held = std::move(held)] { copy_now(to, held.data(), bytes, call); };
  } else {
    work = [to, from, bytes, call] { copy_now(to, from, bytes, call); };
  }
  const cudaError_t error = enqueue(stream, call, std::move(work));
  if (error != cudaSuccess || captured) return error;
  if (waits || (!target.device && !target.pinned)) drain(*on);
  return told(sticky());
}

cudaError_t fill(void* to, int value, std::size_t bytes, cudaStream_t stream, const char* call) {
  const Lock lock(api_mutex());
  if (sticky() != cudaSuccess) return told(sticky());
  if (bytes == 0) return cudaSuccess;
  if (!DeviceMemory::get().is_device(address_of(to))) {
    return refuse(cudaErrorInvalidValue, call, "not device memory: " + words(to, bytes));
  }
  return enqueue(stream, call, [=] {
    Range* range = DeviceMemory::get().find(address_of(to));
    // zeros for a new allocation as a whole: a program may not rely on that, so with the option it is poison
    const bool whole = options().poison_zero && value == 0 && range != nullptr && range->fresh &&
                       range->begin == address_of(to) && range->end - range->begin == bytes;
    std::uint8_t* at = bytes_at(to, bytes, call, !whole);
    if (at == nullptr) return;
    std::memset(at, whole ? DeviceMemory::kPoison : value, bytes);
    range->fresh = false;
  });
}

}  // namespace
}  // namespace ptxdev

using namespace ptxdev;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  const Lock lock(api_mutex());
  if (sticky() != cudaSuccess) return told(sticky());
  if (const cudaError_t error = forbid_in_capture("cudaMalloc"); error != cudaSuccess) return error;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::uint64_t at = finds_no_room() ? 0 : DeviceMemory::get().allocate(bytes, Home::kDevice);
  if (at == 0) return told(cudaErrorMemoryAllocation);
  *pointer = reinterpret_cast<void*>(at);
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  const Lock lock(api_mutex());
  if (pointer == nullptr) return cudaSuccess;
  if (const cudaError_t error = forbid_in_capture("cudaFree"); error != cudaSuccess) return error;
  drain_all();
  if (!DeviceMemory::get().release(address_of(pointer))) {
    return refuse(cudaErrorInvalidValue, "cudaFree", "not an allocation: " + words(pointer, 0));
  }
  return told(sticky());
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) { return cudaMalloc(pointer, bytes); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  const Lock lock(api_mutex());
  if (const cudaError_t error = forbid_in_capture("cudaHostAlloc"); error != cudaSuccess) return error;
  *pointer = finds_no_room() ? nullptr : reinterpret_cast<void*>(DeviceMemory::get().allocate_pinned(bytes));
  return *pointer == nullptr ? told(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) { return cudaHostAlloc(pointer, bytes, 0); }
cudaError_t cudaFreeHost(void* pointer) {
  const Lock lock(api_mutex());
  if (pointer == nullptr) return cudaSuccess;
  drain_all();
  if (!DeviceMemory::get().release_pinned(address_of(pointer)))
    return refuse(cudaErrorInvalidValue, "cudaFreeHost", "not page-locked memory");
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  const Lock lock(api_mutex());
  DeviceMemory::get().pin(address_of(pointer), bytes);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* pointer) {
  const Lock lock(api_mutex());
  return DeviceMemory::get().release_pinned(address_of(pointer)) ? cudaSuccess : told(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const Lock lock(api_mutex());
  *total = DeviceMemory::get().total();
  *free = *total - DeviceMemory::get().used();
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy(to, from, bytes, kind, nullptr, true, "cudaMemcpy");
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, from, bytes, kind, stream, false, "cudaMemcpyAsync");
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (const cudaError_t error = forbid_in_capture("cudaMemset"); error != cudaSuccess) return error;
  return fill(to, value, bytes, nullptr, "cudaMemset");
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return fill(to, value, bytes, stream, "cudaMemsetAsync");
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  const Lock lock(api_mutex());
  std::uint64_t address = 0, bytes = 0;
  if (!variable_of(symbol, address, bytes))
    return refuse(cudaErrorInvalidSymbol, "cudaGetSymbolAddress", "no such variable");
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind) {
  void* at = nullptr;
  if (const cudaError_t error = cudaGetSymbolAddress(&at, symbol); error != cudaSuccess) return error;
  return cudaMemcpy(static_cast<char*>(at) + offset, from, bytes, cudaMemcpyDefault);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
  void* at = nullptr;
  if (const cudaError_t error = cudaGetSymbolAddress(&at, symbol); error != cudaSuccess) return error;
  return cudaMemcpy(to, static_cast<char*>(at) + offset, bytes, cudaMemcpyDefault);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const Lock lock(api_mutex());
  *attributes = {};
  const Side side = side_of(pointer);
  attributes->type = side.device ? cudaMemoryTypeDevice : side.pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
  attributes->device = side.device || side.pinned ? 0 : -2;
  attributes->devicePointer = side.device || side.pinned ? const_cast<void*>(pointer) : nullptr;
  attributes->hostPointer = side.device ? nullptr : const_cast<void*>(pointer);
  return cudaSuccess;
}
}
