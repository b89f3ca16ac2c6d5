// cairn scenes

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cairn/scene_file.h"
#include "scenes/builtin.h"
#include "src/file/whole_file.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/files.h"
#include "tools/cairn/numbers.h"

namespace cairn::cli {
namespace {

void print_text() {
  for (const scenes::BuiltinInfo& scene : scenes::list()) {
    std::printf("%-10s %s\n", scene.name.c_str(), scene.description.c_str());
    for (const scenes::ParameterInfo& p : scene.parameters) {
      const std::string unit = p.unit == "1" ? "" : " " + p.unit;
      std::printf("  %-8s = %g%s: %s (%g to %g)\n", p.name.c_str(), p.value, unit.c_str(), p.meaning.c_str(), p.low,
                  p.high);
    }
  }
  std::printf("\nFor example: cairn run tower:height=40\n");
}

void print_json() {
  auto list = nlohmann::ordered_json::array();
  for (const scenes::BuiltinInfo& scene : scenes::list()) {
    auto parameters = nlohmann::ordered_json::array();
    for (const scenes::ParameterInfo& p : scene.parameters) {
      parameters.push_back({{"name", p.name},
                            {"default", p.value},
                            {"unit", p.unit},
                            {"low", p.low},
                            {"high", p.high},
                            {"whole", p.whole},
                            {"meaning", p.meaning}});
    }
    list.push_back({{"name", scene.name}, {"description", scene.description}, {"parameters", parameters}});
  }
  std::printf("%s\n", list.dump(2).c_str());
}

struct ScenesOptions {
  bool json{false};
  std::string scene, write;
  std::uint64_t seed{1};
};

void write_scene(const ScenesOptions& options) {
  check_files({{{"--write", options.write}, {".json"}}}, {});
  const std::string text = scene_to_json(scenes::make(options.scene, options.seed));
  writing([&] { write_whole_file(options.write, text); });
}

}  // namespace

void add_scenes(CLI::App& app) {
  auto options = std::make_shared<ScenesOptions>();
  CLI::App* command =
      app.add_subcommand("scenes", "List the built-in scenes and their parameters, or write one to a file");
  CLI::Option* json = command->add_flag("--json", options->json, "print them as JSON");
  CLI::Option* scene = command->add_option("SCENE", options->scene, "a built-in scene, such as tower:height=20");
  CLI::Option* write = command->add_option("--write", options->write, "write the scene to FILE.json");
  scene->needs(write)->excludes(json);
  write->needs(scene);
  command->add_option("--seed", options->seed, "seed of the scene's disturbance")
      ->transform(whole_number())
      ->capture_default_str()
      ->needs(write);
  command->callback([options] {
    if (!options->write.empty()) {
      write_scene(*options);
    } else {
      options->json ? print_json() : print_text();
    }
  });
}

}  // namespace cairn::cli
