// cairn info

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cairn/device.h"
#include "cairn/version.h"
#include "tools/cairn/commands.h"

namespace cairn::cli {
namespace {

#if defined(__AVX2__) && defined(__FMA__)
constexpr const char* kInstructions = "x86-64-v3";
#elif defined(__x86_64__)
constexpr const char* kInstructions = "x86-64";
#else
constexpr const char* kInstructions = "generic";
#endif

void print_info(bool json) {
  auto list = nlohmann::ordered_json::array();
  for (const DeviceInfo& info : devices())
    list.push_back({{"name", info.device.name()}, {"description", info.description}});
  if (json) {
    const nlohmann::ordered_json object = {
        {"version", kVersion},
        {"numerics", kNumericsVersion},
        {"devices", list},
        {"features", {{"cuda", built_with_cuda()}, {"instructions", kInstructions}}}};
    std::printf("%s\n", object.dump(2).c_str());
    return;
  }
  std::printf("cairn %s, numerics version %u\n", kVersion, kNumericsVersion);
  std::printf("built for %s, %s CUDA\n", kInstructions, built_with_cuda() ? "with" : "without");
  for (const auto& device : list) {
    std::printf("  %-8s %s\n", device["name"].get<std::string>().c_str(),
                device["description"].get<std::string>().c_str());
  }
}

}  // namespace

void add_info(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("info", "Show version, numerics version, devices and features");
  command->add_flag("--json", *json, "print one JSON object");
  command->callback([json] { print_info(*json); });
}

}  // namespace cairn::cli
