#include "cairn/recording.h"

#include <algorithm>

#include "src/file/container.h"
#include "src/file/whole_file.h"
#include "src/recording/record.h"

namespace cairn {
namespace {

constexpr file::Kind kKind{"CAIRNREC", "recording", 2};
constexpr std::size_t kSections = 2;

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
  const std::string sections[kSections] = {log_->first, commands.take()};
  return file::pack(kKind, sections);
}

Recording Recording::from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits) {
  std::vector<std::string> sections = file::unpack(kKind, kSections, bytes, where, limits.bytes);
  Snapshot::from_bytes(sections[0], where, limits);
  recording::Log log;
  log.first = std::move(sections[0]);
  file::Reader reader(sections[1], where);
  reader(log.hash, log.commands);
  reader.end();
  return Recording(std::move(log));
}

void Recording::save(const std::filesystem::path& path) const { write_whole_file(path, to_bytes()); }

Recording Recording::load(const std::filesystem::path& path, const SnapshotLimits& limits) {
  return from_bytes(file::read_file(path.string()), path.string(), limits);
}

void World::start_recording() {
  if (impl_->recorded) {
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
  if (impl_->log != nullptr) impl_->note<recording::kRestoreAll>(snapshot());
}

void World::record_step(float dt) {
  if (impl_->log == nullptr) return;
  recording::Step step{dt, state_hash(), {}, {}};
  if (impl_->options.trace) {
    step.marks = impl_->marks;
    step.bodies = impl_->body_hashes();
  }
  impl_->log->commands.emplace_back(std::move(step));
}

}  // namespace cairn
