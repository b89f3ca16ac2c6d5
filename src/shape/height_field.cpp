// Height fields.

#include <algorithm>
#include <cmath>
#include <string>

#include "cairn/errors.h"
#include "src/exec/exact_floats.h"
#include "src/scene/text.h"
#include "src/shape/data.h"
#include "src/shape/hash.h"

namespace cairn {
namespace {

std::shared_ptr<const detail::FieldData> make_field(std::uint32_t columns, std::uint32_t rows, float spacing,
                                                    std::span<const float> heights) {
  const exec::ExactFloats exact;
  const auto fail = [](const std::string& what) { throw InvalidArgument("height field: " + what); };
  const auto side = [&](std::uint32_t n, const char* name) {
    if (n >= 2 && n <= HeightField::kMaxSamples) return;
    fail("must have 2 to " + std::to_string(HeightField::kMaxSamples) + " " + name + ", has " + std::to_string(n));
  };
  side(columns, "columns");
  side(rows, "rows");
  if (!(spacing > 0) || !std::isfinite(spacing)) {
    fail("spacing must be over 0 and finite, is " + rules::digits(spacing));
  }
  const std::size_t count = std::size_t{columns} * rows;
  if (heights.size() != count) {
    fail("must have columns * rows = " + std::to_string(count) + " heights, has " + std::to_string(heights.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(heights[i])) continue;
    fail("height " + std::to_string(i) + " (column " + std::to_string(i % columns) + ", row " +
         std::to_string(i / columns) + ") must be finite, is " + rules::digits(heights[i]));
  }
  auto data = std::make_shared<detail::FieldData>();
  data->columns = columns;
  data->rows = rows;
  data->spacing = spacing;
  data->heights.assign(heights.begin(), heights.end());
  // -0 and 0 are equal heights
  for (float& h : data->heights) h += 0.0f;
  data->lowest = *std::min_element(data->heights.begin(), data->heights.end());
  data->highest = *std::max_element(data->heights.begin(), data->heights.end());
  const float of_all[]{static_cast<float>(columns), static_cast<float>(rows), spacing};
  data->hash = shape::hash_of(std::span<const float>(data->heights), shape::hash_of(std::span<const float>(of_all), 0));
  return data;
}

}  // namespace

HeightField::HeightField(std::uint32_t columns, std::uint32_t rows, float spacing, std::span<const float> heights)
    : data_(make_field(columns, rows, spacing, heights)) {}

}  // namespace cairn
