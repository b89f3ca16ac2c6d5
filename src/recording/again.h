#pragma once
// Calls of a log, made again.

#include <concepts>
#include <string>
#include <type_traits>
#include <variant>

#include "cairn/errors.h"
#include "src/recording/log.h"

namespace cairn::recording {

/// Makes call number `at` of a log again; a step is taken by `take(step)`, whose result it gives, and false for another
/// call. Throws SnapshotError, with the call's number, for one that can't be made.
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

/// Whether what is made of the World's arrays, or drawn of it, ends with a call: things come, go, are replaced, or look
/// different.
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
