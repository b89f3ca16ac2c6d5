// cairn bench: whole scenes, with the quality beside each time.

#include <cstdio>
#include <memory>

#include "cairn/errors.h"
#include "src/file/whole_file.h"
#include "tools/cairn/articulation_bench.h"
#include "tools/cairn/bench_output.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/compare.h"
#include "tools/cairn/device_options.h"
#include "tools/cairn/files.h"
#include "tools/cairn/numbers.h"
#include "tools/cairn/output.h"

namespace cairn::cli {
namespace {

struct BenchOptions {
  std::string device{"best"};
  int threads{0};
  std::string suite{"quick"}, only;
  std::vector<std::string> scenes;
  Row custom{.scene = {}, .substeps = 0, .settle = 120, .steps = 120, .worlds = 1};
  int repeats{1};
  Seed seed;
  double limit{60};
  std::string json, commit;
  std::vector<std::string> compare;
  double tolerance{0.1};
};

std::vector<Row> rows_of(const BenchOptions& options) {
  if (options.scenes.empty()) return select_rows(options.suite, options.only);
  std::vector<Row> rows;
  for (const std::string& scene : options.scenes) {
    rows.push_back(options.custom);
    rows.back().scene = scene;
  }
  return rows;
}

int bench(const BenchOptions& options) {
  if (!options.compare.empty()) {
    const Comparison comparison = compare_benches(options.compare[0], options.compare[1], options.tolerance);
    std::fputs(comparison.text.c_str(), stdout);
    return comparison.worse ? kStatusRaised : kGood;
  }
  std::vector<NamedFile> read;
  for (const std::string& scene : options.scenes) read.push_back({"--scene", scene});
  check_files({{{"--json", options.json}, {".json"}}}, read);
  if (options.scenes.empty() && options.suite == kArticulationSuite) {
    const Device device = Device::parse(options.device, options.threads);
    if (!options.only.empty()) throw InvalidArgument("--only: suite articulations has no rows to choose from");
    const std::vector<ArticulationFigures> figures = bench_articulations(device);
    if (!options.json.empty())
      writing([&] { write_whole_file(options.json, articulations_json(device, figures).dump(2) + "\n"); });
    return kGood;
  }
  for (const std::string& scene : options.scenes) is_scene_file(scene, options.seed);  // before the first is timed
  const std::vector<Row> rows = rows_of(options);
  const Device device = Device::parse(options.device, options.threads);
  BenchHead head{
      .device = describe(device), .suite = options.scenes.empty() ? options.suite : "", .commit = options.commit};
  head.device.device = device;  // with its threads
  Measurer measurer({.device = head.device, .seed = options.seed, .repeats = options.repeats, .limit = options.limit});

  std::printf("%s\n%s", head.device.description.c_str(), table_head().c_str());
  std::vector<Measured> all;
  bool good = true;
  for (const Row& row : rows) {
    all.push_back(measurer.measure(row));
    good = good && all.back().no_figure.empty();
    std::fputs(table_row(all.back()).c_str(), stdout);
    flush_stdout();
    // rewritten after each row, so that a run that is cut short leaves its figures
    if (!options.json.empty()) writing([&] { write_whole_file(options.json, bench_json(head, all).dump(2) + "\n"); });
  }
  return good ? kGood : kStatusRaised;
}

std::string suite_list() {
  std::string text;
  for (const Suite& suite : suites()) text += (text.empty() ? "" : "; ") + suite.name + ": " + suite.meaning;
  return text + "; articulations: trees in reduced coordinates, by themselves";
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto o = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time whole scenes, with quality and hash beside each time");
  add_device_options(*command, o->device, o->threads);
  command->add_option("--suite", o->suite, suite_list())->capture_default_str();
  command->add_option("--only", o->only, "only scenes with this in their name");
  auto* scenes = command->add_option("--scene", o->scenes, "this scene instead of a suite; may be given again")
                     ->take_all()
                     ->allow_extra_args(false);
  command->add_option("--worlds", o->custom.worlds, "worlds of --scene")
      ->transform(whole_number(1, 65535))
      ->capture_default_str()
      ->needs(scenes);
  command->add_option("--substeps", o->custom.substeps, "substeps of --scene; else what it says")
      ->transform(whole_number(1, 1000))
      ->needs(scenes);
  command->add_option("--settle", o->custom.settle, "steps of --scene before the timed ones")
      ->transform(whole_number(0, 1000000))
      ->capture_default_str()
      ->needs(scenes);
  command->add_option("--steps", o->custom.steps, "timed steps of --scene")
      ->transform(whole_number(1, 1000000))
      ->capture_default_str()
      ->needs(scenes);
  command->add_option("--repeats", o->repeats, "runs of each row from its start; the median counts")
      ->transform(whole_number(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", o->seed, "seed of the disturbances of built-in scenes; without it 1")
      ->transform(whole_number());
  command->add_option("--limit", o->limit, "seconds that a row may take; one that would take longer is not run")
      ->transform(number(1e-9, 1e9))
      ->capture_default_str();
  command->add_option("--json", o->json, "write all figures to FILE.json");
  command->add_option("--commit", o->commit, "what was built, to be written down with the figures");
  command->add_option("--compare", o->compare, "run nothing: show what moved from A.json to B.json")->expected(2);
  command->add_option("--tolerance", o->tolerance, "relative change that --compare lets pass")
      ->transform(number(0, 1e9))
      ->capture_default_str();
  command->callback([o, &exit_code] { exit_code = bench(*o); });
}

}  // namespace cairn::cli
