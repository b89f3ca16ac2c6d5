// Judges the poses of an engine (poses.h) by Cairn's figures of quality, which use only poses and velocities and share
// no code with any solver: the same rules for every engine. Prints one line of JSON.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "benchmarks/peers/poses.h"
#include "cairn/errors.h"
#include "cairn/quality.h"
#include "scenes/builtin.h"
#include "scenes/quality_rules.h"

namespace {

using namespace cairn;
using namespace cairn::peers;

nlohmann::json figures(long step, const Quality& q) {
  if (!q.finite) return {{"step", step}, {"finite", false}};
  return {{"step", step},
          {"finite", true},
          {"fallen", q.fallen},
          {"max_penetration", q.max_penetration},
          {"mean_penetration", q.mean_penetration},
          {"overlaps", q.overlaps},
          {"height_loss", q.height_loss},
          {"max_drift", q.max_drift},
          {"max_excursion", q.max_excursion},
          {"rms_speed", q.rms_speed}};
}

nlohmann::json judge(const scenes::Built& built, const Poses& poses, const std::vector<long>& at) {
  QualityMeter meter(built.scene, scenes::quality_rules(built));
  nlohmann::json frames = nlohmann::json::array();
  for (const Frame& frame : poses.frames) {
    meter.observe(frame.bodies);
    const bool wanted = std::find(at.begin(), at.end(), frame.step) != at.end();
    if (wanted || &frame == &poses.frames.back()) frames.push_back(figures(frame.step, meter.measure(frame.bodies)));
  }
  return {{"engine", poses.engine}, {"frames", frames}};
}

}  // namespace

int main(int argc, char** argv) {
  std::string scene, poses_file;
  std::uint64_t seed = 1;
  std::vector<long> at;
  CLI::App app{"Judges the poses that a peer driver recorded; prints JSON."};
  app.add_option("scene", scene, "the built-in scene that the driver ran, such as lattice:n=16")->required();
  app.add_option("poses", poses_file, "the poses file that it wrote")->required()->check(CLI::ExistingFile);
  app.add_option("--seed", seed, "the scene's seed")->capture_default_str();
  app.add_option("--at", at, "steps to judge besides the last one recorded");
  CLI11_PARSE(app, argc, argv);
  try {
    const scenes::Built built = scenes::build(scene, seed);
    const Poses poses = load_poses(poses_file, built.scene.bodies().size());
    if (poses.frames.empty()) throw Error("poses file \"" + poses_file + "\": holds no steps");
    std::puts(judge(built, poses, at).dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_quality: %s\n", error.what());
    return 2;
  }
}
