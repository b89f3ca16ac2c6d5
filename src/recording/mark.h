#pragma once

#include <cstdint>

#include "cairn/report.h"
#include "src/file/members.h"

namespace cairn::recording {

/// Hash of a stage's output in a step; a step's marks are in the order in which its stages ran.
struct Mark {
  Stage stage{};
  std::uint64_t hash{0};
  friend void members(Is<Mark> auto& m, const auto& f) { f(m.stage, m.hash); }
  friend bool operator==(const Mark&, const Mark&) = default;
};

}  // namespace cairn::recording
