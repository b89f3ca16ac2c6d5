#pragma once
// The table of scenes whose contract is kept: a row a scene. What is owed is in contract_test.cpp; each row owes all
// of it by every solver that can take it.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
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

// ---- for edits of one world in a World of several ----

/// (worlds) 1 for that world, 0 for the others.
inline std::vector<std::uint8_t> only(const World& world, std::uint32_t in) {
  std::vector<std::uint8_t> mask(world.world_count(), 0);
  mask[in] = 1;
  return mask;
}
/// Of an array of all worlds, which have `count_of` rows each: how many there are, and the first of that world.
template <class F>
std::pair<std::size_t, std::size_t> rows_of(const World& world, std::uint32_t in, const F& count_of) {
  std::size_t rows = 0, first = 0;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    if (w == in) first = rows;
    rows += count_of(w);
  }
  return {rows, first};
}

}  // namespace cairn::contract
