#pragma once
// Calls that change a World, as values: recorded by the World's public functions, written to files, and repeated.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "cairn/recording.h"
#include "cairn/world.h"
#include "src/file/archive.h"
#include "src/file/container.h"
#include "src/recording/mark.h"
#include "src/world/calls_of.h"

namespace cairn::recording {

/// Files have the snapshot, then the rest of the Log.
inline constexpr file::Kind kKind{"CAIRNREC", "recording", 19};
inline constexpr std::size_t kSections = 2;

/// A snapshot as an argument of a call.
struct SnapshotBytes {
  std::string bytes;
  SnapshotBytes() = default;
  explicit SnapshotBytes(const Snapshot& snapshot) : bytes(snapshot.to_bytes()) {}
  operator Snapshot() const { return Snapshot::from_bytes(bytes, "a snapshot in a recording"); }
  friend void members(Is<SnapshotBytes> auto& s, const auto& f) { f(s.bytes); }
};

/// The stored form of an argument.
template <class T>
struct Kept {
  using Type = std::remove_cvref_t<T>;
};
template <class T>
struct Kept<std::span<const T>> {
  using Type = std::vector<T>;
};
template <>
struct Kept<const Snapshot&> {
  using Type = SnapshotBytes;
};

template <class R, class Of, class... Arguments>
std::tuple<typename Kept<Arguments>::Type...> arguments_of(R (Of::*)(Arguments...));

/// Makes a call of a World, or of one of its parts.
template <class R, class Of, class... Arguments, class... Given>
void make_call(World& world, R (Of::*function)(Arguments...), const Given&... given) {
  (calls_of<Of>(world).*function)(given...);
}

/// One call of a public function of World, or of one of its parts.
template <auto kFunction>
struct Call {
  decltype(arguments_of(kFunction)) arguments;
  void make(World& world) const {
    std::apply([&](const auto&... argument) { make_call(world, kFunction, argument...); }, arguments);
  }
  friend void members(Is<Call> auto& call, const auto& f) {
    std::apply([&](auto&... argument) { f(argument...); }, call.arguments);
  }
};

/// A function of World, to choose among overloads.
template <class... Arguments>
using Function = void (World::*)(Arguments...);
template <class... Arguments>
using ScaleFunction = void (WorldScales::*)(Arguments...);

/// A step and its results.
struct Step {
  float dt{0};                        ///< [s]
  std::uint64_t hash{0};              ///< of the state
  std::vector<Mark> marks;            ///< none unless traced
  std::vector<std::uint32_t> bodies;  ///< hash of each body, world by world; none unless traced
  friend void members(Is<Step> auto& s, const auto& f) { f(s.dt, s.hash, s.marks, s.bodies); }
};

using Mask = std::span<const std::uint8_t>;
using States = std::span<const BodyState>;
inline constexpr auto kSetDrive = static_cast<Function<JointHandle, JointDof, const JointDrive&>>(&World::set_drive);
inline constexpr auto kSetState = static_cast<Function<BodyHandle, const BodyState&>>(&World::set_state);
inline constexpr auto kSetArticulationState =
    static_cast<Function<ArticulationHandle, const ArticulationState&>>(&World::set_state);
inline constexpr auto kReset = static_cast<Function<Mask>>(&World::reset);
inline constexpr auto kSetParams = static_cast<Function<const StepParams&, std::uint32_t>>(&World::set_params);
inline constexpr auto kSetAllParams = static_cast<Function<const StepParams&>>(&World::set_params);
inline constexpr auto kSetScales = static_cast<ScaleFunction<const Scales&, std::uint32_t>>(&WorldScales::set);
inline constexpr auto kSetBodyScales = static_cast<ScaleFunction<const BodyScales&, BodyHandle>>(&WorldScales::set);
inline constexpr auto kSetLimits = static_cast<Function<const WorldLimits&, std::uint32_t>>(&World::set_limits);
inline constexpr auto kSetAllLimits = static_cast<Function<const WorldLimits&>>(&World::set_limits);
inline constexpr auto kWriteStates = static_cast<Function<std::uint32_t, States>>(&World::write_states);
inline constexpr auto kWriteAllStates = static_cast<Function<States>>(&World::write_states);
inline constexpr auto kRestore = static_cast<Function<const Snapshot&, std::uint32_t, Mask>>(&World::restore);
inline constexpr auto kRestoreAll = static_cast<Function<const Snapshot&>>(&World::restore);

inline constexpr auto kAddForce = static_cast<Function<BodyHandle, Vec3>>(&World::add_force);
inline constexpr auto kAddForceAt = static_cast<Function<BodyHandle, Vec3, Vec3d>>(&World::add_force);
inline constexpr auto kSetMaterial =
    static_cast<Function<std::uint32_t, const Material&, std::uint32_t>>(&World::set_material);
inline constexpr auto kSetBodyMaterial = static_cast<Function<BodyHandle, std::uint32_t>>(&World::set_material);

/// All calls that change a World. A file names a call by its position here: add new ones at the end.
using Command = std::variant<
    Step, Call<kReset>, Call<kRestore>, Call<kRestoreAll>, Call<kSetAllParams>, Call<&World::set_gravity>,
    Call<kSetLimits>, Call<kSetAllLimits>, Call<&World::add_body>, Call<&World::remove_body>,
    Call<&World::add_material>, Call<kSetMaterial>, Call<kSetState>, Call<&World::set_velocity>, Call<&World::set_mass>,
    Call<kSetBodyMaterial>, Call<&World::set_type>, Call<&World::wake>, Call<kWriteStates>, Call<kWriteAllStates>,
    Call<kAddForce>, Call<kAddForceAt>, Call<&World::add_torque>, Call<&World::clear_status>, Call<kSetParams>,
    Call<&WorldScales::set_seed>, Call<kSetScales>, Call<kSetBodyScales>, Call<&WorldScales::randomise>,
    Call<&World::set_origin>, Call<&World::ignore>, Call<&World::set_filter>, Call<&World::add_joint>,
    Call<&World::remove_joint>, Call<kSetDrive>, Call<kSetArticulationState>, Call<&WorldArticulations::set_forces>,
    Call<&WorldArticulations::set_targets>, Call<&World::set_fields>, Call<&World::set_joint>, Call<&World::set_body>,
    Call<&WorldArticulations::add>, Call<&WorldArticulations::remove>, Call<&WorldParticles::add>,
    Call<&WorldParticles::remove>, Call<&World::set_enabled>, Call<&WorldArticulations::set_joint>>;

struct Log {
  std::string first;      ///< the snapshot at its start
  std::uint64_t hash{0};  ///< of the state at its start
  std::vector<Command> commands;

  static const Log& of(const Recording& made) { return *made.log_; }
  static Recording recording(Log log) { return Recording(std::make_shared<const Log>(std::move(log))); }
};

}  // namespace cairn::recording
