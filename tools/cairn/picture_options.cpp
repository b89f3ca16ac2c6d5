#include "tools/cairn/picture_options.h"

#include <charconv>
#include <utility>
#include <vector>

#include "cairn/errors.h"
#include "src/picture/view.h"
#include "tools/cairn/numbers.h"
#include "tools/cairn/video.h"

namespace cairn::cli {
namespace {

constexpr int kVideoSamples = 2;

/// Numbers separated by a character, at most so many; none for any other text.
template <class T>
std::vector<T> read_numbers(const std::string& text, char sign, std::size_t most) {
  std::vector<T> found;
  const char *at = text.data(), *const end = at + text.size();
  while (found.size() <= most) {
    T value{};
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) break;
    found.push_back(value);
    at = rest;
    if (at == end || *at != sign) break;
    ++at;
  }
  if (at != end || found.size() > most) found.clear();
  return found;
}

/// Two numbers.
template <class T>
std::vector<T> pair_of(const std::string& option, const std::string& text, const char* form) {
  auto found = read_numbers<T>(text, 'x', 2);
  if (found.size() != 2) throw InvalidArgument(option + " " + text + ": must be " + form);
  return found;
}

/// A camera from six or seven numbers; none from any other text.
std::optional<PictureCamera> camera_of_numbers(const std::string& text) {
  const auto n = read_numbers<double>(text, ',', 7);
  if (n.size() != 6 && n.size() != 7) return std::nullopt;
  PictureCamera camera{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  if (n.size() == 7) camera.field_of_view = n[6];
  return camera;
}

}  // namespace

void add_picture_options(CLI::App& command, PictureArguments& to) {
  command.add_option("--picture", to.picture, "write a picture of the end to FILE.png");
  std::string endings;
  for (const std::string& ending : video_endings()) endings += " " + ending;
  CLI::Option* video = command.add_option(
      "--video", to.video, "write a video of the run to FILE, by the program ffmpeg; its ending is one of" + endings);
  command.add_option("--fps", to.fps, "frames a second of the video")
      ->transform(number(1, 240))
      ->needs(video)
      ->capture_default_str();
  command.add_option("--orbit", to.orbit, "degrees a second by which the video's camera goes round what it looks at")
      ->transform(number(-360, 360))
      ->needs(video)
      ->capture_default_str();
  command.add_option("--follow", to.follow, "name of a body with which the video's camera moves")->needs(video);
  command.add_option(
      "--camera", to.camera,
      "NAME of a camera of the scene, or X,Y,Z,X,Y,Z[,DEGREES]: where the picture is seen from, what is in its middle "
      "[m], and the angle of view from its lower edge to the upper");
  command.add_option("--size", to.size, "WIDTHxHEIGHT in pixels (default: 1280x720)");
  command.add_option("--samples", to.samples, "rays along each side of a pixel (default: 4, of a video 2)")
      ->transform(whole_number(1, 16));
  CLI::Option* world = command.add_option("--world", to.world, "the only world that is drawn, by its index")
                           ->transform(whole_number(0, 65534));
  command.add_option("--grid", to.grid, "COLUMNSxROWS: so many worlds beside each other")->excludes(world);
}

PictureOptions picture_options(const PictureArguments& given, std::uint32_t worlds) {
  PictureOptions options;
  if (given.picture.empty() && given.video.empty()) {
    for (const auto& [name, there] : {std::pair{"--camera", given.camera.has_value()},
                                      {"--size", given.size.has_value()},
                                      {"--samples", given.samples.has_value()},
                                      {"--world", given.world.has_value()},
                                      {"--grid", given.grid.has_value()}}) {
      if (there) throw InvalidArgument(std::string(name) + " requires --picture or --video");
    }
    return options;
  }
  options.samples = given.samples.value_or(options.samples);
  if (given.camera) options.camera = camera_of_numbers(*given.camera);
  if (given.size) {
    const auto n = pair_of<int>("--size", *given.size, "WIDTHxHEIGHT");
    options.width = n[0], options.height = n[1];
  }
  if (given.grid) {
    const auto n = pair_of<std::uint32_t>("--grid", *given.grid, "COLUMNSxROWS");
    options.grid = PictureGrid{n[0], n[1]};
  }
  options.world = given.world;
  picture::refuse_faults(options);
  if (given.world && *given.world >= worlds) {
    throw InvalidArgument("--world " + std::to_string(*given.world) + ": there are " + std::to_string(worlds));
  }
  if (worlds > 1 && !given.world && !given.grid) {
    throw InvalidArgument((given.picture.empty() ? "--video " + given.video : "--picture " + given.picture) + ": of " +
                          std::to_string(worlds) + " worlds, wants --world or --grid");
  }
  return options;
}

PictureOptions video_options(const PictureArguments& given, std::uint32_t worlds) {
  PictureOptions options = picture_options(given, worlds);
  options.samples = given.samples.value_or(kVideoSamples);
  return options;
}

const SceneCamera* scene_camera(const PictureArguments& given, const Scene& scene) {
  if (given.picture.empty() && given.video.empty()) return nullptr;
  const std::vector<SceneCamera>& cameras = scene.cameras();
  if (!given.camera) return cameras.empty() || given.grid ? nullptr : &cameras.front();
  if (const auto found = scene.find_camera(*given.camera)) return &cameras[*found];
  if (camera_of_numbers(*given.camera)) return nullptr;
  std::string names;
  for (const SceneCamera& camera : cameras) names += (names.empty() ? "" : ", ") + camera.name;
  throw InvalidArgument(
      "--camera " + *given.camera +
      ": must be six or seven numbers with commas between, or name a camera of the scene, which has " +
      (names.empty() ? "none" : names));
}

}  // namespace cairn::cli
