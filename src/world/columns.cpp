#include "src/world/columns.h"

#include <algorithm>
#include <string>

#include "cairn/errors.h"

namespace cairn {
namespace {

[[noreturn]] void refuse(const char* name, const std::string& rule) {
  throw InvalidArgument(std::string(name) + " must " + rule);
}

void check(const char* name, const ArrayView& view, int columns, std::uint32_t rows, const Device& device, bool write) {
  if (view.device.kind != device.kind || (device.kind == Device::Kind::kCuda && view.device.index != device.index))
    refuse(name, "be on " + device.name() + ", is on " + view.device.name());
  const bool flat = view.rank == 1 && columns == 1;
  if ((!flat && (view.rank != 2 || view.shape[1] != columns)) || view.shape[0] != rows) {
    std::string shape;
    for (int i = 0; i < std::min(view.rank, 3); ++i)
      shape += (i == 0 ? "" : ", ") + std::to_string(view.shape[static_cast<std::size_t>(i)]);
    refuse(name, "have the shape (" + std::to_string(rows) + (columns == 1 ? "" : ", " + std::to_string(columns)) +
                     "), has (" + shape + ")");
  }
  if (write && !view.writable) refuse(name, "be writable");
}

}  // namespace

kernels::Columns columns_of(const char* name, const ArrayView& view, int columns, std::uint32_t rows,
                            const Device& device, bool write) {
  if (view.data == nullptr) return {};
  if (view.type != ElementType::kFloat32 && view.type != ElementType::kFloat64)
    refuse(name, "be float32 or float64, is " + std::string(element_name(view.type)));
  check(name, view, columns, rows, device, write);
  return {view.data, view.strides[0], view.rank == 1 ? 0 : view.strides[1], view.type == ElementType::kFloat64};
}

kernels::Words words_of(const char* name, const ArrayView& view, std::uint32_t rows, const Device& device, bool write) {
  if (view.data == nullptr) return {};
  if (view.type != ElementType::kUint32) refuse(name, "be uint32, is " + std::string(element_name(view.type)));
  check(name, view, 1, rows, device, write);
  return {static_cast<std::uint32_t*>(view.data), view.strides[0]};
}

}  // namespace cairn
