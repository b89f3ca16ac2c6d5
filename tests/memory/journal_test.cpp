// exec::Journal against an array that is simply written: reads see what is kept back, and either all of it is written
// or none, wherever the array has grown to meanwhile.

#include "src/exec/journal.h"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "src/exec/cpu_memory.h"
#include "tests/memory/rig.h"

namespace cairn::memory_test {
namespace {

constexpr std::size_t kBytes = 64;
using Bytes = std::array<unsigned char, kBytes>;

TEST(Journal, makes_all_writes_or_none) {
  std::mt19937 random(1);
  const auto any = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  exec::CpuMemory memory;
  for (int round = 0; round < 2000; ++round) {
    exec::Journal journal(memory);
    auto* array = static_cast<unsigned char*>(journal.allocate(kBytes));
    Bytes before{}, then{}, value{};
    for (unsigned char& b : before) b = static_cast<unsigned char>(any(256));
    journal.upload(array, before.data(), kBytes);
    then = before;
    journal.open();
    for (int i = 0; i < 30; ++i) {
      std::size_t first = any(kBytes), n = any(kBytes - first) + 1;
      for (unsigned char& b : value) b = static_cast<unsigned char>(any(256));
      switch (any(4)) {
        case 0: {
          auto* grown = static_cast<unsigned char*>(journal.allocate(kBytes));
          journal.copy(grown, array, kBytes);
          journal.release(array);
          array = grown;
          break;
        }
        case 1:
          journal.zero(array + first, n);
          std::fill_n(then.begin() + static_cast<std::ptrdiff_t>(first), n, static_cast<unsigned char>(0));
          break;
        default:
          journal.upload(array + first, value.data(), n);
          std::copy_n(value.begin(), n, then.begin() + static_cast<std::ptrdiff_t>(first));
      }
      first = any(kBytes);
      n = any(kBytes - first) + 1;
      journal.download(value.data(), array + first, n);
      ASSERT_TRUE(std::equal(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(n),
                             then.begin() + static_cast<std::ptrdiff_t>(first)));
    }
    const bool commits = any(2) == 0;
    if (commits) {
      journal.commit();
    } else {
      journal.roll_back();
    }
    ASSERT_TRUE(std::equal(array, array + kBytes, (commits ? then : before).begin())) << commits;
    journal.release(array);
  }
}

TEST(Journal, puts_what_was_kept_back_without_memory) {
  exec::CpuMemory memory;
  exec::Journal journal(memory);
  std::vector<std::uint32_t> list{1, 2, 3}, other{4};
  std::string name = "a name that takes a block of the heap";
  journal.open();
  journal.pop(list);
  journal.pop(list);
  journal.push(list, 9u);
  journal.replace(other, {5, 6});
  journal.keep(name);
  name = "another name that takes a block of the heap, too";
  journal.push(other, 7u);
  {
    const testing_support::ShortHeap none(0, true);
    journal.roll_back();
  }
  EXPECT_EQ(list, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(other, std::vector<std::uint32_t>{4});
  EXPECT_EQ(name, "a name that takes a block of the heap");
}

}  // namespace
}  // namespace cairn::memory_test
