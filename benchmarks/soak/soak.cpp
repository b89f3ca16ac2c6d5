// A long run of a settled scene: checks that bodies stay in place, memory stays flat and no status bit comes up.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "cairn/errors.h"
#include "cairn/version.h"
#include "src/file/whole_file.h"
#include "tools/cairn/device_options.h"
#include "tools/cairn/files.h"
#include "tools/cairn/numbers.h"
#include "tools/cairn/output.h"
#include "tools/cairn/simulate.h"
#include "tools/cairn/source.h"

namespace cairn::cli {
namespace {

using Json = nlohmann::ordered_json;

/// [m] max distance of a body from its settled place.
constexpr double kMaxCreep = 0.03;
/// [B] by which the process may grow after the first sample, for the heap's own bookkeeping of some pages at a time.
constexpr std::uint64_t kHeapSlack = 1u << 20;
constexpr std::size_t kMoversShown = 10;

struct SoakOptions {
  std::string scene{"pile:count=1000"};
  std::string device{"cpu"};
  int threads{1};
  Seed seed;
  double settle{60};             ///< [s]
  std::uint64_t steps{1000000};  ///< [1] after settling
  std::uint64_t every{10000};    ///< [1] steps between samples
  bool sleeping{false};
  std::string json, commit;
};

struct Move {
  std::size_t body{0};
  double distance{0};  ///< [m] from where it settled
  Vec3d by;            ///< [m]
};

/// [B] Resident memory of this process; 0 if /proc doesn't have it.
std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  if (!(file >> total >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::vector<BodyState> states_of(const World& world) {
  std::vector<BodyState> states(world.body_count());
  world.read_states(states);
  return states;
}

/// Bodies that moved, the farthest first.
std::vector<Move> moves(const std::vector<BodyState>& settled, const std::vector<BodyState>& now) {
  std::vector<Move> list;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Vec3d a = settled[i].position, b = now[i].position;
    const Vec3d by{b.x - a.x, b.y - a.y, b.z - a.z};
    const double distance = std::hypot(by.x, by.y, by.z);
    if (!(distance == 0)) list.push_back({i, distance, by});
  }
  std::sort(list.begin(), list.end(), [](const Move& a, const Move& b) { return a.distance > b.distance; });
  return list;
}

class Soak {
 public:
  Soak(const SoakOptions& options, World& world, const Source& source)
      : options_(options), world_(world), meter_(source.scene, source.rules), settled_(states_of(world)) {
    log_["scene"] = options.scene;
    log_["seed"] = number_of(options.seed);
    log_["version"] = kVersion;
    log_["numerics"] = kNumericsVersion;
    log_["commit"] = options.commit;
    log_["date"] = now();
    log_["device"] = world.device().name();
    log_["description"] = describe(world.device()).description;
    log_["threads"] = world.device().kind == Device::Kind::kCpu ? world.device().threads : 0;
    log_["dt"] = world.params().dt;
    log_["substeps"] = world.params().substeps;
    log_["sleeping"] = options.sleeping;
    log_["bodies"] = world.body_count();
    log_["settled_steps"] = world.report().steps;
    log_["verdict"] = nullptr;
    log_["max_distance"] = nullptr;
    log_["samples"] = Json::array();
  }

  void sample() {
    const StepReport report = world_.report();
    const std::vector<BodyState> states = states_of(world_);
    const std::vector<Move> moved = moves(settled_, states);
    const Quality quality = meter_.measure(states);
    const std::uint64_t memory = world_.memory_bytes(), resident = resident_bytes();
    if (log_["samples"].empty()) {
      first_memory_ = memory;
      first_resident_ = resident;
    }
    Json farthest = nullptr;
    if (!moved.empty()) {
      farthest = name(moved[0].body);
      if (!(moved[0].distance <= max_distance_)) {
        max_distance_ = moved[0].distance;
        log_["max_distance"] = {{"metres", max_distance_}, {"body", name(moved[0].body)}, {"step", report.steps}};
      }
    }
    std::size_t beyond = 0;
    while (beyond < moved.size() && !(moved[beyond].distance <= kMaxCreep)) ++beyond;
    log_["samples"].push_back({{"step", report.steps},
                               {"memory_bytes", memory},
                               {"resident_bytes", resident},
                               {"status", status_names(report.status)},
                               {"manifolds", report.manifolds},
                               {"points", report.points},
                               {"asleep", report.asleep},
                               {"moved", moved.size()},
                               {"farthest", farthest},
                               {"distance", moved.empty() ? 0 : moved[0].distance},
                               {"beyond_3_cm", beyond},
                               {"rms_speed", quality.rms_speed},
                               {"max_penetration", quality.max_penetration},
                               {"hash", hex(world_.state_hash())}});
    log_["movers"] = Json::array();
    for (std::size_t i = 0; i < moved.size() && i < kMoversShown; ++i) {
      const Vec3d by = moved[i].by, at = states[moved[i].body].position;
      log_["movers"].push_back({{"body", name(moved[i].body)},
                                {"distance", moved[i].distance},
                                {"by", {by.x, by.y, by.z}},
                                {"at", {at.x, at.y, at.z}}});
    }

    if (report.status != 0) fault("a status bit is raised");
    if (memory > first_memory_) fault("the world's memory grew");
    if (resident > first_resident_ + kHeapSlack) fault("the process grew");
    if (options_.sleeping && !moved.empty()) fault("a body moved");
    if (!options_.sleeping && beyond > 0) fault("a body moved more than 3 cm");
    log_["verdict"] = faults_.empty() ? Json("good so far") : Json(faults_);
    write();
  }

  /// True if all checks passed.
  bool finish() {
    if (faults_.empty()) log_["verdict"] = "good";
    write();
    return faults_.empty();
  }

  std::string verdict() const {
    std::string text;
    for (const std::string& each : faults_) text += (text.empty() ? "" : "; ") + each;
    return text.empty() ? "good" : text;
  }
  double max_distance() const { return max_distance_; }

 private:
  static std::string now() {
    const std::time_t time = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
    return text;
  }
  std::string name(std::size_t index) const { return world_.description(world_.bodies()[index]).name; }
  void fault(const std::string& what) {
    if (std::find(faults_.begin(), faults_.end(), what) == faults_.end()) faults_.push_back(what);
  }
  void write() const {
    if (!options_.json.empty()) write_whole_file(options_.json, log_.dump(1) + "\n");
  }

  const SoakOptions& options_;
  World& world_;
  QualityMeter meter_;
  std::vector<BodyState> settled_;
  Json log_;
  std::vector<std::string> faults_;
  double max_distance_{0};  ///< [m] over all samples
  std::uint64_t first_memory_{0}, first_resident_{0};
};

int soak(const SoakOptions& options) {
  check_files({{{"--json", options.json}, {".json"}}}, {{"the scene", options.scene}});
  Source source = load_source(options.scene, options.seed);
  if (options.sleeping) override_setting(source.scene, "sleeping", "true", "--sleeping");
  World world = make_world({&source, 1}, {.device = Device::parse(options.device, options.threads)});
  const auto settling = static_cast<std::uint64_t>(std::llround(options.settle / double{world.params().dt}));
  const Progress progress = progress_line(settling + options.steps);
  for (std::uint64_t step = 1; step <= settling; ++step) {
    world.step();
    if (progress) progress(step);
  }
  Soak soak(options, world, source);
  soak.sample();
  for (std::uint64_t step = 1; step <= options.steps; ++step) {
    world.step();
    if (step % options.every == 0 || step == options.steps) soak.sample();
    if (progress) progress(settling + step);
  }
  const bool good = soak.finish();
  std::printf("%s, %llu steps after %llu of settling: farthest from where it settled %.6g m; hash %s; %s\n",
              options.scene.c_str(), static_cast<unsigned long long>(options.steps),
              static_cast<unsigned long long>(settling), soak.max_distance(), hex(world.state_hash()).c_str(),
              soak.verdict().c_str());
  return good ? 0 : 1;
}

}  // namespace
}  // namespace cairn::cli

int main(int argc, char** argv) {
  using namespace cairn::cli;
  SoakOptions options;
  CLI::App app{
      "A long run of a settled scene. Exit code 1 if a status bit is raised, memory grew, or a body moved: more "
      "than 3 cm, or with --sleeping at all.",
      "cairn_soak"};
  app.add_option("scene", options.scene, "a scene file or a built-in scene")->capture_default_str();
  add_device_options(app, options.device, options.threads);
  app.add_option("--seed", options.seed, "seed of the disturbance of a built-in scene; without it 1")
      ->transform(whole_number());
  app.add_option("--settle", options.settle, "[s] simulated before positions are noted")
      ->transform(number(0, 1e6))
      ->capture_default_str();
  app.add_option("--steps", options.steps, "steps after settling")->transform(whole_number(1))->capture_default_str();
  app.add_option("--every", options.every, "steps between samples")->transform(whole_number(1))->capture_default_str();
  app.add_flag("--sleeping", options.sleeping, "let resting bodies sleep");
  app.add_option("--commit", options.commit, "what was built, to be written down");
  app.add_option("--json", options.json, "write all samples to FILE.json, again at each");
  CLI11_PARSE(app, argc, argv);
  try {
    return soak(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cairn_soak: %s\n", error.what());
    return 2;
  }
}
