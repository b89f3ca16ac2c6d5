#pragma once
// Steps a scene, times it and judges it. Shared by `run` and `bench`.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cairn/device.h"
#include "cairn/quality.h"
#include "cairn/report.h"
#include "cairn/world.h"
#include "tools/cairn/judge.h"
#include "tools/cairn/source.h"

namespace cairn::cli {

struct Timing {
  double min{0}, median{0}, mean{0}, p95{0};  ///< [ms] a step
};
Timing summarise(std::vector<double> step_ms);

/// A body's name, or # and its index in its world.
std::string name_of(const World& world, BodyHandle body);

/// A frozen world.
struct FrozenWorld {
  std::uint32_t world{0};
  std::uint64_t step{0};    ///< [1] number of the step that was discarded, from 1 on
  std::uint32_t status{0};  ///< StatusBit
  std::string body;         ///< name of the first body that caused it
};

struct Outcome {
  std::string scene;
  std::string device;
  int threads{0};  ///< [1] of the CPU; 0 on CUDA
  StepParams params;
  std::uint64_t seed{0};
  std::uint32_t worlds{1};  ///< [1]
  StepReport report;
  ConstraintResidual constraints;  ///< of the last step
  std::vector<FrozenWorld> frozen;
  std::uint64_t hash{0};
  std::vector<double> step_ms;                 ///< [ms] (steps) wall-clock time of each step, waited for
  std::array<double, kStageCount> stage_ms{};  ///< [ms] mean a step; zeros unless timed
  bool timed_stages{false};
  Quality quality;
};

/// Called after each step with the number of steps taken.
using Progress = std::function<void(std::uint64_t)>;
/// Asked before each step whether to stop.
using Stopped = std::function<bool()>;

/// A world of each source.
World make_world(std::span<const Source> sources, const WorldOptions& options);

/// Steps a world made from the sources to its step number `steps`, from its present step, or until `stopped`. The
/// caller keeps the world, for pictures and states.
Outcome simulate(World& world, std::span<const Source> sources, Judge& judge, std::uint64_t steps, bool timings,
                 const Progress& after, const Stopped& stopped);

/// A line on stderr with step, speed and remaining time, if stderr is a terminal; otherwise does nothing. `first` steps
/// have been taken before. The line disappears after the last step, and when clear_line is called.
Progress progress_line(std::uint64_t steps, std::uint64_t first = 0);
void clear_line();

}  // namespace cairn::cli
