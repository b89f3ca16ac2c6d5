#pragma once
// What the reader says of a file that is wrong.

#include <string>

#include "cairn/scene_file.h"

namespace cairn::scene_file_test {

inline std::string error_of(const std::string& text, const SceneFileLimits& limits = {},
                            const SceneFileOptions& options = {}) {
  try {
    parse_scene(text, "f", limits, options);
  } catch (const SceneFileError& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace cairn::scene_file_test
