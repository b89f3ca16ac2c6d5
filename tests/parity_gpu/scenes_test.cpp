// The built-in scenes by every solver: the same bits on CPU and CUDA after every stage, and at the end of long runs.

#include <span>

#include "tests/parity_gpu/parity.h"
#include "tests/support/golden.h"

namespace cairn::parity {
namespace {

struct Case {
  std::string scene;
  Variant variant{kVariants[0]};
  int substeps{0};                        ///< [1] 0: those that the scene asks for
  std::vector<int> steps{1, 2, 60, 600};  ///< [1] after which the bits are compared
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.scene << ", " << c.variant.name;
  if (c.substeps != 0) *out << ", " << c.substeps << " substeps";
}
std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = testing::PrintToString(info.param);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}
std::vector<Case> with_all_variants(std::initializer_list<const char*> specs) {
  std::vector<Case> cases;
  for (const char* spec : specs) {
    for (const Variant& variant : kVariants) cases.push_back({spec, variant});
  }
  return cases;
}
/// By all that can solve them.
std::vector<Case> of_scenes(std::span<const char* const> specs, const std::vector<int>& steps) {
  std::vector<Case> cases;
  for (const char* spec : specs) {
    for (const Variant& variant : testing_support::variants_of(spec))
      cases.push_back({.scene = spec, .variant = variant, .steps = steps});
  }
  return cases;
}
std::vector<Case> of_all_scenes(const std::vector<int>& steps) {
  return of_scenes(testing_support::all_specs(), steps);
}

class GpuScene : public GpuParity, public testing::WithParamInterface<Case> {
 protected:
  static World world(const WorldOptions& options) {
    Scene scene = scenes::make(GetParam().scene, kSeed);
    StepParams params = scene.params();
    if (GetParam().substeps != 0) params.substeps = GetParam().substeps;
    scene.set_params(params);
    return world_of(std::move(scene), GetParam().variant, options);
  }
};

using GpuStages = GpuScene;

constexpr const char* kSleeper = "tower:height=5";  // with sleeping on, at rest within the steps below

TEST_P(GpuStages, write_the_same_bits) {
  WorldOptions cpu_options = on(Device::cpu()), gpu_options = on(gpu);
  cpu_options.trace = gpu_options.trace = true;
  World cpu = world(cpu_options), cuda = world(gpu_options);
  // some steps before and some after the first contacts
  for (int step = 1; step <= 40; ++step) {
    step_both(cpu, cuda, 1);
    const StepReport want = cpu.report(), got = cuda.report();
    for (int stage = 0; stage < kStageCount; ++stage) {
      const std::size_t i = static_cast<std::size_t>(stage);
      ASSERT_EQ(got.stage_hash[i], want.stage_hash[i])
          << "stage " << stage_name(static_cast<Stage>(stage)) << ", step " << step;
    }
    ASSERT_TRUE(alike(cpu, cuda)) << "step " << step;
  }
  if (!GetParam().variant.lively) return;
  const StepReport report = cpu.report();
  EXPECT_NE(report.stage_hash[static_cast<std::size_t>(Stage::kRestitute)], 0u);
  EXPECT_NE(report.stage_hash[static_cast<std::size_t>(Stage::kSleep)], 0u);
  EXPECT_TRUE(GetParam().scene != kSleeper || report.asleep > 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, GpuStages,
                         testing::ValuesIn(with_all_variants({kSleeper, "wall:base=6", "pyramid:base=4", "lattice:n=4",
                                                              "pile:count=150", "heavy:height=4,ratio=100",
                                                              "slope:height=3,tan=0.3", "spinner", "rain:count=150"})),
                         test_name);

using GpuRuns = GpuScene;

TEST_P(GpuRuns, end_in_the_same_bits) {
  World cpu = world(on(Device::cpu())), cuda = world(on(gpu));
  int taken = 0;
  for (const int steps : GetParam().steps) {
    step_both(cpu, cuda, steps - taken);
    taken = steps;
    ASSERT_TRUE(alike(cpu, cuda)) << "step " << steps;
    ASSERT_TRUE(counted_alike(cpu, cuda)) << "step " << steps;
  }
  EXPECT_EQ(cuda.report().status, 0u);
}

// every scene by every solver: in a few steps, which an emulated device takes in minutes, and as long as things move
INSTANTIATE_TEST_SUITE_P(Brief, GpuRuns, testing::ValuesIn(of_all_scenes({1, 2, 12})), test_name);
INSTANTIATE_TEST_SUITE_P(All, GpuRuns, testing::ValuesIn(of_all_scenes({60})), test_name);

// every kind of built-in scene, by every solver; short enough for compute-sanitizer
INSTANTIATE_TEST_SUITE_P(Short, GpuRuns,
                         testing::ValuesIn(with_all_variants(
                             {"tower:height=10", "wall:base=10", "pyramid:base=6", "lattice:n=6", "pile:count=200",
                              "heavy:height=5,ratio=100", "slope:height=3,tan=0.3", "spinner", "rain:count=200"})),
                         test_name);

INSTANTIATE_TEST_SUITE_P(Joints, GpuRuns, testing::ValuesIn(of_scenes(testing_support::kJointScenes, Case{}.steps)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Articulated, GpuRuns,
                         testing::ValuesIn(of_scenes(testing_support::kArticulatedScenes, Case{}.steps)), test_name);

// the scenes that the quality is measured by, in full size. The CPU's share is some 30 s on one thread, most of
// it for lattices and pile; it takes all that there are
INSTANTIATE_TEST_SUITE_P(Full, GpuRuns,
                         testing::ValuesIn(std::vector<Case>{
                             {.scene = "tower:height=20", .substeps = 6},
                             {.scene = "tower:height=40", .substeps = 6},
                             {.scene = "tower:height=40", .substeps = 24},
                             {.scene = "tower:height=100", .substeps = 12},
                             {.scene = "wall:base=40", .substeps = 4},
                             {.scene = "wall:base=70", .substeps = 4},
                             {.scene = "heavy:height=10,ratio=100", .substeps = 6},
                             {.scene = "heavy:height=10,ratio=100", .substeps = 12},
                             {.scene = "heavy:height=5,ratio=1000", .substeps = 24},
                             {.scene = "slope:height=3,tan=0.3", .substeps = 6},
                             {.scene = "slope:height=3,tan=0.7", .substeps = 6},
                             {.scene = "lattice:n=16", .substeps = 6},
                             {.scene = "lattice:n=20", .substeps = 6},
                             {.scene = "pile:count=3000", .substeps = 6},
                         }),
                         test_name);

}  // namespace
}  // namespace cairn::parity
