#include "tools/cairn/limit.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cairn/world.h"
#include "tools/cairn/judge.h"
#include "tools/cairn/simulate.h"

namespace cairn::cli {
namespace {

/// Sum of the squared speeds of the dynamic bodies, and their number.
struct Speeds {
  double squares{0};
  double bodies{0};

  void add(const World& world, const std::vector<Source>& sources) {
    std::vector<BodyState> states(world.body_count());
    world.read_states(states);
    std::size_t i = 0;
    for (const Source& source : sources) {
      for (const Body& body : source.scene.bodies()) {
        const Vec3 v = states[i++].linear_velocity;
        if (body.type != BodyType::kDynamic) continue;
        squares += double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z;
        bodies += 1;
      }
    }
  }
};

}  // namespace

std::uint32_t largest(std::uint32_t cap, const std::function<bool(std::uint32_t)>& holds) {
  std::uint32_t good = 0, bad = 0;
  for (std::uint32_t n = 1; bad == 0 && good < cap; n = std::min(2 * n, cap)) {
    (holds(n) ? good : bad) = n;
  }
  while (bad > good + 1 + good / 16) {
    const std::uint32_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

Trial attempt(std::vector<Source> sources, const StepParams& params, const Device& device, double seconds) {
  for (Source& source : sources) source.scene.set_params(params);
  World world = make_world(sources, {.device = device});
  Judge judge(sources);
  const auto second = std::max<std::int64_t>(1, std::llround(1 / double{params.dt}));
  const std::int64_t steps = std::llround(seconds / double{params.dt});
  Trial trial;
  Quality quality;
  Speeds speeds;
  std::int64_t taken = 0;
  std::chrono::steady_clock::duration time{};
  while (taken < steps) {
    const auto start = std::chrono::steady_clock::now();
    world.step();
    const StepReport report = world.report();
    time += std::chrono::steady_clock::now() - start;
    ++taken;
    if (taken > steps - second) speeds.add(world, sources);
    if (taken % second != 0 && taken != steps) continue;
    quality = judge.measure(world);
    trial.held = report.status == 0 && quality.finite && quality.fallen == 0;
    if (!trial.held) break;
  }
  trial.drop = quality.height_loss;
  trial.drift = quality.max_drift;
  trial.penetration = quality.max_penetration;
  trial.jitter = speeds.bodies > 0 ? std::sqrt(speeds.squares / speeds.bodies) : 0;
  trial.residual = double{world.residual().signorini};
  trial.ms_per_step =
      std::chrono::duration<double, std::milli>(time).count() / static_cast<double>(std::max<std::int64_t>(taken, 1));
  return trial;
}

}  // namespace cairn::cli
