#pragma once
// Structs of the C interface, which may be of an older or a newer header.

#include <span>

#include "src/c_api/common.h"

namespace cairn::c_api {

/// What cairn_..._init fills in.
template <class T>
T defaults();
template <>
cairn_params defaults();
template <>
cairn_limits defaults();
template <>
cairn_material defaults();
template <>
cairn_shape defaults();
template <>
cairn_body defaults();
template <>
cairn_world_options defaults();
template <>
cairn_query defaults();
template <>
cairn_query_arrays defaults();
template <>
cairn_hit_arrays defaults();
template <>
cairn_array defaults();
template <>
cairn_scales defaults();
template <>
cairn_body_scales defaults();
template <>
cairn_randomisation defaults();
template <>
cairn_joint defaults();
template <>
cairn_joint_state defaults();
template <>
cairn_link defaults();
template <>
cairn_articulation defaults();

/// The first member of the caller's struct.
std::uint32_t size_of(const void* given, const char* name);

/// A struct as this header has it. Members that the caller's header lacks have their defaults.
template <class T>
T read(const void* given, const char* name) {
  const std::uint32_t size = size_of(given, name);
  T full = defaults<T>();
  std::memcpy(static_cast<void*>(&full), given, std::min<std::size_t>(size, sizeof full));
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof full; i < size; ++i) {
    if (bytes[i] == 0) continue;
    throw InvalidArgument(std::string(name) + ": struct_size is " + std::to_string(size) + ", and a member past the " +
                          std::to_string(sizeof full) + " bytes that this version of the library knows isn't 0");
  }
  full.struct_size = sizeof full;
  return full;
}

/// Calls f(address) for each of the caller's structs, which are as far apart as each says.
template <class F>
void each_of(const void* all, std::uint32_t count, const char* name, const F& f) {
  const auto* at = static_cast<const unsigned char*>(all);
  for (std::uint32_t i = 0; i < count; ++i) {
    f(static_cast<const void*>(at));
    at += size_of(at, name);
  }
}

/// Fills in as much of the caller's structs as they have, one after the other; the first tells the size of each.
template <class T>
void write_each(T* to, std::span<const T> all, const char* name) {
  if (all.empty()) return;
  const std::uint32_t size = size_of(to, name);
  auto* at = static_cast<unsigned char*>(static_cast<void*>(to));
  for (const T& full : all) {
    std::memcpy(at, &full, std::min<std::size_t>(size, sizeof full));
    std::memcpy(at, &size, sizeof size);
    at += size;
  }
}

/// Of one.
template <class T>
void write(T* to, const T& full, const char* name) {
  write_each(to, std::span(&full, 1), name);
}

/// What cairn_..._init does.
template <class T>
void initialise(T* to, std::size_t size, const T& full) noexcept {
  if (to == nullptr || size < sizeof full.struct_size) return;
  const auto known = std::min(size, sizeof full);
  std::memcpy(static_cast<void*>(to), &full, known);
  std::memset(static_cast<unsigned char*>(static_cast<void*>(to)) + known, 0, size - known);
  const auto told = static_cast<std::uint32_t>(size);
  std::memcpy(static_cast<void*>(to), &told, sizeof told);
}

/// An array of the user's; null: none.
ArrayView view_of(const cairn_array* given, const char* name);

}  // namespace cairn::c_api
