// The same fields, state and calls give the same bits: for any number of threads, with every compiler, on CUDA.

#include <string>

#include "tests/fields/field_bits.h"
#include "tests/support/golden.h"
#include "tests/support/golden_file.h"

namespace cairn::fields_test {
namespace {

using namespace testing_support;

TEST(SameBits, of_every_field_and_integrator_on_any_number_of_threads_and_as_they_are_in_git) {
  nlohmann::ordered_json got;
  for (const Precision precision : {Precision::kDouble, Precision::kFloat}) {
    for (const BitsCase& c : kBitsCases) {
      for (const Integrator method : kIntegrators) {
        const std::string name =
            std::string(c.name) + ", " + name_of(method) + (precision == Precision::kFloat ? ", float" : ", double");
        const std::string first = hex(hash_of(c, method, precision, Device::cpu(1)));
        for (const int threads : {2, 3, 5}) {
          EXPECT_EQ(hex(hash_of(c, method, precision, Device::cpu(threads))), first) << name << ", " << threads;
        }
        got[name] = first;
      }
    }
  }
  const auto want = golden("fields/field_golden.json", got);
  if (!want) return;
  for (const auto& [name, hash] : got.items()) EXPECT_EQ(hash, want->value(name, "")) << name;
  EXPECT_EQ(got.size(), want->size());
}

TEST(SameBits, on_a_Gpu) {
  const Device device = Device::best();
  if (device.kind != Device::Kind::kCuda) GTEST_SKIP() << "skipped: no CUDA device";
  for (const Precision precision : {Precision::kDouble, Precision::kFloat}) {
    for (const BitsCase& c : kBitsCases) {
      for (const Integrator method : kIntegrators) {
        EXPECT_EQ(hash_of(c, method, precision, device), hash_of(c, method, precision, Device::cpu(2)))
            << c.name << ", " << name_of(method);
      }
    }
  }
}

}  // namespace
}  // namespace cairn::fields_test
