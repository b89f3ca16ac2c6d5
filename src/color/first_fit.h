#pragma once
// Colours of graphs that change only when something is added or removed, found on the host: first-fit.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/contact_rows.h"

namespace cairn {

class FirstFit {
 public:
  explicit FirstFit(std::size_t bodies) : taken_(bodies, 0) {}

  /// The lowest colour free at all bodies for which counts(body) is true; they take it. kMaskColors if there is none:
  /// what gets it is solved one at a time.
  template <class Bodies, class Counts>
  std::uint32_t color(const Bodies& bodies, const Counts& counts) {
    std::uint64_t taken = 0;
    for (const std::uint32_t body : bodies) {
      if (counts(body)) taken |= taken_[body];
    }
    const auto color = static_cast<std::uint32_t>(std::countr_one(taken));
    if (color == kernels::kMaskColors) return color;
    for (const std::uint32_t body : bodies) {
      if (counts(body)) taken_[body] |= std::uint64_t{1} << color;
    }
    return color;
  }

 private:
  std::vector<std::uint64_t> taken_;  ///< [1] (bodies) a bit a colour
};

}  // namespace cairn
