// Results and messages, versions and devices.

#include <new>

#include "src/c_api/c_call.h"

namespace cairn::c_api {
namespace {

thread_local std::string reason;
thread_local bool no_room_for_reason = false;

static_assert(int{CAIRN_INVALID_ARGUMENT} == static_cast<int>(ErrorCode::kInvalidArgument) &&
              int{CAIRN_SCENE_FILE} == static_cast<int>(ErrorCode::kSceneFile) &&
              int{CAIRN_DEVICE} == static_cast<int>(ErrorCode::kDevice) &&
              int{CAIRN_CAPACITY} == static_cast<int>(ErrorCode::kCapacity) &&
              int{CAIRN_INTERNAL} == static_cast<int>(ErrorCode::kInternal) &&
              int{CAIRN_SNAPSHOT} == static_cast<int>(ErrorCode::kSnapshot));

cairn_result keep(cairn_result result, const char* why) noexcept {
  try {
    reason = why;
    no_room_for_reason = false;
  } catch (...) {
    no_room_for_reason = true;
  }
  return result;
}

}  // namespace

cairn_result failure() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return keep(static_cast<cairn_result>(e.code()), e.what());
  } catch (const std::bad_alloc&) {
    return keep(CAIRN_CAPACITY, "out of memory");
  } catch (const std::exception& e) {
    return keep(CAIRN_INTERNAL, e.what());
  } catch (...) {
    return keep(CAIRN_INTERNAL, "an exception of an unknown kind");
  }
}

void refuse_handle(std::string_view name, std::initializer_list<std::string_view> others) {
  std::string_view told = name;
  for (const std::string_view names : others) {
    if (names.starts_with(name) && names.substr(name.size()).starts_with(", ")) told = names;
  }
  throw InvalidArgument(std::string(told) + " must not be null");
}

void refuse_size(const char* where, const char* type, std::uint32_t size, const std::string& reason) {
  throw InvalidArgument(std::string(where) + ": " + type + ".struct_size is " + std::to_string(size) + ", " + reason);
}

std::uint32_t told_size(const void* given, const char* where, const char* type) {
  // [B] far over the struct size of any header: such a size was never set
  constexpr std::uint32_t kMaxSize = 1u << 16;
  require(where, given);
  std::uint32_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > kMaxSize) refuse_size(where, type, size, "and must be the size of the struct");
  return size;
}

void check_count(const char* what, std::size_t count, std::size_t wanted) {
  if (count == wanted) return;
  throw InvalidArgument(std::string(what) + ": count must be " + std::to_string(wanted) + ", is " +
                        std::to_string(count));
}

void copy_text(char* to, std::size_t size, const std::string& text) {
  if (to == nullptr || size == 0) return;
  const std::size_t n = std::min(size - 1, text.size());
  std::memcpy(to, text.data(), n);
  to[n] = 0;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

const char* cairn_last_error(void) { return no_room_for_reason ? "out of memory" : reason.c_str(); }
uint32_t cairn_c_version(void) { return CAIRN_C_VERSION; }
const char* cairn_version(void) { return cairn::kVersion; }
uint32_t cairn_numerics_version(void) { return cairn::kNumericsVersion; }

cairn_result cairn_device_count(uint32_t* count) {
  return get(out("count", count), [] { return cairn::devices(); });
}

cairn_result cairn_device_info(uint32_t index, char* name, size_t name_size, char* description,
                               size_t description_size) {
  return guarded([&] {
    const std::vector<cairn::DeviceInfo> all = cairn::devices();
    const cairn::DeviceInfo& one = one_of(all, index, "device", "there are");
    copy_text(name, name_size, one.device.name());
    copy_text(description, description_size, one.description);
  });
}
