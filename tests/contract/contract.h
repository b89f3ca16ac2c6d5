#pragma once
// The table of scenes whose contract is kept: a row a scene. What is owed is in contract_test.cpp; each row owes all
// of it by every solver that can take it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/cairn.h"
#include "tests/support/variants.h"

namespace cairn::contract {

struct SceneRow {
  std::string name;             ///< letters, digits and _
  std::function<Scene()> make;  ///< the same to the bit each time
  int steps{60};                ///< [1]
  /// What is done to a world of a World before its step number `step`, from 0 on; the same whatever the World holds.
  void (*edit)(World& world, std::uint32_t in, int step){nullptr};
  /// What the row is there for did happen in these steps; of a World of this world alone.
  bool (*happened)(const World& world){nullptr};
  bool events{false};  ///< the World keeps contact events
  bool builtin{false};
  bool draws{false};   ///< the edits draw, which a world does by how often it was reset
  bool lively{false};  ///< with materials that bounce and roll, too, not in long runs alone
};

std::vector<SceneRow> builtin_rows();
std::vector<SceneRow> body_rows();
std::vector<SceneRow> joint_rows();
std::vector<SceneRow> particle_rows();
std::vector<SceneRow> articulation_rows();
std::vector<SceneRow> field_rows();

/// All of these.
const std::vector<SceneRow>& scene_rows();

}  // namespace cairn::contract
