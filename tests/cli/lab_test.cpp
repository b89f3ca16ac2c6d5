// `cairn lab`: the search, its files, and what it refuses.

#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

using nlohmann::json;

TEST(Lab, finds_what_each_solver_holds_and_writes_it_down) {
  const std::string folder = fresh_folder("lab");
  // without a disturbance four boxes stand for a second whatever the solver; one that lost them would show here
  const CliResult r = run_good(folder, "lab --only tower --cap 4 --seconds 1 --seeds 2 --json lab.json");
  const json object = read_json(folder + "/lab.json");
  // what took those times: an emulated device is called `cuda:0`, too
  EXPECT_TRUE(has(r.out, object["description"].get<std::string>() + "\n"));
  ASSERT_EQ(object["rows"].size(), 6u);
  for (const json& row : object["rows"]) {
    EXPECT_EQ(row["challenge"], "tower");
    EXPECT_EQ(row["limit"], 4) << row["solver"];
    EXPECT_TRUE(row["held"]) << row["solver"];
    EXPECT_LT(row["drift"], 0.5) << row["solver"];
    EXPECT_TRUE(has(r.out, row["solver"].get<std::string>()));
  }
  EXPECT_EQ(object["rows"][0]["substeps"], 5);
}

TEST(Lab, stops_at_the_largest_that_is_held) {
  const std::string folder = fresh_folder("lab_limit");
  run_good(folder, "lab --only load --seeds 1 --json lab.json");
  const json object = read_json(folder + "/lab.json");
  ASSERT_EQ(object["rows"].size(), 6u);
  for (const json& row : object["rows"]) {
    // at 10 passes direct solves alone hold 4096:1 on ten boxes, and soft_step has them for such loads by default
    EXPECT_EQ(row["limit"] == row["cap"], row["solver"].get<std::string>().starts_with("soft_step"))
        << row["solver"] << " " << row["limit"];
    EXPECT_TRUE(row["held"].get<bool>() || row["limit"] == 0) << row["solver"];
  }
}

// Far from its limit and with many substeps a solver is right about every family.
TEST(Lab, judges_structures_on_either_side_of_their_limit) {
  const std::string folder = fresh_folder("lab_verdicts");
  run_good(folder, "lab --verdicts 3 --margins 20 --solver soft_step --passes 48 --seconds 4 --json lab.json");
  const json rows = read_json(folder + "/lab.json")["verdicts"];
  // with direct solves, and without
  EXPECT_EQ(rows.size(), 12u);
  for (const json& row : rows) {
    SCOPED_TRACE(row);
    expect_members(row, {{"stood", 3}, {"standing", 3}, {"fell", 3}, {"falling", 3}});
  }
}

TEST(Lab, refuses_passes_that_not_all_solvers_can_spend_and_names_it_does_not_know) {
  for (const char* arguments : {"lab --passes 5", "lab --passes 10,5", "lab --solver nobody",
                                "lab --verdicts 1 --only cathedral", "lab --only cathedral", "lab --json lab.png"}) {
    EXPECT_EQ(run_cairn(fresh_folder("lab_refused"), arguments).code, 2) << arguments;
  }
}

}  // namespace
}  // namespace cairn::cli_test
