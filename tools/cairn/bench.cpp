// cairn bench: whole scenes, with the quality beside each time.

#include <cstdio>
#include <memory>

#include "cairn/errors.h"
#include "cairn/version.h"
#include "src/picture/whole_file.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/output.h"
#include "tools/cairn/simulate.h"

namespace cairn::cli {
namespace {

/// A scene and the steps [from, to) whose time counts. Quality is that of the last step.
struct Row {
  const char* scene;
  int substeps;
  std::uint64_t from, to;
  std::uint32_t worlds{1};
};

constexpr Row kRows[] = {
    {"tower:height=20", 6, 300, 600},
    {"tower:height=40", 6, 300, 600},
    {"tower:height=40", 24, 300, 600},
    {"tower:height=100", 12, 300, 600},
    {"wall:base=40", 4, 120, 600},
    {"wall:base=70", 4, 120, 600},
    {"heavy:height=10,ratio=100", 12, 300, 600},
    {"heavy:height=5,ratio=1000", 24, 300, 600},
    {"slope", 6, 300, 600},
    {"lattice:n=16", 6, 120, 240},
    {"lattice:n=20", 6, 120, 240},
    {"pile:count=3000", 6, 300, 600},
    {"pile:count=1000", 6, 540, 600},
    {"pile:count=10000", 6, 540, 600},
    {"pile:count=100000", 6, 540, 600},
    {"tower:height=10", 6, 120, 240, 1024},
    {"tower:height=64", 6, 120, 240, 256},
    {"rain:count=1000", 6, 300, 600},
};

struct BenchOptions {
  std::string device{"best"};
  int threads{0};
  int repeats{3};
  std::uint64_t seed{1};
  std::string only, json;
};

struct Result {
  Outcome outcome;            ///< of the first repeat
  std::vector<double> means;  ///< [ms] (repeats) mean a step over the window
  bool same_hash{true};       ///< all repeats ended with the same bits
};

Result measure(const Row& row, const BenchOptions& options, const Device& device) {
  std::vector<Source> sources = load_sources(row.scene, options.seed, row.worlds);
  for (Source& source : sources) override_setting(source.scene, "substeps", std::to_string(row.substeps), "substeps");
  Result result;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    World world = make_world(sources, {.device = device});
    Outcome outcome = simulate(world, sources, row.to, false, progress_line(row.to));
    outcome.seed = options.seed;
    outcome.step_ms.erase(outcome.step_ms.begin(), outcome.step_ms.begin() + static_cast<std::ptrdiff_t>(row.from));
    result.means.push_back(summarise(outcome.step_ms).mean);
    if (repeat == 0)
      result.outcome = std::move(outcome);
    else
      result.same_hash = result.same_hash && outcome.hash == result.outcome.hash;
  }
  return result;
}

bool good(const Result& r) {
  return r.outcome.quality.finite && (r.outcome.report.status & kStatusNonFinite) == 0 && r.same_hash;
}

void print_row(const Row& row, const Result& r) {
  if (!good(r)) {
    std::printf("%-26s %6u %4d  no figure: %s\n", row.scene, row.worlds, row.substeps,
                r.same_hash ? "the state is not finite" : "the repeats ended with different bits");
    return;
  }
  const Quality& q = r.outcome.quality;
  const double ms = summarise(r.means).median;
  const double us_per_point = r.outcome.report.points == 0 ? 0 : 1e3 * ms / r.outcome.report.points;
  std::printf("%-26s %6u %4d %7u %9u %10.3f %8.3f %8.2f %8.3f %9.4f %9.4f %7u  %s\n", row.scene, row.worlds,
              row.substeps, r.outcome.report.bodies, r.outcome.report.manifolds, ms, us_per_point,
              1e3 * q.max_penetration, 1e3 * q.mean_penetration, q.height_loss, q.rms_speed, q.fallen, hex(r.outcome.hash).c_str());
  std::fflush(stdout);
}

nlohmann::ordered_json row_json(const Row& row, const Result& r) {
  auto json = outcome_json(r.outcome);
  json["window"] = {row.from, row.to};
  json["repeats"] = r.means.size();
  if (good(r)) {
    json["ms_per_step"]["repeat_means"] = r.means;
  } else {
    json["ms_per_step"] = nullptr;
    json["quality"] = nullptr;
  }
  json["same_hash"] = r.same_hash;
  return json;
}

int bench(const BenchOptions& options) {
  check_output("--json", options.json, {".json"});
  const Device device = Device::parse(options.device, options.threads);
  auto list = nlohmann::ordered_json::array();
  bool all_good = true, any = false;
  for (const Row& row : kRows) {
    if (std::string(row.scene).find(options.only) == std::string::npos) continue;
    if (!any) {
      std::printf("%-26s %6s %4s %7s %9s %10s %8s %8s %8s %9s %9s %7s  %s\n", "scene", "worlds", "sub", "bodies",
                  "manifolds", "ms a step", "us/point", "max mm", "mean mm", "lost m", "rms m/s", "fallen", "hash");
    }
    any = true;
    const Result result = measure(row, options, device);
    all_good = all_good && good(result) && result.outcome.report.status == 0;
    print_row(row, result);
    list.push_back(row_json(row, result));
  }
  if (!any) throw InvalidArgument("--only " + options.only + ": no scene of the suite has this in its name");
  if (!options.json.empty()) {
    const nlohmann::ordered_json object = {
        {"version", kVersion}, {"numerics", kNumericsVersion}, {"device", device.name()}, {"scenes", list}};
    write_whole_file(options.json, object.dump(2) + "\n");
  }
  return all_good ? kGood : kStatusRaised;
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Time the suite of whole scenes, with quality and hash beside each time");
  command->add_option("--device", options->device, "cpu, cuda, cuda:<number> or best")
      ->check(CLI::Validator(check_device, ""))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "CPU threads; 0 takes all")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  command->add_option("--repeats", options->repeats, "runs of each scene; the median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of the disturbances")->capture_default_str();
  command->add_option("--only", options->only, "only scenes with this in their name");
  command->add_option("--json", options->json, "write all figures to FILE.json too");
  command->callback([options, &exit_code] { exit_code = bench(*options); });
}

}  // namespace cairn::cli
