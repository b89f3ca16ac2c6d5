#pragma once
// Recording of the World's public functions: World::Impl::note.

#include <concepts>
#include <string>
#include <tuple>

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
  memory.push(log->commands, recording::Command(std::move(call)));
}

}  // namespace cairn
