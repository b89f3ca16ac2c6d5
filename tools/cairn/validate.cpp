// cairn validate FILE

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cairn/scene_file.h"
#include "cairn/world.h"
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
    for (const std::string& what : constraint_warnings(scene)) std::fprintf(stderr, "warning: %s\n", what.c_str());
    std::string more;
    const auto count = [&](const auto& list, const char* what) {
      if (!list.empty()) more += ", " + std::to_string(list.size()) + what;
    };
    count(scene.joints(), " joints");
    count(scene.articulations(), " articulations");
    count(scene.particles(), " sets of particles");
    count(scene.fields(), " fields");
    std::printf("%s: good; %zu bodies, %zu materials%s\n", file->c_str(), scene.bodies().size(),
                scene.materials().size(), more.c_str());
  });
}

}  // namespace cairn::cli
