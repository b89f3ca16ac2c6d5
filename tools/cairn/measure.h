#pragma once
// Times a row of `bench`, or gives the reason why it has no figure.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cairn/device.h"
#include "tools/cairn/joint_figures.h"
#include "tools/cairn/simulate.h"
#include "tools/cairn/source.h"
#include "tools/cairn/suite.h"

namespace cairn::cli {

struct MeasureOptions {
  DeviceInfo device;
  Seed seed;
  int repeats{1};
  double limit{60};  ///< [s] max time of a row
};

/// Results of a row. Contacts, quality and hash are those after the timed steps.
struct Measured {
  Row row;
  std::string not_run;              ///< reason why it was not run, or not to its end
  std::string no_figure;            ///< reason why it ran and its times are invalid
  Outcome outcome;                  ///< of the last repeat; step_ms of all repeats, each step waited for
  std::uint32_t dynamic_bodies{0};  ///< [1] in all worlds
  std::vector<double> queued_ms;    ///< [ms] (repeats) mean per step, where the host waits once for all steps
  JointFigures joints;              ///< after the timed steps
  double drift{0};                  ///< [m]  max distance that a body moved in the timed steps
  std::uint64_t memory_bytes{0};    ///< [B]  World::memory_bytes
  bool same_hash{true};             ///< all repeats ended with the same bits
  double seconds{0};                ///< [s]  of the whole row, with building and judging

  bool has_figure() const { return not_run.empty() && no_figure.empty(); }
  double ms() const;           ///< [ms]  a step: median over the repeats of `queued_ms`
  double world_steps() const;  ///< [1/s]
  double body_steps() const;   ///< [1/s] of dynamic bodies
  double joint_steps() const;  ///< [1/ms] of joints
};

/// Times rows one after the other, and remembers the cost of each kind of scene.
class Measurer {
 public:
  explicit Measurer(MeasureOptions options) : options_(std::move(options)) {}
  Measured measure(const Row& row);

 private:
  void run(Measured& result);
  /// Reason not to run the row; empty if there is none.
  std::string reason_against(const Row& row, const Source& first, std::uint64_t bodies) const;

  MeasureOptions options_;
  std::map<std::string, double> cost_;  ///< [s] a body and step of the latest row of each kind of scene
};

/// The scene's name without its parameters.
std::string kind_of(const std::string& scene);

}  // namespace cairn::cli
