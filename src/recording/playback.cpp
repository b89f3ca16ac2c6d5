// Step-by-step repetition of a recording.

#include <algorithm>

#include "cairn/recording.h"
#include "src/exec/out_of_memory.h"
#include "src/recording/again.h"

namespace cairn {
namespace {

constexpr std::uint64_t kMaxMarks = 16;  ///< [1] snapshots on the way, for `seek`

}  // namespace

Snapshot Recording::start() const {
  return with_heap([&]() -> Snapshot { return Snapshot::from_bytes(log_->first, "the recording's snapshot"); });
}

Playback::Playback(World& world, Recording recording)
    : world_(&world), recording_(std::move(recording)), steps_(recording_.steps()) {
  between_marks_ = std::max<std::uint64_t>((steps_ + kMaxMarks - 1) / kMaxMarks, 1);
  with_heap([&] {
    marks_.push_back({0, 0, recording_.start()});
    go_back_to(marks_.front());
    if (world_->state_hash() != recording::Log::of(recording_).hash) differs_at_ = 0;
  });
}

void Playback::go_back_to(const Mark& mark) {
  world_->restore(mark.snapshot);
  at_ = mark.step;
  next_call_ = mark.next_call;
  ++edits_;
}

bool Playback::step() {
  return with_heap([&]() -> bool {
    const recording::Log& log = recording::Log::of(recording_);
    bool taken = false;
    while (!taken && next_call_ < log.commands.size()) {
      const std::size_t call = next_call_;
      taken = recording::make_again(*world_, log, call, [&](const recording::Step& step) {
        world_->step(step.dt);
        // before the calls that may run out of memory: the step must not be taken twice
        ++at_;
        ++next_call_;
        if (!differs_at_ && world_->state_hash() != step.hash) differs_at_ = at_;
        return true;
      });
      if (recording::edits(log.commands[call])) ++edits_;
      next_call_ = call + 1;
    }
    if (taken && !differs_at_ && at_ % between_marks_ == 0 && at_ > marks_.back().step)
      marks_.push_back({at_, next_call_, world_->snapshot()});
    return taken;
  });
}

void Playback::seek(std::uint64_t to) {
  if (to > steps_) throw InvalidArgument("seek: must be 0 to " + std::to_string(steps_) + ", is " + std::to_string(to));
  with_heap([&] {
    const auto after = std::ranges::upper_bound(marks_, to, {}, &Mark::step);
    const Mark& mark = *std::prev(after);
    if (to < at_ || mark.step > at_) go_back_to(mark);
  });
  while (at_ < to && step()) {
  }
}

}  // namespace cairn
