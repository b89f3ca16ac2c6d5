// What a caller's floating point is set to changes no bit, and is as it was after each call.

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "src/exec/exact_floats.h"
#include "tests/rounding/bits.h"
#include "tests/support/float_mode.h"

namespace cairn::rounding_test {
namespace {

using namespace testing_support;  // NOLINT
using rounding_test::Bits;

using Calls = void (*)(Bits&);

class Rounding : public testing::TestWithParam<std::pair<const char*, Calls>> {};

std::string kind_of(const testing::TestParamInfo<Rounding::ParamType>& info) { return info.param.first; }

TEST_P(Rounding, of_the_caller_changes_no_bit) {
  Bits want;
  GetParam().second(want);
  for (const FloatMode mode : float_modes()) {
    Bits got;
    bool kept = false;
    {
      const InMode now(mode);
      std::fenv_t before, after;
      std::fegetenv(&before);
      GetParam().second(got);
      std::fegetenv(&after);
#if defined(__x86_64__)
      // without the flags of exceptions, which the calls' own arithmetic here raises too
      kept = (before.__mxcsr & ~0x3fu) == (after.__mxcsr & ~0x3fu) && before.__control_word == after.__control_word;
#else
      kept = true;
#endif
    }
    EXPECT_TRUE(kept) << name_of(mode) << ": the caller's mode is gone";
    ASSERT_EQ(want.all().size(), got.all().size());
    for (const auto& [name, bits] : want.all())
      EXPECT_TRUE(got.all().at(name) == bits) << name << " has other bits, " << name_of(mode);
  }
}

INSTANTIATE_TEST_SUITE_P(Calls, Rounding,
                         testing::Values(std::pair{"scenes_and_files", Calls{rounding_test::scenes_and_files}},
                                         std::pair{"solids_and_masses", Calls{rounding_test::solids_and_masses}},
                                         std::pair{"worlds", Calls{rounding_test::worlds}},
                                         std::pair{"edits", Calls{rounding_test::edits}},
                                         std::pair{"queries", Calls{rounding_test::queries}},
                                         std::pair{"actuators", Calls{rounding_test::actuators}},
                                         std::pair{"particles", Calls{rounding_test::particles}},
                                         std::pair{"articulated", Calls{rounding_test::articulated}}),
                         kind_of);

// The headers are read for the names of what they declare; each is called above, or is one of those that compute with
// no float.
TEST(RoundingCalls, leave_out_no_public_function) {
  std::string calls;
  for (const char* const name : {"rounded_calls.cpp", "world_calls.cpp"}) {
    std::ifstream file(std::string(CAIRN_SOURCE_DIR "/tests/rounding/") + name);
    calls.append(std::istreambuf_iterator<char>(file), {});
  }
  const std::set<std::string> without_floats{
      // what there is, by name, handle or number
      "alive", "at", "cameras", "edits", "find_camera", "get", "list", "arrays", "queries", "asleep", "bodies",
      "body_at", "body_count", "built_with_cuda", "coordinate_of", "coordinates", "count", "describe", "description",
      "device", "devices", "dof_of", "dofs", "element_name", "element_of", "view", "code", "bytes_of", "find",
      "find_articulation", "find_body", "find_joint", "find_particles", "ignored", "joint", "keep", "memory_bytes",
      "name", "over", "particles_of", "precision", "seed", "stage_name", "status_names", "steps", "stream",
      "stream_waits", "to_dlpack", "wait_stream", "broken_constraints", "world_count", "world_of", "clear_fields",
      "set_brute", "set_timings", "parse", "best", "cuda", "limited", "locked", "infinity", "data", "fields", "origin",
      "gravity",
      // how headers are written
      "Field", "Event", "if", "for", "return", "switch", "static_assert", "requires", "operator", "constexpr", "bool",
      "void", "defined", "decltype", "between", "joint_axis", "joint_force_attributes", "rate_array", "info",
      // private
      "DeviceArrays", "Queries", "WorldArticulations", "WorldParticles", "WorldScales", "world_", "note_state",
      "record_step", "release", "mark", "go_back", "go_back_to", "size", "balanced", "fibre_force", "tendon_force"};
  const std::regex comment("//[^\n]*|\"[^\"\n]*\""), declared("\\b([A-Za-z_]\\w*)\\s*\\(");
  std::size_t found = 0;
  for (const auto& part : std::filesystem::directory_iterator(CAIRN_SOURCE_DIR "/include/cairn")) {
    const std::string header_name = part.path().filename().string();
    // of functors that are compiled where the caller is, of what compilers evaluate, and of C
    if (part.is_directory() || header_name == "field.h" || header_name == "particle_view.h" ||
        header_name == "attributes.h" || header_name == "errors.h" || header_name == "math.h" ||
        header_name == "cairn_c.h")
      continue;
    std::ifstream in(part.path());
    const std::string header = std::regex_replace(std::string{std::istreambuf_iterator<char>(in), {}}, comment, "");
    for (std::sregex_iterator at(header.begin(), header.end(), declared), end; at != end; ++at) {
      const std::string name = (*at)[1];
      if (without_floats.contains(name)) continue;
      ++found;
      // f(...), or an object of what has a constructor
      EXPECT_TRUE(std::regex_search(calls, std::regex("\\b" + name + "(\\(|\\{|::| \\w+)")))
          << name << " of " << header_name;
    }
  }
  EXPECT_GT(found, 150u);
}

TEST(ExactFloats, give_back_modes_and_flags_on_return_and_on_exceptions) {
  for (const FloatMode mode : float_modes()) {
    const InMode now(mode);
    const int rounding = std::fegetround();
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_DIVBYZERO);
    const auto unchanged = [&] {
      return std::fegetround() == rounding && std::fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO;
    };
    {
      const exec::ExactFloats exact;
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
      EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
      volatile double zero = 0;
      volatile double none = zero / zero;
      (void)none;
      EXPECT_NE(std::fetestexcept(FE_INVALID), 0);
    }
    EXPECT_TRUE(unchanged()) << name_of(mode) << ", flags " << std::fetestexcept(FE_ALL_EXCEPT);
    // a public call that throws
    EXPECT_THROW(validate(StepParams{.dt = -1}), InvalidArgument);
    EXPECT_TRUE(unchanged()) << name_of(mode) << ", flags " << std::fetestexcept(FE_ALL_EXCEPT);
    EXPECT_THROW(parse_scene("{", "here"), SceneFileError);
    EXPECT_TRUE(unchanged()) << name_of(mode) << ", flags " << std::fetestexcept(FE_ALL_EXCEPT);
    EXPECT_THROW(mass_properties(Sphere{-1}, 1), InvalidArgument);
    EXPECT_TRUE(unchanged()) << name_of(mode) << ", flags " << std::fetestexcept(FE_ALL_EXCEPT);
  }
}

}  // namespace
}  // namespace cairn::rounding_test
