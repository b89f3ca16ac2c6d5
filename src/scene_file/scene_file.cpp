#include "cairn/scene_file.h"

#include <system_error>

#include "src/exec/exact_floats.h"
#include "src/file/whole_file.h"
#include "src/scene_file/builder.h"

namespace cairn {

Scene parse_scene(std::string_view text, const std::string& where, const SceneFileLimits& limits,
                  const SceneFileOptions& options) {
  const exec::ExactFloats exact;
  if (text.size() > limits.bytes) scene_file::fail(where, "", "longer than " + std::to_string(limits.bytes) + " bytes");
  if (const std::string reason = reason_against_text(text); !reason.empty()) scene_file::fail(where, "", reason);
  const scene_file::Path root(where);
  scene_file::Builder builder(root, limits, options);
  // every error throws, so that the result is of no use
  static_cast<void>(nlohmann::json::sax_parse(text.begin(), text.end(), &builder));
  return builder.finish();
}

Scene load_scene(const std::filesystem::path& file, const SceneFileLimits& limits, const SceneFileOptions& options) {
  const std::string where = file.string();
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) scene_file::fail(where, "", "is a directory");
  const std::string text =
      read_whole_file(file, limits.bytes, [&](const std::string& reason) { scene_file::fail(where, "", reason); });
  SceneFileOptions with_folder = options;
  if (with_folder.folder.empty()) with_folder.folder = file.has_parent_path() ? file.parent_path() : ".";
  return parse_scene(text, where, limits, with_folder);
}

}  // namespace cairn
