#include "cairn/recording.h"

#include <algorithm>

#include "src/exec/out_of_memory.h"
#include "src/file/whole_file.h"
#include "src/recording/record.h"
#include "src/snapshot/image.h"

namespace cairn {
namespace {

/// Reads the calls of a log. A call can be one byte in the file and hundreds of bytes in memory, so their number is
/// checked first.
void read_calls(file::Reader& reader, const SnapshotLimits& limits, std::vector<recording::Command>& commands) {
  std::uint64_t calls = 0;
  reader(calls);
  if (calls > limits.calls) {
    reader.refuse("holds " + std::to_string(calls) + " calls, steps included; SnapshotLimits::calls allows " +
                  std::to_string(limits.calls));
  }
  if (calls > limits.bytes / sizeof(recording::Command)) {
    reader.refuse("holds " + std::to_string(calls) + " calls, which take more than the " +
                  std::to_string(limits.bytes) + " bytes that are allowed");
  }
  for (std::uint64_t i = 0; i < calls; ++i) reader(commands.emplace_back());
}

/// Applies the limits to snapshots within a log, too.
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

/// Reads the log of an input.
recording::Log read_log(const file::Input& input, const std::string& where, const SnapshotLimits& limits) {
  std::vector<std::string> sections = file::unpack(recording::kKind, recording::kSections, input, where, limits.bytes);
  Snapshot::from_bytes(sections[0], where, limits);
  recording::Log log;
  log.first = std::move(sections[0]);
  file::Reader reader(sections[1], where);
  reader(log.hash);
  read_calls(reader, limits, log.commands);
  reader.end();
  check_snapshots(log, where, limits);
  return log;
}

}  // namespace

Recording::Recording(std::shared_ptr<const recording::Log> log) : log_(std::move(log)) {}

std::uint64_t Recording::steps() const {
  return with_heap([&]() -> std::uint64_t {
    return static_cast<std::uint64_t>(
        std::count_if(log_->commands.begin(), log_->commands.end(),
                      [](const recording::Command& c) { return std::holds_alternative<recording::Step>(c); }));
  });
}

std::string Recording::to_bytes() const {
  return with_heap([&]() -> std::string {
    file::Writer commands;
    commands(log_->hash, log_->commands);
    const std::string sections[recording::kSections] = {log_->first, commands.take()};
    return file::pack(recording::kKind, sections);
  });
}

Recording Recording::from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits) {
  return with_heap(
      [&]() -> Recording { return recording::Log::recording(read_log(file::input_of(bytes), where, limits)); });
}

void Recording::save(const std::filesystem::path& path) const {
  with_heap([&] { write_whole_file(path, to_bytes()); });
}

Recording Recording::load(const std::filesystem::path& path, const SnapshotLimits& limits) {
  return with_heap([&]() -> Recording {
    return recording::Log::recording(read_log(file::input_of_file(path.string()), path.string(), limits));
  });
}

void World::start_recording() {
  impl_->call([&] {
    if (impl_->captured) {
      throw InvalidArgument(
          "start_recording: a graph was captured that steps this World, and its steps can't be noted");
    }
    recording::Log log;
    log.first = snapshot().to_bytes();
    log.hash = state_hash();
    auto made = std::make_shared<recording::Log>(std::move(log));
    impl_->log = std::move(made);
  });
}

Recording World::stop_recording() {
  return impl_->call([&]() -> Recording {
    if (impl_->log == nullptr) throw InvalidArgument("stop_recording: there is no recording");
    return Recording(std::move(impl_->log));
  });
}

void World::Impl::note_call(std::size_t place, void* call) {
  const auto moved = [&]<class... All>(std::type_identity<std::variant<All...>>) {
    using Move = recording::Command (*)(void*);
    constexpr Move move[] = {[](void* from) { return recording::Command(std::move(*static_cast<All*>(from))); }...};
    return move[place](call);
  };
  memory.push(log->commands, moved(std::type_identity<recording::Command>()));
}

void World::Impl::note_state() {
  query_store.known = false;
  if (log == nullptr) return;
  memory.push(log->commands, recording::Command(recording::Call<recording::kRestoreAll>{}));
  log_due = true;
}

void World::Impl::note_step(float dt) {
  query_store.known = false;
  if (log == nullptr) return;
  memory.push(log->commands, recording::Command(recording::Step{.dt = dt}));
  log_due = true;
}

void World::Impl::complete_log() {
  if (auto* const step = std::get_if<recording::Step>(&log->commands.back())) {
    recording::Step made{step->dt, state_hash(), {}, {}};
    if (options.trace) {
      made.marks = marks;
      made.bodies = body_hashes();
    }
    *step = std::move(made);
  } else {
    auto& state = std::get<recording::Call<recording::kRestoreAll>>(log->commands.back());
    std::get<0>(state.arguments) =
        recording::SnapshotBytes(Snapshot(image_of(0, static_cast<std::uint32_t>(worlds.size()))));
  }
  log_due = false;
}

}  // namespace cairn
