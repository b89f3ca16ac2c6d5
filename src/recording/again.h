#pragma once
// Repeating the calls of a log.

#include <concepts>
#include <string>
#include <type_traits>
#include <variant>

#include "cairn/errors.h"
#include "src/recording/log.h"

namespace cairn::recording {

/// Repeats call number `at` of a log. `take(step)` takes a step, and its result is returned; false for other calls.
/// Throws SnapshotError, with the call's number, for one that can't be repeated.
template <class F>
bool make_again(World& world, const Log& log, std::size_t at, const F& take) {
  try {
    return std::visit(
        [&](const auto& command) {
          if constexpr (std::same_as<std::remove_cvref_t<decltype(command)>, Step>) {
            return take(command);
          } else {
            command.make(world);
            return false;
          }
        },
        log.commands[at]);
  } catch (const InvalidArgument& error) {
    throw SnapshotError("the recording's call number " + std::to_string(at + 1) +
                        " can't be made again: " + error.what());
  }
}

template <class T, class... All>
inline constexpr bool kIsOneOf = (std::same_as<T, All> || ...);

/// Whether a call invalidates views of the World's arrays, or drawings of it: things are added, removed or replaced, or
/// look different.
inline bool edits(const Command& command) {
  return std::visit(
      []<class C>(const C&) {
        return kIsOneOf<C, Call<kRestore>, Call<kRestoreAll>, Call<&World::add_body>, Call<&World::remove_body>,
                        Call<&World::set_body>, Call<&World::add_material>, Call<&World::add_joint>,
                        Call<&World::remove_joint>, Call<&World::set_joint>, Call<&WorldArticulations::add>,
                        Call<&WorldArticulations::remove>, Call<&WorldParticles::add>, Call<&WorldParticles::remove>,
                        Call<kSetScales>, Call<kSetBodyScales>, Call<&WorldScales::randomise>, Call<&World::set_type>,
                        Call<&World::set_enabled>>;
      },
      command);
}

}  // namespace cairn::recording
