#pragma once
// Rows as the stage `color` lays them out, for the exec tests.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/exec/memory.h"
#include "tests/exec/exec_functors.h"

namespace cairn::exec_cases {

template <class T>
exec::Buffer<T> on_device(exec::Memory& memory, const std::vector<T>& values) {
  exec::Buffer<T> buffer(memory);
  buffer.reserve(std::max<std::size_t>(values.size(), 1));
  memory.upload(buffer.data(), values.data(), values.size() * sizeof(T));
  return buffer;
}

/// Rows of some colours, as the stage `color` lays them out in one part.
struct Rows {
  std::vector<std::uint32_t> color_begin, color_row;  ///< [1] (colours + 1)
  std::vector<std::uint32_t> cell;                    ///< [1] (row slots) what the row writes; kNone in padding lanes

  /// rows_of[c] rows of colour c. Within a colour all cells differ, but for the overflow colours, which take turns at
  /// one: that of the next colour's row 3. Row r writes what row r + 33 of the colour before wrote, another thread.
  explicit Rows(const std::vector<std::uint32_t>& rows_of) {
    std::uint32_t begin = 0;
    for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) {
      color_begin.push_back(begin);
      color_row.push_back(static_cast<std::uint32_t>(cell.size()));
      const bool overflow = c % kernels::kColorsPerClass == kernels::kMaskColors;
      const std::uint32_t rows = c < rows_of.size() ? rows_of[c] : 0;
      for (std::uint32_t r = 0; r < rows; ++r) cell.push_back(cell_of(c, overflow ? 36 : r));
      begin += rows;
      while (cell.size() % kernels::kRowAlign != 0) cell.push_back(kernels::kNone);
    }
    color_begin.push_back(begin);
    color_row.push_back(static_cast<std::uint32_t>(cell.size()));
  }
  std::uint32_t entries() const { return color_begin.back(); }
  /// [1] Of each class, no row has a colour past these.
  void count_colors(std::uint32_t (&colors)[2]) const {
    for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) {
      std::uint32_t& of_class = colors[c / kernels::kColorsPerClass];
      if (c % kernels::kColorsPerClass == 0) of_class = 0;
      if (color_row[c] != color_row[c + 1]) of_class = c % kernels::kColorsPerClass + 1;
    }
  }

  static constexpr std::uint32_t kCells = 5003;  // a prime: r -> 7 r is one to one
  static std::uint32_t cell_of(std::uint32_t color, std::uint32_t row) { return 7 * (row + 33 * color) % kCells; }
};

/// The same where a device finds it.
struct DeviceRows {
  exec::Buffer<std::uint32_t> color_begin, color_row;
  kernels::Parts parts{};

  DeviceRows(exec::Memory& memory, const Rows& rows)
      : color_begin(on_device(memory, rows.color_begin)), color_row(on_device(memory, rows.color_row)) {
    parts.count = parts.swept = 1;
    for (std::uint32_t& colors : parts.colors) colors = kernels::kColorsPerClass;
    std::copy(std::begin(kernels::kMaxWide), std::end(kernels::kMaxWide), parts.wide);
    parts.color_begin = color_begin.data();
    parts.color_row = color_row.data();
  }
};

inline std::vector<Rows> row_layouts() {
  std::vector<std::uint32_t> all(kernels::kColorCount), few(kernels::kColorCount, 0);
  for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) all[c] = c % 5 == 3 ? 0 : (c * 37) % 300;
  few[0] = 5000, few[3] = 9, few[kernels::kColorsPerClass] = 1025;
  std::vector<std::uint32_t> overflow_alone(kernels::kColorCount, 0);
  overflow_alone[kernels::kMaskColors] = overflow_alone[kernels::kColorCount - 1] = 41;
  return {Rows({}), Rows({1}), Rows(few), Rows(all), Rows(overflow_alone)};
}

/// What each cell has seen after so many sweeps.
inline std::vector<std::uint32_t> history_of(const Rows& rows, int sweeps) {
  std::vector<std::uint32_t> history(Rows::kCells, 1);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::uint32_t slot = 0; slot < rows.cell.size(); ++slot) {
      if (rows.cell[slot] == kernels::kNone) continue;
      std::uint32_t& h = history[rows.cell[slot]];
      h = Chronicle::after(h, slot);
    }
  }
  return history;
}

}  // namespace cairn::exec_cases
