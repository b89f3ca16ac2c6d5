#pragma once
// The options of a command that writes a picture or a video.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cairn/picture.h"
#include "cairn/scene.h"

namespace cairn::cli {

struct PictureArguments {
  std::string picture, video;
  std::optional<std::string> camera, size, grid;
  std::optional<std::uint32_t> world;
  std::optional<int> samples;
  double fps{60}, orbit{0};
  std::optional<std::string> follow;
};

void add_picture_options(CLI::App& command, PictureArguments& to);

/// Throws InvalidArgument that names the option, for a run of so many worlds.
PictureOptions picture_options(const PictureArguments& given, std::uint32_t worlds);
/// The same for a video; its frames have fewer samples by default.
PictureOptions video_options(const PictureArguments& given, std::uint32_t worlds);

/// The camera of a scene for pictures: the one named by --camera, or without --camera and --grid the first of the
/// scene. Null if --camera has numbers. Throws InvalidArgument if --camera is neither a name nor numbers.
const SceneCamera* scene_camera(const PictureArguments& given, const Scene& scene);

}  // namespace cairn::cli
