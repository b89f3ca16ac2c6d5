#include "tools/cairn/source.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cairn/errors.h"
#include "cairn/scene_file.h"
#include "scenes/builtin.h"
#include "scenes/quality_rules.h"

namespace cairn::cli {

bool is_scene_file(const std::filesystem::path& path, Seed seed) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(path, none);
  const bool file =
      path.extension() == ".json" || (std::filesystem::exists(status) && !std::filesystem::is_directory(status));
  if (file && seed) throw InvalidArgument("--seed: is for built-in scenes, and " + path.string() + " is a file");
  return file;
}

Source load_source(const std::string& text, Seed seed, std::vector<std::string>* repairs) {
  const std::filesystem::path path = text;
  if (!is_scene_file(path, seed)) {
    scenes::Built built = scenes::build(text, number_of(seed));
    QualityRules rules = scenes::quality_rules(built);
    return {text, std::move(built.scene), std::move(rules)};
  }
  std::vector<std::filesystem::path> files{path};
  Source source{text, load_scene(path, {}, {.repairs = repairs, .meshes = &files}), {}};
  source.files = std::move(files);
  // a file's poses are taken as the ideal ones
  double highest = -std::numeric_limits<double>::infinity();
  const Vec3 g = source.scene.gravity();
  const double size = std::hypot(double{g.x}, double{g.y}, double{g.z});
  for (const Body& body : source.scene.bodies()) {
    if (body.type != BodyType::kDynamic) continue;
    const Vec3d x = body.position;
    highest = std::max(highest, size > 0 ? -(g.x * x.x + g.y * x.y + g.z * x.z) / size : x.z);
  }
  if (std::isfinite(highest)) source.rules.nominal_height = highest;
  return source;
}

std::vector<Source> load_sources(const std::string& text, Seed seed, std::uint32_t worlds,
                                 std::vector<std::string>* repairs) {
  std::vector<Source> sources{load_source(text, seed, repairs)};
  sources.reserve(worlds);
  // a pipe can be read once
  const bool built = sources.front().files.empty();
  while (sources.size() < worlds) {
    sources.push_back(built ? load_source(text, number_of(seed) + sources.size()) : Source(sources.front()));
  }
  return sources;
}

void override_setting(Scene& scene, const std::string& key, const std::string& value, const std::string& option) {
  // through the scene file's own reader, so that names, ranges and error texts are written once
  Scene settings;
  settings.set_params(scene.params());
  auto json = nlohmann::json::parse(scene_to_json(settings));
  auto parsed = nlohmann::json::parse(value, nullptr, false);
  if (parsed.is_discarded()) parsed = value;
  json["solver"][key] = parsed;
  scene.set_params(parse_scene(json.dump(), option).params());
}

}  // namespace cairn::cli
