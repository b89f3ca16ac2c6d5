// `cairn bench`: figures of every row, what has none and why, and what moved between two runs.

#include <fstream>

#include "cairn/version.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

using nlohmann::json;

constexpr const char* kTower = "bench --device cpu --threads 1 --scene tower:height=3 --settle 5 --steps 10 ";

/// A free ball that leaves the bounds of its world in its second step.
constexpr const char* kRunaway =
    R"({"cairn": 1, "gravity": [0, 0, 0], "bodies": [{"name": "ball", "type": "dynamic", "position": [9997500, 0, 0],
    "linear_velocity": [90000, 0, 0], "mass": 1, "shapes": [{"sphere": {"radius": 1}}]}]})";

TEST(Bench, shows_every_figure_of_a_row_in_table_and_json) {
  const std::string folder = fresh_folder("bench");
  const CliResult r = run_good(folder, std::string(kTower) + "--worlds 4 --repeats 2 --commit abc1234 --json b.json");
  EXPECT_EQ(r.err, "") << "stderr is no terminal here: no progress";
  const json j = read_json(folder + "/b.json");
  expect_members(j, {{"cairn_bench", 1}, {"version", cairn::kVersion}, {"commit", "abc1234"}});
  for (const char* key : {"date", "description", "driver"}) EXPECT_TRUE(j[key].is_string()) << key;
  ASSERT_EQ(j["rows"].size(), 1u);
  const json& row = j["rows"][0];
  expect_members(row, json::parse(R"({"scene": "tower:height=3", "device": "cpu", "threads": 1, "worlds": 4,
      "bodies": 16, "dynamic_bodies": 12, "substeps": 6, "settle_steps": 5, "timed_steps": 10, "repeats": 2,
      "status": [], "same_hash": true})"));
  EXPECT_EQ(row["contacts"]["manifolds"], 12);
  for (const char* key :
       {"dt", "queued_ms_per_step", "world_steps_per_second", "body_steps_per_second", "memory_bytes", "drift"}) {
    EXPECT_GT(row[key], 0) << key;
  }
  EXPECT_LE(row["ms_per_step"]["median"], row["ms_per_step"]["p95"]);
  EXPECT_NEAR(row["body_steps_per_second"].get<double>(), 3 * row["world_steps_per_second"].get<double>(), 1e-6);
  double shares = 0;
  for (const auto& share : row["stage_share"]) shares += share.get<double>();
  EXPECT_NEAR(shares, 1, 1e-9);
  // small worlds go through their substeps in one stage
  EXPECT_GT(row["stage_share"]["move"], 0);
  for (const char* key : {"max_penetration", "mean_penetration", "kinetic_energy", "potential_energy", "fallen"}) {
    EXPECT_TRUE(row["quality"][key].is_number()) << key;
  }
  EXPECT_TRUE(has(r.out, row["hash"].get<std::string>()));
}

TEST(Bench, counts_joints_and_tells_how_well_they_hold) {
  const std::string folder = fresh_folder("joints");
  const CliResult r = run_good(folder,
                               "bench --device cpu --threads 1 --scene chain:links=5,ratio=3 --settle 200 --steps 10 "
                               "--worlds 2 --json b.json");
  const json row = read_json(folder + "/b.json")["rows"][0];
  EXPECT_EQ(row["joints"], 10);
  EXPECT_NEAR(row["joint_steps_per_ms"].get<double>(), 10 / row["queued_ms_per_step"].get<double>(), 1e-6);
  // under all weights, by the inverse mass of two links: 1.2 F h^2 w
  const double h = 1.0 / 60 / 12;
  EXPECT_GT(row["joint_error"], 0);
  EXPECT_LE(row["joint_error"].get<double>(), 1.2 * 7 * 9.81 * h * h * 2 + 2e-5);
  EXPECT_TRUE(has(r.out, "; 10 joints, ")) << r.out;
}

TEST(Bench, ends_with_the_bits_of_run) {
  const std::string folder = fresh_folder("bits");
  run_good(folder, std::string(kTower) + "--json b.json");
  const CliResult run = run_cairn(folder, "run tower:height=3 --device cpu --steps 15 --json");
  EXPECT_EQ(read_json(folder + "/b.json")["rows"][0]["hash"], json::parse(run.out)["hash"]);
}

TEST(Bench, gives_no_figure_for_a_world_that_broke) {
  const std::string folder = fresh_folder("broken");
  std::ofstream(folder + "/runaway.json") << kRunaway;
  const CliResult r = run_cairn(folder, "bench --device cpu --scene runaway.json --settle 0 --steps 5 --json b.json");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.out, "no figure: status out_of_bounds")) << r.out;
  const json row = read_json(folder + "/b.json")["rows"][0];
  EXPECT_EQ(row["no_figure"], "status out_of_bounds");
  for (const char* key : {"ms_per_step", "queued_ms_per_step", "world_steps_per_second", "body_steps_per_second",
                          "drift", "stages", "stage_share", "quality"}) {
    EXPECT_TRUE(row[key].is_null()) << key;
  }
}

TEST(Bench, says_what_it_does_not_run) {
  const std::string folder = fresh_folder("limits");
  // the second row's time is told from the first's: 4,000 boxes take 2,000 times as long as 2
  const CliResult time =
      run_good(folder, "bench --device cpu --scene tower:height=2 --scene tower:height=4000 --limit 5 --json b.json");
  EXPECT_TRUE(has(time.out, "not run: would take about")) << time.out;
  const json rows = read_json(folder + "/b.json")["rows"];
  EXPECT_FALSE(rows[0].contains("not_run"));
  EXPECT_TRUE(has(rows[1]["not_run"].get<std::string>(), "over the limit of 5 s"));
  const CliResult stopped = run_good(folder, std::string(kTower) + "--limit 1e-6");
  EXPECT_TRUE(has(stopped.out, "not run: stopped after 1 steps, over the limit of 1e-06 s")) << stopped.out;
  // terabytes
  const CliResult memory = run_good(folder, "bench --device cpu --scene tower:height=10000 --worlds 65535");
  EXPECT_TRUE(has(memory.out, "GiB of the device's")) << memory.out;
}

TEST(Bench, names_what_there_is) {
  const std::string folder = fresh_folder("names");
  EXPECT_TRUE(ended(run_cairn(folder, "bench --suite quik"), 2,
                    {"--suite quik: there are quick, stacks, piles, shapes, joints, grains, batch, full"}));
  EXPECT_TRUE(
      ended(run_cairn(folder, "bench --suite stacks --only sloop"), 2, {"--only sloop: no scene of suite stacks"}));
  EXPECT_EQ(run_cairn(folder, "bench --suite articulations --only chain").code, 2);
  EXPECT_EQ(run_cairn(folder, "bench --worlds 2").code, 2);
  EXPECT_EQ(run_cairn(folder, "bench --json b.png").code, 2);
}

class BenchCompare : public testing::Test {
 protected:
  BenchCompare() : folder_(fresh_folder("compare")) {
    run_cairn(folder_, std::string(kTower) + "--scene tower:height=2 --json a.json");
    file_ = read_json(folder_ + "/a.json");
  }
  CliResult compare(const json& b, const std::string& more = "") {
    std::ofstream(folder_ + "/b.json") << b;
    return run_cairn(folder_, "bench --compare a.json b.json " + more);
  }
  json& row() { return file_["rows"][0]; }

  std::string folder_;
  json file_;
};

TEST_F(BenchCompare, finds_nothing_between_equals) {
  const CliResult r = compare(file_);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(
      has(r.out, "2 rows with figures in both: 0 faster, 0 slower by more than 10 %; bits differ in 0; 0 worse"));
}

TEST_F(BenchCompare, tells_time_from_tolerance_on) {
  const double ms = row()["ms_per_step"]["median"];
  row()["ms_per_step"]["median"] = 1.2 * ms;
  const CliResult slower = compare(file_);
  EXPECT_EQ(slower.code, 1);
  EXPECT_TRUE(has(slower.out, "+20.0 %") && has(slower.out, "WORSE: slower")) << slower.out;
  EXPECT_EQ(compare(file_, "--tolerance 0.3").code, 0);
  row()["ms_per_step"]["median"] = 0.5 * ms;
  const CliResult faster = compare(file_);
  EXPECT_EQ(faster.code, 0);
  EXPECT_TRUE(has(faster.out, "1 faster")) << faster.out;
}

TEST_F(BenchCompare, takes_other_bits_for_worse_unless_the_numerics_changed) {
  row()["hash"] = "0123456789abcdef";
  const CliResult same = compare(file_);
  EXPECT_EQ(same.code, 1);
  EXPECT_TRUE(has(same.out, "WORSE: other bits")) << same.out;
  file_["numerics"] = cairn::kNumericsVersion + 1;
  EXPECT_EQ(compare(file_).code, 0);
  row()["quality"]["fallen"] = 2;
  row()["quality"]["mean_penetration"] = 2 * row()["quality"]["mean_penetration"].get<double>();
  const CliResult fell = compare(file_);
  EXPECT_EQ(fell.code, 1);
  EXPECT_TRUE(has(fell.out, "WORSE: deeper, more fallen")) << fell.out;
}

TEST_F(BenchCompare, misses_a_figure_that_was_there_and_lists_rows_of_one_alone) {
  row()["not_run"] = "out of memory";
  file_["rows"][1]["scene"] = "tower:height=9";
  const CliResult r = compare(file_);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.out, "WORSE: in B not run: out of memory")) << r.out;
  EXPECT_TRUE(has(r.out, "tower:height=2 x 1, 6 substeps") && has(r.out, "only in A") && has(r.out, "only in B"))
      << r.out;
}

TEST_F(BenchCompare, refuses_what_is_no_such_file) {
  for (const char* text : {"", "[]", "{}", R"({"cairn_bench": 1, "description": "", "numerics": 3, "rows": [{}]})"}) {
    std::ofstream(folder_ + "/b.json") << text;
    EXPECT_TRUE(
        ended(run_cairn(folder_, "bench --compare a.json b.json"), 2, {"b.json: is no file of cairn bench --json"}))
        << text;
  }
  EXPECT_EQ(run_cairn(folder_, "bench --compare a.json absent.json").code, 2);
}

}  // namespace
}  // namespace cairn::cli_test
