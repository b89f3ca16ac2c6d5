#pragma once
// Sources of scenes, and changes of them by the command line.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cairn/quality.h"
#include "cairn/scene.h"

namespace cairn::cli {

struct Source {
  std::string name;  ///< as given
  Scene scene;
  QualityRules rules;
  std::vector<std::filesystem::path> files{};  ///< the files that it was read from
};

/// Of the disturbance of a built-in scene; without it 1.
using Seed = std::optional<std::uint64_t>;
inline std::uint64_t number_of(Seed seed) { return seed.value_or(1); }

/// True if the path ends in .json or is a file, a pipe or a device; else it is a built-in scene.
/// Throws InvalidArgument for a file with a seed.
bool is_scene_file(const std::filesystem::path& path, Seed seed = {});

/// `worlds` copies of a scene: a built-in one with seeds that count up from `seed`, a file as it is.
/// `repairs` is as in SceneFileOptions.
std::vector<Source> load_sources(const std::string& text, Seed seed, std::uint32_t worlds,
                                 std::vector<std::string>* repairs = nullptr);

/// A scene file if `text` ends in .json or is a file, or else a built-in scene.
Source load_source(const std::string& text, Seed seed, std::vector<std::string>* repairs = nullptr);

/// Sets one member of the scene's StepParams by its name in a scene file. `option` is its name in messages. Throws
/// InvalidArgument.
void override_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& option);

}  // namespace cairn::cli
