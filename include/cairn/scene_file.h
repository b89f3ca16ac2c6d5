#pragma once
// Scene files: strict JSON, schema in docs/scene.schema.json.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/scene.h"

namespace cairn {

/// Limits on a scene file, so that a hostile one can't exhaust the machine's memory.
struct SceneFileLimits {
  std::uint64_t bytes{std::uint64_t{1} << 30};
  int depth{16};
  std::uint32_t bodies{4'000'000};
  std::uint32_t shapes{16'000'000};
  std::uint32_t materials{65'536};
  std::uint32_t joints{4'000'000};
  std::uint32_t links{4'000'000};
  std::uint32_t ignored{16'000'000};
  std::uint64_t shape_numbers{std::uint64_t{1} << 28};
};

template <Same<SceneFileLimits> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::bytes>({.unit = "B"}),
    attribute<&S::depth>({.meaning = "nesting of objects and arrays"}),
    attribute<&S::bodies>({}),
    attribute<&S::shapes>({}),
    attribute<&S::materials>({}),
    attribute<&S::joints>({}),
    attribute<&S::links>({.meaning = "of all articulations"}),
    attribute<&S::ignored>({.meaning = "pairs of bodies that ignore each other"}),
    attribute<&S::shape_numbers>({.meaning = "coordinates, indices, heights, point masses, starts, springs and what "
                                             "fields name, in the scene and the mesh files that it names"})};

struct SceneFileOptions {
  /// Folder of the mesh files: a scene may name files in it or below, by relative paths without "..", and no others. If
  /// it is empty, load_scene uses the scene file's folder, and parse_scene refuses mesh files.
  std::filesystem::path folder;
  /// If given, an inertia that no rigid body can have is replaced by the nearest valid one (cairn/mass.h), and each
  /// replacement is listed here: file, JSON pointer, fault and new value. Otherwise it is refused.
  std::vector<std::string>* repairs{nullptr};
  /// If given, the mesh files that were read are listed here.
  std::vector<std::filesystem::path>* meshes{nullptr};
};

/// Reads a scene. Throws SceneFileError with file, JSON pointer and reason.
Scene load_scene(const std::filesystem::path& file, const SceneFileLimits& limits = {},
                 const SceneFileOptions& options = {});

/// The same from text; `where` names it in messages.
Scene parse_scene(std::string_view text, const std::string& where, const SceneFileLimits& limits = {},
                  const SceneFileOptions& options = {});

/// The scene as JSON that parse_scene reads back as an equal scene, except Body::user_data, which files don't have.
/// Among the pairs that ignore each other, pairs of joined links come first.
std::string scene_to_json(const Scene& scene);

}  // namespace cairn
