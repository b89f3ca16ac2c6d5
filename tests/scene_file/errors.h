#pragma once
// What the reader says of a file that is wrong.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/scene_file.h"
#include "tests/support/refusal.h"

namespace cairn::scene_file_test {

inline std::string error_of(const std::string& text, const SceneFileLimits& limits = {},
                            const SceneFileOptions& options = {}) {
  const std::string error =
      testing_support::refusal_of<SceneFileError>([&] { parse_scene(text, "f", limits, options); });
  return error.empty() ? "nothing thrown" : error;
}

/// Texts of files, and what is said of each behind the name of the file.
inline void expect_errors(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), "f: " + message) << text;
}

}  // namespace cairn::scene_file_test
