// `cairn scenes`, `info` and the help.

#include "cairn/version.h"
#include "scenes/builtin.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

using nlohmann::json;

TEST(Commands, help_documents_the_exit_codes) {
  for (const char* arguments : {"--help", "run --help"}) {
    const CliResult r = run_good(fresh_folder("help"), arguments);
    for (const char* word : {"0 good", "1 the simulation raised a status bit", "2 bad input", "3 no such device"}) {
      EXPECT_TRUE(has(r.out, word)) << word;
    }
  }
}

TEST(Commands, version_is_printed) {
  EXPECT_EQ(run_cairn(fresh_folder("version"), "--version").out, std::string("cairn ") + cairn::kVersion + "\n");
}

TEST(Commands, scenes_lists_every_built_in_scene_with_its_parameters) {
  const CliResult text = run_good(fresh_folder("scenes"), "scenes");
  const CliResult object = run_cairn(fresh_folder("scenes"), "scenes --json");
  const json list = json::parse(object.out);
  ASSERT_EQ(list.size(), cairn::scenes::list().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& scene = cairn::scenes::list()[i];
    EXPECT_EQ(list[i]["name"], scene.name);
    EXPECT_EQ(list[i]["parameters"].size(), scene.parameters.size());
    EXPECT_TRUE(has(text.out, scene.name));
  }
}

TEST(Commands, scenes_writes_a_built_in_scene_that_runs_to_the_same_hash) {
  const auto folder = fresh_folder("scenes_write");
  const auto hash = [&](const std::string& scene) {
    return json::parse(run_good(folder, "run " + scene + " --steps 5 --threads 1 --json").out)["hash"];
  };
  for (const char* scene : {"tower:height=4", "ragdolls:count=1", "cloth", "dam_break:side=6"}) {
    EXPECT_EQ(run_good(folder, "scenes " + std::string(scene) + " --write scene.json --seed 3").out, "");
    EXPECT_EQ(hash("scene.json"), hash(scene + std::string(" --seed 3"))) << scene;
  }
  EXPECT_TRUE(has(run_cairn(folder, "scenes tower:heigt=4 --write x.json").err, "heigt"));
  for (const char* bad : {"tower --write", "tower", "--write x.json", "tower --write x.txt", "towr --write x.json",
                          "tower --write no/x.json", "tower --write x.json --json", "--seed 2"}) {
    EXPECT_EQ(run_cairn(folder, std::string("scenes ") + bad).code, 2) << bad;
  }
  EXPECT_EQ(files_in(folder), 1u) << "the one that was written";
}

TEST(Commands, info_names_version_devices_and_features) {
  const json j = json::parse(run_cairn(fresh_folder("info"), "info --json").out);
  EXPECT_EQ(j["version"], cairn::kVersion);
  EXPECT_EQ(j["numerics"], cairn::kNumericsVersion);
  EXPECT_EQ(j["devices"][0]["name"], "cpu");
  EXPECT_TRUE(j["features"]["cuda"].is_boolean());
  EXPECT_TRUE(has(run_cairn(fresh_folder("info"), "info").out, "numerics version"));
}

}  // namespace
}  // namespace cairn::cli_test
