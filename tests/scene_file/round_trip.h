#pragma once
// What is written of a scene is read back.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/scene_file.h"

namespace cairn::scene_file_test {

/// That a scene is read back from its text, equal in all that it holds.
inline testing::AssertionResult reads_back(const Scene& scene, const std::string& text) {
  const Scene again = parse_scene(text, "written");
  const auto ignored = [](const Scene& of) {
    std::vector<BodyPair> pairs = of.ignored();
    std::ranges::sort(pairs, {}, [](const BodyPair& pair) { return std::pair(pair.a, pair.b); });
    return pairs;
  };
  std::string other;
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    if (!(a == b)) other += std::string(what) + " ";
  };
  compare("name", again.name, scene.name);
  compare("params", again.params(), scene.params());
  compare("limits", again.limits(), scene.limits());
  compare("gravity", again.gravity(), scene.gravity());
  compare("materials", again.materials(), scene.materials());
  compare("bodies", again.bodies(), scene.bodies());
  compare("joints", again.joints(), scene.joints());
  compare("articulations", again.articulations(), scene.articulations());
  compare("particles", again.particles(), scene.particles());
  compare("fields", again.fields(), scene.fields());
  compare("cameras", again.cameras(), scene.cameras());
  compare("ignored", ignored(again), ignored(scene));
  // signs of zeros, which == doesn't see
  compare("text", scene_to_json(again), text);
  if (other.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << other << "differ: read back it is\n"
                                     << scene_to_json(again) << "\nand was\n"
                                     << text;
}
inline testing::AssertionResult reads_back(const Scene& scene) { return reads_back(scene, scene_to_json(scene)); }

}  // namespace cairn::scene_file_test
