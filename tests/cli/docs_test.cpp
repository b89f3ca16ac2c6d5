// Pages that list what the program has.

#include "tests/support/docs.h"

#include <regex>
#include <set>
#include <string>

#include "cairn/report.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

std::string page(const std::string& name) { return testing_support::whole(testing_support::path_of_doc(name)); }

std::set<std::string> all_of(const std::string& text, const char* pattern) {
  std::set<std::string> found;
  const std::regex what(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), what), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

TEST(Docs, of_the_command_line_have_every_option) {
  const std::set<std::string> told = all_of(page("cli.md"), "(--[a-z][a-z-]*)");
  const auto folder = fresh_folder("options");
  for (const char* command : {"", "run", "scenes", "info", "validate", "replay", "view", "bench", "lab"}) {
    const std::string help = run_cairn(folder, std::string(command) + " --help").out;
    const std::set<std::string> options = all_of(help, "\n  [^\n]*?(--[a-z][a-z-]*)");
    EXPECT_TRUE(options.contains("--help")) << command;
    for (const std::string& option : options) EXPECT_TRUE(told.contains(option)) << command << " " << option;
  }
}

TEST(Docs, of_a_step_have_every_stage_in_their_table_and_as_a_heading) {
  std::set<std::string> stages;
  for (const std::string_view name : EnumWords<Stage>::names) stages.emplace(name);
  const std::string text = page("pipeline.md");
  EXPECT_EQ(all_of(text.substr(0, text.find("\n## field\n")), "\n\\| `([a-z]+)` \\|"), stages);
  for (const std::string& stage : stages) EXPECT_TRUE(all_of(text, "\n## ([a-z ]+)").contains(stage)) << stage;
}

}  // namespace
}  // namespace cairn::cli_test
