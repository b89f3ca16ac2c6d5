#pragma once
// docs/scene.schema.json, to be compared with what the reader goes by.

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/docs.h"

namespace cairn::scene_file_test {

inline nlohmann::json read_schema() {
  return nlohmann::json::parse(testing_support::whole(testing_support::path_of_doc("scene.schema.json")));
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
