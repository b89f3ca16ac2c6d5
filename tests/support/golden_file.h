#pragma once
// Values that are in git, so that a build whose bits are others shows.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace cairn::testing_support {

inline std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// What a file below tests/ holds. With CAIRN_GOLDEN=write it becomes `got`, and there is nothing to compare.
inline std::optional<nlohmann::ordered_json> golden(const std::string& file, const nlohmann::ordered_json& got) {
  const std::string path = std::string(CAIRN_SOURCE_DIR) + "/tests/" + file;
  const char* mode = std::getenv("CAIRN_GOLDEN");
  if (mode != nullptr && std::string(mode) == "write") {
    std::ofstream(path) << got.dump(2) << "\n";
    return std::nullopt;
  }
  std::ifstream stream(path);
  if (stream) return nlohmann::ordered_json::parse(stream);
  ADD_FAILURE() << path << " is missing; write it with CAIRN_GOLDEN=write";
  return nlohmann::ordered_json();
}

}  // namespace cairn::testing_support
