// Arrays on the device are the same by both interfaces.

#include "src/interop/dlpack.h"
#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(CApi, arrays_tensors_and_states_on_the_device_are_those_of_the_cpp_interface) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  EXPECT_TRUE(c.goes_on_as(cpp, 40));
  ASSERT_EQ(value_of(cairn_world_array_count, c.world), cpp.arrays().list().size());
  for (std::uint32_t i = 0; i < cpp.arrays().list().size(); ++i) {
    const NamedArray want = cpp.arrays().list()[i];
    const cairn_array got = value_of(cairn_world_array_at, c.world, i);
    EXPECT_EQ(got.name, want.name);
    EXPECT_EQ(got.unit, want.unit);
    EXPECT_EQ(got.rows, want.rows);
    EXPECT_EQ(got.meaning, want.meaning);
    EXPECT_EQ(got.rank, want.view.rank);
    EXPECT_EQ(got.strides[0], want.view.strides[0]);
    EXPECT_EQ(value_of(cairn_world_array, c.world, got.name).data, got.data);
  }
  HostStates<double> host(disturbed(cpp));
  const auto n = static_cast<std::int64_t>(cpp.body_count());
  const auto array = [](HostArray<double>& of, std::int64_t rows) {
    return array_of(of.data.data(), CAIRN_FLOAT64, rows, of.columns);
  };
  const cairn_array x = array(host.position, n), q = array(host.orientation, n), v = array(host.linear, n),
                    w = array(host.angular, n);
  const std::uint8_t mask[2] = {1, 0}, second[2] = {0, 1};
  cpp.arrays().set_states(host.arrays(), mask);
  EXPECT_EQ(cairn_world_set_states(c.world, &x, &q, &v, &w, mask), CAIRN_OK) << cairn_last_error();
  cpp.arrays().reset(second);
  EXPECT_TRUE(fails(cairn_world_set_states(c.world, &x, nullptr, &v, &w, mask), "together"));
  EXPECT_EQ(c.hash() == cpp.state_hash(), false);
  EXPECT_EQ(cairn_world_reset_where(c.world, second), CAIRN_OK);
  EXPECT_EQ(c.hash(), cpp.state_hash());
  ASSERT_EQ(cairn_body_set_type(c.world, c.bodies()[2], CAIRN_KINEMATIC), CAIRN_OK);
  cpp.set_type(cpp.body_at(2), BodyType::kKinematic);
  cpp.arrays().move_to({.position = host.position.view(), .orientation = host.orientation.view()}, 0.5f, mask);
  EXPECT_EQ(cairn_world_move_to(c.world, &x, &q, 0.5f, mask), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(c.hash(), cpp.state_hash());
  EXPECT_TRUE(fails(cairn_world_move_to(c.world, &x, &q, 0, mask), "dt"));
  HostArray<double> scales(2, 4);
  scales.data = {1.1, 2, 0.5, 1, 0.9, 1, 1, 0.5};
  const cairn_array of_worlds = array(scales, 2);
  cpp.arrays().set_scales({scales.view(), {}}, second);
  EXPECT_EQ(cairn_world_set_all_scales(c.world, &of_worlds, nullptr, second), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(cpp.scales().get(1).size, 0.9f);
  EXPECT_TRUE(c.goes_on_as(cpp, 1));
  EXPECT_TRUE(fails(cairn_world_set_all_scales(c.world, &x, nullptr, nullptr), "ScaleArrays"));
  HostStates<double> again(host.position.data.size() / 3);
  cpp.arrays().get_states(again.arrays());
  EXPECT_EQ(cairn_world_get_states(c.world, &x, &q, &v, &w, nullptr), CAIRN_OK);
  EXPECT_EQ(host, again);
  EXPECT_EQ(cairn_world_written(c.world, CAIRN_LOADS, nullptr), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_world_stream, c.world), nullptr) << "on the CPU";
  EXPECT_EQ(cairn_world_wait_stream(c.world, nullptr), CAIRN_OK);
  EXPECT_EQ(cairn_world_stream_waits(c.world, nullptr), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_world_wait_stream(c.world, &again), "wait_stream"));
  EXPECT_TRUE(fails(cairn_world_stream_waits(c.world, &again), "stream_waits"));

  DLManagedTensorVersioned* tensor = value_of(cairn_world_array_dlpack, c.world, "linear_velocity");
  cairn_world_destroy(std::exchange(c.world, nullptr));
  EXPECT_EQ(tensor->dl_tensor.shape[0], n);
  EXPECT_EQ(std::memcmp(tensor->dl_tensor.data, cpp.arrays().get("linear_velocity").data,
                        static_cast<std::size_t>(n) * sizeof(Vec3)),
            0);
  tensor->deleter(tensor);
}

}  // namespace
}  // namespace cairn::c_api_test
