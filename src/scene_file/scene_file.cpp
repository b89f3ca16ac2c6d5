#include "cairn/scene_file.h"

#include <fstream>
#include <system_error>

#include "src/exec/exact_floats.h"
#include "src/scene_file/builder.h"

namespace cairn {
namespace {

[[noreturn]] void too_long(const std::string& where, const SceneFileLimits& limits) {
  scene_file::fail(where, "", "longer than " + std::to_string(limits.bytes) + " bytes");
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& where, const SceneFileLimits& limits,
                  const SceneFileOptions& options) {
  const exec::ExactFloats exact;
  if (text.size() > limits.bytes) too_long(where, limits);
  const scene_file::Path root(where);
  scene_file::Builder builder(root, limits, options);
  // every error throws, so that there is nothing to learn from the answer
  static_cast<void>(nlohmann::json::sax_parse(text.begin(), text.end(), &builder));
  return builder.finish();
}

Scene load_scene(const std::filesystem::path& file, const SceneFileLimits& limits, const SceneFileOptions& options) {
  const std::string where = file.string();
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) scene_file::fail(where, "", "is a directory");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) scene_file::fail(where, "", "can't be opened");

  // in pieces, for a pipe or a device doesn't tell its length
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string text;
  while (stream) {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    stream.read(text.data() + size, static_cast<std::streamsize>(kPiece));
    text.resize(size + static_cast<std::size_t>(stream.gcount()));
    if (text.size() > limits.bytes) too_long(where, limits);
  }
  if (stream.bad()) scene_file::fail(where, "", "can't be read");
  SceneFileOptions with_folder = options;
  if (with_folder.folder.empty()) with_folder.folder = file.has_parent_path() ? file.parent_path() : ".";
  return parse_scene(text, where, limits, with_folder);
}

}  // namespace cairn
