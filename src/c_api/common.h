#pragma once
// What the files of the C interface share: no exception leaves it, and structs may be of an older or a newer header.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include "cairn/cairn.h"
#include "cairn/cairn_c.h"

struct cairn_scene {
  cairn::Scene scene;
};
struct cairn_world {
  std::shared_ptr<cairn::World> world;  // tensors hold on to it
};

namespace cairn::c_api {

/// Keeps the reason of the exception in flight for cairn_last_error, and tells its kind.
cairn_result failure() noexcept;

/// Runs f, and turns what it throws into a result.
template <class F>
cairn_result guarded(const F& f) noexcept {
  try {
    f();
    return CAIRN_OK;
  } catch (...) {
    return failure();
  }
}

template <class... T>
void require(const char* names, const T*... pointers) {
  if ((... && (pointers != nullptr))) return;
  throw InvalidArgument(std::string(names) + " must not be null");
}

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
cairn_array defaults();

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
    throw InvalidArgument(std::string(name) + ": struct_size is " + std::to_string(size) +
                          ", and a member past the " + std::to_string(sizeof full) +
                          " bytes that this version of the library knows isn't 0");
  }
  full.struct_size = sizeof full;
  return full;
}

/// Fills in as much of the caller's struct as it has.
template <class T>
void write(T* to, const T& full, const char* name) {
  const std::uint32_t size = size_of(to, name);
  std::memcpy(static_cast<void*>(to), &full, std::min<std::size_t>(size, sizeof full));
  std::memcpy(static_cast<void*>(to), &size, sizeof size);
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

inline Vec3 vec3(const float v[3]) { return {v[0], v[1], v[2]}; }
inline Vec3d vec3(const double v[3]) { return {v[0], v[1], v[2]}; }
inline Quat quat(const float q[4]) { return {q[0], q[1], q[2], q[3]}; }
inline BodyHandle handle(cairn_handle h) { return {h.index, h.generation}; }
inline cairn_handle handle(BodyHandle h) { return {h.index, h.generation}; }
template <class T>
void put(T* to, Vec3T<T> v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

}  // namespace cairn::c_api
