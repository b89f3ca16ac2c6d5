#pragma once
// Sweeps over items in the order of their colours, on every processor: see tests/exec/exec_cases.h.

#include "kernels/color/body_color.h"
#include "tests/exec/exec_cases.h"

namespace cairn::exec_cases {

/// Items in the order of their colours, part by part, as the stage `color` lays out bodies: each part has 64 colours,
/// then those for which none was left, then those that want none. Cells of different parts differ; within a colour all
/// do, but for the last.
struct ColoredItems {
  std::vector<std::uint32_t> begin;   ///< [1] (parts x kBodyColors + 1)
  std::vector<std::uint32_t> cell;    ///< [1] (items)
  std::vector<std::uint32_t> wanted;  ///< [1] (items) 1 where a colour visits it
  std::uint32_t parts{0};

  void add(const std::vector<std::uint32_t>& items_of) {
    for (std::uint32_t c = 0; c < kernels::kBodyColors; ++c) {
      begin.push_back(static_cast<std::uint32_t>(cell.size()));
      for (std::uint32_t r = 0; r < items_of[c]; ++r) {
        cell.push_back(parts * Rows::kCells + (c == kernels::kMaskColors ? 0 : (r * 7 + c) % Rows::kCells));
        wanted.push_back(c <= kernels::kMaskColors ? 1 : 0);
      }
    }
    parts += 1;
  }
  /// What `cells` have seen after a pass over the parts [first, last), whose items come in their order.
  std::vector<std::uint32_t> histories(std::uint32_t first, std::uint32_t last) const {
    std::vector<std::uint32_t> all(parts * Rows::kCells, 1);
    for (std::uint32_t i = begin[first * kernels::kBodyColors]; i < begin[last * kernels::kBodyColors]; ++i)
      if (wanted[i] != 0) all[cell[i]] = Chronicle::after(all[cell[i]], i);
    return all;
  }
};

inline ColoredItems colored_items() {
  std::vector<std::uint32_t> none(kernels::kBodyColors, 0), few = none, all = none, uncolored = none, idle = none;
  few[0] = 4097, few[5] = 65, few[kernels::kMaskColors] = 130;
  for (std::uint32_t c = 0; c < kernels::kBodyColors; ++c) all[c] = c % 5 == 4 ? 0 : (c * 37) % 300;
  uncolored[kernels::kMaskColors] = 41;
  idle[kernels::kNoBodyColor] = 500;
  ColoredItems items;
  for (const auto& part : {all, none, few, uncolored, idle, all}) items.add(part);
  items.begin.push_back(static_cast<std::uint32_t>(items.cell.size()));
  return items;
}

template <class Rig>
class ExecColors : public Exec<Rig> {};
TYPED_TEST_SUITE_P(ExecColors);

TYPED_TEST_P(ExecColors, each_color_visits_every_item_of_its_part_once_color_by_color) {
  const ColoredItems items = colored_items();
  const auto n = static_cast<std::uint32_t>(items.cell.size()), cells = items.parts * Rows::kCells;
  const auto begin = on_device(this->memory(), items.begin), cell = on_device(this->memory(), items.cell);
  // the parts' bodies and rows are none of each_color's
  const auto nothing =
      on_device(this->memory(), std::vector<std::uint32_t>(kernels::Parts::band_of(items.parts, 0) + 1, 0));
  const kernels::Parts parts{.count = items.parts,
                             .swept = items.parts,
                             .large = 0,
                             .of_world = nullptr,
                             .body_begin = nothing.data(),
                             .body = nothing.data(),
                             .color_begin = nothing.data(),
                             .color_row = nothing.data()};
  // part 0 is the processor's own, the others go to teams
  const std::uint32_t first = items.begin[kernels::kBodyColors];
  auto visits = on_device(this->memory(), std::vector<std::uint32_t>(n, 0));
  auto history = on_device(this->memory(), std::vector<std::uint32_t>(cells, 1));
  this->rig->run([&](auto& exec) {
    exec.each_color(begin.data(), Visit{visits.data()});
    exec.each_color(begin.data(), ChronicleItem{cell.data(), history.data()});
  });
  std::vector<std::uint32_t> wanted(n, 0);
  std::copy_n(items.wanted.begin(), first, wanted.begin());
  EXPECT_EQ(visits.read(n), wanted);
  EXPECT_EQ(history.read(cells), items.histories(0, 1));

  auto part_visits = on_device(this->memory(), std::vector<std::uint32_t>(n, 0));
  auto part_history = on_device(this->memory(), std::vector<std::uint32_t>(cells, 1));
  this->rig->run([&](auto& exec) {
    exec.each_part(parts, false, ColorPart{begin.data(), part_visits.data(), {cell.data(), part_history.data()}});
  });
  wanted = items.wanted;
  std::fill_n(wanted.begin(), first, 0u);
  EXPECT_EQ(part_visits.read(n), wanted);
  EXPECT_EQ(part_history.read(cells), items.histories(1, items.parts));
}

REGISTER_TYPED_TEST_SUITE_P(ExecColors, each_color_visits_every_item_of_its_part_once_color_by_color);

}  // namespace cairn::exec_cases
