#pragma once
// docs/scene.schema.json, to be compared with what the reader goes by.

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace cairn::scene_file_test {

inline nlohmann::json read_schema() {
  std::ifstream stream(std::string(CAIRN_SOURCE_DIR) + "/docs/scene.schema.json");
  EXPECT_TRUE(stream) << "docs/scene.schema.json can't be opened";
  return nlohmann::json::parse(stream);
}

/// Keys, with those that are there twice.
using SchemaKeys = std::multiset<std::string>;
inline SchemaKeys keys_in(const nlohmann::json& object) {
  SchemaKeys keys;
  for (const auto& [key, value] : object.at("properties").items()) keys.insert(key);
  return keys;
}
template <class List>
SchemaKeys as_set(const List& keys) {
  return SchemaKeys(keys.begin(), keys.end());
}

}  // namespace cairn::scene_file_test
