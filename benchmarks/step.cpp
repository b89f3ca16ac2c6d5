// Whole steps of settled scenes, the milliseconds that each stage takes, and beside them the quality and the hash of
// the state: a fast wrong answer shows. `cairn bench` times more scenes; this one shows where the time goes.

#include "benchmarks/step.h"

#include <array>
#include <cstdio>
#include <string>

#include <benchmark/benchmark.h>

#include "cairn/quality.h"
#include "cairn/world.h"
#include "scenes/builtin.h"
#include "scenes/quality_rules.h"

namespace cairn {
namespace {

/// A scene and the steps [from, from + steps) that are measured.
struct Case {
  const char* scene;
  int substeps;
  int from, steps;
};

constexpr Case kCases[] = {
    {"tower:height=10", 6, 120, 120},  // small enough for an emulated device, too
    {"lattice:n=16", 6, 120, 120},
    {"pile:count=3000", 6, 300, 60},
    {"wall:base=40", 4, 120, 120},
};

Scene scene_of(const Case& c) {
  Scene scene = scenes::make(c.scene, 1);
  StepParams params = scene.params();
  params.substeps = c.substeps;
  scene.set_params(params);
  return scene;
}

void whole_step(benchmark::State& state, const Case& c, const Device& device) {
  const Scene scene = scene_of(c);
  World world(scene, {.device = device});
  // stages are measured on a separate world: on a CUDA device, the clock stops the pipeline after each
  World staged(scene, {.device = device, .timings = true});
  for (int i = 0; i < c.from; ++i) {
    world.step();
    staged.step();
  }
  world.report();

  for (auto _ : state) {
    world.step();
    world.report();  // waits
  }

  std::array<double, kStageCount> stage_ms{};
  for (int i = 0; i < c.steps; ++i) {
    staged.step();
    const StepReport report = staged.report();
    for (int s = 0; s < kStageCount; ++s) stage_ms[s] += report.stage_ms[s] / c.steps;
  }
  if (staged.state_hash() != world.state_hash()) {
    state.SkipWithError("two runs ended with different bits");
    return;
  }
  const scenes::Built built = scenes::build(c.scene, 1);
  const Quality quality = QualityMeter(scene, scenes::quality_rules(built)).measure(world);
  const StepReport report = world.report();
  if (report.status != 0 || !quality.finite) {
    state.SkipWithError("the simulation raised a status bit");
    return;
  }
  state.counters["bodies"] = report.bodies;
  state.counters["manifolds"] = report.manifolds;
  state.counters["max_mm"] = 1e3 * quality.max_penetration;
  state.counters["mean_mm"] = 1e3 * quality.mean_penetration;
  state.counters["rms_m/s"] = quality.rms_speed;
  state.counters["fallen"] = quality.fallen;
  for (int s = 0; s < kStageCount; ++s) {
    if (stage_ms[s] > 0) state.counters["ms_" + std::string(stage_name(static_cast<Stage>(s)))] = stage_ms[s];
  }
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(world.state_hash()));
  state.SetLabel(hash);
}

void add(const Case& c, const Device& device) {
  const std::string where =
      device.kind == Device::Kind::kCuda ? device.name() : "threads:" + std::to_string(device.threads);
  benchmark::RegisterBenchmark(("step/" + std::string(c.scene) + "/" + where).c_str(),
                               [c, device](benchmark::State& state) { whole_step(state, c, device); })
      ->Iterations(c.steps)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace

// every device of this machine, and the CPU with one thread and with two
void add_steps() {
  for (const Case& c : kCases) {
    add(c, Device::cpu(1));
    add(c, Device::cpu(2));
    for (const DeviceInfo& info : devices()) {
      if (info.device.kind == Device::Kind::kCuda) add(c, info.device);
    }
  }
}

}  // namespace cairn
