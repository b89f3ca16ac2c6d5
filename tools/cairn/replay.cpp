// cairn replay FILE

#include <cstdio>
#include <memory>

#include "cairn/recording.h"
#include "cairn/world.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/device_options.h"
#include "tools/cairn/output.h"
#include "tools/cairn/simulate.h"

namespace cairn::cli {
namespace {

struct ReplayOptions {
  std::string file;
  std::string device{"best"};
  int threads{0};
  bool json{false};
};

int replay_file(const ReplayOptions& options) {
  const Recording recording = Recording::load(options.file);
  const Device device = Device::parse(options.device, options.threads);
  const Replay result = replay(recording, {.device = device});
  const std::optional<Difference>& d = result.difference;
  if (options.json) {
    nlohmann::ordered_json json = {{"file", options.file},     {"device", device.name()},  {"steps", recording.steps()},
                                   {"compared", result.steps}, {"hash", hex(result.hash)}, {"difference", nullptr}};
    if (d) {
      json["difference"] = {{"step", d->step}, {"stage", nullptr}, {"body", nullptr}, {"world", nullptr}};
      if (d->stage) json["difference"]["stage"] = stage_name(*d->stage);
      if (!d->body.empty()) {
        json["difference"]["body"] = d->body;
        json["difference"]["world"] = d->world;
      }
    }
    std::printf("%s\n", json.dump(2).c_str());
  } else if (!d) {
    std::printf("%s: %llu steps on %s, every hash as recorded; the last is %s\n", options.file.c_str(),
                static_cast<unsigned long long>(result.steps), device.name().c_str(), hex(result.hash).c_str());
  } else {
    std::printf("%s: differs from step %llu of %llu on, on %s\n", options.file.c_str(),
                static_cast<unsigned long long>(d->step), static_cast<unsigned long long>(recording.steps()),
                device.name().c_str());
    if (d->stage) std::printf("  first stage     %s\n", std::string(stage_name(*d->stage)).c_str());
    if (!d->body.empty()) std::printf("  first body      \"%s\" of world %u\n", d->body.c_str(), d->world);
    if (!d->stage) std::printf("  the CPU differs too; what was recorded with --trace tells stage and body\n");
  }
  return d ? kStatusRaised : kGood;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "Do again what a recording holds, and compare every step's hash");
  command->add_option("FILE", options->file, "what cairn run --record wrote")->required();
  add_device_options(*command, options->device, options->threads);
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options, &exit_code] { exit_code = replay_file(*options); });
}

}  // namespace cairn::cli
