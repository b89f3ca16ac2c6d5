#pragma once
// Operations of the motion on one part of the worlds: the same names as CpuExec and CudaExec have for part 0, with the
// same results. A team works on the part, and returns from a call when all of it is done: a thread of the CPU, or a
// block of a CUDA device.

#include <cstdint>

#include "cairn/report.h"
#include "kernels/color/body_color.h"
#include "kernels/common/items.h"
#include "kernels/common/rounds.h"
#include "kernels/common/state.h"

namespace cairn::exec {

/// A Team offers each(n, f): f(i) for i in [0, n); rows(begin, end, f): f.row<T>(slot) for those row slots; and
/// one(f): f() once.
template <class Team, bool kAlone = false>
class PartExec {
 public:
  /// The motion is one of contacts of soft_step (src/step_context.h).
  static constexpr bool kOnlyContacts = kAlone;

  CAIRN_BOTH PartExec(const Team& team, std::uint32_t part) : team_(team), part_(part) {}

  CAIRN_BOTH void enter(Stage) {}
  CAIRN_BOTH void mark(Stage) {}
  CAIRN_BOTH std::uint32_t part() const { return part_; }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void each_body(const kernels::Parts& parts, const F& f) {
    const std::uint32_t begin = parts.body_begin[part_], end = parts.body_begin[part_ + 1];
    team_.each(end - begin, kernels::EachOf<F>{parts.body + begin, f});
  }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void each_run(const kernels::Parts& parts, const F& f) {
    const std::uint32_t begin = parts.body_begin[part_], n = parts.body_begin[part_ + 1] - begin;
    const kernels::EachRun<F, Team::kRunBodies> runs{parts.body + begin, n, f};
    team_.each(runs.count(), runs);
  }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void each_island(const kernels::Parts& parts, const std::uint32_t* number, const F& f) {
    const std::uint32_t end = number[parts.body_begin[part_ + 1]];
    for (std::uint32_t i = number[parts.body_begin[part_]]; i < end; ++i) f(team_, i);
  }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void rows(const kernels::Parts& parts, std::uint32_t, const F& f) {
    const std::uint32_t* row = parts.color_row + kernels::Parts::band_of(part_, 0);
    team_.rows(row[0], row[kernels::kColorCount], f);
  }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void sweep(const kernels::Parts& parts, std::uint32_t, const F& f) {
    const std::uint32_t* const begin = parts.color_begin + kernels::Parts::band_of(part_, 0);
    const std::uint32_t* const row = parts.color_row + kernels::Parts::band_of(part_, 0);
    for (std::uint32_t first = 0; first < kernels::kColorCount; first += kernels::kColorsPerClass) {
      const std::uint32_t overflow = first + kernels::kMaskColors;
      const std::uint32_t end = row[overflow];
      // low colours are filled first, so most high ones are empty
      for (std::uint32_t c = first; c < overflow && row[c] != end; ++c) {
        if (row[c] != row[c + 1]) team_.rows(row[c], row[c + 1], f);
      }
      const std::uint32_t rows = begin[overflow + 1] - begin[overflow];
      if (rows == 0) continue;
      // rows without a colour run one at a time
      team_.one(OneByOne<F>{end, rows, f});
    }
  }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void sweep_rounds(const kernels::Parts& parts, std::uint32_t capacity, std::uint32_t, const F& f) {
    kernels::sweep_until_over(*this, parts, capacity, f);
  }

  CAIRN_UNCHECKED
  template <class F>
  CAIRN_BOTH void each_color(const std::uint32_t* begin, const F& f) {
    begin += part_ * kernels::kBodyColors;
    for (std::uint32_t c = 0; c < kernels::kMaskColors; ++c) {
      if (begin[c] != begin[c + 1]) team_.each(begin[c + 1] - begin[c], From<F>{begin[c], f});
    }
    const std::uint32_t first = begin[kernels::kMaskColors], n = begin[kernels::kMaskColors + 1] - first;
    if (n != 0) team_.one(InTurn<F>{first, n, f});
  }

 private:
  template <class F>
  struct From {
    std::uint32_t begin;
    const F& f;
    CAIRN_BOTH void operator()(std::uint32_t i) const { f(begin + i); }
  };
  template <class F>
  struct InTurn {
    std::uint32_t begin, n;
    const F& f;
    CAIRN_BOTH void operator()() const {
      for (std::uint32_t i = 0; i < n; ++i) f(begin + i);
    }
  };
  template <class F>
  struct OneByOne {
    std::uint32_t begin, rows;
    const F& f;
    CAIRN_BOTH void operator()() const {
      for (std::uint32_t r = 0; r < rows; ++r) f.template row<float>(begin + r);
    }
  };

  Team team_;
  std::uint32_t part_;
};

}  // namespace cairn::exec
