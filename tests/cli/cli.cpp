#include "tests/cli/cli.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace cairn::cli_test {

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json read_json(const std::string& path) { return nlohmann::json::parse(read_text(path)); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

testing::AssertionResult ended(const CliResult& r, int code, const std::vector<const char*>& words) {
  if (r.code != code)
    return testing::AssertionFailure() << "ended with " << r.code << ", not " << code << ": " << r.err;
  for (const char* word : words) {
    if (!has(r.err, word)) return testing::AssertionFailure() << "stderr lacks \"" << word << "\": " << r.err;
  }
  return testing::AssertionSuccess();
}

nlohmann::json figures(const CliResult& r) {
  EXPECT_TRUE(ended(r, 0));
  const nlohmann::json all = nlohmann::json::parse(r.out);
  nlohmann::json some;
  for (const char* key : {"hash", "steps", "quality", "scene", "seed", "worlds", "contacts"}) some[key] = all[key];
  return some;
}

void expect_members(const nlohmann::json& object, const nlohmann::json& wanted) {
  for (const auto& [key, value] : wanted.items()) EXPECT_EQ(object.value(key, nlohmann::json()), value) << key;
}

std::string fresh_folder(const std::string& name) {
  // a place of this process alone, since ctest runs several at once; gone when the process ends
  static const struct Place {
    std::filesystem::path path = std::filesystem::path(testing::TempDir()) / ("cairn_cli_" + std::to_string(getpid()));
    ~Place() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } kPlace;
  const auto folder = kPlace.path / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

CliResult run_script(const std::string& folder, const std::string& script) {
  // what it prints goes beside the folder, so that a test can list what the command left in it
  const std::string out = folder + ".out", err = folder + ".err", file = folder + ".sh";
  std::ofstream(file) << "cd '" + folder + "'\ncairn() { '" CAIRN_CLI "' \"$@\"; }\n" + script + "\n";
  const std::string command = "sh '" + file + "' > '" + out + "' 2> '" + err + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out), read_text(err)};
}

CliResult run_cairn(const std::string& folder, const std::string& arguments) {
  return run_script(folder, "cairn " + arguments);
}

CliResult run_good(const std::string& folder, const std::string& arguments) {
  CliResult r = run_cairn(folder, arguments);
  EXPECT_TRUE(ended(r, 0)) << arguments;
  return r;
}

}  // namespace cairn::cli_test
