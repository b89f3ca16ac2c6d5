// `cairn run`: what it prints, what it writes, how it refuses.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cairn/scene_file.h"
#include "scenes/builtin.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

using nlohmann::json;

json run_json(const std::string& arguments) {
  const CliResult r = run_good(fresh_folder("json"), "run " + arguments + " --device cpu --json");
  EXPECT_EQ(r.err, "") << "stderr is no terminal here: no progress";
  return json::parse(r.out);
}

TEST(Run, prints_one_json_object_with_every_figure) {
  const json j = run_json("tower:height=3 --threads 2 --steps 30 --timings");
  expect_members(j, json::parse(R"({"scene": "tower:height=3", "device": "cpu", "threads": 2, "solver": "soft_step",
      "substeps": 6, "bodies": 4, "worlds": 1, "steps": 30, "status": []})"));
  EXPECT_EQ(j["hash"].get<std::string>().find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(j["hash"].get<std::string>().size(), 16u);
  for (const char* key : {"min", "median", "mean", "p95"}) EXPECT_TRUE(j["ms_per_step"][key].is_number()) << key;
  EXPECT_LE(j["ms_per_step"]["min"], j["ms_per_step"]["median"]);
  EXPECT_LE(j["ms_per_step"]["median"], j["ms_per_step"]["p95"]);
  for (const char* key : {"bound", "pair", "collide", "solve", "finish"})
    EXPECT_TRUE(j["stages"][key].is_number()) << key;
  expect_members(j["contacts"], {{"manifolds", 3}, {"points", 12}});
  EXPECT_TRUE(j["contacts"]["colors"].is_number());
  for (const char* key : {"max_penetration", "mean_penetration", "max_drift", "max_excursion", "height_loss",
                          "rms_speed", "kinetic_energy", "potential_energy"}) {
    EXPECT_TRUE(j["quality"][key].is_number()) << key;
  }
  EXPECT_EQ(j["quality"]["momentum"].size(), 3u);
  EXPECT_EQ(j["quality"]["fallen"], 0);
}

TEST(Run, takes_settings_by_their_names_in_a_scene_file) {
  const json j = run_json(
      "tower:height=2 --dt 0.01 --substeps 4 --solver xpbd --set sweep=jacobi --set friction_mix=min --steps 1");
  expect_members(j, {{"dt", 0.01}, {"substeps", 4}, {"solver", "xpbd"}});
  EXPECT_NE(run_json("tower:height=2 --steps 20 --set substeps=3")["hash"],
            run_json("tower:height=2 --steps 20")["hash"]);
}

TEST(Run, counts_seconds_in_steps) { EXPECT_EQ(run_json("tower:height=1 --seconds 0.5")["steps"], 30); }

TEST(Run, seeds_differ_and_equal_seeds_do_not) {
  const json one = run_json("tower:height=2 --steps 5 --seed 1")["hash"];
  EXPECT_EQ(one, run_json("tower:height=2 --steps 5")["hash"]);
  EXPECT_NE(one, run_json("tower:height=2 --steps 5 --seed 2")["hash"]);
}

TEST(Run, a_seed_is_for_built_in_scenes) {
  const std::string folder = fresh_folder("seed");
  std::ofstream(folder + "/tower.json") << cairn::scene_to_json(cairn::scenes::make("tower:height=1", 1));
  for (const char* command : {"run tower.json --steps 1", "bench --scene tower.json --steps 1"}) {
    EXPECT_TRUE(ended(run_cairn(folder, std::string(command) + " --device cpu --seed 7"), 2,
                      {"--seed: is for built-in scenes, and tower.json is a file"}))
        << command;
  }
}

TEST(Run, of_a_scene_file_equals_the_built_in_that_it_was_written_from) {
  struct Written {
    const char *scene, *steps, *holds;
  };
  for (const Written& of : {Written{"tower:height=3", "20", "4 bodies, 1 materials"},
                            // a floor, and nine links a robot
                            {"quadrupeds:count=2", "5", "19 bodies, 1 materials, 2 articulations"},
                            // a floor, a pole, and 4 by 6 particles
                            {"flag:rows=4", "20", "26 bodies, 1 materials, 1 sets of particles, 2 fields"}}) {
    const std::string folder = fresh_folder("file"), steps = std::string(" --steps ") + of.steps;
    std::ofstream(folder + "/a.json") << cairn::scene_to_json(cairn::scenes::make(of.scene, 1));
    const CliResult file = run_good(folder, "run a.json --device cpu --json" + steps);
    EXPECT_EQ(json::parse(file.out)["hash"], run_json(of.scene + steps)["hash"]) << of.scene;
    EXPECT_EQ(run_good(folder, "validate a.json").out, std::string("a.json: good; ") + of.holds + "\n");
  }
}

TEST(Run, writes_states_that_agree_as_json_and_as_csv) {
  const std::string folder = fresh_folder("state");
  ASSERT_EQ(run_cairn(folder, "run tower:height=2 --device cpu --steps 7 --state a.json").code, 0);
  ASSERT_EQ(run_cairn(folder, "run tower:height=2 --device cpu --steps 7 --state a.csv").code, 0);
  EXPECT_EQ(files_in(folder), 2u) << "no draft stays behind";
  const json bodies = read_json(folder + "/a.json")["bodies"];
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(bodies[0]["name"], "floor");
  std::istringstream csv(read_text(folder + "/a.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz");
  for (const json& body : bodies) {
    ASSERT_TRUE(std::getline(csv, line));
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    EXPECT_EQ(cell, '"' + body["name"].get<std::string>() + '"');
    for (const char* key : {"position", "orientation_xyzw", "linear_velocity", "angular_velocity"}) {
      for (const json& number : body[key]) {
        ASSERT_TRUE(std::getline(cells, cell, ','));
        EXPECT_EQ(json::parse(cell), number) << key;
      }
    }
  }
}

TEST(Run, writes_a_picture) {
  const std::string folder = fresh_folder("picture");
  ASSERT_EQ(run_cairn(folder, "run tower:height=1 --device cpu --steps 1 --picture a.png").code, 0);
  EXPECT_EQ(read_text(folder + "/a.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(Run, draws_worlds_of_a_batch_as_seen_from_where_it_is_told) {
  const std::string folder = fresh_folder("pictures");
  const std::string run = "run tower:height=2 --device cpu --steps 1 --worlds 3 --size 64x36 --samples 1 --picture ";
  const auto drawn = [&](const std::string& file, const std::string& options) {
    run_good(folder, run + file + " " + options);
    return read_text(folder + "/" + file);
  };
  const std::string one = drawn("one.png", "--world 1"), grid = drawn("grid.png", "--grid 2x2");
  EXPECT_NE(one, grid);
  EXPECT_EQ(drawn("again.png", "--grid 2x2"), grid);
  EXPECT_NE(drawn("above.png", "--world 1 --camera 0,0,20,0,0,0"), one);
  // the size is in the header, most significant byte first
  EXPECT_EQ(one.substr(16, 8), std::string("\0\0\0\x40\0\0\0\x24", 8));
}

TEST(Run, takes_a_camera_of_the_scene_by_its_name) {
  const std::string folder = fresh_folder("cameras");
  cairn::Scene scene = cairn::scenes::make("tower:height=2", 1);
  scene.add_camera({"front", {{0, -9, 2}, {0, 0, 1}}, {}});
  scene.add_camera({"a,b", {{9, 0, 2}, {0, 0, 1}, 40}, {}});
  std::ofstream(folder + "/a.json") << scene_to_json(scene);
  const auto drawn = [&](const std::string& options) {
    run_good(folder, "run a.json --device cpu --steps 1 --size 32x18 --samples 1 --picture a.png " + options);
    return read_text(folder + "/a.png");
  };
  const std::string front = drawn("--camera 0,-9,2,0,0,1"), side = drawn("--camera 9,0,2,0,0,1,40");
  EXPECT_NE(front, side);
  EXPECT_EQ(drawn("--camera front"), front);
  EXPECT_EQ(drawn("--camera a,b"), side);
  EXPECT_EQ(drawn(""), front) << "the first of the scene";
  EXPECT_TRUE(ended(run_cairn(folder, "run a.json --device cpu --picture b.png --camera back"), 2,
                    {"--camera back", "front, a,b"}));
}

TEST(Run, prints_a_summary_for_people) {
  const CliResult r = run_good(fresh_folder("summary"), "run tower:height=2 --device cpu --threads 1 --steps 3");
  EXPECT_TRUE(has(r.out, "tower:height=2: 3 bodies, 3 steps")) << r.out;
  EXPECT_TRUE(has(r.out, "hash")) << r.out;
}

struct Refused {
  const char* arguments;
  int code;
  std::vector<const char*> words;  // that the message must hold
};

TEST(Run, refuses_bad_input_with_the_option_and_its_value) {
  const std::string folder = fresh_folder("bad");
  std::ofstream(folder + "/broken.json") << R"({"cairn": 1, "bodies": [{"name": "a", "type": "ghost", "shapes": []}]})";
  const std::vector<Refused> cases{
      {"run castle", 2, {"castle", "tower"}},
      {"run tower:hight=3", 2, {"hight", "height"}},
      {"run tower:height=0", 2, {"height", "0"}},
      {"run missing.json", 2, {"missing.json"}},
      {"run broken.json", 2, {"broken.json", "/bodies/0/type", "ghost"}},
      {"run .", 2, {"."}},
      {"run tower --solver fast", 2, {"--solver", "fast"}},
      {"run tower --dt -1", 2, {"--dt", "-1"}},
      {"run tower --dt soon", 2, {"--dt", "soon"}},
      {"run tower --substeps 0", 2, {"--substeps", "0"}},
      {"run tower --set speed=3", 2, {"--set", "speed"}},
      {"run tower --set speed", 2, {"--set", "speed", "key=value"}},
      {"run tower --set max_depenetration_speed=-1", 2, {"max_depenetration_speed", "-1"}},
      {"run tower --threads 257", 2, {"--threads", "257"}},
      {"run tower --threads many", 2, {"--threads", "many"}},
      {"run tower --device gpu", 2, {"--device", "gpu"}},
      {"run tower --device cuda:x", 2, {"--device", "cuda:x"}},
      {"run tower --steps -1", 2, {"--steps", "-1"}},
      {"run tower --steps 1 --seconds 1", 2, {"--steps", "--seconds"}},
      {"run tower --seconds 1e99", 2, {"--seconds", "1e+99"}},
      {"run tower --state a.txt", 2, {"--state", "a.txt", ".csv"}},
      {"run tower --camera 0,0,9,0,0,0", 2, {"--camera", "--picture"}},
      {"run tower --picture a.png --camera 0,0,9,0,0", 2, {"--camera 0,0,9,0,0", "numbers"}},
      {"run tower --picture a.png --camera 0,0,9,0,0,9", 2, {"camera target", "eye"}},
      {"run tower --picture a.png --camera 9,0,9,0,0,9,180", 2, {"field_of_view", "150"}},
      {"run tower --picture a.png --size 640", 2, {"--size 640", "WIDTHxHEIGHT"}},
      {"run tower --picture a.png --size 640x-3", 2, {"height", "-3"}},
      {"run tower --picture a.png --grid 0x2", 2, {"columns", "0"}},
      {"run tower --picture a.jpg", 2, {"--picture", "a.jpg", ".png"}},
      {"run tower --picture nowhere/a.png", 2, {"--picture", "nowhere"}},
      {"run tower --fly", 2, {"--fly"}},
      {"run", 2, {"SCENE"}},
      {"", 2, {"subcommand"}},
      {"walk", 2, {"walk"}},
      {"validate broken.json", 2, {"broken.json", "/bodies/0/type"}},
      {"validate missing.json", 2, {"missing.json"}},
      {"bench --only castle", 2, {"--only", "castle"}},
      {"bench --repeats 0", 2, {"--repeats", "0"}},
      {"run tower --device cuda:999", 3, {"cuda:999"}},
  };
  for (const Refused& c : cases) {
    const CliResult r = run_cairn(folder, c.arguments);
    EXPECT_TRUE(ended(r, c.code, c.words)) << c.arguments;
    EXPECT_EQ(r.out, "") << c.arguments;
  }
  EXPECT_EQ(files_in(folder), 1u) << "a refused command writes nothing";
}

TEST(Run, leaves_an_old_file_alone_when_it_fails) {
  const std::string folder = fresh_folder("old");
  std::ofstream(folder + "/a.csv") << "old";
  EXPECT_EQ(run_cairn(folder, "run tower --set speed=3 --state a.csv").code, 2);
  EXPECT_EQ(read_text(folder + "/a.csv"), "old");
}

TEST(Run, steps_worlds_together_and_judges_them_all) {
  const std::string folder = fresh_folder("worlds");
  const auto run_with = [&](const std::string& options) {
    return json::parse(run_good(folder, "run tower:height=3 --device cpu --steps 60 --json " + options).out);
  };
  const json three = run_with("--worlds 3");
  expect_members(three, {{"worlds", 3}, {"bodies", 12}});
  EXPECT_NE(three["hash"], run_with("")["hash"]);
  double deepest = 0, energy = 0;
  for (const char* seed : {"--seed 1", "--seed 2", "--seed 3"}) {
    const json one = run_with(seed);
    deepest = std::max(deepest, one["quality"]["max_penetration"].get<double>());
    energy += one["quality"]["potential_energy"].get<double>();
  }
  EXPECT_EQ(three["quality"]["max_penetration"].get<double>(), deepest);
  EXPECT_NEAR(three["quality"]["potential_energy"].get<double>(), energy, 1e-9 * energy);
  for (const char* wrong :
       {"2 --picture a.png", "2 --picture a.png --world 2", "2 --picture a.png --world 1 --grid 2x1", "0", "65536"}) {
    EXPECT_EQ(run_cairn(folder, std::string("run tower --worlds ") + wrong).code, 2) << wrong;
  }
}

// A body above the speed limit raises a status bit (kStatusTooFast); the figures are printed all the same.
TEST(Run, exits_with_1_when_a_status_bit_is_raised) {
  const std::string folder = fresh_folder("status");
  std::ofstream(folder + "/fast.json") << R"({"cairn": 1, "bodies": [{"name": "a", "type": "dynamic", "mass": 1,
    "linear_velocity": [99999.9, 0, 0], "shapes": [{"sphere": {"radius": 1}}]}], "gravity": [1000, 0, 0]})";
  const CliResult r = run_cairn(folder, "run fast.json --device cpu --steps 2 --json");
  EXPECT_EQ(r.code, 1) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["status"], json({"too_fast"}));
  EXPECT_EQ(out["frozen"], json::parse(R"([{"world": 0, "step": 1, "status": ["too_fast"], "body": "a"}])"));
  const CliResult plain = run_cairn(folder, "run fast.json --device cpu --steps 2");
  EXPECT_TRUE(has(plain.out, "frozen          world 0 before step 1 by \"a\": too_fast")) << plain.out;
}

}  // namespace
}  // namespace cairn::cli_test
