// Steps a scene file in the engine that this executable is linked with; prints one line of JSON with its times.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include <time.h>

#include "benchmarks/peers/peer.h"
#include "benchmarks/peers/poses.h"
#include "cairn/scene_file.h"

namespace {

using namespace cairn;
using namespace cairn::peers;

struct Settings {
  std::string scene_file;
  std::string poses_file;
  long steps{240};    ///< [1]
  long first{120};    ///< [1]  first step of the timing window
  long last{240};     ///< [1]  one past its last step
  long every{6};      ///< [1]  steps between recorded poses
  int threads{1};     ///< [1]
  int copies{1};      ///< [1]  of the scene, stepped together
  int substeps{0};    ///< [1]  Cairn's, 0 for the scene's own; the other engines have no such setting
  double limit{1e9};  ///< [s]  processor time after which the run stops early
};

// milliseconds that all threads of this process have spent on a processor
double process_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double mean(const std::vector<double>& ms, long first, long last) {
  const long end = std::min(last, long(ms.size()));
  const long begin = first < end ? first : 0;  // a run cut short before its window is timed from its start
  return end == 0 ? 0 : std::accumulate(ms.begin() + begin, ms.begin() + end, 0.0) / double(end - begin);
}

/// The bodies of the first copy, which come first.
std::vector<BodyState> first_of(std::vector<BodyState> states, std::size_t bodies) {
  states.resize(bodies);
  return states;
}

nlohmann::json run(const Settings& settings) {
  Scene scene = load_scene(settings.scene_file);
  StepParams params = scene.params();
  params.sleeping = false;  // whatever the scene says: no engine may win by letting bodies sleep
  if (settings.substeps > 0) params.substeps = settings.substeps;
  scene.set_params(params);
  if (settings.threads > peer_max_threads()) throw Error(peer_name() + ": this build runs on one thread");
  const auto peer = make_peer(scene, settings.copies, settings.threads);
  const double dt = scene.params().dt;

  std::vector<double> cpu, wall;
  Poses poses{peer_name(), {}};
  const double start = process_ms();
  for (long step = 0; step < settings.steps && process_ms() - start < 1e3 * settings.limit; ++step) {
    const double wall_before = wall_ms(), cpu_before = process_ms();
    peer->step(dt);
    cpu.push_back(process_ms() - cpu_before);
    wall.push_back(wall_ms() - wall_before);
    if (!settings.poses_file.empty() && (step + 1) % settings.every == 0)
      poses.frames.push_back({step + 1, first_of(peer->states(), scene.bodies().size())});
  }
  if (!settings.poses_file.empty()) save_poses(settings.poses_file, poses);
  return {{"engine", peer_name()},
          {"version", peer_version()},
          {"threads", settings.threads},
          {"bodies", scene.bodies().size() * static_cast<std::size_t>(settings.copies)},
          {"steps", cpu.size()},
          {"complete", long(cpu.size()) == settings.steps},
          {"warnings", peer->warnings()},
          {"cpu_ms", mean(cpu, settings.first, settings.last)},
          {"wall_ms", mean(wall, settings.first, settings.last)}};
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Steps a Cairn scene file in " + peer_name() + " and prints its times as JSON."};
  app.add_option("scene", settings.scene_file, "scene file (JSON)")->required()->check(CLI::ExistingFile);
  app.add_option("--steps", settings.steps, "steps to take")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--first", settings.first, "first step of the timing window")->capture_default_str();
  app.add_option("--last", settings.last, "one past the last step of the timing window")->capture_default_str();
  app.add_option("--threads", settings.threads, "threads")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--copies", settings.copies, "copies of the scene: worlds of a batch, or side by side in one world")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--substeps", settings.substeps, "Cairn's substeps; 0 takes the scene's")->capture_default_str();
  app.add_option("--limit", settings.limit, "stop after so many seconds of processor time")->capture_default_str();
  app.add_option("--poses", settings.poses_file, "write poses and velocities here");
  app.add_option("--every", settings.every, "steps between recorded poses")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    std::puts(run(settings).dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", peer_name().c_str(), error.what());
    return 2;
  }
}
