#include "tools/cairn/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "cairn/world_particles.h"
#include "src/scene_file/keys.h"
#include "tools/cairn/judge.h"

namespace cairn::cli {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

Timing summarise(std::vector<double> step_ms) {
  if (step_ms.empty()) return {};
  std::sort(step_ms.begin(), step_ms.end());
  const std::size_t n = step_ms.size();
  double sum = 0;
  for (const double ms : step_ms) sum += ms;
  const auto nearest_rank = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(n)));
    return step_ms[std::clamp<std::size_t>(rank, 1, n) - 1];
  };
  const double median = n % 2 == 1 ? step_ms[n / 2] : 0.5 * (step_ms[n / 2 - 1] + step_ms[n / 2]);
  return {step_ms.front(), median, sum / static_cast<double>(n), nearest_rank(0.95)};
}

World make_world(std::span<const Source> sources, const WorldOptions& options) {
  std::vector<Scene> scenes;
  for (const Source& source : sources) scenes.push_back(source.scene);
  return World(scenes, options);
}

Outcome simulate(World& world, std::span<const Source> sources, Judge& judge, std::uint64_t steps, bool timings,
                 const Progress& after, const Stopped& stopped) {
  Outcome out;
  out.scene = sources[0].name;
  out.worlds = world.world_count();
  out.device = world.device().name();
  out.threads = world.device().kind == Device::Kind::kCpu ? world.device().threads : 0;
  out.params = world.params();
  out.timed_stages = timings;
  out.report = world.report();
  for (std::uint64_t step = out.report.steps + 1; step <= steps && !stopped(); ++step) {
    const auto start = Clock::now();
    world.step();
    out.report = world.report();
    out.step_ms.push_back(milliseconds(Clock::now() - start));
    for (int s = 0; s < kStageCount; ++s) out.stage_ms[s] += out.report.stage_ms[s];
    judge.observe(world);
    if (after) after(step);
  }
  for (double& ms : out.stage_ms) ms /= std::max(1.0, static_cast<double>(out.step_ms.size()));
  const std::vector<WorldReport> reports = world.reports();
  for (std::uint32_t w = 0; w < reports.size(); ++w) {
    const WorldReport& r = reports[w];
    if (r.status != 0) out.frozen.push_back({w, r.first_bad_step, r.status, name_of(world, r.first_bad)});
  }
  out.constraints = world.particles().constraint_residual();
  out.hash = world.state_hash();
  out.quality = judge.measure(world);
  return out;
}

std::string name_of(const World& world, BodyHandle body) {
  const std::string& name = world.description(body).name;
  return name.empty() ? "#" + std::to_string(world.index_of(body)) : name;
}

Progress progress_line(std::uint64_t steps, std::uint64_t first) {
  if (isatty(STDERR_FILENO) == 0) return {};
  const auto start = Clock::now();
  return [=, shown = start](std::uint64_t step) mutable {
    const auto now = Clock::now();
    if (step == steps) {
      clear_line();
    } else if (now - shown > std::chrono::milliseconds(200)) {
      shown = now;
      const double ms = milliseconds(now - start) / static_cast<double>(step - first);
      std::fprintf(stderr, "\rstep %llu of %llu, %.2f ms a step, %.0f s to go\033[K",
                   static_cast<unsigned long long>(step), static_cast<unsigned long long>(steps), ms,
                   1e-3 * ms * static_cast<double>(steps - step));
    }
  };
}

void clear_line() {
  if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r\033[K");
}
}  // namespace cairn::cli
