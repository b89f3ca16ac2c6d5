// Writes a built-in scene as a scene file, from which every engine of the comparison reads the same bodies.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

#include "cairn/scene_file.h"
#include "scenes/builtin.h"

int main(int argc, char** argv) {
  std::string scene, file;
  std::uint64_t seed = 1;
  CLI::App app{"Writes a built-in scene as JSON."};
  app.add_option("scene", scene, "built-in scene with parameters, such as lattice:n=16")->required();
  app.add_option("file", file, "file to write")->required();
  app.add_option("--seed", seed, "seed of the disturbance")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    std::ofstream out(file);
    out << cairn::scene_to_json(cairn::scenes::make(scene, seed));
    out.flush();
    if (!out) throw cairn::Error("scene file \"" + file + "\": can't be written");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_scene: %s\n", error.what());
    return 2;
  }
}
