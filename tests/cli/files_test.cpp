// Files that the commands write, and those that they must not; and stdout.

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cairn/scene_file.h"
#include "scenes/builtin.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

namespace fs = std::filesystem;

const std::string kRun = "run tower:height=1 --device cpu --threads 1 --steps 4 ";

/// The path of a memory device: a node of the test's own, since what replaces a device by a file does so to the
/// machine's where root runs it. Who isn't root can't, and gets the machine's. Empty: there is none to be had.
std::string device_in(const std::string& folder, const std::string& name, unsigned minor) {
  if (geteuid() != 0) return "/dev/" + name;
  const std::string own = folder + "/" + name;
  const bool made = mknod(own.c_str(), S_IFCHR | 0666, makedev(1, minor)) == 0 && std::ofstream(own).is_open();
  return made ? own : "";
}

TEST(Stdout, that_cant_be_written_is_exit_code_4) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const std::string folder = fresh_folder("full");
  ASSERT_EQ(run_cairn(folder, kRun + "--record r").code, 0);
  std::ofstream(folder + "/tower.json") << cairn::scene_to_json(cairn::scenes::make("tower:height=1", 1));
  ASSERT_EQ(run_cairn(folder, "bench --scene tower:height=1 --steps 1 --settle 0 --device cpu --json a.json").code, 0);
  // every command
  for (const std::string& command : std::vector<std::string>{
           kRun, kRun + "--json", "scenes", "scenes --json", "info", "info --json", "validate tower.json",
           "replay r --device cpu", "replay r --device cpu --json", "--help", "run --help", "--version",
           "bench --scene tower:height=1 --steps 1 --settle 0 --device cpu", "bench --compare a.json a.json",
           "lab --only tower --cap 1 --seeds 1 --seconds 1 --passes 10"}) {
    for (const char* to : {" > /dev/full", " >&-"})
      EXPECT_TRUE(ended(run_script(folder, "cairn " + command + to), 4, {"can't write to stdout"})) << command << to;
  }
  // what is wrong with the input is said first
  EXPECT_EQ(run_script(folder, "cairn run castle > /dev/full").code, 2);
}

TEST(Stdout, that_is_closed_lends_its_place_to_no_file) {
  const std::string folder = fresh_folder("closed");
  EXPECT_EQ(run_script(folder, "cairn " + kRun + "--state a.json --record r <&- >&- 2>&-").code, 4);
  ASSERT_EQ(run_cairn(folder, kRun + "--state b.json --record s").code, 0);
  EXPECT_EQ(read_text(folder + "/a.json"), read_text(folder + "/b.json"));
  EXPECT_EQ(read_text(folder + "/r"), read_text(folder + "/s"));
}

TEST(Files, that_cant_be_written_are_exit_code_4_and_the_others_are_written) {
  const std::string folder = fresh_folder("unwritten");
  std::ofstream(folder + "/r") << "old";
  // files may have 512 bytes, of which a recording has more; at the limit comes SIGXFSZ
  const CliResult limited =
      run_script(folder, "trap '' XFSZ; ulimit -f 1; cairn " + kRun + "--record r --state a.csv > /dev/null");
  EXPECT_TRUE(ended(limited, 4, {"can't write r"}));
  EXPECT_EQ(read_text(folder + "/r"), "old");
  EXPECT_TRUE(fs::exists(folder + "/a.csv"));
  EXPECT_EQ(files_in(folder), 2u) << "no draft stays behind";
  const std::string device = device_in(folder, "full", 7);
  if (device.empty()) GTEST_SKIP() << "no device of one's own here";
  const CliResult full = run_cairn(folder, kRun + "--record " + device + " --json");
  EXPECT_EQ(full.code, 4) << full.err;
  EXPECT_TRUE(nlohmann::json::accept(full.out)) << "the figures are printed";
}

TEST(Files, are_written_through_links_and_keep_their_permissions) {
  const std::string folder = fresh_folder("links");
  fs::create_directory(folder + "/deep");
  std::ofstream(folder + "/deep/target.csv") << "old";
  fs::permissions(folder + "/deep/target.csv", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("deep/target.csv", folder + "/middle");
  fs::create_symlink("middle", folder + "/link.csv");
  fs::create_symlink("deep/new", folder + "/ahead");
  ASSERT_EQ(run_cairn(folder, kRun + "--state link.csv --record ahead").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder + "/link.csv") && fs::is_symlink(folder + "/middle"));
  EXPECT_EQ(read_text(folder + "/deep/target.csv").substr(0, 5), "name,");
  EXPECT_EQ(fs::status(folder + "/deep/target.csv").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(fs::is_symlink(folder + "/ahead"));
  EXPECT_EQ(run_cairn(folder, "replay deep/new --device cpu").code, 0);
  EXPECT_EQ(files_in(folder + "/deep"), 2u);
  fs::create_symlink("round.csv", folder + "/round.csv");
  EXPECT_EQ(run_cairn(folder, kRun + "--state round.csv").code, 2);
}

TEST(Files, that_are_devices_or_fifos_are_written_into) {
  const std::string folder = fresh_folder("devices");
  const std::string null = device_in(folder, "null", 3);
  if (!null.empty()) {
    EXPECT_EQ(run_cairn(folder, kRun + "--record " + null + " --checkpoint " + null + " --every 2").code, 0);
    EXPECT_TRUE(fs::is_character_file(null));
  }
  ASSERT_EQ(run_cairn(folder, kRun + "--record wanted").code, 0);
  ASSERT_EQ(mkfifo((folder + "/fifo").c_str(), 0600), 0);
  EXPECT_EQ(run_script(folder, "cat fifo > got & cairn " + kRun + "--record fifo; code=$?; wait; exit $code").code, 0);
  EXPECT_EQ(read_text(folder + "/got"), read_text(folder + "/wanted"));
  EXPECT_TRUE(fs::is_fifo(folder + "/fifo"));
  EXPECT_EQ(run_script(folder, "{ cairn " + kRun + "--record /dev/fd/3 3>&1 > /dev/null; } | cat > piped").code, 0);
  EXPECT_EQ(read_text(folder + "/piped"), read_text(folder + "/wanted"));
  // nobody reads: refused, and not waited for without end
  EXPECT_TRUE(ended(run_cairn(folder, kRun + "--record fifo"), 4, {"nobody reads"}));
}

TEST(Files, that_two_things_would_be_are_refused_before_the_first_step) {
  const std::string folder = fresh_folder("twice");
  const std::string scene = cairn::scene_to_json(cairn::scenes::make("tower:height=1", 1));
  std::ofstream(folder + "/own.json") << scene;
  fs::create_symlink("own.json", folder + "/link.json");
  fs::create_hard_link(folder + "/own.json", folder + "/hard.json");
  fs::create_symlink(".", folder + "/here");
  fs::create_symlink("later", folder + "/ahead");
  fs::create_directory(folder + "/folder.csv");
  std::ofstream(folder + "/ball.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder + "/mesh.json") << R"({"cairn": 1, "bodies": [{"name": "b", "type": "dynamic", "mass": 1,
    "shapes": [{"hull": {"file": "ball.obj"}}]}]})";
  ASSERT_EQ(run_cairn(folder, kRun + "--checkpoint kept --every 2").code, 0);
  const std::size_t before = files_in(folder);
  const std::string own = "run own.json --device cpu --steps 1 ";
  for (const std::string& command : std::vector<std::string>{
           kRun + "--checkpoint same --record same", kRun + "--checkpoint same --record ./folder.csv/../same",
           kRun + "--checkpoint same --record here/same", kRun + "--checkpoint ahead --record later",
           own + "--state own.json", own + "--state link.json", own + "--state hard.json",
           own + "--record here/own.json", "run link.json --device cpu --steps 1 --state own.json",
           "run mesh.json --device cpu --steps 1 --record ball.obj", "run --resume kept --device cpu --record kept",
           "run --resume kept --device cpu --record r --checkpoint r", kRun + "--state folder.csv",
           kRun + "--record here", kRun + "--record /proc/version/x",
           "bench --scene own.json --steps 1 --settle 0 --device cpu --json own.json",
           "lab --only tower --cap 1 --json nowhere/x.json"}) {
    const CliResult r = run_cairn(folder, command);
    EXPECT_EQ(r.code, 2) << command << r.err;
    EXPECT_EQ(r.out, "") << command;
    EXPECT_EQ(files_in(folder), before) << command;
  }
  EXPECT_EQ(read_text(folder + "/own.json"), scene);
  // where stdout goes is a file too
  EXPECT_EQ(run_script(folder, "cairn " + kRun + "--record r > r").code, 2);
  // a run may go on in its own checkpoint
  EXPECT_EQ(run_cairn(folder, "run --resume kept --checkpoint kept --device cpu").code, 0);
}

TEST(Files, that_are_pipes_are_scenes) {
  const std::string folder = fresh_folder("piped");
  ASSERT_EQ(run_cairn(folder, "scenes tower:height=3 --write tower.json").code, 0);
  const std::string run = " --device cpu --steps 2 --worlds 2 | grep hash";
  const CliResult file = run_script(folder, "cairn run tower.json" + run);
  const CliResult pipe = run_script(folder, "cat tower.json | cairn run /dev/stdin" + run);
  EXPECT_EQ(pipe.code, 0) << pipe.err;
  EXPECT_EQ(pipe.out, file.out);
  EXPECT_NE(pipe.out, "");
  // a folder is none, whatever it is called but .json
  ASSERT_EQ(run_script(folder, "mkdir tower && cairn run tower:height=3 --device cpu --steps 1").code, 0);
  EXPECT_EQ(run_cairn(folder, "run tower --device cpu --steps 1").code, 0);
}

TEST(Files, with_a_byte_of_0_are_no_scenes) {
  const std::string folder = fresh_folder("nul");
  const std::string scene = R"({"cairn": 1, "bodies": []})";
  const auto validated = [&](const std::string& text) {
    std::ofstream(folder + "/a.json", std::ios::binary) << text;
    return run_cairn(folder, "validate a.json");
  };
  EXPECT_EQ(validated(scene).code, 0);
  for (const std::string& text : {scene + std::string("\0", 1), scene + std::string("\0 more", 6),
                                  std::string("\0", 1) + scene, std::string(1000, '\0')}) {
    EXPECT_TRUE(ended(validated(text), 2, {"is 0"}));
  }
  EXPECT_EQ(run_cairn(folder, "bench --compare /dev/zero /dev/zero").code, 2);
}

}  // namespace
}  // namespace cairn::cli_test
