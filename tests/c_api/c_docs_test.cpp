// The program in C that docs/interop.md shows is built from there (cmake/cairn_tests.cmake) and does what it says.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/c_api/c_api.h"
#include "tests/support/docs.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

TEST(Docs, the_program_in_c_tells_the_height_and_leaves_a_snapshot) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "cairn_docs_example";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string command = "cd '" + folder.string() + "' && '" CAIRN_DOCS_EXAMPLE "' >out 2>err";
  EXPECT_NE(std::system(command.c_str()), 0) << "there is no tower.json";
  EXPECT_NE(whole(folder / "err").find("tower.json"), std::string::npos);

  const Scene scene = tower(10);
  std::ofstream(folder / "tower.json") << scene_to_json(scene);
  ASSERT_EQ(std::system(command.c_str()), 0) << whole(folder / "err");
  World world(scene, cpu());
  run(world, 600);
  char height[32];
  std::snprintf(height, sizeof height, "%.2f m\n", world.state(world.bodies()[10]).position.z);
  EXPECT_EQ(whole(folder / "out"), height);
  EXPECT_EQ(Snapshot::load(folder / "tower.snapshot").to_bytes(), world.snapshot().to_bytes());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn::c_api_test
