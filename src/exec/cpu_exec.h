#pragma once
// Operations of a processor for the stages, on the CPU. CudaExec (src/exec/cuda_exec.cuh) has the same names with
// the same results.

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cairn/report.h"
#include "kernels/common/items.h"
#include "kernels/common/pack.h"
#include "kernels/common/state.h"
#include "kernels/pair/candidates.h"
#include "src/exec/observer.h"
#include "src/exec/part_exec.h"
#include "src/exec/thread_pool.h"
#include "src/exec/vectors.h"

namespace cairn::exec {

/// A team of one thread (see PartExec).
struct CpuTeam {
  static constexpr std::uint32_t kRunBodies = 16;  ///< [1] added up by one thread

  template <class F>
  void each(std::uint32_t n, const F& f) const {
    kernels::each_or_packs(0, n, f);
  }
  template <class F>
  void rows(std::uint32_t begin, std::uint32_t end, const F& f) const {
    packs(begin, 0, (end - begin) / kernels::kPackLanes, f);
  }
  template <class F>
  void one(const F& f) const {
    f();
  }
  /// The packs [first, last) of the rows after `begin`.
  template <class F>
  static void packs(std::uint32_t begin, std::uint32_t first, std::uint32_t last, const F& f) {
    for (std::uint32_t p = first; p < last; ++p) f.template row<kernels::Pack>(begin + p * kernels::kPackLanes);
  }
};
using CpuPart = PartExec<CpuTeam>;
static_assert(kernels::kPackItems == kernels::kPackLanes && kernels::kRowAlign % kernels::kPackLanes == 0);

class CpuExec {
 public:
  static constexpr bool kOnlyContacts = false;
  /// The host sees the state while it schedules a step, and so knows whether pairs must be found again.
  static constexpr bool kKeepsCandidates = true;

  explicit CpuExec(int threads) : pool_(threads) {}

  /// Allocates for sorts and scans of so many items: then a step doesn't allocate.
  void reserve(std::size_t items);

  /// Allocates for pairs kept over steps, of so many shapes, where there is `room` for so many pairs; gives them up if
  /// memory runs out. With fewer shapes or worlds than in the step before, the kept pairs are cleared.
  void reserve_candidates(std::size_t shapes, std::size_t worlds, std::size_t room) noexcept;
  bool has_candidates(std::size_t shapes, std::size_t worlds) const {
    return !kept_.hopeless && kept_.of_shapes.size() >= shapes && kept_.of_worlds.size() >= worlds;
  }
  kernels::PairCandidates candidates();
  /// Whether the grid is of this step's boxes.
  bool grid_stands() const { return grid_stands_; }
  void set_grid_stands(bool stands) { grid_stands_ = stands; }

  /// From here on every call does nothing while *flag isn't 0: so the stages after an overflow leave the state
  /// unchanged.
  void guard(const std::uint32_t* flag) { guard_ = flag; }
  void observe(StepObserver* observer) { observer_ = observer; }

  /// Called by each stage before its first work.
  void enter(Stage) {}
  /// Called by each stage after its last work.
  void mark(Stage stage) {
    if (observer_ != nullptr) observer_->after(stage);
  }

  /// f(i) for i in [0, n).
  template <class F>
  void for_each(std::uint32_t n, const F& f) {
    if (skip()) return;
    constexpr bool kLittle = requires { requires F::kLittleWork; };
    constexpr std::uint32_t grain = kLittle ? kLittleGrain : kGrain;
    pool_.run(n, grain, [&](std::uint32_t begin, std::uint32_t end) { kernels::each_or_packs(begin, end, f); });
  }

  /// The same for a count in the arrays; at most `capacity` items are visited.
  template <class F>
  void for_each(const std::uint32_t* count, std::uint32_t capacity, const F& f) {
    for_each(std::min(*count, capacity), f);
  }

  /// f(i) for workers i in [0, n), each with a lot of work.
  template <class F>
  void each_worker(std::uint32_t n, const F& f) {
    if (skip()) return;
    pool_.run(n, 1, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) f(i);
    });
  }

  /// f() once.
  template <class F>
  void single(const F& f) {
    if (!skip()) f();
  }

  /// data[i] = sum of data[0..i), in place; *total = sum of all.
  void exclusive_scan(std::uint32_t* data, std::uint32_t n, std::uint32_t* total);
  void exclusive_scan(std::uint32_t* data, const std::uint32_t* count, std::uint32_t capacity, std::uint32_t* total) {
    exclusive_scan(data, std::min(*count, capacity), total);
  }

  /// Stable radix sort by the lowest `bits` bits. The values are 0, 1, 2, ... before the sort.
  void sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order, std::uint32_t n, int bits);
  void sort(const std::uint32_t* key, std::uint32_t* sorted_key, std::uint32_t* order, const std::uint32_t* count,
            std::uint32_t capacity, int bits) {
    sort(key, sorted_key, order, std::min(*count, capacity), bits);
  }
  /// Keys alone, of two words: by the lowest `bits` bits of the high word, then of the low one. The other bits are 0.
  void sort(const std::uint64_t* key, std::uint64_t* sorted_key, const std::uint32_t* count, std::uint32_t capacity,
            int bits);

  /// begin[k] = the first i in [0, n) with key(sorted[i]) >= k, else n: for k in [0, last]. Keys ascend, up to `last`.
  template <class Key>
  void find_begins(const std::uint32_t* sorted, const std::uint32_t* count, std::uint32_t capacity, const Key& key,
                   std::uint32_t last, std::uint32_t* begin) {
    if (skip()) return;
    const std::uint32_t n = count == nullptr ? capacity : std::min(*count, capacity);
    const auto fill = [=](std::uint32_t from, std::uint32_t to, std::uint32_t i) {
      for (std::uint32_t k = from; k < to; ++k) begin[k] = i;
    };
    if (n == 0) fill(0, last + 1, 0);
    for_each(n, [&](std::uint32_t i) {
      const std::uint32_t mine = key(sorted[i]);
      fill(i == 0 ? 0 : key(sorted[i - 1]) + 1, mine + 1, i);
      if (i + 1 == n) fill(mine + 1, last + 1, n);
    });
  }
  void find_begins(const std::uint32_t* sorted, std::uint32_t n, std::uint32_t last, std::uint32_t* begin) {
    find_begins(sorted, nullptr, n, kernels::AsItIs{}, last, begin);
  }

  /// Rounds of `bid`, `take` and `clear` over *count edges until *done reaches *count. `few` rounds expected: it
  /// affects speed only.
  template <class Bid, class Take, class Clear>
  void rounds(const std::uint32_t* count, std::uint32_t capacity, bool /*few*/, const std::uint32_t* done,
              const Bid& bid, const Take& take, const Clear& clear) {
    if (skip()) return;
    while (*done < *count) {
      for_each(count, capacity, bid);
      for_each(count, capacity, take);
      for_each(count, capacity, clear);
    }
  }

  /// f(i) for every entry i of the rows' order; if f has run<T>, f.run<Pack>(run) for runs of entries instead. A thread
  /// takes about the same part of each colour as in sweeps.
  template <class F>
  void each_row(const kernels::Parts& parts, std::uint32_t, const F& f) {
    if (skip()) return;
    const std::uint32_t shares = kRowShares * static_cast<std::uint32_t>(pool_.threads());
    pool_.run(shares, parts.color_begin[kernels::kColorCount] > kGrain ? 1 : shares,
              [&](std::uint64_t first, std::uint64_t last) {
                each_band(parts, 0, [&](std::uint32_t band) { share_band(parts, band, first, last, shares, f); });
              });
    each_worker(parts.count - 1, [&](std::uint32_t p) {
      each_band(parts, 1 + p, [&](std::uint32_t band) { share_band(parts, band, 0, 1, 1, f); });
    });
  }

  /// f(team, i) for i of [*first, *last), each with a lot of work; at most `capacity` of them.
  template <class F>
  void each_group(const std::uint32_t* first, const std::uint32_t* last, std::uint32_t, const F& f) {
    if (skip()) return;
    const std::uint32_t begin = *first;
    each_worker(*last - begin, [&](std::uint32_t i) { f(CpuTeam{}, begin + i); });
  }

  // ---- the motion: the calls below treat part 0 only ----

  std::uint32_t part() const { return 0; }

  /// f(i) for every body.
  template <class F>
  void each_body(const kernels::Parts& parts, const F& f) {
    for_each(parts.large, kernels::EachOf<F>{parts.body, f});
  }
  /// f(run) for runs of bodies that cover all of them.
  template <class F>
  void each_run(const kernels::Parts& parts, const F& f) {
    const kernels::EachRun<F, CpuTeam::kRunBodies> runs{parts.body, parts.large, f};
    for_each(runs.count(), runs);
  }

  /// f(team, i) for the islands i of its bodies; `number` (by place in Parts::body) counts the islands that begin
  /// before.
  template <class F>
  void each_island(const kernels::Parts& parts, const std::uint32_t* number, const F& f) {
    each_group(number, number + parts.large, parts.large, f);
  }

  /// f.row<T>(slot) for every row slot, colour by colour. Rows of a colour share no body that they write.
  template <class F>
  void sweep(const kernels::Parts& parts, std::uint32_t, const F& f) {
    if (skip()) return;
    each_band(parts, 0, [&](std::uint32_t c) {
      const std::uint32_t begin = parts.color_row[c];
      if (c % kernels::kColorsPerClass == kernels::kMaskColors) {
        // rows without a colour run one at a time
        const std::uint32_t rows = parts.color_begin[c + 1] - parts.color_begin[c];
        for (std::uint32_t r = 0; r < rows; ++r) f.template row<float>(begin + r);
        return;
      }
      pool_.run((parts.color_row[c + 1] - begin) / kernels::kPackLanes, kPackGrain,
                [&](std::uint32_t first, std::uint32_t last) { CpuTeam::packs(begin, first, last, f); });
    });
  }

  /// Sweeps until f.rounds are over. `usual` is the usual number of rounds: it affects speed only.
  template <class F>
  void sweep_rounds(const kernels::Parts& parts, std::uint32_t capacity, std::uint32_t, const F& f) {
    if (!skip()) kernels::sweep_until_over(*this, parts, capacity, f);
  }

  /// f(i) for i of [begin[c], begin[c + 1]), colour c by colour; items of the last, which have no colour, one at a
  /// time.
  template <class F>
  void each_color(const std::uint32_t* begin, const F& f) {
    if (skip()) return;
    for (std::uint32_t c = 0; c < kernels::kColorsPerClass; ++c) {
      const std::uint32_t first = begin[c], n = begin[c + 1] - first;
      if (n == 0) continue;
      pool_.run(n, c == kernels::kMaskColors ? n : kGrain, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i) f(first + i);
      });
    }
  }

  /// f.row<T>(slot) for every row slot, in any order.
  template <class F>
  void rows(const kernels::Parts& parts, std::uint32_t, const F& f) {
    if (skip()) return;
    pool_.run(parts.color_row[kernels::kColorCount] / kernels::kPackLanes, kPackGrain,
              [&](std::uint32_t first, std::uint32_t last) { CpuTeam::packs(0, first, last, f); });
  }

  /// f(PartExec) for every other part: a stage of its own. Whether it has only contacts affects speed only.
  template <class F>
  void each_part(const kernels::Parts& parts, bool /*only_contacts*/, const F& f) {
    if (skip()) return;
    each_worker(parts.swept - 1, [&](std::uint32_t p) {
      CpuPart part(CpuTeam{}, 1 + p);
      f(part);
    });
    mark(Stage::kMove);
  }

 private:
  // loops of at most so many items, or packs of rows, aren't worth sharing
  static constexpr std::uint32_t kGrain = 64, kPackGrain = 8;
  // the same for items that take less time than waking another thread
  static constexpr std::uint32_t kLittleGrain = 4096;
  static constexpr std::uint32_t kRowShares = 64;  // of each colour, per thread

  bool skip() const { return guard_ != nullptr && *guard_ != 0; }

  /// f(band) for the bands of a part that have rows.
  template <class F>
  static void each_band(const kernels::Parts& parts, std::uint32_t part, const F& f) {
    const std::uint32_t* const begin = parts.color_begin;
    const std::uint32_t end = begin[kernels::Parts::band_of(part + 1, 0)];
    // low colours are filled first, so most high ones are empty
    for (std::uint32_t band = kernels::Parts::band_of(part, 0); begin[band] != end; ++band) {
      if (begin[band] != begin[band + 1]) f(band);
    }
  }
  /// The rows of a band that fall to shares [first, last) of `shares`.
  template <class F>
  static void share_band(const kernels::Parts& parts, std::uint32_t band, std::uint64_t first, std::uint64_t last,
                         std::uint64_t shares, const F& f) {
    const std::uint32_t begin = parts.color_begin[band], rows = parts.color_begin[band + 1] - begin;
    constexpr bool kRuns = requires { f.template run<kernels::Pack>(kernels::RowRun{}); };
    constexpr std::uint32_t kLanes = kRuns ? kernels::kPackLanes : 1;
    const std::uint64_t n = (rows + kLanes - 1) / kLanes;
    const auto end = static_cast<std::uint32_t>(n * last / shares);
    for (auto i = static_cast<std::uint32_t>(n * first / shares); i < end; ++i) {
      const std::uint32_t row = i * kLanes;
      if constexpr (kRuns) {
        f.template run<kernels::Pack>({begin + row, parts.color_row[band] + row, std::min(rows - row, kLanes)});
      } else {
        f(begin + row);
      }
    }
  }

  template <class Key, class Value>
  void radix_sort(const Key* key, Key* sorted_key, Value* order, std::uint32_t n, int bits);

  ThreadPool pool_;
  const std::uint32_t* guard_{nullptr};
  StepObserver* observer_{nullptr};
  std::vector<std::uint32_t> histogram_;
  std::vector<std::uint64_t> key_scratch_;
  std::vector<std::uint32_t> value_scratch_;
  struct {
    Vectors<kernels::CandidateShapes> of_shapes;
    Vectors<kernels::CandidateBlocks> of_blocks;
    Vectors<kernels::CandidateWorlds> of_worlds;
    Vectors<kernels::CandidateKeys> of_keys;
    kernels::PairCandidates::Counts counts{};
    std::size_t shapes{0}, worlds{0};  ///< [1] in use
    bool hopeless{false};              ///< there would be too many
    std::uint32_t waited{0};           ///< [1] steps without hope
  } kept_;
  bool grid_stands_{false};
};

}  // namespace cairn::exec
