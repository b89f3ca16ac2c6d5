// CUDA takes one row a thread, the CPU eight as a pack. Here the CPU takes them one by one, through the very text that
// a CUDA thread runs: what a pack does for lanes of fewer points than their neighbours', or for padding, must not show.

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "src/exec/cpu_exec.h"
#include "src/exec/host_backend.h"
#include "tests/hertz/hertz_scenes.h"
#include "tests/support/golden.h"

namespace cairn::exec {
namespace {

std::uint64_t lanes_run = 0;

struct LaneTeam {
  static constexpr std::uint32_t kRunBodies = 3;  // of which no other team has as many

  template <class F>
  void each(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) f(i);
  }
  template <class F>
  void rows(std::uint32_t begin, std::uint32_t end, const F& f) const {
    for (std::uint32_t slot = begin; slot < end; ++slot) f.template row<float>(slot);
    lanes_run += end - begin;
  }
  template <class F>
  void one(const F& f) const {
    f();
  }
};

class LaneExec : public CpuExec {
 public:
  explicit LaneExec(int) : CpuExec(1) {}

  template <class F>
  void for_each(std::uint32_t n, const F& f) {
    if (*guard_flag == 0) LaneTeam().each(n, f);
  }
  template <class F>
  void for_each(const std::uint32_t* count, std::uint32_t capacity, const F& f) {
    for_each(std::min(*count, capacity), f);
  }
  template <class F>
  void sweep(const kernels::Parts& parts, std::uint32_t, const F& f) {
    rows(parts, 0, f);
  }
  template <class F>
  void each_body(const kernels::Parts& parts, const F& f) {
    if (*guard_flag == 0) LaneTeam().each(parts.large, kernels::EachOf<F>{parts.body, f});
  }
  template <class F>
  void each_row(const kernels::Parts& parts, std::uint32_t, const F& f) {
    if (*guard_flag == 0) LaneTeam().each(parts.color_begin[parts.bands()], f);
  }
  template <class F>
  void rows(const kernels::Parts& parts, std::uint32_t, const F& f) {
    if (*guard_flag == 0) LaneTeam().rows(0, parts.color_row[kernels::kColorCount], f);
  }
  template <class F>
  void each_part(const kernels::Parts& parts, bool /*only_contacts*/, const F& f) {
    for (std::uint32_t p = 1; *guard_flag == 0 && p < parts.swept; ++p) {
      PartExec<LaneTeam> part(LaneTeam{}, p);
      f(part);
    }
  }
  void guard(const std::uint32_t* flag) {
    guard_flag = flag;
    CpuExec::guard(flag);
  }

 private:
  const std::uint32_t* guard_flag{nullptr};
};

}  // namespace

// takes the place of the library's in this program
std::unique_ptr<Backend> make_cpu_backend(int) { return std::make_unique<HostBackend<LaneExec>>(1); }

}  // namespace cairn::exec

namespace cairn::lanes_test {
namespace {

using namespace testing_support;

TEST(Lanes, one_by_one_give_the_golden_hashes) {
  const char* mode = std::getenv("CAIRN_GOLDEN");
  if (mode != nullptr && std::string(mode) == "write") GTEST_SKIP() << "the golden hashes are being written";
  std::ifstream file(std::string(CAIRN_SOURCE_DIR) + "/tests/determinism/golden.json");
  ASSERT_TRUE(file);
  const nlohmann::json wanted = nlohmann::json::parse(file);
  for (const char* spec : all_specs()) {
    for (const Variant& variant : variants_of(spec)) {
      const std::uint64_t before = exec::lanes_run;
      EXPECT_EQ(hashes(spec, variant, 1).back(), wanted.at("hashes").at(spec).at(variant.name).get<std::string>())
          << spec << ", " << variant.name;
      // the spinner touches nothing, and islands that are solved directly aren't swept
      const bool loaded = std::string(spec).starts_with("heavy") && std::string(variant.name) == "soft_step";
      const bool swept = std::string(spec) != "spinner" && !loaded && variant.change({}).direct_mass_ratio != 1;
      EXPECT_TRUE(exec::lanes_run > before || !swept) << "the library's backend ran";
    }
  }
}

TEST(Lanes, one_by_one_give_the_hash_of_grains) {
  for (const std::uint32_t small : {0u, 4096u}) {
    World world(hertz_test::heap(hertz_test::elastic(2e-5, 25)),
                {.device = Device::cpu(1), .tuning = {.small_world = small}});
    const std::uint64_t before = exec::lanes_run;
    run(world, hertz_test::kHeapSteps);
    EXPECT_EQ(world.state_hash(), hertz_test::kHeapHash) << small;
    EXPECT_GT(exec::lanes_run, before);
  }
}

}  // namespace
}  // namespace cairn::lanes_test
