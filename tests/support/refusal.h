#pragma once
// What calls say that they refuse.

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "cairn/errors.h"

namespace cairn::testing_support {

/// What the error says that the call throws; "" where it throws none.
template <class E = InvalidArgument, class F>
std::string refusal_of(const F& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

/// That the call throws E, with all of `words` in its message.
template <class E = InvalidArgument, class F>
testing::AssertionResult refuses(const F& call, std::initializer_list<std::string> words) {
  const std::string message = refusal_of<E>(call);
  if (message.empty()) return testing::AssertionFailure() << "not refused";
  for (const std::string& word : words) {
    if (message.find(word) == std::string::npos)
      return testing::AssertionFailure() << "the message lacks \"" << word << "\": " << message;
  }
  return testing::AssertionSuccess();
}

}  // namespace cairn::testing_support
