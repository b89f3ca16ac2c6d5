// Repeats a recording, and finds where it first differs.

#include <algorithm>

#include "cairn/recording.h"
#include "src/exec/out_of_memory.h"
#include "src/recording/again.h"

namespace cairn {
namespace {

using recording::Log;
using recording::Step;

World start(const Log& log, const WorldOptions& options) {
  return World(Snapshot::from_bytes(log.first, "the recording's snapshot"), options);
}

/// Repeats the calls of a log until `stop`, which takes each step, returns true. Returns the number of that step's
/// command.
template <class F>
std::size_t make_again(World& world, const Log& log, F stop) {
  for (std::size_t i = 0; i < log.commands.size(); ++i) {
    if (recording::make_again(world, log, i, [&](const Step& step) { return stop(i, step); })) return i;
  }
  return log.commands.size();
}

/// A step with its trace.
struct Look {
  Step step;
  std::vector<std::string> names;     ///< of the bodies, world by world
  std::vector<std::uint32_t> worlds;  ///< [1] of each body
};

/// Repeats the steps up to a command, and traces that one.
Look look_at(const Log& log, std::size_t at, WorldOptions options) {
  options.trace = true;
  World world = start(log, options);
  Look look;
  make_again(world, log, [&](std::size_t i, const Step& step) {
    if (i == at) world.start_recording();
    world.step(step.dt);
    if (i == at) look.step = std::get<Step>(Log::of(world.stop_recording()).commands.front());
    return i == at;
  });
  for (const BodyHandle body : world.bodies()) {
    const std::string& name = world.description(body).name;
    look.names.push_back(name.empty() ? "#" + std::to_string(world.index_of(body)) : name);
    look.worlds.push_back(world.world_of(body));
  }
  return look;
}

template <class T>
std::size_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin()).first - a.begin());
}

/// Finds the stage and body where a step differs.
void explain(const Log& log, std::size_t at, const WorldOptions& options, Difference& difference) {
  Step wanted = std::get<Step>(log.commands[at]);
  if (wanted.marks.empty()) {
    const std::uint64_t hash = wanted.hash;
    WorldOptions reference;
    wanted = look_at(log, at, reference).step;
    if (wanted.hash != hash) return;
  }
  const Look got = look_at(log, at, options);
  const std::size_t mark = first_difference(wanted.marks, got.step.marks);
  // a stage's hash may cover less than the state's: then it is the stage that writes the state
  difference.stage = mark < got.step.marks.size() ? got.step.marks[mark].stage : Stage::kFinish;
  const std::size_t body = first_difference(wanted.bodies, got.step.bodies);
  if (body < got.names.size()) {
    difference.body = got.names[body];
    difference.world = got.worlds[body];
  }
}

}  // namespace

Replay replay(const Recording& recorded, const WorldOptions& options) {
  return with_heap([&]() -> Replay {
    const Log& log = Log::of(recorded);
    WorldOptions plain = options;
    plain.trace = false;
    World world = start(log, plain);
    Replay result;
    result.hash = world.state_hash();
    if (result.hash != log.hash) {
      result.difference = Difference{};
      return result;
    }
    const std::size_t end = make_again(world, log, [&](std::size_t, const Step& step) {
      world.step(step.dt);
      result.hash = world.state_hash();
      result.steps += 1;
      return result.hash != step.hash;
    });
    if (end == log.commands.size()) return result;
    result.difference = Difference{};
    result.difference->step = result.steps;
    explain(log, end, plain, *result.difference);
    return result;
  });
}

}  // namespace cairn
