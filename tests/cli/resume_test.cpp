// `cairn run --checkpoint`, `--resume` and `--record`, and `cairn replay`.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "cairn/scene_file.h"
#include "scenes/builtin.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

using nlohmann::json;

TEST(Resume, after_kills_at_random_points_ends_in_the_same_bits) {
  const std::string folder = fresh_folder("kill");
  const std::string scene = "run pile:count=60 --seed 3 --worlds 2 --steps 400 --device cpu --threads 1 ";
  const json wanted = figures(run_cairn(folder, scene + "--json"));
  std::mt19937 random(1);
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    const bool begun = std::filesystem::exists(folder + "/c");
    const std::string seconds = "0." + std::to_string(100 + random() % 150);
    const std::string arguments =
        begun ? "run --resume c --device cpu --threads 2" : scene + "--checkpoint c --every 3";
    const std::string command = "cd '" + folder + "' && timeout -s KILL " + seconds + " '" CAIRN_CLI "' " + arguments +
                                " > /dev/null 2> /dev/null";
    killed += std::system(command.c_str()) != 0 ? 1 : 0;
  }
  EXPECT_GT(killed, 0);
  if (!std::filesystem::exists(folder + "/c")) run_cairn(folder, scene + "--checkpoint c --every 3");
  EXPECT_EQ(figures(run_cairn(folder, "run --resume c --device cpu --threads 1 --json")), wanted);
}

TEST(Resume, goes_on_from_where_it_was) {
  const std::string folder = fresh_folder("resume");
  const std::string scene = "run lattice:n=3 --steps 60 --device cpu --json";
  const json wanted = figures(run_cairn(folder, scene));
  EXPECT_EQ(figures(run_cairn(folder, scene + " --checkpoint c --every 25")), wanted);
  // the last checkpoint is of step 50
  EXPECT_EQ(figures(run_cairn(folder, "run --resume c --device cpu --json")), wanted);
  EXPECT_EQ(figures(run_cairn(folder, "run --resume c --device cpu --json --state s.csv")), wanted);
}

TEST(Resume, has_the_cameras_of_the_scene) {
  const std::string folder = fresh_folder("resume_cameras");
  cairn::Scene scene = cairn::scenes::make("tower:height=2", 1);
  scene.set_gravity({1, 0, -9});
  scene.add_camera({"along", {{0, -9, 2}, {0, 0, 1}}, 2});
  std::ofstream(folder + "/a.json") << cairn::scene_to_json(scene);
  const std::string drawn = " --device cpu --picture p.png --size 64x36 --samples 1 --camera along";
  ASSERT_EQ(run_cairn(folder, "run a.json --steps 40 --checkpoint c --every 25" + drawn).code, 0);
  const std::string wanted = read_text(folder + "/p.png");
  run_good(folder, "run --resume c" + drawn);
  EXPECT_EQ(read_text(folder + "/p.png"), wanted);
}

TEST(Resume, refuses_what_is_no_checkpoint) {
  const std::string folder = fresh_folder("refuse");
  ASSERT_EQ(run_cairn(folder, "run tower:height=1 --steps 4 --device cpu --checkpoint c --every 2 --record r").code, 0);
  const std::string whole = read_text(folder + "/c");
  std::ofstream(folder + "/cut", std::ios::binary) << whole.substr(0, whole.size() - 1);
  std::string bytes = whole;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  std::ofstream(folder + "/flipped", std::ios::binary) << bytes;
  for (const char* arguments : {"run --resume cut", "run --resume flipped", "run --resume r", "run --resume nowhere",
                                "run", "replay c", "replay nowhere", "run tower --resume c", "run --resume c --steps 9",
                                "run --resume c --seed 2", "run tower --every 5", "run tower --checkpoint nowhere/c",
                                "run tower --checkpoint c --every 0", "run tower --record nowhere/r", "replay"}) {
    const CliResult r = run_cairn(folder, arguments);
    EXPECT_EQ(r.code, 2) << arguments << r.err;
    EXPECT_EQ(r.out, "") << arguments;
  }
}

TEST(Replay, compares_every_step) {
  const std::string folder = fresh_folder("replay");
  const CliResult r = run_good(folder, "run rain:count=20 --steps 40 --device cpu --json --record r --trace");
  const json j = json::parse(run_good(folder, "replay r --device cpu --threads 2 --json").out);
  expect_members(j, {{"steps", 40}, {"compared", 40}, {"hash", json::parse(r.out)["hash"]}});
  EXPECT_TRUE(j["difference"].is_null());
  EXPECT_TRUE(has(run_cairn(folder, "replay r --device cpu").out, "every hash as recorded"));
}

}  // namespace
}  // namespace cairn::cli_test
