#pragma once
// A world by the C interface, for tests that compare it with one by the C++ interface.

#include <cstring>

#include "cairn/cairn_c.h"
#include "tests/interop/arrays.h"

namespace cairn::c_api_test {

template <class T>
T init(void (*fill)(T*, std::size_t)) {
  T made;
  fill(&made, sizeof made);
  return made;
}

inline std::uint64_t hash_of(const cairn_world* world) {
  std::uint64_t hash = 0;
  EXPECT_EQ(cairn_world_state_hash(world, &hash), CAIRN_OK) << cairn_last_error();
  return hash;
}

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
  /// That it has the same bits as `cpp` so many steps later.
  testing::AssertionResult goes_on_as(World& cpp, std::uint32_t steps) {
    testing_support::run(cpp, static_cast<int>(steps));
    EXPECT_EQ(cairn_world_step(world, steps), CAIRN_OK) << cairn_last_error();
    if (hash() == cpp.state_hash()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << hash() << " and " << cpp.state_hash();
  }
  cairn_scene* scene{nullptr};
  cairn_world* world{nullptr};
};

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

inline ::testing::AssertionResult fails(cairn_result got, cairn_result want, const char* word) {
  if (got == want && std::strstr(cairn_last_error(), word) != nullptr) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "result " << got << ", reason: " << cairn_last_error();
}

}  // namespace cairn::c_api_test
