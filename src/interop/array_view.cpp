// Views of arrays, and their DLPack tensors.

#include "cairn/array_view.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cairn/errors.h"
#include "src/interop/dlpack.h"

namespace cairn {

namespace {

struct Element {
  std::string_view name;
  std::size_t bytes;
};
/// Unknown types count as the last.
const Element& element(ElementType type) {
  static constexpr std::array<Element, 5> kAll{
      {{"uint8", 1}, {"uint32", 4}, {"uint64", 8}, {"float32", 4}, {"float64", 8}}};
  return kAll[std::min(static_cast<std::size_t>(type), kAll.size() - 1)];
}

}  // namespace

std::size_t bytes_of(ElementType type) { return element(type).bytes; }
std::string_view element_name(ElementType type) { return element(type).name; }

ArrayView dense_view(void* data, ElementType type, const Device& device, std::int64_t rows, std::int64_t columns) {
  ArrayView view;
  view.data = data;
  view.type = type;
  view.device = device;
  view.rank = columns == 0 ? 1 : 2;
  view.shape = {rows, columns, 0};
  view.strides = {columns == 0 ? 1 : columns, 1, 0};
  return view;
}

ArrayView dense_view(const void* data, ElementType type, std::size_t count, bool writable, std::int64_t rows,
                     std::int64_t columns, const Device& device) {
  // each factor first, so that the product can't overflow
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t width = columns == 0 ? 1 : columns;
  if (rows < 0 || columns < 0 || n % width != 0 || n / width != rows) {
    throw InvalidArgument("view: " + std::to_string(rows) + " rows of " + std::to_string(width) +
                          " don't make the span's " + std::to_string(count) + " elements");
  }
  ArrayView view = dense_view(const_cast<void*>(data), type, device, rows, columns);
  view.writable = writable;
  return view;
}

namespace {

/// A tensor and the data that it points to, in one allocation.
struct Tensor {
  DLManagedTensorVersioned managed{};
  std::array<std::int64_t, 3> shape{}, strides{};
  std::shared_ptr<const void> keep;
};

}  // namespace

DLManagedTensorVersioned* to_dlpack(const ArrayView& view, std::shared_ptr<const void> keep) {
  auto tensor = std::make_unique<Tensor>();
  tensor->shape = view.shape;
  tensor->strides = view.strides;
  tensor->keep = std::move(keep);
  const bool floating = view.type == ElementType::kFloat32 || view.type == ElementType::kFloat64;
  const bool empty = std::find(view.shape.begin(), view.shape.begin() + view.rank, 0) != view.shape.begin() + view.rank;
  DLManagedTensorVersioned& m = tensor->managed;
  m.version = {1, 1};
  m.manager_ctx = tensor.get();
  m.deleter = [](DLManagedTensorVersioned* self) { delete static_cast<Tensor*>(self->manager_ctx); };
  m.flags = view.writable ? 0 : kDLPackReadOnly;
  // strided views into larger elements may begin unaligned: byte_offset stays 0, as with most libraries
  m.dl_tensor.data = empty ? nullptr : view.data;
  m.dl_tensor.device = {view.device.kind == Device::Kind::kCpu ? kDLCPU : kDLCUDA,
                        view.device.kind == Device::Kind::kCpu ? 0 : view.device.index};
  m.dl_tensor.ndim = view.rank;
  m.dl_tensor.dtype = {floating ? kDLFloat : kDLUInt, static_cast<std::uint8_t>(8 * bytes_of(view.type)), 1};
  m.dl_tensor.shape = tensor->shape.data();
  m.dl_tensor.strides = tensor->strides.data();
  m.dl_tensor.byte_offset = 0;
  return &tensor.release()->managed;
}

}  // namespace cairn
