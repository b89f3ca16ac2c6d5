// Every option that takes a number takes numbers alone, as people write them.

#include <regex>
#include <set>

#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

/// Options of a command whose help shows that they take a number, and whether it is a whole one.
std::set<std::pair<std::string, bool>> number_options(const std::string& command) {
  std::set<std::pair<std::string, bool>> found;
  const std::string help = run_cairn(fresh_folder("help"), command + " --help").out;
  const std::regex line(R"((--[a-z-]+) (U?INT|FLOAT))");
  for (std::sregex_iterator at(help.begin(), help.end(), line), end; at != end; ++at)
    found.insert({(*at)[1], (*at)[2] != "FLOAT"});
  return found;
}

TEST(Numbers, are_taken_in_decimal_and_in_their_range_alone) {
  std::size_t options = 0;
  for (const char* command : {"run", "replay", "bench", "lab"}) {
    for (const auto& [option, whole] : number_options(command)) {
      ++options;
      // their range ends above 2^64, or there are too many steps
      const bool large =
          option == "--limit" || option == "--tolerance" || (option == "--seconds" && std::string(command) == "run");
      std::vector<std::string> bad{"-1",
                                   "18446744073709551616",
                                   "36893488147419103232",
                                   "0x10",
                                   "0b1",
                                   "1x",
                                   "'1 2'",
                                   "' 1'",
                                   "''",
                                   "1e",
                                   "nan",
                                   "inf",
                                   "1,",
                                   "1e999",
                                   "--1"};
      if (whole) bad.insert(bad.end(), {"1.5", "1e1", "1_000", "\"1'000\""});
      for (const std::string& value : bad) {
        if (large && value.size() > 19) continue;
        const std::string needed = option == "--every" ? " --checkpoint c" : "";
        const std::string arguments = std::string(command) + needed + " " + option + " " + value;
        EXPECT_TRUE(ended(run_cairn(fresh_folder("numbers"), arguments), 2, {option.c_str()})) << arguments;
      }
    }
  }
  EXPECT_GE(options, 20u);
}

TEST(Numbers, of_every_size_are_taken_as_they_are) {
  const std::string folder = fresh_folder("seed");
  const std::string run = "run tower:height=1 --device cpu --steps 0 --json --seed ";
  for (const char* seed : {"0", "9223372036854775808", "18446744073709551615"}) {
    EXPECT_EQ(nlohmann::json::parse(run_good(folder, run + seed).out)["seed"].dump(), seed);
  }
  // leading zeros make no octal number
  EXPECT_EQ(nlohmann::json::parse(run_cairn(folder, run + "010").out)["seed"], 10);
}

}  // namespace
}  // namespace cairn::cli_test
