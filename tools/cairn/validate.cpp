// cairn validate FILE

#include <cstdio>
#include <memory>

#include "cairn/scene_file.h"
#include "tools/cairn/commands.h"

namespace cairn::cli {

void add_validate(CLI::App& app) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("validate", "Check a scene file");
  command->add_option("FILE", *file, "the scene file")->required();
  auto repair = std::make_shared<bool>(false);
  command->add_flag("--repair", *repair, "take the nearest inertia that a rigid body can have, and say so");
  command->callback([file, repair] {
    std::vector<std::string> repairs;
    const Scene scene = load_scene(*file, {}, {.repairs = *repair ? &repairs : nullptr});
    for (const std::string& what : repairs) std::printf("mended: %s\n", what.c_str());
    std::printf("%s: good; %zu bodies, %zu materials\n", file->c_str(), scene.bodies().size(),
                scene.materials().size());
  });
}

}  // namespace cairn::cli
