#pragma once
// What the files of the C interface share: handles, and that no exception leaves it.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/cairn.h"
#include "cairn/cairn_c.h"

struct cairn_scene {
  cairn::Scene scene;
};
struct cairn_world {
  std::shared_ptr<cairn::World> world;  // tensors hold on to it
};
struct cairn_snapshot {
  cairn::Snapshot content;
};
struct cairn_recording {
  cairn::Recording content;
};

struct cairn_solid {
  cairn::Geometry geometry;
};

namespace cairn::c_api {

/// Keeps the reason of the exception in flight for cairn_last_error, and returns its kind.
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

/// Runs f on the world.
template <class W, class F>
cairn_result with(W* world, const F& f) noexcept {
  return guarded([&] {
    require("world", world);
    f(*world->world);
  });
}

void check_count(const char* what, std::size_t count, std::size_t wanted);

template <class E>
E enum_of(std::int32_t value, E last, const char* what) {
  if (value < 0 || value > static_cast<std::int32_t>(last)) {
    throw InvalidArgument(std::string(what) + " must be between 0 and " +
                          std::to_string(static_cast<std::int32_t>(last)) + ", is " + std::to_string(value));
  }
  return static_cast<E>(value);
}

template <class Handle>
Handle found(const std::optional<Handle>& handle, const char* kind, const char* name) {
  if (handle) return *handle;
  throw InvalidArgument(std::string(kind) + " \"" + name + "\": the world has none of this name");
}

/// As much of the text as there is room for, and a 0.
void copy_text(char* to, std::size_t size, const std::string& text);

inline Vec3 vec3(const float v[3]) { return {v[0], v[1], v[2]}; }
inline Vec3d vec3(const double v[3]) { return {v[0], v[1], v[2]}; }
inline Quat quat(const float q[4]) { return {q[0], q[1], q[2], q[3]}; }
inline BodyHandle handle(cairn_handle h) { return {h.index, h.generation}; }
inline cairn_handle handle(BodyHandle h) { return {h.index, h.generation}; }
inline cairn_handle handle(ArticulationHandle h) { return {h.index, h.generation}; }
inline cairn_handle handle(ParticlesHandle h) { return {h.index, h.generation}; }
template <class T>
void put(T* to, Vec3T<T> v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}
template <class T>
void put(T* to, QuatT<T> q) {
  to[0] = q.x;
  to[1] = q.y;
  to[2] = q.z;
  to[3] = q.w;
}

}  // namespace cairn::c_api
