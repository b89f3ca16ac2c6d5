#pragma once
// A world by the C interface, for tests that compare it with one by the C++ interface.

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "cairn/cairn_c.h"
#include "tests/interop/arrays.h"

namespace cairn::c_api_test {

template <class T>
T init(void (*fill)(T*, std::size_t)) {
  T made;
  fill(&made, sizeof made);
  return made;
}

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <Number C, Number T>
void put(C& to, T from) {
  to = static_cast<C>(from);
}
template <class C, class T>
void put(C (&to)[3], const Vec3T<T>& from) {
  std::copy_n(&from.x, 3, to);
}
// copy_members(to, from): gives a struct of C what members of those names hold in one of C++: numbers and
// vectors; members of other types or names stay as they are
#define CAIRN_MEMBER(T, m)                                            \
  [&] {                                                               \
    if constexpr (requires { put(to.m, from.m); }) put(to.m, from.m); \
  }()
#define CAIRN_STRUCT(T, ...)                   \
  template <class From>                        \
  void copy_members(T& to, const From& from) { \
    __VA_ARGS__;                               \
  }
#define CAIRN_PART(T, ...)
#include "struct_members.inc"
#undef CAIRN_PART
#undef CAIRN_STRUCT
#undef CAIRN_MEMBER

/// What a call writes to the last of its arguments: all of it, over other bits.
template <class... P, class... A>
auto value_of(cairn_result (*call)(P...), A... arguments) {
  using T = std::remove_pointer_t<std::tuple_element_t<sizeof...(A), std::tuple<P...>>>;
  T value;
  std::memset(static_cast<void*>(&value), 0x55, sizeof value);
  if constexpr (requires { value.struct_size; }) value.struct_size = sizeof value;
  if (call(arguments..., &value) == CAIRN_OK) return value;
  ADD_FAILURE() << cairn_last_error();
  return T{};
}

/// What a call of two steps gives: how many there are, then all of them.
template <class... P, class... A>
auto list_of(cairn_result (*call)(P...), A... arguments) {
  std::vector<std::remove_pointer_t<std::tuple_element_t<sizeof...(A), std::tuple<P...>>>> all(
      value_of(call, arguments..., nullptr, std::size_t{0}));
  EXPECT_EQ(value_of(call, arguments..., all.data(), all.size()), all.size());
  return all;
}

/// Rows of so many numbers without gaps.
inline cairn_array array_of(void* data, cairn_element element, std::int64_t rows, std::int64_t columns) {
  auto made = init(cairn_array_init);
  made.data = data;
  made.element = element;
  made.shape[0] = rows;
  made.shape[1] = made.strides[0] = columns;
  made.strides[1] = 1;
  return made;
}

inline std::uint64_t hash_of(const cairn_world* world) { return value_of(cairn_world_state_hash, world); }

/// As its file has it.
inline std::string text_of(const cairn_scene* scene) {
  std::size_t length = 0;
  EXPECT_EQ(cairn_scene_to_json(scene, nullptr, 0, &length), CAIRN_OK) << cairn_last_error();
  std::string text(length + 1, '?');
  EXPECT_EQ(cairn_scene_to_json(scene, text.data(), text.size(), &length), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

template <class T>
std::string bytes_of(cairn_result (*to_bytes)(const T*, void*, std::size_t, std::size_t*), const T* of) {
  std::size_t length = value_of(to_bytes, of, nullptr, 0);
  std::string bytes(length, '?');
  EXPECT_EQ(to_bytes(of, bytes.data(), length - 1, &length), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(bytes, std::string(length, '?')) << "there is no room for the last one";
  EXPECT_EQ(to_bytes(of, bytes.data(), length, &length), CAIRN_OK) << cairn_last_error();
  return bytes;
}
inline std::string bytes_of(const cairn_snapshot* snapshot) { return bytes_of(cairn_snapshot_to_bytes, snapshot); }
inline std::string bytes_of(const cairn_recording* made) { return bytes_of(cairn_recording_to_bytes, made); }

/// A scene of C++ through its text, and a world of it on one thread.
struct Fixture {
  explicit Fixture(const Scene& of, std::uint32_t worlds = 2, void (*change)(cairn_world_options&) = nullptr) {
    const std::string json = scene_to_json(of);
    EXPECT_EQ(cairn_scene_parse(json.data(), json.size(), "test", &scene), CAIRN_OK) << cairn_last_error();
    make_world(worlds, change);
  }
  /// Of the scene as it is by now.
  void make_world(std::uint32_t worlds = 1, void (*change)(cairn_world_options&) = nullptr) {
    cairn_world_destroy(world);
    world = nullptr;
    auto options = init(cairn_world_options_init);
    options.threads = 1;
    if (change != nullptr) change(options);
    EXPECT_EQ(cairn_world_create_copies(scene, worlds, &options, &world), CAIRN_OK) << cairn_last_error();
  }
  ~Fixture() {
    cairn_scene_destroy(scene);
    cairn_world_destroy(world);
  }
  std::uint64_t hash() const { return hash_of(world); }
  void step(std::uint32_t steps = 1) { EXPECT_EQ(cairn_world_step(world, steps), CAIRN_OK) << cairn_last_error(); }
  std::vector<cairn_handle> bodies(std::uint32_t in = 0) const {
    return handles(cairn_world_body_count, cairn_world_bodies, in);
  }
  std::vector<cairn_handle> joints() const { return handles(cairn_world_joint_count, cairn_world_joints, 0); }
  std::vector<cairn_handle> articulations() const {
    return handles(cairn_world_articulation_count, cairn_world_articulations, 0);
  }
  std::vector<cairn_handle> particles() const { return handles(cairn_world_particles_count, cairn_world_particles, 0); }
  /// That it has the same bits as `cpp` so many steps later.
  testing::AssertionResult goes_on_as(World& cpp, std::uint32_t steps) {
    testing_support::run(cpp, static_cast<int>(steps));
    step(steps);
    if (hash() == cpp.state_hash()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << hash() << " and " << cpp.state_hash();
  }
  cairn_scene* scene{nullptr};
  cairn_world* world{nullptr};

 private:
  template <class Count, class List>
  std::vector<cairn_handle> handles(Count count, List list, std::uint32_t in) const {
    std::vector<cairn_handle> all(value_of(count, world, in));
    EXPECT_EQ(list(world, in, all.data(), all.size()), CAIRN_OK) << cairn_last_error();
    return all;
  }
};

/// Name and shapes must stay.
inline cairn_body body_of(const char* name, const cairn_shape* shapes, std::size_t count = 1) {
  auto body = init(cairn_body_init);
  body.name = name;
  body.shapes = shapes;
  body.shape_count = static_cast<std::uint32_t>(count);
  return body;
}

/// A rod of 1 kg on a hinge.
inline Articulation hinged() {
  Articulation arm{.name = "arm"};
  ArticulationLink rod{.name = "rod", .mass = 1, .inertia = {.moments = {0.01f, 0.02f, 0.02f}}};
  rod.joint.kind = ArticulationJointKind::kRevolute;
  rod.frame_in_parent.position = {0, 0, 1};
  rod.frame_in_link.position = {0, 0.25, 0};
  rod.shapes = {testing_support::shape(Box{{0.05f, 0.2f, 0.05f}})};
  arm.links = {rod};
  return arm;
}

inline ::testing::AssertionResult fails(cairn_result got, const char* word,
                                        cairn_result want = CAIRN_INVALID_ARGUMENT) {
  if (got == want && std::strstr(cairn_last_error(), word) != nullptr) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "result " << got << ", reason: " << cairn_last_error();
}

}  // namespace cairn::c_api_test
