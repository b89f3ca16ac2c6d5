// `cairn view`: what the viewer is started with, and what is said where there is none.

#include <fstream>
#include <string>

#include "cairn/scene_file.h"
#include "scenes/builtin.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

/// A Python that answers what it has by `code`, and writes down what it is started with.
void put_python(const std::string& folder, int code) {
  std::ofstream(folder + "/python") << "#!/bin/sh\n[ \"$2\" = -c ] && exit " << code
                                    << "\nprintf '%s\\n' \"$@\" > arguments\ncat > input\nexit 7\n";
}
CliResult view(const std::string& folder, const std::string& arguments, int code = 0) {
  put_python(folder, code);
  return run_script(folder, "chmod +x python; CAIRN_PYTHON=./python cairn view " + arguments + " </dev/null");
}

TEST(View, hands_files_and_options_over_to_the_viewer) {
  const std::string folder = fresh_folder("view");
  std::ofstream(folder + "/-a b.json") << "{}";
  const CliResult r = view(folder, "'./-a b.json' --worlds 4 --paused");
  EXPECT_EQ(r.code, 7) << "that of the viewer; " << r.err;
  EXPECT_EQ(read_text(folder + "/arguments"), "-P\n-m\ncairn.viewer\n--worlds\n4\n--paused\n--\n./-a b.json\n");
  EXPECT_EQ(read_text(folder + "/input"), "");
}

TEST(View, hands_over_built_in_scenes_by_stdin) {
  const std::string folder = fresh_folder("view_builtin");
  EXPECT_EQ(view(folder, "tower:height=3 --seed 5 --port 9000").code, 7);
  EXPECT_EQ(read_text(folder + "/arguments"), "-P\n-m\ncairn.viewer\n--port\n9000\n--\n-\n");
  EXPECT_EQ(read_text(folder + "/input"), cairn::scene_to_json(cairn::scenes::make("tower:height=3", 5)));
}

TEST(View, says_what_is_missing) {
  const std::string folder = fresh_folder("view_missing");
  const auto expect = [](const CliResult& r, const std::vector<const char*>& words) {
    EXPECT_TRUE(ended(r, 2, words));
    EXPECT_EQ(r.out, "");
  };
  expect(view(folder, "tower", 93), {"view: needs a Python with the package cairn", "./python", "CAIRN_PYTHON"});
  expect(view(folder, "tower", 1), {"view: needs a Python with the package cairn"});
  expect(view(folder, "tower", 94), {"./python lacks the package viser", "pip install viser"});
  expect(view(folder, "castle"), {"castle", "tower"});
  expect(run_script(folder, "CAIRN_PYTHON=/nowhere/python cairn view tower"), {"/nowhere/python", "package cairn"});
  expect(run_script(folder, "cairn view"), {"SCENE"});
  expect(view(folder, "a.json --seed 5"), {"--seed", "built-in", "a.json"});
}

}  // namespace
}  // namespace cairn::cli_test
