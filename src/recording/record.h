#pragma once
// Recording of the World's public functions: World::Impl::note.

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "src/recording/log.h"
#include "src/world/impl.h"

namespace cairn {

namespace recording {

template <class Kept, class T>
Kept kept(const T& argument) {
  if constexpr (requires { argument.begin(); } && !std::same_as<Kept, std::string>) {
    return Kept(argument.begin(), argument.end());
  } else {
    return Kept(argument);
  }
}

/// The index of a call in Command.
template <class C>
inline constexpr std::size_t kPlaceOf = []<class... All>(std::type_identity<std::variant<All...>>) {
  constexpr std::array<bool, sizeof...(All)> is{std::same_as<C, All>...};
  std::size_t at = 0;
  while (!is[at]) ++at;
  return at;
}(std::type_identity<Command>());

}  // namespace recording

/// Taken back if the call fails later. Must come before the last kernel of a call.
template <auto kFunction, class... Arguments>
void World::Impl::note(const Arguments&... arguments) {
  query_store.known = false;
  if (log == nullptr) return;
  recording::Call<kFunction> call;
  [&]<class... Kept>(std::tuple<Kept...>& to) {
    to = std::tuple<Kept...>(recording::kept<Kept>(arguments)...);
  }(call.arguments);
  // so only one file has the functions of Command, which take seconds to compile
  note_call(recording::kPlaceOf<decltype(call)>, &call);
}

}  // namespace cairn
