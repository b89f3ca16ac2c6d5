#include "tools/cairn/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "cairn/errors.h"
#include "tools/cairn/format.h"
#include "tools/cairn/judge.h"

namespace cairn::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// [1] of the device's memory that a row may take: the rest is for the system and for sorting.
constexpr double kMemoryShare = 0.8;
/// [1] steps whose stages are timed.
constexpr std::uint64_t kStagedSteps = 20;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Thrown by a row that takes too long.
struct OverLimit {
  std::uint64_t step;
};

std::vector<BodyState> states_of(const World& world) {
  std::vector<BodyState> states(world.body_count());
  world.read_states(states);
  return states;
}

double farthest(const std::vector<BodyState>& a, const std::vector<BodyState>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec3d p = a[i].position, q = b[i].position;
    most = std::max(most, std::hypot(p.x - q.x, p.y - q.y, p.z - q.z));
  }
  return most;
}

std::uint32_t dynamic_bodies(const Scene& scene) {
  const auto& bodies = scene.bodies();
  return static_cast<std::uint32_t>(std::count_if(
      bodies.begin(), bodies.end(), [](const Body& b) { return b.type == BodyType::kDynamic && b.enabled; }));
}

}  // namespace

std::string kind_of(const std::string& scene) { return scene.substr(0, scene.find(':')); }

double Measured::ms() const { return summarise(queued_ms).median; }
double Measured::world_steps() const { return ms() > 0 ? 1e3 * row.worlds / ms() : 0; }
double Measured::body_steps() const { return ms() > 0 ? 1e3 * dynamic_bodies / ms() : 0; }
double Measured::joint_steps() const { return ms() > 0 ? joints.count / ms() : 0; }

std::string Measurer::reason_against(const Row& row, const Source& first, std::uint64_t bodies) const {
  const double need = static_cast<double>(estimate_memory(first.scene, row.worlds));
  const double has = static_cast<double>(options_.device.memory);
  if (has > 0 && need > kMemoryShare * has) {
    return format("needs %.3g GiB of the device's %.3g GiB", need / 0x1p30, has / 0x1p30);
  }
  // a device takes about as long for a small row as for one with many times its bodies
  if (options_.device.device.kind == Device::Kind::kCuda) return {};
  const auto known = cost_.find(kind_of(row.scene));
  if (known == cost_.end()) return {};
  const double steps = static_cast<double>(options_.repeats * (row.settle + row.steps));
  const double predicted = known->second * static_cast<double>(bodies) * steps;
  if (predicted <= options_.limit) return {};
  return format("would take about %.0f s, over the limit of %g s", predicted, options_.limit);
}

Measured Measurer::measure(const Row& row) {
  Measured result;
  result.row = row;
  const auto start = Clock::now();
  try {
    run(result);
  } catch (const OverLimit& over) {
    result.not_run = format("stopped after %llu steps, over the limit of %g s",
                            static_cast<unsigned long long>(over.step), options_.limit);
  } catch (const CapacityError& error) {
    result.not_run = error.what();
  } catch (const std::bad_alloc&) {
    result.not_run = "out of memory";
  }
  result.seconds = seconds_since(start);
  if (result.not_run.empty()) {
    const double steps = static_cast<double>(options_.repeats * (row.settle + row.steps));
    cost_[kind_of(row.scene)] = result.seconds / (std::max(result.dynamic_bodies, 1u) * std::max(steps, 1.0));
  }
  return result;
}

void Measurer::run(Measured& result) {
  Row& row = result.row;
  const auto start = Clock::now();
  const auto prepared = [&](std::vector<Source> sources) {
    for (Source& source : sources) {
      if (row.substeps != 0) override_setting(source.scene, "substeps", std::to_string(row.substeps), "substeps");
    }
    return sources;
  };
  std::vector<Source> sources = prepared(load_sources(row.scene, options_.seed, 1));
  result.dynamic_bodies = dynamic_bodies(sources[0].scene) * row.worlds;
  row.substeps = sources[0].scene.params().substeps;
  result.not_run = reason_against(row, sources[0], result.dynamic_bodies);
  if (!result.not_run.empty()) return;
  if (row.worlds > 1) sources = prepared(load_sources(row.scene, options_.seed, row.worlds));

  const std::uint64_t total = row.settle + row.steps;
  const bool queues = options_.device.device.kind == Device::Kind::kCuda;
  Outcome& out = result.outcome;
  for (int repeat = 0; repeat < options_.repeats; ++repeat) {
    World world = make_world(sources, {.device = options_.device.device});
    const Progress progress = progress_line(total);
    const auto step = [&](std::uint64_t number) {
      world.step();
      if (seconds_since(start) > options_.limit) throw OverLimit{number};
      if (progress) progress(number);
    };
    for (std::uint64_t i = 1; i <= row.settle; ++i) step(i);
    const std::vector<BodyState> settled = states_of(world);

    // each step is timed separately
    std::vector<double> step_ms;
    for (std::uint64_t i = 1; i <= row.steps; ++i) {
      const auto before = Clock::now();
      world.step();
      out.report = world.report();
      step_ms.push_back(1e3 * seconds_since(before));
      if (seconds_since(start) > options_.limit) throw OverLimit{row.settle + i};
      if (progress) progress(row.settle + i);
    }
    out.step_ms.insert(out.step_ms.end(), step_ms.begin(), step_ms.end());
    const std::uint64_t hash = world.state_hash();
    result.same_hash = result.same_hash && (repeat == 0 || hash == out.hash);
    out.hash = hash;

    const bool last = repeat + 1 == options_.repeats;
    if (last) {
      out.scene = row.scene;
      out.seed = number_of(options_.seed);
      out.worlds = row.worlds;
      out.device = world.device().name();
      out.threads = queues ? 0 : world.device().threads;
      out.params = world.params();
      out.quality = Judge(sources).measure(world);
      result.joints = figures_of_joints(world);
      result.drift = farthest(settled, states_of(world));
      result.memory_bytes = world.memory_bytes();
    }

    // time of steps without waits of the host between them. On the CPU each step is waited for anyway
    if (queues) {
      const auto before = Clock::now();
      for (std::uint64_t i = 0; i < row.steps; ++i) world.step();
      world.report();
      result.queued_ms.push_back(1e3 * seconds_since(before) / static_cast<double>(row.steps));
    } else {
      result.queued_ms.push_back(summarise(step_ms).mean);
    }

    // the clock of the stages stops the pipeline after each
    if (last) {
      const std::uint64_t staged = std::min(kStagedSteps, row.steps);
      world.set_timings(true);
      for (std::uint64_t i = 0; i < staged; ++i) {
        world.step();
        const StepReport report = world.report();
        for (int s = 0; s < kStageCount; ++s) out.stage_ms[s] += report.stage_ms[s] / static_cast<double>(staged);
      }
      out.timed_stages = true;
      // a failure after the timed steps doesn't count for these, but the row isn't shown as good either
      out.report.status |= world.report().status;
    }
  }
  if (!out.quality.finite) {
    result.no_figure = "the state is not finite";
  } else if (out.report.status != 0) {
    result.no_figure = "status";
    for (const std::string& bit : status_names(out.report.status)) result.no_figure += " " + bit;
  } else if (!result.same_hash) {
    result.no_figure = "the repeats ended with different bits";
  }
}

}  // namespace cairn::cli
