#pragma once
// What every processor must do alike, written once. A rig has `memory()` and `run(f)`, which calls f(exec) and waits
// for it. Instantiated for the CPU in tests/exec/exec_test.cpp and for CUDA in tests/parity_gpu/exec_test.cu.

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "src/exec/memory.h"
#include "tests/exec/exec_rows.h"

namespace cairn::exec_cases {

// around the edges of warps, of blocks on both processors, and past what one grid holds in flight on a small device
inline const std::vector<std::uint32_t> kSizes{0, 1, 255, 256, 257, 4096, 4097, 100'000};
inline constexpr std::uint32_t kUntouched = 0xabababab;

inline std::vector<std::uint32_t> random_words(std::uint32_t n, std::uint32_t seed) {
  std::mt19937 next(seed);
  std::vector<std::uint32_t> words(n);
  for (std::uint32_t& w : words) w = static_cast<std::uint32_t>(next());
  return words;
}

/// The ways in which a stage tells how many items there are: by the host, by a count with room to spare, by one past
/// the room.
struct Count {
  std::uint32_t capacity, count;
  std::uint32_t visited() const { return std::min(capacity, count); }
};
inline std::vector<Count> counts_for(std::uint32_t n) { return {{n, n}, {n + n / 4 + 3, n}, {n, n + 5}}; }

template <class Rig>
class Exec : public testing::Test {
 protected:
  void SetUp() override {
    if (!Rig::available()) GTEST_SKIP() << "skipped: no CUDA device";
    rig.emplace();
  }
  exec::Memory& memory() { return rig->memory(); }

  std::optional<Rig> rig;
};
TYPED_TEST_SUITE_P(Exec);

TYPED_TEST_P(Exec, memory_has_what_was_uploaded_posted_copied_and_zeroed_and_nothing_else) {
  for (const std::uint32_t n : {4u, 257u, 100'000u}) {
    std::vector<std::uint32_t> wanted = random_words(n, 1);
    const std::vector<std::uint32_t> posted = random_words(n / 4, 2);
    auto data = on_device(this->memory(), wanted);
    const auto part = [&](std::uint32_t quarter) { return data.data() + quarter * (n / 4); };
    constexpr std::size_t kWord = sizeof(std::uint32_t);
    this->memory().zero(part(1), n / 4 * kWord);
    this->memory().post(part(2), posted.data(), posted.size() * kWord);
    this->memory().copy(part(3), part(0), n / 4 * kWord);
    std::fill_n(wanted.begin() + n / 4, n / 4, 0u);
    std::copy(posted.begin(), posted.end(), wanted.begin() + 2 * (n / 4));
    std::copy_n(wanted.begin(), n / 4, wanted.begin() + 3 * (n / 4));
    ASSERT_EQ(data.read(n), wanted) << n;
  }
}

TYPED_TEST_P(Exec, memory_that_is_kept_outlives_its_release) {
  const std::vector<std::uint32_t> wanted = random_words(1000, 3);
  const std::size_t bytes = wanted.size() * sizeof(wanted[0]);
  exec::Memory& memory = this->memory();
  std::shared_ptr<const void> kept = memory.keep(), again = memory.keep();
  void* const block = memory.allocate(bytes);
  memory.upload(block, wanted.data(), bytes);
  memory.release(block);
  kept.reset();
  std::vector<std::uint32_t> got(wanted.size());
  memory.download(got.data(), block, bytes);
  EXPECT_EQ(got, wanted);
  again.reset();
  // what nobody keeps goes at once, and can be kept again later
  memory.release(memory.allocate(bytes));
  EXPECT_NE(memory.keep(), nullptr);
}

TYPED_TEST_P(Exec, for_each_visits_every_item_once) {
  for (const std::uint32_t n : kSizes) {
    for (const Count& c : counts_for(n)) {
      auto visits = on_device(this->memory(), std::vector<std::uint32_t>(c.capacity, 0));
      const auto count = on_device(this->memory(), std::vector{c.count});
      this->rig->run([&](auto& exec) {
        exec.for_each(n, Visit{visits.data()});
        exec.for_each(count.data(), c.capacity, Visit{visits.data()});
      });
      std::vector<std::uint32_t> expected(c.capacity, 0);
      for (std::uint32_t i = 0; i < n; ++i) ++expected[i];
      for (std::uint32_t i = 0; i < c.visited(); ++i) ++expected[i];
      ASSERT_EQ(visits.read(c.capacity), expected) << n << " items, room for " << c.capacity;
    }
  }
}

TYPED_TEST_P(Exec, each_worker_comes_once) {
  for (const std::uint32_t n : kSizes) {
    auto visits = on_device(this->memory(), std::vector<std::uint32_t>(n, 0));
    this->rig->run([&](auto& exec) { exec.each_worker(n, Visit{visits.data()}); });
    ASSERT_EQ(visits.read(n), std::vector<std::uint32_t>(n, 1)) << n << " workers";
  }
}

TYPED_TEST_P(Exec, atomics_lose_nothing) {
  for (const std::uint32_t n : kSizes) {
    std::vector<std::uint32_t> wanted(Tally::kTurns * Tally::kWords, 0);
    std::vector<std::uint64_t> long_wanted(Tally::kTurns * Tally::kLongWords, 0);
    for (std::uint32_t turn = 0; turn < Tally::kTurns; ++turn) wanted[turn * Tally::kWords + 4] = ~0u;
    auto words = on_device(this->memory(), wanted);
    auto long_words = on_device(this->memory(), long_wanted);
    this->rig->run([&](auto& exec) { exec.for_each(n, Tally{words.data(), long_words.data()}); });
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint32_t* w = wanted.data() + i % Tally::kTurns * Tally::kWords;
      std::uint64_t* l = long_wanted.data() + i % Tally::kTurns * Tally::kLongWords;
      const std::uint32_t value = Tally::value(i);
      w[0] |= 1u << i % 32, w[1] += i, w[2] += 1, w[3] = std::max(w[3], value), w[4] = std::min(w[4], value);
      l[0] |= std::uint64_t{1} << i % 64, l[1] = std::max(l[1], std::uint64_t{value} << 20), l[2] -= i;
    }
    ASSERT_EQ(words.read(wanted.size()), wanted) << n << " items";
    ASSERT_EQ(long_words.read(long_wanted.size()), long_wanted) << n << " items";
  }
}

TYPED_TEST_P(Exec, scan_gives_the_sum_in_front_of_each_item) {
  for (const std::uint32_t n : kSizes) {
    for (const Count& c : counts_for(n)) {
      std::vector<std::uint32_t> values = random_words(c.capacity, n);
      auto data = on_device(this->memory(), values), again = on_device(this->memory(), values);
      const auto count = on_device(this->memory(), std::vector{c.count});
      auto totals = on_device(this->memory(), std::vector<std::uint32_t>{0, 0});
      this->rig->run([&](auto& exec) {
        exec.exclusive_scan(data.data(), count.data(), c.capacity, totals.data());
        exec.exclusive_scan(again.data(), c.visited(), totals.data() + 1);
      });
      const auto end = values.begin() + c.visited();
      const std::uint32_t total = std::accumulate(values.begin(), end, 0u);
      std::exclusive_scan(values.begin(), end, values.begin(), 0u);
      ASSERT_EQ(data.read(c.capacity), values) << n << " items, room for " << c.capacity;
      ASSERT_EQ(again.read(c.capacity), values) << n << " items, counted by the host";
      ASSERT_EQ(totals.read(2), (std::vector{total, total})) << n;
    }
  }
}

TYPED_TEST_P(Exec, sort_is_stable_and_heeds_the_lowest_bits_alone) {
  for (const std::uint32_t n : kSizes) {
    for (const int bits : {0, 1, 7, 10, 16, 32}) {
      for (const Count& c : counts_for(n)) {
        const std::vector<std::uint32_t> values = random_words(c.capacity, n + static_cast<std::uint32_t>(bits));
        const auto key = on_device(this->memory(), values);
        const auto count = on_device(this->memory(), std::vector{c.count});
        auto sorted = on_device(this->memory(), std::vector<std::uint32_t>(c.capacity, kUntouched));
        auto order = on_device(this->memory(), std::vector<std::uint32_t>(c.capacity, kUntouched));
        this->rig->run(
            [&](auto& exec) { exec.sort(key.data(), sorted.data(), order.data(), count.data(), c.capacity, bits); });
        const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
        std::vector<std::uint32_t> expected_order(c.capacity, kUntouched), expected(c.capacity, kUntouched);
        const auto end = expected_order.begin() + c.visited();
        std::iota(expected_order.begin(), end, 0u);
        std::stable_sort(expected_order.begin(), end,
                         [&](std::uint32_t a, std::uint32_t b) { return (values[a] & mask) < (values[b] & mask); });
        for (std::uint32_t i = 0; i < c.visited(); ++i) expected[i] = values[expected_order[i]];
        ASSERT_EQ(order.read(c.capacity), expected_order)
            << n << " items, " << bits << " bits, room for " << c.capacity;
        ASSERT_EQ(sorted.read(c.capacity), expected) << n << " items, " << bits << " bits, room for " << c.capacity;
      }
    }
  }
}

TYPED_TEST_P(Exec, sort_puts_64_bit_keys_in_order) {
  for (const std::uint32_t n : kSizes) {
    for (const int bits : {0, 1, 17, 32}) {
      for (const Count& c : counts_for(n)) {
        const std::vector<std::uint32_t> high = random_words(c.capacity, n + 1), low = random_words(c.capacity, n + 2);
        const std::uint64_t half = (std::uint64_t{1} << bits) - 1;
        std::vector<std::uint64_t> keys(c.capacity);
        // few values of the upper word, so that the lower one decides; and the largest key, which is also what pads
        for (std::uint32_t i = 0; i < c.capacity; ++i)
          keys[i] = i % 100 == 7 ? half << 32 | half : (high[i] % 1000 & half) << 32 | (low[i] & half);
        const std::uint64_t untouched = kUntouched;
        const auto key = on_device(this->memory(), keys);
        const auto count = on_device(this->memory(), std::vector{c.count});
        auto sorted = on_device(this->memory(), std::vector<std::uint64_t>(c.capacity, untouched));
        this->rig->run([&](auto& exec) { exec.sort(key.data(), sorted.data(), count.data(), c.capacity, bits); });
        std::sort(keys.begin(), keys.begin() + c.visited());
        std::fill(keys.begin() + c.visited(), keys.end(), untouched);
        ASSERT_EQ(sorted.read(c.capacity), keys) << n << " items, " << bits << " bits, room for " << c.capacity;
      }
    }
  }
}

TYPED_TEST_P(Exec, rounds_go_on_until_all_is_done) {
  for (const std::uint32_t n : kSizes) {
    // the items of a cell win one a round: few and many rounds, within and past what runs over the whole grid
    for (const std::uint32_t rivals : {1u, 6u, 7u, 20u}) {
      const std::uint32_t cells = n / rivals + 1;
      auto best = on_device(this->memory(), std::vector<std::uint64_t>(cells, 0));
      auto next = on_device(this->memory(), std::vector<std::uint32_t>(cells, 0));
      auto rank = on_device(this->memory(), std::vector<std::uint32_t>(n, kUntouched));
      auto done = on_device(this->memory(), std::vector<std::uint32_t>{0});
      const auto count = on_device(this->memory(), std::vector{n});
      const Auction auction{cells, best.data(), next.data(), rank.data(), done.data()};
      const bool few = rivals % 2 == 0;
      this->rig->run([&](auto& exec) {
        exec.rounds(count.data(), n + 10, few, done.data(), AuctionBid{auction}, AuctionTake{auction},
                    AuctionClear{auction});
      });
      std::vector<std::uint32_t> expected(n);
      for (std::uint32_t cell = 0; cell < cells; ++cell) {
        std::vector<std::uint32_t> items;
        for (std::uint32_t i = cell; i < n; i += cells) items.push_back(i);
        std::sort(items.begin(), items.end(),
                  [](std::uint32_t a, std::uint32_t b) { return Auction::bid_of(a) > Auction::bid_of(b); });
        for (std::uint32_t r = 0; r < items.size(); ++r) expected[items[r]] = r;
      }
      ASSERT_EQ(rank.read(n), expected) << n << " items, " << rivals << " a cell";
      ASSERT_EQ(done.get(0), n);
      ASSERT_EQ(best.read(cells), std::vector<std::uint64_t>(cells, 0)) << "the last round was not cleared";
    }
  }
}

TYPED_TEST_P(Exec, sweep_goes_color_by_color_and_through_the_overflow_row_by_row) {
  // how many colours are thought to be wide, whether it is known which there are, and how many row slots there may be:
  // all that is a matter of speed alone
  constexpr std::array<std::array<std::uint32_t, 2>, 5> kWide{{{16, 8}, {0, 0}, {2, 0}, {0, 1}, {4, 3}}};
  for (const Rows& rows : row_layouts()) {
    for (const auto& wide : kWide) {
      for (const bool known : {false, true}) {
        DeviceRows on(this->memory(), rows);
        std::copy(wide.begin(), wide.end(), on.parts.wide);
        if (known) rows.count_colors(on.parts.colors);
        auto cell = on_device(this->memory(), rows.cell);
        auto history = on_device(this->memory(), std::vector<std::uint32_t>(Rows::kCells, 1));
        const auto capacity = known ? 70'000 : static_cast<std::uint32_t>(rows.cell.size());
        this->rig->run([&](auto& exec) { exec.sweep(on.parts, capacity, Chronicle{cell.data(), history.data()}); });
        ASSERT_EQ(history.read(Rows::kCells), history_of(rows, 1))
            << rows.cell.size() << " row slots, wide " << wide[0] << ", " << wide[1] << (known ? ", known" : "");
      }
    }
  }
}

TYPED_TEST_P(Exec, find_begins_says_where_each_key_begins) {
  for (const std::uint32_t n : kSizes) {
    // keys without items in front, between and behind
    std::vector<std::uint32_t> sorted;
    for (std::uint32_t i = 0; i < n; ++i) sorted.push_back(3 + 5 * (i / 7));
    const std::uint32_t last = 5 * (n / 7) + 20;
    const auto on = on_device(this->memory(), sorted);
    auto begin = on_device(this->memory(), std::vector<std::uint32_t>(last + 1, kUntouched));
    this->rig->run([&](auto& exec) { exec.find_begins(on.data(), n, last, begin.data()); });
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k <= last; ++k) {
      expected.push_back(
          static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), k) - sorted.begin()));
    }
    ASSERT_EQ(begin.read(last + 1), expected) << n << " items";

    // of a third of them, as the device counted, by a part of the key
    const std::uint32_t some = n / 3;
    const auto count = on_device(this->memory(), std::vector{some});
    this->rig->run(
        [&](auto& exec) { exec.find_begins(on.data(), count.data(), n, Quarter{}, last / 4, begin.data()); });
    expected.clear();
    for (std::uint32_t k = 0; k <= last / 4; ++k) {
      const auto first = std::lower_bound(sorted.begin(), sorted.begin() + some, 4 * k);
      expected.push_back(static_cast<std::uint32_t>(first - sorted.begin()));
    }
    ASSERT_EQ(begin.read(last / 4 + 1), expected) << some << " of " << n << " items";
  }
}

TYPED_TEST_P(Exec, sweep_rounds_end_with_one_in_which_nothing_happens) {
  constexpr std::uint32_t kBegin = 1, kEnd = 6;
  for (const Rows& rows : row_layouts()) {
    if (rows.entries() == 0) continue;
    const DeviceRows on(this->memory(), rows);
    const auto cell = on_device(this->memory(), rows.cell);
    for (const std::uint32_t wanted : {1u, 3u, kEnd - kBegin, 2 * kEnd}) {
      for (const std::uint32_t usual : {0u, 1u, 2u, kEnd}) {
        auto history = on_device(this->memory(), std::vector<std::uint32_t>(Rows::kCells, 1));
        auto last = on_device(this->memory(), std::vector<std::uint32_t>{0});
        const ChronicleRounds rounds{{cell.data(), history.data()},
                                     {.last = last.data(), .begin = kBegin, .end = kEnd, .round = kBegin},
                                     kBegin + wanted};
        this->rig->run([&](auto& exec) {
          exec.sweep_rounds(on.parts, static_cast<std::uint32_t>(rows.cell.size()), usual, rounds);
        });
        const int taken = static_cast<int>(std::min(wanted, kEnd - kBegin));
        ASSERT_EQ(history.read(Rows::kCells), history_of(rows, taken)) << wanted << " rounds, usually " << usual;
      }
    }
  }
}

TYPED_TEST_P(Exec, each_group_comes_once) {
  // more groups than a device of a few multiprocessors has room for at once
  constexpr std::uint32_t kFirst = 3, kLast = 500, kItems = VisitGroup::kItems;
  const auto bounds = on_device(this->memory(), std::vector<std::uint32_t>{kFirst, kLast});
  auto visits = on_device(this->memory(), std::vector<std::uint32_t>((kLast + 1) * kItems, 0));
  this->rig->run(
      [&](auto& exec) { exec.each_group(bounds.data(), bounds.data() + 1, 2 * kLast, VisitGroup{visits.data()}); });
  std::vector<std::uint32_t> expected((kLast + 1) * kItems, 0);
  std::fill(expected.begin() + kFirst * kItems, expected.begin() + kLast * kItems, 1u);
  EXPECT_EQ(visits.read(expected.size()), expected);
}

TYPED_TEST_P(Exec, rows_visits_every_row_slot_once) {
  for (const Rows& rows : row_layouts()) {
    const std::uint32_t slots = static_cast<std::uint32_t>(rows.cell.size());
    const DeviceRows on(this->memory(), rows);
    auto visits = on_device(this->memory(), std::vector<std::uint32_t>(slots, 0));
    this->rig->run([&](auto& exec) { exec.rows(on.parts, slots + 40, VisitRow{visits.data()}); });
    ASSERT_EQ(visits.read(slots), std::vector<std::uint32_t>(slots, 1));
  }
}

TYPED_TEST_P(Exec, each_row_visits_every_entry_of_the_rows_once) {
  for (const Rows& rows : row_layouts()) {
    const std::uint32_t entries = rows.entries();
    const DeviceRows on(this->memory(), rows);
    // room to spare, as pairs that have no row leave it: nothing may be visited there
    auto visits = on_device(this->memory(), std::vector<std::uint32_t>(entries + 40, 0));
    this->rig->run([&](auto& exec) { exec.each_row(on.parts, entries + 40, Visit{visits.data()}); });
    std::vector<std::uint32_t> expected(entries + 40, 0);
    std::fill_n(expected.begin(), entries, 1u);
    ASSERT_EQ(visits.read(entries + 40), expected) << entries << " entries";
  }
}

TYPED_TEST_P(Exec, each_part_has_its_bodies_and_rows_and_sweeps_them_color_by_color) {
  // every layout a part of its own, the first of them part 0; cells of different parts differ. And more parts than a
  // device of a few multiprocessors has room for at once
  std::vector<std::uint32_t> begin, row, cell, body_begin{0}, body;
  std::vector<Rows> layouts = row_layouts();
  layouts.resize(150, Rows({1, 2}));
  constexpr std::uint32_t kBodies = 100'000;
  std::uint32_t entries = 0;
  for (std::uint32_t p = 0; p < layouts.size(); ++p) {
    for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) {
      begin.push_back(entries + layouts[p].color_begin[c]);
      row.push_back(static_cast<std::uint32_t>(cell.size()) + layouts[p].color_row[c]);
    }
    entries += layouts[p].entries();
    for (const std::uint32_t at : layouts[p].cell) cell.push_back(at == kernels::kNone ? at : p * Rows::kCells + at);
    for (std::uint32_t i = 0; i < 300 * (p % 5); ++i) {
      body.push_back(kBodies - 1 - static_cast<std::uint32_t>(body.size()));
    }
    body_begin.push_back(static_cast<std::uint32_t>(body.size()));
  }
  begin.push_back(entries);
  row.push_back(static_cast<std::uint32_t>(cell.size()));
  const auto n = static_cast<std::uint32_t>(layouts.size());
  const std::uint32_t past = row[kernels::kColorCount];
  auto begin_on = on_device(this->memory(), begin), row_on = on_device(this->memory(), row);
  const auto cell_on = on_device(this->memory(), cell);
  const auto body_begin_on = on_device(this->memory(), body_begin), body_on = on_device(this->memory(), body);
  const kernels::Parts parts{.count = n,
                             .swept = n,
                             .large = 0,
                             .of_world = nullptr,
                             .body_begin = body_begin_on.data(),
                             .body = body_on.data(),
                             .color_begin = begin_on.data(),
                             .color_row = row_on.data()};
  std::vector<std::uint32_t> wanted_bodies(kBodies, 0), wanted_slots(cell.size(), 0), wanted(n * Rows::kCells, 1);
  for (const std::uint32_t i : body) wanted_bodies[i] = 1;
  std::fill(wanted_slots.begin() + past, wanted_slots.end(), 1u);
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::uint32_t slot = past; slot < cell.size(); ++slot) {
      if (cell[slot] != kernels::kNone) wanted[cell[slot]] = Chronicle::after(wanted[cell[slot]], slot);
    }
  }
  for (const bool only_contacts : {false, true}) {
    auto bodies = on_device(this->memory(), std::vector<std::uint32_t>(kBodies, 0));
    auto slots = on_device(this->memory(), std::vector<std::uint32_t>(cell.size(), 0));
    auto history = on_device(this->memory(), std::vector<std::uint32_t>(n * Rows::kCells, 1));
    this->rig->run([&](auto& exec) {
      exec.each_part(parts, only_contacts,
                     VisitPart{parts, bodies.data(), slots.data(), cell_on.data(), history.data()});
    });
    EXPECT_EQ(bodies.read(kBodies), wanted_bodies);
    EXPECT_EQ(slots.read(cell.size()), wanted_slots);
    EXPECT_EQ(history.read(n * Rows::kCells), wanted);
  }
}

TYPED_TEST_P(Exec, a_guard_that_is_up_stops_everything) {
  const std::uint32_t n = 1000;
  const Rows rows(std::vector<std::uint32_t>(kernels::kColorCount, 3));
  const DeviceRows on(this->memory(), rows);
  const auto cell = on_device(this->memory(), rows.cell);
  const auto flag = on_device(this->memory(), std::vector<std::uint32_t>{0, 1});
  const auto count = on_device(this->memory(), std::vector{n});
  const auto key = on_device(this->memory(), random_words(n, 1));
  const auto long_key = on_device(this->memory(), std::vector<std::uint64_t>(n, 5));
  auto words = on_device(this->memory(), std::vector<std::uint32_t>(10 * n, kUntouched));
  auto long_words = on_device(this->memory(), std::vector<std::uint64_t>(n, kUntouched));
  const auto part = [&](std::uint32_t i) { return words.data() + i * n; };
  const Auction auction{n, long_words.data(), part(3), part(4), part(5)};
  // never reached by *done, so that a round which ran would leave a mark
  this->rig->run([&](auto& exec) {
    exec.guard(flag.data() + 1);
    exec.for_each(n, Visit{part(0)});
    exec.for_each(count.data(), n, Visit{part(0)});
    exec.each_worker(n, Visit{part(0)});
    exec.single(VisitOne{part(0)});
    exec.exclusive_scan(part(1), n, part(1));
    exec.sort(key.data(), part(1), part(2), count.data(), n, 32);
    exec.sort(long_key.data(), long_words.data(), count.data(), n, 32);
    exec.rounds(count.data(), n, false, flag.data(), AuctionBid{auction}, AuctionTake{auction}, AuctionClear{auction});
    exec.sweep(on.parts, static_cast<std::uint32_t>(rows.cell.size()), Chronicle{cell.data(), part(6)});
    exec.rows(on.parts, static_cast<std::uint32_t>(rows.cell.size()), VisitRow{part(7)});
    exec.each_row(on.parts, rows.entries(), Visit{part(8)});
    exec.each_color(on.parts.color_begin, Visit{part(9)});
  });
  EXPECT_EQ(words.read(10 * n), std::vector<std::uint32_t>(10 * n, kUntouched));
  EXPECT_EQ(long_words.read(n), std::vector<std::uint64_t>(n, kUntouched));
  this->rig->run([&](auto& exec) {
    exec.guard(flag.data());
    exec.single(VisitOne{part(0)});
  });
  EXPECT_EQ(words.get(0), kUntouched + 1) << "a guard that is down must not stop anything";
}

REGISTER_TYPED_TEST_SUITE_P(Exec, memory_has_what_was_uploaded_posted_copied_and_zeroed_and_nothing_else,
                            memory_that_is_kept_outlives_its_release, for_each_visits_every_item_once,
                            each_worker_comes_once, atomics_lose_nothing, scan_gives_the_sum_in_front_of_each_item,
                            sort_is_stable_and_heeds_the_lowest_bits_alone, sort_puts_64_bit_keys_in_order,
                            rounds_go_on_until_all_is_done,
                            sweep_goes_color_by_color_and_through_the_overflow_row_by_row,
                            find_begins_says_where_each_key_begins, sweep_rounds_end_with_one_in_which_nothing_happens,
                            each_group_comes_once, rows_visits_every_row_slot_once,
                            each_row_visits_every_entry_of_the_rows_once,
                            each_part_has_its_bodies_and_rows_and_sweeps_them_color_by_color,
                            a_guard_that_is_up_stops_everything);

}  // namespace cairn::exec_cases
