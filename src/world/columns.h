#pragma once
// The user's arrays, checked.

#include "cairn/array_view.h"
#include "kernels/queries/query_rows.h"

namespace cairn {

/// Rows of vectors of so many columns, float32 or float64; with one column the array may have one dimension. Empty
/// without data. Throws InvalidArgument, naming the array, for others.
kernels::Columns columns_of(const char* name, const ArrayView& view, int columns, std::uint32_t rows,
                            const Device& device, bool write);

/// The same for whole numbers, uint32.
kernels::Words words_of(const char* name, const ArrayView& view, std::uint32_t rows, const Device& device, bool write);

}  // namespace cairn
