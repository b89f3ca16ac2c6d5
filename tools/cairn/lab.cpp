// cairn lab: the max height, mass and span that each solver holds at the same cost.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cairn/errors.h"
#include "cairn/version.h"
#include "src/file/whole_file.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/device_options.h"
#include "tools/cairn/files.h"
#include "tools/cairn/format.h"
#include "tools/cairn/limit.h"
#include "tools/cairn/numbers.h"
#include "tools/cairn/output.h"
#include "tools/cairn/simulate.h"
#include "tools/cairn/verdicts.h"

namespace cairn::cli {
namespace {

/// A solver, and the visits of every contact in a substep. Direct solves have the substeps of sweeps, and take longer.
struct Contender {
  const char* name;
  SolverKind solver;
  SweepKind sweep;
  int visits;
  bool all_direct{false};  ///< every island of up to 256 bodies, not only those of unlike masses
};
constexpr Contender kContenders[] = {
    {"soft_step", SolverKind::kSoftStep, SweepKind::kGaussSeidel, 2},  // with bias, and without
    {"soft_step_direct", SolverKind::kSoftStep, SweepKind::kGaussSeidel, 2, true},
    {"xpbd", SolverKind::kXpbd, SweepKind::kGaussSeidel, 3},    // positions, and velocities twice
    {"xpbd_jacobi", SolverKind::kXpbd, SweepKind::kJacobi, 3},  // the same
    {"sequential_impulse", SolverKind::kSequentialImpulse, SweepKind::kGaussSeidel, 1},
    {"avbd", SolverKind::kAvbd, SweepKind::kGaussSeidel, 6},  // twice from both bodies, the multipliers, and relax
};
static_assert(std::ranges::all_of(EnumWords<SolverKind>::all, [](const Word<SolverKind>& word) {
  return word.second == SolverKind::kHertzMindlin ||  // of elastic spheres alone
         std::ranges::any_of(kContenders, [&](const Contender& c) { return c.solver == word.second; });
}));

/// Bricks, each with 95 % of the max overhang past the one below: a chain of contacts, each of which depends on the
/// edges of the others, without joints.
Source overhang(std::uint32_t bricks) {
  Source source{"overhang:bricks=" + std::to_string(bricks), {}, {}};
  Scene& scene = source.scene;
  const std::uint32_t material = scene.add_material({.name = "brick", .density = 1000, .friction = 0.6f});
  const auto add = [&](std::string name, BodyType type, Vec3d at, Vec3 half) {
    Body body;
    body.name = std::move(name);
    body.type = type;
    body.position = at;
    body.shapes.push_back({.geometry = Box{half}, .material = material});
    scene.add_body(std::move(body));
  };
  add("table", BodyType::kStatic, {-4, 0, -0.5}, {4, 4, 0.5f});
  double edge = 0;
  for (std::uint32_t k = bricks; k >= 1; --k) {
    edge += 0.95 / (2 * k);
    add("brick" + std::to_string(k), BodyType::kDynamic, {edge - 0.5, 0, 0.1 * (2 * (bricks - k) + 1)},
        {0.5f, 0.25f, 0.1f});
  }
  source.rules.nominal_height = 0.1 * (2 * bricks - 1);
  return source;
}

/// A structure of growing size.
struct Challenge {
  const char* name;
  const char* counts;
  const char* spec;  ///< of a built-in scene, before the size; empty: the overhang
  std::uint32_t cap;
};
constexpr Challenge kChallenges[] = {
    {"tower", "boxes on each other", "tower:height=", 128},
    {"load", "mass of a box on 10 boxes, over theirs", "heavy:height=10,ratio=", 4096},
    {"wall", "boxes in the lowest row", "wall:base=", 24},
    {"pyramid", "boxes along a side of the lowest layer", "pyramid:base=", 8},
    {"overhang", "bricks, at 95 % of the harmonic limit", "", 32},
    {"pile", "boxes dropped into a bin", "pile:count=", 128},
};

struct LabOptions {
  std::string device{"cpu"};
  int threads{0};
  std::vector<int> passes{10};
  std::uint64_t seed{1};
  std::uint32_t seeds{3};
  std::uint32_t cap{0};
  double seconds{10};
  std::uint32_t verdicts{0};
  std::vector<double> margins{2, 5, 10};
  std::string only, solver, json;
};

struct LabRow {
  const Challenge* challenge;
  const Contender* contender;
  int passes;
  std::uint32_t limit;  ///< largest size that was held
  std::uint32_t cap;
  Trial trial;  ///< of that size, or of 1 if none was held
};

std::vector<Source> sources_of(const Challenge& challenge, std::uint32_t n, const LabOptions& options) {
  if (challenge.spec[0] == '\0') return {overhang(n)};
  return load_sources(challenge.spec + std::to_string(n), options.seed, options.seeds);
}

/// The contenders chosen by --solver.
std::vector<const Contender*> chosen(const LabOptions& options) {
  std::vector<const Contender*> left;
  for (const Contender& contender : kContenders) {
    if (std::string(contender.name).find(options.solver) != std::string::npos) left.push_back(&contender);
  }
  if (left.empty()) throw InvalidArgument("--solver " + options.solver + ": no solver of the lab has this in its name");
  return left;
}

StepParams params_of(const Contender& contender, int passes) {
  StepParams params;
  params.solver = contender.solver;
  params.sweep = contender.sweep;
  params.substeps = passes / contender.visits;
  if (contender.all_direct) {
    params.direct_bodies = 256;
    params.direct_mass_ratio = 1;
  }
  return params;
}

LabRow measure(const Challenge& challenge, const Contender& contender, int passes, const LabOptions& options,
               const Device& device) {
  const StepParams params = params_of(contender, passes);
  const std::uint32_t cap = options.cap == 0 ? challenge.cap : std::min(challenge.cap, options.cap);
  LabRow row{&challenge, &contender, passes, 0, cap, {}};
  row.limit = largest(cap, [&](std::uint32_t n) {
    const Trial trial = attempt(sources_of(challenge, n, options), params, device, options.seconds);
    if (trial.held || n == 1) row.trial = trial;
    return trial.held;
  });
  return row;
}

void print(const LabRow& row) {
  const std::string limit = (row.limit == row.cap ? ">=" : "") + std::to_string(row.limit);
  const Trial& t = row.trial;
  std::printf("%-9s %6d %-19s %7s %9.2f %9.2f %10.5f %9.2f %9.1e %9.3f\n", row.challenge->name, row.passes,
              row.contender->name, limit.c_str(), 1e3 * t.drop, 1e3 * t.drift, t.jitter, 1e3 * t.penetration,
              t.residual, t.ms_per_step);
  flush_stdout();
}

nlohmann::ordered_json json_of(const LabRow& row) {
  const Trial& t = row.trial;
  return {{"challenge", row.challenge->name},
          {"solver", row.contender->name},
          {"passes", row.passes},
          {"substeps", row.passes / row.contender->visits},
          {"limit", row.limit},
          {"cap", row.cap},
          {"held", t.held},
          {"drop", t.drop},
          {"drift", t.drift},
          {"jitter", t.jitter},
          {"max_penetration", t.penetration},
          {"signorini", t.residual},
          {"ms_per_step", t.ms_per_step}};
}

/// A solver's verdicts about a family.
struct VerdictRow {
  const Family* family;
  const Contender* contender;
  int passes;
  double margin;  ///< [%]
  Verdicts verdicts;
};

void print(const VerdictRow& row) {
  const Verdicts& v = row.verdicts;
  std::printf("%-9s %6d %-19s %8g %7u of %-7u %7u of %-7u %8.2f\n", row.family->name, row.passes, row.contender->name,
              row.margin, v.stood, v.standing, v.fell, v.falling, 100 * v.right());
  flush_stdout();
}

nlohmann::ordered_json json_of(const VerdictRow& row) {
  const Verdicts& v = row.verdicts;
  return {{"family", row.family->name},
          {"parameter", row.family->parameter},
          {"solver", row.contender->name},
          {"passes", row.passes},
          {"substeps", row.passes / row.contender->visits},
          {"margin", row.margin},
          {"standing", v.standing},
          {"stood", v.stood},
          {"falling", v.falling},
          {"fell", v.fell}};
}

nlohmann::ordered_json head_of(const LabOptions& options, const Device& device) {
  return {{"version", kVersion},        {"numerics", kNumericsVersion},
          {"device", device.name()},    {"description", describe(device).description},
          {"seconds", options.seconds}, {"seed", options.seed}};
}

/// The output file, if given; the figures are the last members of the object.
template <class Rows>
void write_figures(const Rows& rows, const char* name, nlohmann::ordered_json object, const LabOptions& options) {
  if (options.json.empty()) return;
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : rows) list.push_back(json_of(row));
  object[name] = std::move(list);
  writing([&] { write_whole_file(options.json, object.dump(2) + "\n"); });
}

int lab_verdicts(const LabOptions& options, const Device& device) {
  std::vector<VerdictRow> rows;
  for (const Family& family : families()) {
    if (std::string(family.name).find(options.only) == std::string::npos) continue;
    if (rows.empty()) {
      std::printf("%-9s %6s %-19s %8s %18s %18s %8s\n", "family", "passes", "solver", "beside %", "stood", "fell",
                  "right %");
    }
    for (const int passes : options.passes) {
      for (const Contender* contender : chosen(options)) {
        for (const double margin : options.margins) {
          rows.push_back({&family, contender, passes, margin,
                          judge(family, options.seed, options.verdicts, margin / 100, params_of(*contender, passes),
                                device, options.seconds)});
          print(rows.back());
        }
      }
    }
  }
  if (rows.empty()) throw InvalidArgument("--only " + options.only + ": no family has this in its name");
  write_figures(rows, "verdicts", head_of(options, device), options);
  return kGood;
}

int lab(const LabOptions& options) {
  check_files({{{"--json", options.json}, {".json"}}}, {});
  for (const int passes : options.passes) {
    for (const Contender* contender : chosen(options)) {
      if (passes < contender->visits) {
        throw InvalidArgument("--passes " + std::to_string(passes) + ": a substep of " + contender->name + " takes " +
                              std::to_string(contender->visits));
      }
    }
  }
  const Device device = Device::parse(options.device, options.threads);
  std::printf("%s\n", describe(device).description.c_str());
  if (options.verdicts != 0) return lab_verdicts(options, device);
  std::vector<LabRow> rows;
  for (const Challenge& challenge : kChallenges) {
    if (std::string(challenge.name).find(options.only) == std::string::npos) continue;
    if (rows.empty()) {
      std::printf("%-9s %6s %-19s %7s %9s %9s %10s %9s %9s %9s\n", "what", "passes", "solver", "holds", "drop mm",
                  "drift mm", "jitter m/s", "deep mm", "res. m/s", "ms a step");
    }
    for (const int passes : options.passes) {
      for (const Contender* contender : chosen(options)) {
        rows.push_back(measure(challenge, *contender, passes, options, device));
        print(rows.back());
      }
    }
  }
  if (rows.empty()) throw InvalidArgument("--only " + options.only + ": nothing of the lab has this in its name");
  nlohmann::ordered_json head = head_of(options, device);
  head["seeds"] = options.seeds;
  write_figures(rows, "rows", std::move(head), options);
  return kGood;
}

}  // namespace

void add_lab(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<LabOptions>();
  CLI::App* command =
      app.add_subcommand("lab", "Find the tallest, heaviest and widest that each solver holds, all at the same cost");
  add_device_options(*command, options->device, options->threads);
  command->add_option("--passes", options->passes, "visits of every contact in a step; several make a curve each")
      ->delimiter(',')
      ->transform(whole_number(10, 1000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "first seed of the disturbances")
      ->transform(whole_number())
      ->capture_default_str();
  command->add_option("--seeds", options->seeds, "seeds that must all be held")
      ->transform(whole_number(1, 100))
      ->capture_default_str();
  command->add_option("--cap", options->cap, "largest size tried; else that of each row")
      ->transform(whole_number(1, 100'000));
  command->add_option("--seconds", options->seconds, "how long to hold it [s]")
      ->transform(number(1, 1e4))
      ->capture_default_str();
  command
      ->add_option("--verdicts", options->verdicts,
                   "judge so many cases of each family of structures that can just stand, or just not")
      ->transform(whole_number(1, 100'000));
  command->add_option("--margins", options->margins, "how far beside their limits [%]")
      ->transform(number(0.1, 50))
      ->capture_default_str();
  command->add_option("--solver", options->solver, "only solvers that have this in their names");
  command->add_option("--only", options->only, "only what has this in its name");
  command->add_option("--json", options->json, "write all figures to FILE.json too");
  command->callback([options, &exit_code] { exit_code = lab(*options); });
}

}  // namespace cairn::cli
