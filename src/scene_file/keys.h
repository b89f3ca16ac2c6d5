#pragma once
// The keys of scene files that aren't in the list of a described struct (cairn/attributes.h). The reader, the writer
// and the test of docs/scene.schema.json share them.

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "src/describe/attributes.h"

namespace cairn::scene_file {

inline constexpr std::array<std::string_view, 13> kRootKeys{
    "cairn",     "name",   "gravity", "limits",  "materials", "bodies", "articulations",
    "particles", "joints", "fields",  "cameras", "solver",    "ignore"};
/// Keys with another name before version 0.2, and their present names: files may have either.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kRenamedKeys{
    {{"contact_frequency", "contact_frequency_ratio"},
     {"drive_most_force", "drive_max_force"},
     {"fast", "bullet"},
     {"fluid_sweeps", "fluid_iterations"},
     {"longest", "max_length"},
     {"most_force", "max_force"},
     {"push_out_speed", "max_depenetration_speed"},
     {"shortest", "min_length"},
     {"strain_sweeps", "particle_iterations"}}};
constexpr std::string_view current_key(std::string_view key) {
  for (const auto& [old, now] : kRenamedKeys) {
    if (key == old) return now;
  }
  return key;
}

/// Keys of shapes with more than their members.
inline constexpr std::array<std::string_view, 3> kHullKeys{"points", "file", "scale"};
inline constexpr std::array<std::string_view, 4> kMeshKeys{"vertices", "triangles", "file", "scale"};
inline constexpr std::array<std::string_view, 4> kHeightFieldKeys{"columns", "rows", "spacing", "heights"};

/// Instead of a body's name, unless a body has it.
inline constexpr std::string_view kWorld = "world";

/// The keys of a described struct, and additional ones.
template <Described T, class... More>
std::vector<std::string_view> keys_with(const More&... more) {
  std::vector<std::string_view> keys = keys_of<T>();
  (keys.insert(keys.end(), std::begin(more), std::end(more)), ...);
  return keys;
}
inline constexpr std::array<std::string_view, 1> kFirstBody{"first_body"}, kStart{"start"};
inline constexpr std::array<std::string_view, 2> kOnKeys{"bodies", "particles"};  ///< objects of a field

/// Written instead of a number.
constexpr std::string_view infinite_word(const AttributeRange& range) { return range.below ? "-infinite" : "infinite"; }

}  // namespace cairn::scene_file
