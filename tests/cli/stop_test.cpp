// `cairn run` stopped by a signal writes what it has, and can go on from there to the same bits.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

using nlohmann::json;

// seconds of steps, so that a signal comes between them
const std::string kScene = "pile:count=60 --seed 3 --steps 2000 --device cpu --threads 1 --json ";

/// A `cairn` that runs beside the test, in a folder.
class Started {
 public:
  Started(const std::string& folder, const std::string& arguments) : folder_(folder) {
    // the shell gives way to the program, so that signals are for that
    const std::string name = std::filesystem::path(folder).filename().string();
    const std::string command =
        "cd '" + folder + "' && exec '" CAIRN_CLI "' " + arguments + " > ../" + name + ".out 2> ../" + name + ".err";
    pid_ = fork();
    if (pid_ != 0) return;
    for (const int s : {SIGINT, SIGTERM}) std::signal(s, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  void wait_for(const std::string& file) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(folder_ + "/" + file) && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void send(int signal) const { kill(pid_, signal); }
  /// What waitpid says of its end.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return status;
  }
  std::string out() const { return read_text(folder_ + ".out"); }
  std::string err() const { return read_text(folder_ + ".err"); }

 private:
  std::string folder_;
  pid_t pid_{-1};
};

TEST(Stopping, by_a_signal_writes_every_file_and_says_so) {
  const std::string whole = fresh_folder("whole");
  const json wanted = figures(run_cairn(whole, "run " + kScene));
  for (const auto& [signal, name] : {std::pair{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}}) {
    const std::string folder = fresh_folder(name);
    Started run(folder,
                "run " + kScene + "--timings --checkpoint c --every 7 --record r --state s.json --picture p.png");
    run.wait_for("c");
    run.send(signal);
    const int status = run.wait();
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal) << run.err();
    for (const char* what : {"stopped by", name, "checkpoint c", "recording r", "states s.json", "picture p.png"})
      EXPECT_TRUE(has(run.err(), what)) << run.err();
    const json stopped = json::parse(run.out());
    EXPECT_GE(stopped["steps"], 7);
    EXPECT_LT(stopped["steps"], 2000);
    EXPECT_EQ(files_in(folder), 4u) << "no draft stays behind";
    // all of the same moment
    const json again = json::parse(run_good(folder, "replay r --device cpu --json").out);
    EXPECT_EQ(again["steps"], stopped["steps"]);
    EXPECT_EQ(again["hash"], stopped["hash"]);
    EXPECT_EQ(read_json(folder + "/s.json")["bodies"].size(), stopped["bodies"]);
    EXPECT_EQ(read_text(folder + "/p.png").substr(1, 3), "PNG");
    EXPECT_EQ(figures(run_cairn(folder, "run --resume c --device cpu --json")), wanted);
  }
}

TEST(Stopping, by_a_second_signal_is_at_once) {
  const std::string folder = fresh_folder("second");
  ASSERT_EQ(mkfifo((folder + "/fifo").c_str(), 0600), 0);
  // the recording waits for somebody who reads it
  Started run(folder, "run " + kScene + "--checkpoint c --every 7 --record fifo");
  run.wait_for("c");
  const auto begin = std::chrono::steady_clock::now();
  run.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  run.send(SIGTERM);
  const int status = run.wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << run.err();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
  EXPECT_EQ(run_cairn(folder, "run --resume c --device cpu --json").code, 0);
}

TEST(Stopping, by_a_signal_that_the_parent_ignores_does_not_happen) {
  const std::string folder = fresh_folder("ignored");
  const CliResult r = run_script(folder, "trap '' INT; (exec '" CAIRN_CLI
                                         "' run tower:height=1 --steps 300 --device cpu "
                                         "--checkpoint c --every 5) & while [ ! -e c ]; do sleep 0.01; done; "
                                         "kill -INT $!; wait $!");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
}

}  // namespace
}  // namespace cairn::cli_test
