// Arrays as tensors of DLPack.

#include "src/interop/dlpack.h"

#include <cstddef>
#include <limits>

#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

// the layout that DLPack's specification gives for 64-bit machines
static_assert(sizeof(DLTensor) == 48 && offsetof(DLTensor, ndim) == 16 && offsetof(DLTensor, dtype) == 20 &&
              offsetof(DLTensor, shape) == 24 && offsetof(DLTensor, strides) == 32 &&
              offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(DLManagedTensorVersioned) == 80 && offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
              offsetof(DLManagedTensorVersioned, deleter) == 16 && offsetof(DLManagedTensorVersioned, flags) == 24 &&
              offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

TEST(Dlpack, a_tensor_says_what_the_view_says) {
  World world = settled(30);
  for (const NamedArray& a : world.arrays().list()) {
    SCOPED_TRACE(a.name);
    DLManagedTensorVersioned* tensor = to_dlpack(a.view);
    const DLTensor& t = tensor->dl_tensor;
    EXPECT_EQ(tensor->version.major, 1u);
    EXPECT_EQ((tensor->flags & kDLPackReadOnly) != 0, !a.view.writable);
    EXPECT_EQ(t.data, a.view.data);
    EXPECT_EQ(t.device.device_type, kDLCPU);
    EXPECT_EQ(t.device.device_id, 0);
    EXPECT_EQ(t.ndim, a.view.rank);
    EXPECT_EQ(t.dtype.bits, 8 * bytes_of(a.view.type));
    EXPECT_EQ(t.dtype.lanes, 1);
    EXPECT_EQ(t.byte_offset, 0u);
    for (std::size_t d = 0; d < static_cast<std::size_t>(t.ndim); ++d) {
      EXPECT_EQ(t.shape[d], a.view.shape[d]);
      EXPECT_EQ(t.strides[d], a.view.strides[d]);
    }
    tensor->deleter(tensor);
  }
}

TEST(ArrayView, of_a_span_has_its_type_and_size) {
  std::vector<float> data(12);
  const ArrayView rows = view(data, 4, 3);
  EXPECT_EQ(rows.data, data.data());
  EXPECT_EQ(rows.type, ElementType::kFloat32);
  EXPECT_EQ(rows.rank, 2);
  EXPECT_EQ(rows.shape, (std::array<std::int64_t, 3>{4, 3, 0}));
  EXPECT_EQ(rows.strides, (std::array<std::int64_t, 3>{3, 1, 0}));
  EXPECT_TRUE(rows.writable);
  EXPECT_EQ(view(data, 12).rank, 1);
  const std::array<std::uint8_t, 2> mask{1, 0};
  const ArrayView fixed = view(mask, 2);
  EXPECT_EQ(fixed.type, ElementType::kUint8);
  EXPECT_FALSE(fixed.writable);
  EXPECT_EQ(view(std::span<double>(), 0, 3).type, ElementType::kFloat64);
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  for (const auto& [n, columns] : {std::pair{3, std::int64_t{3}}, {4, 4}, {-4, -3}, {0, 0}, {1, kMax}}) {
    EXPECT_THROW((void)view(data, n, columns), InvalidArgument) << n << " " << columns;
  }
  EXPECT_THROW((void)view(data, kMax, 2), InvalidArgument);
}

TEST(Dlpack, device_and_type_have_their_codes) {
  float data[6] = {};
  ArrayView view = dense_view(data, ElementType::kFloat32, Device::cuda(3), 2, 3);
  DLManagedTensorVersioned* tensor = to_dlpack(view);
  EXPECT_EQ(tensor->dl_tensor.device.device_type, kDLCUDA);
  EXPECT_EQ(tensor->dl_tensor.device.device_id, 3);
  EXPECT_EQ(tensor->dl_tensor.dtype.code, kDLFloat);
  tensor->deleter(tensor);
  view.type = ElementType::kUint64;
  view.shape[0] = 0;
  tensor = to_dlpack(view);
  EXPECT_EQ(tensor->dl_tensor.dtype.code, kDLUInt);
  EXPECT_EQ(tensor->dl_tensor.dtype.bits, 64);
  EXPECT_EQ(tensor->dl_tensor.data, nullptr);
  tensor->deleter(tensor);
}

TEST(Dlpack, a_tensor_keeps_what_it_was_given_to_keep) {
  auto world = std::make_shared<World>(tower(3), cpu());
  world->step();
  const std::weak_ptr<World> watch = world;
  const ArrayView view = world->arrays().get("position");
  DLManagedTensorVersioned* tensor = to_dlpack(view, world);
  world.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_NEAR(static_cast<const float*>(tensor->dl_tensor.data)[3 * 3 + 2], 2.5f, 0.01f);
  tensor->deleter(tensor);
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace cairn::interop_test
