#include "cairn/device.h"

#include "src/exec/backend.h"
#include "tests/support/refusal.h"

namespace cairn::exec_test {
namespace {

using testing_support::refuses;

TEST(Device, parses_the_cpu_with_its_threads) {
  const Device device = Device::parse("cpu", 3);
  EXPECT_EQ(device.kind, Device::Kind::kCpu);
  EXPECT_EQ(device.threads, 3);
  EXPECT_EQ(device.name(), "cpu");
}

TEST(Device, best_is_one_of_those_listed) {
  const Device best = Device::parse("best", 2);
  const auto all = devices();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().device.name(), "cpu");
  EXPECT_EQ(best.name(), all.size() > 1 ? all[1].device.name() : "cpu");
  for (const auto& info : all) EXPECT_FALSE(info.description.empty());
}

TEST(Device, names_what_it_cannot_parse) {
  for (const std::string text :
       {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda1", "CPU", "cuda: 0", "cuda:99999999999"}) {
    EXPECT_TRUE(refuses<DeviceError>([&] { Device::parse(text); }, {"'" + text + "'"}));
  }
}

TEST(Device, is_described_whatever_its_threads) {
  const DeviceInfo info = describe(Device::cpu(3));
  EXPECT_EQ(info.description, devices()[0].description);
  EXPECT_EQ(info.driver, "");
  // what any machine that runs this has
  EXPECT_GT(info.memory, std::uint64_t{1} << 26);
  EXPECT_THROW(describe(Device::cuda(99)), DeviceError);
}

TEST(Device, that_is_not_there_is_refused_by_name) {
  EXPECT_THROW(Device::parse("cuda:4095"), DeviceError);
  EXPECT_THROW(exec::make_cuda_backend(4095), DeviceError);
  EXPECT_THROW(exec::make_cuda_backend(-1), DeviceError);
  if (exec::cuda_devices().empty()) {
    EXPECT_THROW(Device::parse("cuda"), DeviceError);
  }
}

}  // namespace
}  // namespace cairn::exec_test
