#pragma once
// The rows of `bench`.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::cli {

/// A scene, and its timed steps: `steps` after `settle`.
struct Row {
  std::string scene;
  int substeps{0};          ///< [1] a step; 0: the scene's
  std::uint64_t settle{0};  ///< [1] steps before the timed ones
  std::uint64_t steps{0};   ///< [1]
  std::uint32_t worlds{1};  ///< [1]
};

struct Suite {
  std::string name;
  std::string meaning;  ///< one line
  std::vector<Row> rows;
};

/// All suites; the last has the rows of all others.
const std::vector<Suite>& suites();

/// Rows of a suite with `only` in their scene's name. Throws InvalidArgument if there are none.
std::vector<Row> select_rows(const std::string& suite, const std::string& only);

}  // namespace cairn::cli
