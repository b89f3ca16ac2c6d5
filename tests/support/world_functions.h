#pragma once
// What the headers say that a World can do, read from their text.

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>

namespace cairn::testing_support {

/// Names of the public functions of a class, and how many have each.
inline std::map<std::string, int> functions_of(const std::string& name, const std::string& header) {
  std::ifstream file(CAIRN_SOURCE_DIR "/include/cairn/" + header);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = text.substr(text.find("class " + name + " {"));
  text = std::regex_replace(text.substr(0, text.find(" private:")), std::regex("//[^\n]*"), "");
  // a declaration ends its list of parameters with a bracket, and perhaps const, before the semicolon or the body
  const std::regex declaration("\\b([a-z_]+)\\(([^;]*?)\\)\\s*(const)?\\s*[;{]");
  std::map<std::string, int> names;
  for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) ++names[(*at)[1]];
  return names;
}

/// Of World, and with its name and a dot before them of each part that it hands out.
inline std::map<std::string, int> functions_of_world() {
  std::map<std::string, int> names = functions_of("World", "world.h");
  for (const auto& [part, type, header] :
       {std::tuple{"queries", "Queries", "queries.h"}, std::tuple{"arrays", "DeviceArrays", "device_arrays.h"},
        std::tuple{"articulations", "WorldArticulations", "world_articulations.h"},
        std::tuple{"particles", "WorldParticles", "world_particles.h"},
        std::tuple{"scales", "WorldScales", "world_scales.h"}}) {
    names.erase(part);
    for (const auto& [name, count] : functions_of(type, header)) names[std::string(part) + "." + name] = count;
  }
  return names;
}

}  // namespace cairn::testing_support
