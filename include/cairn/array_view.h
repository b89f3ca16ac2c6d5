#pragma once
// Arrays in the memory of a World's device, for programs and libraries that work on the same device.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "cairn/device.h"

/// A tensor of DLPack 1, as <dlpack/dlpack.h> declares it.
struct DLManagedTensorVersioned;

namespace cairn {

enum class ElementType : std::uint8_t { kUint8, kUint32, kUint64, kFloat32, kFloat64 };
std::size_t bytes_of(ElementType type);
std::string_view element_name(ElementType type);  ///< "uint8", "uint32", "uint64", "float32", "float64"

/// An array of up to three dimensions. It owns nothing.
struct ArrayView {
  void* data{nullptr};  ///< [1] the first element, an address on `device`; null where there is no array
  ElementType type{ElementType::kFloat32};
  int rank{1};                            ///< [1] 1..3
  std::array<std::int64_t, 3> shape{};    ///< [1] elements along each of the `rank` dimensions
  std::array<std::int64_t, 3> strides{};  ///< [1] elements from one to the next along each
  Device device{};
  bool writable{true};
};

/// A view of rows of `columns` elements, or of `rows` single elements, without gaps.
ArrayView dense_view(void* data, ElementType type, const Device& device, std::int64_t rows, std::int64_t columns = 0);

constexpr ElementType element_of(std::uint8_t) { return ElementType::kUint8; }
constexpr ElementType element_of(std::uint32_t) { return ElementType::kUint32; }
constexpr ElementType element_of(std::uint64_t) { return ElementType::kUint64; }
constexpr ElementType element_of(float) { return ElementType::kFloat32; }
constexpr ElementType element_of(double) { return ElementType::kFloat64; }

/// The same for `count` elements. Throws InvalidArgument if the rows have another number of elements.
ArrayView dense_view(const void* data, ElementType type, std::size_t count, bool writable, std::int64_t rows,
                     std::int64_t columns, const Device& device);

/// A view of all elements of a span, on the CPU or on `device`. Throws InvalidArgument if the rows have another number
/// of elements.
template <class T>
ArrayView view(std::span<T> data, std::int64_t rows, std::int64_t columns = 0, const Device& device = {}) {
  return dense_view(data.data(), element_of(std::remove_const_t<T>{}), data.size(), !std::is_const_v<T>, rows, columns,
                    device);
}
/// The same for a vector or an array.
template <class C>
ArrayView view(C& data, std::int64_t rows, std::int64_t columns = 0, const Device& device = {}) {
  return view(std::span<std::remove_reference_t<decltype(*std::data(data))>>(data), rows, columns, device);
}

/// The view as a tensor of DLPack 1.1. The consumer calls its deleter, which releases `keep`: pass the owner of the
/// array, such as a std::shared_ptr<World>. Throws std::bad_alloc.
DLManagedTensorVersioned* to_dlpack(const ArrayView& view, std::shared_ptr<const void> keep = nullptr);

}  // namespace cairn
