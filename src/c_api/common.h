#pragma once
// Common to the files of the C interface: handles, and the guard that no exception leaves it.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/cairn.h"
#include "cairn/cairn_c.h"
#include "src/describe/attributes.h"

namespace cairn::c_api {

/// What needs its World. The world comes first: it is destroyed last.
template <class T>
struct OnWorld {
  std::shared_ptr<World> world;
  T content;
};

}  // namespace cairn::c_api

struct cairn_scene {
  cairn::Scene content;
};
struct cairn_world {
  std::shared_ptr<cairn::World> content;  // tensors keep it alive
};
struct cairn_snapshot {
  cairn::Snapshot content;
};
struct cairn_recording {
  cairn::Recording content;
};
struct cairn_solid {
  cairn::Geometry content;
};

namespace cairn::c_api {

/// Keeps the message of the exception in flight for cairn_last_error, and returns its kind.
cairn_result failure() noexcept;

/// Runs f, and converts its exceptions to results.
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
void require(std::string_view names, const T*... pointers) {
  if ((... && (pointers != nullptr))) return;
  throw InvalidArgument(std::string(names) + " must not be null");
}

/// The handle's name in messages: "track" of cairn_pose_track.
template <class H>
consteval std::string_view handle_name() {
  const std::string_view name = name_of_type<std::remove_const_t<H>>();
  return name.substr(name.rfind('_') + 1);
}

/// The handle's content.
template <class H>
auto& held(H& handle) {
  if constexpr (std::same_as<std::remove_const_t<H>, cairn_world>) {
    return *handle.content;
  } else {
    return handle.content;
  }
}

[[noreturn]] void refuse_handle(std::string_view name, std::initializer_list<std::string_view> others);

void check_count(const char* what, std::size_t count, std::size_t wanted);

template <class E>
E enum_of(std::int32_t value, E last, const char* what) {
  if (value < 0 || value > static_cast<std::int32_t>(last)) {
    throw InvalidArgument(std::string(what) + " must be between 0 and " +
                          std::to_string(static_cast<std::int32_t>(last)) + ", is " + std::to_string(value));
  }
  return static_cast<E>(value);
}

template <class T>
T found(const std::optional<T>& one, const char* kind, const char* name, const char* where) {
  if (one) return *one;
  throw InvalidArgument(std::string(kind) + " \"" + name + "\": the " + where + " has none of this name");
}

/// An element of a list; throws with `what`, the index, and `of`, a phrase with the list's size.
template <class T>
const T& one_of(const std::vector<T>& all, std::uint32_t index, const char* what, const std::string& of) {
  if (index < all.size()) return all[index];
  throw InvalidArgument(what + (" " + std::to_string(index)) + ": " + of + " " + std::to_string(all.size()));
}

/// Calls f() for all worlds, or f(index) for one.
template <class F>
decltype(auto) of_worlds(std::uint32_t index, const F& f) {
  return index == CAIRN_ALL_WORLDS ? f() : f(index);
}

/// Copies `count` of T from memory that may not be aligned for T. `from` may be null if there are none.
template <class T, class N>
std::vector<T> list_of(const N* from, std::size_t count, const char* name) {
  static_assert(sizeof(T) % sizeof(N) == 0 && std::is_trivially_copyable_v<T>);
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
    throw InvalidArgument(std::string(name) + ": there can't be " + std::to_string(count) + " of them");
  if (count != 0) require(name, from);
  std::vector<T> out(count);
  if (count != 0) std::memcpy(static_cast<void*>(out.data()), from, count * sizeof(T));
  return out;
}

/// As much of the text as fits, and a 0.
void copy_text(char* to, std::size_t size, const std::string& text);

inline Vec3 vec3(const float v[3]) { return {v[0], v[1], v[2]}; }
inline Vec3d vec3(const double v[3]) { return {v[0], v[1], v[2]}; }
inline Quat quat(const float q[4]) { return {q[0], q[1], q[2], q[3]}; }
template <class H = BodyHandle>
H handle(cairn_handle h) {
  return {h.index, h.generation};
}
template <class H>
cairn_handle in_c(H h) {
  return {h.index, h.generation};
}
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

inline void put(double position[3], float orientation[4], const JointFrame& frame) {
  put(position, frame.position);
  put(orientation, frame.orientation);
}

}  // namespace cairn::c_api
