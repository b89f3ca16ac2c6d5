#include "cairn/recording.h"

#include <algorithm>

#include "src/file/whole_file.h"
#include "src/recording/record.h"

namespace cairn {
namespace {

/// Reads the calls of a log. A call can be a byte long and takes a hundred times that in memory, so their number is
/// looked at first.
void read_calls(file::Reader& reader, const SnapshotLimits& limits, std::vector<recording::Command>& commands) {
  std::uint64_t calls = 0;
  reader(calls);
  if (calls > limits.calls) {
    reader.refuse("holds " + std::to_string(calls) + " calls, steps included; SnapshotLimits::calls allows " +
                  std::to_string(limits.calls));
  }
  for (std::uint64_t i = 0; i < calls; ++i) reader(commands.emplace_back());
}

/// The snapshots within a log keep the caps, too.
void check_snapshots(const recording::Log& log, const std::string& where, const SnapshotLimits& limits) {
  for (std::size_t i = 0; i < log.commands.size(); ++i) {
    const recording::SnapshotBytes* of = std::visit(
        [](const auto& command) -> const recording::SnapshotBytes* {
          using Command = std::remove_cvref_t<decltype(command)>;
          if constexpr (std::same_as<Command, recording::Call<recording::kRestore>> ||
                        std::same_as<Command, recording::Call<recording::kRestoreAll>>) {
            return &std::get<0>(command.arguments);
          } else {
            return nullptr;
          }
        },
        log.commands[i]);
    if (of != nullptr) Snapshot::from_bytes(of->bytes, where + ": call number " + std::to_string(i + 1), limits);
  }
}

}  // namespace

Recording::Recording(recording::Log log) : log_(std::make_shared<const recording::Log>(std::move(log))) {}

std::uint64_t Recording::steps() const {
  return static_cast<std::uint64_t>(
      std::count_if(log_->commands.begin(), log_->commands.end(),
                    [](const recording::Command& c) { return std::holds_alternative<recording::Step>(c); }));
}

std::string Recording::to_bytes() const {
  file::Writer commands;
  commands(log_->hash, log_->commands);
  const std::string sections[recording::kSections] = {log_->first, commands.take()};
  return file::pack(recording::kKind, sections);
}

Recording Recording::from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits) {
  std::vector<std::string> sections =
      file::unpack(recording::kKind, recording::kSections, bytes, where, limits.bytes);
  Snapshot::from_bytes(sections[0], where, limits);
  recording::Log log;
  log.first = std::move(sections[0]);
  file::Reader reader(sections[1], where);
  reader(log.hash);
  read_calls(reader, limits, log.commands);
  reader.end();
  check_snapshots(log, where, limits);
  return Recording(std::move(log));
}

void Recording::save(const std::filesystem::path& path) const { write_whole_file(path, to_bytes()); }

Recording Recording::load(const std::filesystem::path& path, const SnapshotLimits& limits) {
  return from_bytes(file::read_file(path.string()), path.string(), limits);
}

void World::start_recording() {
  if (impl_->captured) {
    throw InvalidArgument("start_recording: a graph was captured that steps this World, and its steps can't be noted");
  }
  recording::Log log;
  log.first = snapshot().to_bytes();
  log.hash = state_hash();
  impl_->log = std::make_shared<recording::Log>(std::move(log));
}

Recording World::stop_recording() {
  if (impl_->log == nullptr) throw InvalidArgument("stop_recording: there is no recording");
  Recording made(std::move(*impl_->log));
  impl_->log.reset();
  return made;
}

void World::note_state() {
  impl_->query_store.known = false;
  if (impl_->log != nullptr) impl_->note<recording::kRestoreAll>(snapshot());
}

void World::record_step(float dt) {
  impl_->query_store.known = false;
  if (impl_->log == nullptr) return;
  recording::Step step{dt, state_hash(), {}, {}};
  if (impl_->options.trace) {
    step.marks = impl_->marks;
    step.bodies = impl_->body_hashes();
  }
  impl_->log->commands.emplace_back(std::move(step));
}

}  // namespace cairn
