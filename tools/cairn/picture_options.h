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
/// The same for a video, whose frames have fewer samples where none are given.
PictureOptions video_options(const PictureArguments& given, std::uint32_t worlds);

/// The camera of a scene that pictures of it are seen from: the one that --camera names, and without --camera and --grid
/// the first that the scene has. None where --camera has numbers. Throws InvalidArgument for what is neither.
const SceneCamera* scene_camera(const PictureArguments& given, const Scene& scene);

}  // namespace cairn::cli
