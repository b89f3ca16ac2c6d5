#pragma once
// What is written of a scene is read back.

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/scene_file.h"

namespace cairn::scene_file_test {

/// That a scene is read back from its text, equal in all that it holds.
inline testing::AssertionResult reads_back(const Scene& scene, const std::string& text) {
  const Scene again = parse_scene(text, "written");
  const auto all_of = [](const Scene& of) {
    return std::tie(of.name, of.params(), of.limits(), of.materials(), of.bodies(), of.joints(), of.articulations(),
                    of.particles(), of.fields(), of.cameras());
  };
  const auto ignored = [](const Scene& of) {
    std::vector<BodyPair> pairs = of.ignored();
    std::ranges::sort(pairs, {}, [](const BodyPair& pair) { return std::pair(pair.a, pair.b); });
    return pairs;
  };
  // equal text says that signs of zeros are kept too, which == doesn't see
  if (all_of(again) == all_of(scene) && again.gravity() == scene.gravity() && ignored(again) == ignored(scene) &&
      scene_to_json(again) == text)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "read back it is\n" << scene_to_json(again) << "\nand was\n" << text;
}
inline testing::AssertionResult reads_back(const Scene& scene) { return reads_back(scene, scene_to_json(scene)); }

}  // namespace cairn::scene_file_test
