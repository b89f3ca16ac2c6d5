// cairn scenes

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "scenes/builtin.h"
#include "tools/cairn/commands.h"

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

}  // namespace

void add_scenes(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("scenes", "List the built-in scenes and their parameters");
  command->add_flag("--json", *json, "print them as JSON");
  command->callback([json] { *json ? print_json() : print_text(); });
}

}  // namespace cairn::cli
